//! `pentimento report figures`: the figures that papers print, from whatever there is.
//!
//! The figures are [`crate::evaluate::figures`], which the window shows too; here their data are gathered and the
//! files written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;

use crate::base::shell_line;
use crate::cli::collection::Collection;
use crate::cli::explored::{ExploredSources, is_of_script, note_scripted, passing as passing_runs};
use crate::cli::label::{is_project, said_for_figures};
use crate::cli::output::{note, note_missing_letters, print, write_atomic};
use crate::cli::own_metrics::{OwnMetrics, option_words};
use crate::cli::plans::{self, PlanFile};
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{
    Cache, ScoreJob, ScoredBy, captions, last_step, models, note_problem, read_runs, scorer,
};
use crate::environment::EnvironmentKind;
use crate::evaluate::figures::{
    FIGURES, Figure, FigureKind, FigurePlan, FigureRun, FigureSources, canvas_curves, to_svg,
};
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::evaluate::{Condition, MadeBy, PlanDigest, RunDigest, Wanted};
use crate::export::{PageForm, drawing_file};
use crate::metric::plan::PlanRow;
use crate::metric::plan::errors;
use crate::render::{FontSource, Fonts};
use crate::run::Run;
use crate::task::TaskKind;
use crate::workbench::Variants;
use crate::workbench::views::{Filter, shows_scripts};

/// Pixels of the PNG a point of the drawing.
const SCALE: f64 = 2.0;
/// Draw the figures of the papers from whatever runs there are
///
/// CANVAS 4, 34, 35, 36 and, as bars, its table 2 (Pos@K); GraphicBench 2, 3, 10; GraphicWeaver 2, 3; PSBench 4 and, as
/// bars, its table 3. Each is written as SVG, PDF and PNG, with its numbers as CSV. What is said below a figure is in
/// it: how many runs, by which variants, what was left out, the version and the command. A figure that lacks data is
/// not written, and which data it lacks is said. Success, difficulty and time are those of labels and of runs of
/// studies.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct FiguresArguments {
    /// Run folders, folders with runs in them, or folders of published plans: {model}/{type}.jsonl.
    #[arg(value_name = "RUN|PLANS", required_unless_present = "labels")]
    runs: Vec<PathBuf>,
    /// What people said: a labelling project, or attempts as CSV or JSON Lines; may be given several times.
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Only these figures, such as canvas-4; may be given several times, or divided by commas.
    #[arg(long, value_name = "FIGURE", value_delimiter = ',')]
    only: Vec<String>,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Captions that were made before. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json")]
    captions: Option<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
}

const EXAMPLES: &str = "\
Examples:
  pentimento report figures runs --out figures
  pentimento report figures runs --only canvas-4,canvas-36 --out figures
  pentimento report figures runs --labels study.labels --only canvas-34 --out figures
  pentimento report figures my-study/people --only psbench-3,psbench-4 --out figures
  pentimento report figures graphicbench/plans --only graphicbench-10 --out figures";

/// Does the command.
pub(super) fn write(arguments: &FiguresArguments) -> anyhow::Result<()> {
    let chosen = chosen(&arguments.only)?;
    let sources = gather(arguments, ScoredSteps::of(&chosen))?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot make the folder {}", arguments.out.display()))?;
    let command = command_words(arguments);
    let (mut written, mut lacking) = (0, 0);
    for kind in chosen {
        match kind.make(&sources) {
            Ok(figure) => {
                write_figure(&figure, &arguments.out, &command)?;
                print(&format!("{}: {}\n", kind.id, kind.title))?;
                written += 1;
            }
            // One figure that lacks its data holds up no other; that none could be made is a failure.
            Err(why) => {
                note(&format!("{} is not made: {why}", kind.id));
                lacking += 1;
            }
        }
    }
    anyhow::ensure!(written > 0, "none of the {lacking} figures could be made");
    Ok(())
}

fn chosen(only: &[String]) -> anyhow::Result<Vec<FigureKind>> {
    for id in only {
        anyhow::ensure!(
            FIGURES.iter().any(|known| known.id == id),
            "there is no figure {id:?}; there are {}",
            FIGURES.iter().map(|known| known.id).collect::<Vec<_>>().join(", ")
        );
    }
    let chosen = FIGURES.into_iter();
    Ok(chosen.filter(|it| only.is_empty() || only.iter().any(|id| id == it.id)).collect())
}

/// The command as it was given, to be given again.
fn command_words(arguments: &FiguresArguments) -> String {
    let mut words = ["pentimento", "report", "figures"].map(str::to_owned).to_vec();
    words.extend(arguments.runs.iter().map(|path| path.display().to_string()));
    words.extend(arguments.labels.iter().flat_map(|path| named("--labels", path)));
    words.extend(arguments.tasks.iter().flat_map(|path| named("--tasks", path)));
    words.extend(arguments.models.iter().flat_map(|path| named("--models", path)));
    words.extend(option_words(&arguments.own.programs));
    words.extend(arguments.captions.iter().flat_map(|path| named("--captions", path)));
    if !arguments.filter.trim().is_empty() {
        words.push(format!("--filter={}", arguments.filter.trim()));
    }
    if !arguments.only.is_empty() {
        words.extend(["--only".to_owned(), arguments.only.join(",")]);
    }
    words.extend(named("--out", &arguments.out));
    shell_line(words.iter().map(String::as_str))
}

