//! `pentimento report tables`: the tables that papers print, from whatever there is.
//!
//! [`sources`] is what tables are made of: [`run_summary`] says of each run what they need and
//! [`Condition`] what it was made with, plans and labels are read as they are. [`canvas`], [`psbench`]
//! and [`graphicbench`] make tables of that, [`correlations`] says what goes together below two of them,
//! [`plan_errors`], [`constraints`], [`repeats`] and [`requests`] one of our own each; [`slips`] is what is
//! known to be wrong in the papers. [`table`] is one, [`means`] its cells over runs, [`made_of`] says of
//! what it is, [`write`] writes it.
//!
//! A row is a model with one condition, so that nothing is averaged over runs that were made
//! differently; what differs beside that is said of the cell. Runs that did not come to their end are
//! left out and counted. A cell without data is an em dash with a footnote that says what is missing.

mod canvas;
mod constraints;
mod correlations;
mod graphicbench;
mod judged;
mod made_of;
mod means;
mod numbers;
mod plan_errors;
mod psbench;
mod repeats;
mod requests;
mod run_summary;
mod slips;
mod sources;
mod success;
mod suite;
mod table;
mod write;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;

use crate::cli::collection::Collection;
use crate::cli::label::read_labels;
use crate::cli::output::{note, print, write_atomic};
use crate::cli::own_metrics::OwnMetrics;
use crate::cli::plans::{self, PlanFile};
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{
    Cache, ScoreJob, ScoredBy, captions, models, note_problem, read_runs, scorer,
};
use crate::environment::EnvironmentKind;
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::evaluate::{Condition, Wanted};
use crate::run::Outcome;

use made_of::MadeOf;
use run_summary::{Columns, RunSummary};
use sources::{Sources, TornRun, UnfinishedRun, WithoutEnd};
use success::Success;
use table::PaperTable;
use write::TableFormat;