fn named(option: &str, path: &Path) -> [String; 2] {
    [option.to_owned(), path.display().to_string()]
}

/// The runs at these paths that pass the filter.
fn passing(arguments: &FiguresArguments, runs: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    // A table of labels has no answers that a filter could ask for.
    let projects = arguments.labels.iter().map(PathBuf::as_path).filter(|path| is_project(path));
    let projects: Vec<&Path> = projects.collect();
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let scorer = scorer(Cache::None, &models);
    let variants = Variants::of(scorer.registry());
    let filter = Filter::parse(&arguments.filter, &variants);
    let asks_for_labels = filter.is_ok_and(|filter| filter.asks_for_labels());
    anyhow::ensure!(
        projects.len() < 2 || !asks_for_labels,
        "--filter asks for answers of one labelling project, and --labels names {}: draw the figures of each by itself",
        projects.len()
    );
    let sources = ExploredSources {
        tasks: &arguments.tasks,
        paths: runs,
        models: arguments.models.as_deref(),
        programs: &arguments.own.programs,
        captions: arguments.captions.as_deref(),
        labels: projects.first().copied(),
        ..ExploredSources::default()
    };
    passing_runs(&sources, &arguments.filter)
}

/// Writes a figure as SVG, PDF, PNG and its numbers as CSV, called by its id; `command` stands in each, and in a file
/// beside the CSV, which has no place for it.
pub(in crate::cli) fn write_figure(
    figure: &Figure,
    out: &Path,
    command: &str,
) -> anyhow::Result<()> {
    let svg = to_svg(figure, command);
    let [svg_path, pdf_path, png_path, csv_path] = ["svg", "pdf", "png", "csv"]
        .map(|extension| out.join(format!("{}.{extension}", figure.id)));
    let about = figure.about(command);
    let fonts = Fonts::new(FontSource::Machine);
    note_missing_letters(&fonts.missing(&svg));
    for (form, path) in
        [(PageForm::Svg, svg_path), (PageForm::Pdf, pdf_path), (PageForm::Png, png_path)]
    {
        let bytes = drawing_file(&svg, form, SCALE, &about, &fonts).context(figure.id)?;
        write_atomic(&path, &bytes)?;
    }
    write_atomic(&csv_path, figure.numbers_csv().as_bytes())?;
    let mut about = MadeBy { command: command.to_owned(), ..MadeBy::default() }.entries();
    about.push(("title".to_owned(), figure.title.to_owned()));
    // Numbered: of two that are called the same a reader would show one.
    let remarks = (1..).zip(&figure.remarks);
    about.extend(remarks.map(|(number, remark)| (format!("remark {number}"), remark.clone())));
    write_atomic(&beside(&csv_path), provenance_json(&about).as_bytes())
}

/// After which steps runs are scored, which takes minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScoredSteps {
    /// After none.
    Nowhere,
    /// The start and the end, of runs at tasks that change a design.
    Ends,
    /// The start and the end of every turn, of all runs.
    Turns,
}

impl ScoredSteps {
    /// What these figures are made of.
    fn of(chosen: &[FigureKind]) -> Self {
        let is_chosen = |id: &str| chosen.iter().any(|kind| kind.id == id);
        match (is_chosen("canvas-35"), is_chosen("canvas-2")) {
            (true, _) => Self::Turns,
            (false, true) => Self::Ends,
            (false, false) => Self::Nowhere,
        }
    }

    fn are_of(self, job: &ScoreJob) -> bool {
        let Some(task) = &job.task else { return false };
        let is_edit = !matches!(task.kind, TaskKind::Replication | TaskKind::Composition);
        job.run.manifest.environment != EnvironmentKind::Suite
            && (self == Self::Turns || self == Self::Ends && is_edit)
    }

    /// The steps, of which some may be one.
    fn of_run(self, run: &Run) -> Vec<u32> {
        match self {
            Self::Nowhere => Vec::new(),
            Self::Ends => vec![0, last_step(run)],
            Self::Turns => turn_steps(run),
        }
    }

    /// The same, each step once.
    fn once_of_run(self, run: &Run) -> Vec<u32> {
        let mut steps = self.of_run(run);
        steps.dedup();
        steps
    }
}

fn gather(arguments: &FiguresArguments, scored: ScoredSteps) -> anyhow::Result<FigureSources> {
    let mut sources = FigureSources::default();
    for path in &arguments.labels {
        let (preferences, attempts) = said_for_figures(path)?;
        sources.preferences.extend(preferences);
        sources.attempts.extend(attempts);
    }
    let mut runs = Vec::new();
    for path in &arguments.runs {
        let found = plans::find(path)?;
        // What is no file of plans is a place where runs lie.
        if found.is_empty() {
            runs.push(path.clone());
        }
        found.iter().for_each(PlanFile::note_problems);
        for file in found {
            sources.plans.extend(file.plans.iter().map(|row| FigurePlan {
                model: file.model.clone(),
                ..plan_of(row, &errors::of_row(row))
            }));
        }
    }
    if !runs.is_empty() && !arguments.filter.trim().is_empty() {
        let passing = passing(arguments, &runs)?;
        // Their sets may lie beside runs that do not pass: what was named is searched for tasks too.
        gather_runs(&mut sources, arguments, (&passing, &runs), scored)?;
    } else if !runs.is_empty() {
        gather_runs(&mut sources, arguments, (&runs, &[]), scored)?;
    }
    sources.name_rows();
    Ok(sources)
}

fn gather_runs(
    sources: &mut FigureSources,
    arguments: &FiguresArguments,
    (paths, among): (&[PathBuf], &[PathBuf]),
    steps: ScoredSteps,
) -> anyhow::Result<()> {
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let scorer = scorer(Cache::Workspace, &models);
    let captions = captions(arguments.captions.as_deref(), &models)?;
    let mut collection = Collection::open_among(paths, &arguments.tasks, among)?;
    let progress = SharedProgress::start(collection.runs.len(), "runs");
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        progress.done(&format!("error: {problem}"));
    }
    // As in Explore.
    let shows_scripts = shows_scripts(&arguments.filter);
    let (scripted, jobs): (Vec<_>, Vec<_>) =
        jobs.into_iter().partition(|job| is_of_script(&job.run.manifest) && !shows_scripts);
    note_scripted(scripted.len());
    // Runs that are not at their end are counted and not drawn: their numbers will change.
    let (ended, unfinished): (Vec<_>, Vec<_>) = jobs.into_iter().partition(ScoreJob::has_ended);
    sources.unfinished = unfinished.len();
    sources.unread = problems.len();
    let curves = canvas_curves(scorer.registry().variants());
    for job in &ended {
        let run = &job.run;
        if let Some(plan) = &run.plan {
            let (condition, others) = Condition::of(&run.manifest);
            sources.plans.push(FigurePlan {
                model: run.manifest.agent.name.clone(),
                condition,
                others,
                has_failed: run.manifest.outcome.is_failure(),
                ..plan_of(&plan.row, &plan.errors)
            });
        }
    }
    let ids: Vec<&str> = curves.iter().map(|(id, _)| &**id).collect();
    let wanted = Wanted { variants: Some(&ids), map: None };
    let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted };
    let (scored, others): (Vec<_>, Vec<_>) = ended.into_iter().partition(|job| steps.are_of(job));
    sources.runs.extend(others.iter().map(|job| run_of(job, Vec::new())));
    let scored = by.score_all(
        scored,
        |run| steps.once_of_run(run),
        |it| progress.done(&it.job.dir.display().to_string()),
    );
    for it in &scored {
        // By turn and not by what was scored: a turn without a score is a gap, and the next do not move up.
        let values_at = steps.of_run(&it.job.run).into_iter().map(|step| {
            let point = it.steps.iter().find(|(known, _)| *known == step);
            let values = curves.iter().map(|(id, _)| {
                let measured = point?.1.iter().find(|measured| measured.variant.id == *id)?;
                measured.measurement.score.value()
            });
            values.collect()
        });
        sources.runs.push(run_of(&it.job, values_at.collect()));
    }
    sources.curves = curves;
    note_problem(&scorer);
    if !problems.is_empty() {
        note(&format!(
            "{} of the runs cannot be read; the figures are of the others.",
            problems.len()
        ));
    }
    Ok(())
}

/// The start, and the end of every turn, those without a call too.
fn turn_steps(run: &Run) -> Vec<u32> {
    let last = last_step(run);
    let ends = run.turns.iter().map(|turn| turn.first_step.saturating_add(turn.step_count));
    let ends = ends.filter_map(|end| u32::try_from(end).ok()).map(|end| end.min(last));
    std::iter::once(0).chain(ends).collect()
}

fn run_of(job: &ScoreJob, scores: Vec<Vec<Option<f64>>>) -> FigureRun {
    let manifest = &job.run.manifest;
    let (condition, others) = Condition::of(manifest);
    FigureRun {
        model: manifest.agent.name.clone(),
        condition,
        others,
        environment: manifest.environment.clone(),
        kind: job.task.as_ref().map(|task| task.kind),
        turns: manifest.totals.turns,
        has_failed: manifest.outcome.is_failure(),
        digest: Arc::new(RunDigest::of_folder(&job.run, &job.dir)),
        scores,
        ..FigureRun::default()
    }
}

/// What a plan is, without who made it and how.
fn plan_of(row: &PlanRow, errors: &[errors::PlanError]) -> FigurePlan {
    let digest = PlanDigest::of(row, errors);
    let steps = row.final_workflow.steps();
    FigurePlan {
        steps: steps.map(|(_, step)| (step.expert.clone(), step.action.clone())).collect(),
        errors: digest.errors,
        numbers: digest.numbers,
        ..FigurePlan::default()
    }
}