/// Print the tables of the papers from whatever runs there are
///
/// CANVAS 1, 2, 3, 5, 15 to 19; PSBench 3, 4; GraphicBench 3, 9 to 13; GraphicWeaver 4, 9, 10; `plan-errors`,
/// `constraints`, `repeats` and `requests`, which are in none of them; and `slips`, where the papers contradict
/// themselves or their data. A row is a model with one mode and one set of the settings that change results. A cell
/// without data is a dash with a footnote that says what is missing; runs that did not come to their end (they go on,
/// broke off or were stopped) are left out and counted below, and damaged ones count as far as they are whole, which is
/// said there, too. In CANVAS's tables those that failed count, and footnotes say how many.
///
/// Beside runs, the tables are made of plans as GraphicBench publishes them, and of what people or
/// judges said of attempts (--labels).
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct TablesArguments {
    /// Run folders, folders with runs in them, or folders of published plans: {model}/{type}.jsonl.
    #[arg(value_name = "RUN|PLANS", required_unless_present = "labels")]
    runs: Vec<PathBuf>,
    /// What was said of attempts, one a row, CSV or JSON Lines; may be given several times.
    #[arg(long, value_name = "FILE")]
    labels: Vec<PathBuf>,
    /// Let the judge of --models judge the published plans, too, and not only those of runs: three questions a plan,
    /// unless it was asked before. In a row with both, what is said of the published plans stands instead of what its
    /// runs score: the runs are of the same plans.
    #[arg(long, requires = "models")]
    ask_judge: bool,
    /// Let the judge of --models judge every step of the published plans for `plan-errors`: a question a step, unless
    /// it was asked before.
    #[arg(long, requires = "models")]
    ask_judge_steps: bool,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Captions that were made before, in the shape of CANVAS's precomputed_blip_scores.json: cases by the
    /// ids of runs, or TASK-AGENT. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json")]
    captions: Option<PathBuf>,
    /// When a run counts as a success in `repeats`, by a score at its end: METRIC>=NUMBER or METRIC<=NUMBER,
    /// such as ssim>=0.9.
    #[arg(long, value_name = "METRIC>=NUMBER")]
    success: Option<Success>,
    /// What the tables are written as.
    #[arg(long, value_name = "FORMAT", default_value = "md")]
    format: TableFormat,
    /// Only this table, such as canvas-1; may be given several times.
    #[arg(long, value_name = "TABLE")]
    only: Vec<String>,
    /// The file to write, instead of stdout. Beside CSV, FILE.json says which command made it, and what was left out.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Compute every score anew, and keep none.
    #[arg(long)]
    no_cache: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento report tables runs
  pentimento report tables runs --only canvas-1 --format latex --out table1.tex
  pentimento report tables runs --format csv | grep canvas-16
  pentimento report tables runs --format parquet --out tables.parquet
  pentimento report tables graphicbench/plans --only graphicbench-9
  pentimento report tables graphicbench/plans --only plan-errors
  pentimento report tables photo-runs --labels ndec.csv --only psbench-4

A labelling project (NAME.labels) is read as it is: its answers to success and the NDEC checklist of runs.
A file of labels has a row an attempt; all columns but model may be left out, and cells be empty:
  model, task, difficulty, design   words; design is the type: poster, postcard …
  mode                              how the model worked, as runs say it: direct_plan, agentic …
  layers                            is the task about layers: yes or no
  success, executed                 did it succeed, did a file come out of the plan: yes or no
  seconds                           how long it took
  smart_objects, masks, smart_filters, adjustment_layers, duplicate_layers, blank_layers
                                    the NDEC checklist, is proper use made of these: yes or no
  color, text, image                how well the plan does what was asked: 1 to 5
  fidelity                          0 to 1
  content_similarity, vqa           CLIPScore, questions answered with yes in per cent: 0 to 100
  originality, elaboration          1 to 5
JSON Lines (FILE.jsonl) have the same names as keys. Several rows of one attempt each count.";

/// A table, made of what there is.
type Make = fn(&Sources) -> PaperTable;

/// Every table by its id, with what it is made of, in the order of printing.
const TABLES: &[(&str, MadeOf, Make)] = &[
    ("canvas-1", MadeOf::CanvasScores, |it| canvas::scores(&it.canvas, &it.runs)),
    ("canvas-2", MadeOf::CanvasScores, |it| canvas::pos_at_k(&it.canvas, &it.runs)),
    ("canvas-3", MadeOf::CanvasScores, |it| {
        let told = correlations::of_tools(&it.canvas, &it.runs);
        canvas::tools_of_modifications(&it.runs).with_remarks(told)
    }),
    ("canvas-5", MadeOf::CanvasScores, |it| canvas::methods(&it.canvas, &it.runs)),
    ("canvas-15", MadeOf::CanvasScores, |it| {
        let told = correlations::of_nodes(&it.canvas, &it.runs);
        canvas::scores_per_difficulty(&it.canvas, &it.runs).with_remarks(told)
    }),
    ("canvas-16", MadeOf::CanvasScores, |it| canvas::turn_by_turn(&it.canvas, &it.runs)),
    ("canvas-17", MadeOf::CanvasCalls, |it| canvas::tools_of_task_1(&it.runs)),
    ("canvas-18", MadeOf::CanvasCalls, |it| canvas::tools_of_task_2(&it.runs)),
    ("canvas-19", MadeOf::CanvasCalls, |it| canvas::tools_of_task_3(&it.runs)),
    ("psbench-3", MadeOf::Labels, psbench::success),
    ("psbench-4", MadeOf::Labels, psbench::ndec),
    ("graphicbench-3", MadeOf::Suite, graphicbench::execution),
    ("graphicbench-9", MadeOf::Suite, graphicbench::plans),
    ("graphicbench-10", MadeOf::Plans, graphicbench::experts),
    ("graphicbench-11", MadeOf::Plans, graphicbench::expert_sequences),
    ("graphicbench-12", MadeOf::Plans, graphicbench::action_sequences),
    ("graphicbench-13", MadeOf::Suite, graphicbench::execution_per_type),
    ("graphicweaver-4", MadeOf::Suite, graphicbench::weaver),
    ("graphicweaver-9", MadeOf::Suite, graphicbench::weaver_direct),
    ("graphicweaver-10", MadeOf::Suite, graphicbench::weaver_agentic),
    ("plan-errors", MadeOf::Plans, plan_errors::plan_errors),
    ("constraints", MadeOf::Constraints, constraints::constraints),
    ("repeats", MadeOf::Scores, repeats::repeats),
    ("requests", MadeOf::Runs, requests::requests),
    ("slips", MadeOf::Papers, slips::all),
];

/// Does the command.
pub(super) fn write(arguments: &TablesArguments) -> anyhow::Result<()> {
    let chosen = chosen(&arguments.only)?;
    let is_text = arguments.format != TableFormat::Parquet;
    anyhow::ensure!(is_text || arguments.out.is_some(), "--format parquet needs --out FILE");
    // One table wants the ends of all turns, which are many times the pictures of start and end.
    let needs_turns = chosen.iter().any(|(id, ..)| *id == "canvas-16");
    let (sources, unreadable) = gather(arguments, needs_turns)?;
    let tables: Vec<PaperTable> = chosen
        .iter()
        .map(|(id, made_of, make)| {
            let table = make(&sources).with_remarks(made_of.unfinished(&sources));
            let table = table.with_remarks(made_of.torn(&sources));
            let made_by = made_of.told(&sources, &unreadable);
            PaperTable { made_by, ..table.with_remarks(slips::below(id)) }
        })
        .collect();
    let bytes = write::tables(&tables, arguments.format)?;
    match &arguments.out {
        Some(out) => {
            write_atomic(out, &bytes)?;
            if arguments.format == TableFormat::Csv {
                let about = provenance_json(&write::provenance(&tables));
                write_atomic(&beside(out), about.as_bytes())?;
            }
        }
        None => print(&String::from_utf8(bytes)?)?,
    }
    // After writing: the tables hold what could be read.
    if !unreadable.is_empty() {
        note("The tables are of the other runs.");
        anyhow::bail!("{} of the runs cannot be read", unreadable.len());
    }
    Ok(())
}

/// Everything that tables are made of, and why runs cannot be read.
fn gather(
    arguments: &TablesArguments,
    needs_turns: bool,
) -> anyhow::Result<(Sources, Vec<String>)> {
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let scorer = scorer(cache, &models);
    let mut labels = Vec::new();
    for path in &arguments.labels {
        labels.extend(read_labels(path)?);
    }
    let (plans, runs) = split(&arguments.runs)?;
    // What a judge says is a label like any other, so that the tables know of no judges.
    if arguments.ask_judge {
        labels.extend(judged::judge_plans(&plans, &models)?);
    }
    let judged_steps =
        if arguments.ask_judge_steps { judged::judge_steps(&plans, &models)? } else { Vec::new() };
    // Before runs are scored: a misspelt metric should not cost minutes.
    if let Some(success) = &arguments.success {
        let is_known = success.is_known(scorer.registry());
        anyhow::ensure!(is_known, "--success: there is no metric or variant {:?}", success.metric);
    }
    let mut sources = Sources {
        canvas: Columns::canvas(scorer.registry()),
        suite: Columns::suite(scorer.registry()),
        plans,
        judged_steps,
        labels,
        success: arguments.success.clone(),
        ..Sources::default()
    };
    let mut unreadable = Vec::new();
    if !runs.is_empty() {
        let mut collection = Collection::open(&runs, &arguments.tasks)?;
        let captions = captions(arguments.captions.as_deref(), &models)?;
        let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted: Wanted::ALL };
        unreadable = score_runs(&mut sources, by, &mut collection, needs_turns);
    }
    for torn in &sources.torn {
        note(&format!("warning: {}", torn.words));
    }
    note_problem(&scorer);
    Ok((sources, unreadable))
}

/// The plans at these paths, and the paths without plans.
fn split(paths: &[PathBuf]) -> anyhow::Result<(Vec<PlanFile>, Vec<PathBuf>)> {
    let (mut files, mut others) = (Vec::new(), Vec::new());
    for path in paths {
        let found = plans::find(path)?;
        // Runs are looked for where there are no plans; a folder that holds both is one of plans.
        if found.is_empty() {
            others.push(path.clone());
        }
        found.iter().for_each(PlanFile::note_problems);
        files.extend(found);
    }
    Ok((files, others))
}

/// Scores the runs by what the tables of their environment print, and gives why others cannot be
/// read.
fn score_runs(
    sources: &mut Sources,
    by: ScoredBy<'_>,
    collection: &mut Collection,
    needs_turns: bool,
) -> Vec<String> {
    let progress = SharedProgress::start(collection.runs.len(), "runs");
    let (jobs, problems) = read_runs(collection);
    for problem in &problems {
        progress.done(&format!("error: {problem}"));
    }
    // Where a run broke off or was stopped is nowhere that its agent wanted to be.
    let (ended, unfinished): (Vec<_>, Vec<_>) = jobs.into_iter().partition(ScoreJob::has_ended);
    sources.unfinished.extend(unfinished.iter().map(|job| UnfinishedRun {
        model: job.run.manifest.agent.name.clone(),
        environment: job.run.manifest.environment.clone(),
        why: match job.run.manifest.outcome {
            Outcome::Cancelled => WithoutEnd::Stopped,
            _ if job.is_live => WithoutEnd::Live,
            _ => WithoutEnd::BrokeOff,
        },
    }));
    let torn = ended.iter().filter_map(|job| {
        Some(TornRun {
            model: job.run.manifest.agent.name.clone(),
            environment: job.run.manifest.environment.clone(),
            words: job.torn()?,
        })
    });
    sources.torn.extend(torn);
    let (suite, others): (Vec<_>, Vec<_>) =
        ended.into_iter().partition(|job| job.run.manifest.environment == EnvironmentKind::Suite);
    // Per condition, as plans of one model in two modes are not one row.
    let mut by_condition: BTreeMap<Condition, Vec<&ScoreJob>> = BTreeMap::new();
    for job in &suite {
        by_condition.entry(Condition::of(&job.run.manifest).0).or_default().push(job);
    }
    for (condition, jobs) in by_condition {
        let files = plans::of_runs(jobs.iter().map(|job| (job.dir.as_path(), &*job.run)));
        sources.plans_of_runs.extend(files.into_iter().map(|file| (condition.clone(), file)));
    }
    // A design of the suite and a canvas have no score in common: each is only measured by its own.
    for (jobs, columns) in [(others, &sources.canvas), (suite, &sources.suite)] {
        let ids = columns.ids();
        let by = ScoredBy { wanted: Wanted { variants: Some(&ids), map: None }, ..by };
        let scored = by.score_all(
            jobs,
            |run| run_summary::steps(run, needs_turns),
            |it| progress.done(&it.job.dir.display().to_string()),
        );
        sources.runs.extend(scored.iter().map(|it| RunSummary::new(it, columns)));
    }
    problems
}

fn chosen(only: &[String]) -> anyhow::Result<Vec<(&'static str, MadeOf, Make)>> {
    for id in only {
        anyhow::ensure!(
            TABLES.iter().any(|(known, ..)| known == id),
            "there is no table {id:?}; there are {}",
            TABLES.iter().map(|(id, ..)| *id).collect::<Vec<_>>().join(", ")
        );
    }
    let chosen = TABLES.iter().filter(|(id, ..)| only.is_empty() || only.iter().any(|it| it == id));
    Ok(chosen.copied().collect())
}
