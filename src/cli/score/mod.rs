//! `pentimento score`: the canvas of runs against the ground truth, at the end or at every step.
//!
//! [`run`] is a run with its scores, [`columns`] chooses what the table shows of it, [`typed`] has all of them for files.

mod columns;
mod run;
mod typed;

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::base::visible_json;
use crate::evaluate::typed_table::{beside, provenance_json};
use crate::evaluate::{MadeBy, Wanted};
use crate::metric::{Score, VariantSpec};
use crate::run::Outcome;

use super::collection::Collection;
use super::made_by::{command_words, result_json};
use super::output::{note, print, runs, score_text, write_atomic};
use super::own_metrics::OwnMetrics;
use super::progress::SharedProgress;
use super::scoring::{
    Cache, ScoreJob, Scored, ScoredBy, captions, check_variants, last_step, models, note_problem,
    read_runs, scorer,
};
use super::table::visible;
use super::table_file::{TABLE_FILE, TablePath};
use columns::{
    TableColumn, USUAL_WIDTH, chosen_columns, common_folder, fitting_columns, score_table,
    terminal_width,
};
use run::{RunJson, ScoredRun};
use typed::typed_table;

/// Score the canvas at the end of runs against the ground truth
///
/// RUN is a run folder, or a folder with runs in it (at any depth); a folder of pictures only if it is
/// named itself or holds a run.json. The ground truth is looked for in the task sets beside the runs,
/// and in --tasks. Means leave out runs that did not come to their end: those that go on, broke off or were stopped.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct ScoreArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Score every step, not the last alone.
    #[arg(long)]
    steps: bool,
    /// Only this variant, such as ssim/uniform7; may be given several times.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
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
    /// Compute every score anew, and keep none.
    #[arg(long)]
    no_cache: bool,
    /// The columns of the table: variants, such as ssim/uniform7, and run, task, agent, outcome, turns,
    /// calls, failed. Without it, as many as fit the terminal.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', conflicts_with_all = ["json", "csv"])]
    columns: Vec<String>,
    /// Print every score as CSV instead of a table: a row a run, with --steps a row a step.
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// The file to write, instead of stdout. Beside CSV, FILE.json says which command made it, of how many runs, by
    /// which variants, and what was left out; the others say it themselves.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write every score to this file, too: a row a run, with --steps a row a step. Its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    table: Option<TablePath>,
}

const EXAMPLES: &str = "\
Examples:
  pentimento score runs
  pentimento score runs/samples/login/tracer-01 --tasks sample_runs
  pentimento score runs --steps --only ssim/uniform7 --json > curves.json
  pentimento score runs --columns run,ssim/uniform7,ssim/gaussian
  pentimento score runs --csv --out scores.csv
  pentimento score runs --table scores.tex
  pentimento score runs --metric 'exec:better=lower python3 sample_runs/metrics/mean_absolute_difference.py'
  pentimento score runs --json | jq '.runs[] | {task, ssim: .scores[0].value}'

Scores are remembered by what was compared, in the workspace's file (Pentimento/workspace.sqlite in
the home folder, or what PENTIMENTO_WORKSPACE names; empty: none).

JSON, with the program, the command and the ids of the variants as \"metrics\": {\"runs\": [{\"dir\", \"set\", \"task\", \"agent\", \"outcome\", \"turns\", \"calls\", \"failures\",
\"scores\": [{\"id\", \"value\"} or {\"id\", \"value\": null, \"reason\", \"message\"}],
\"steps\": [scores, …] with --steps, the start first,
\"checks\": [{\"check\", \"passed\", \"measured\", \"wanted\", \"why\"}] or {\"missing\"} if the task has checks}],
\"mean\": [{\"id\", \"value\", \"runs\", or why none has a value: \"message\"}],
\"left_out\": {\"broken_off\", \"stopped\", \"running\": how many runs without an end, which are in no mean;
\"unreadable\": [why, of each run that is not here]}}";

/// The JSON that `--json` prints.
#[derive(Debug, Serialize)]
struct ScoresJson<'a> {
    /// By the ids of which variants the scores are.
    metrics: Vec<&'a str>,
    runs: Vec<RunJson<'a>>,
    mean: Vec<MeanJson>,
    left_out: LeftOut<'a>,
}

/// How many runs did not come to their end, and so are in no mean, and why others are not here at all.
#[derive(Clone, Copy, Debug, Serialize)]
struct LeftOut<'a> {
    broken_off: usize,
    stopped: usize,
    running: usize,
    unreadable: &'a [String],
}

#[derive(Debug, Serialize)]
struct MeanJson {
    id: String,
    /// Over the runs that have a value; null if none has.
    value: Option<f64>,
    /// How many those are.
    runs: usize,
    /// Why the first of the others has none; only if none has.
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Does the command.
pub(super) fn score(arguments: &ScoreArguments) -> anyhow::Result<()> {
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let scorer = scorer(cache, &models);
    let captions = captions(arguments.captions.as_deref(), &models)?;
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let variants: Vec<&VariantSpec> = scorer
        .registry()
        .variants()
        .filter(|variant| only.is_empty() || only.contains(&&*variant.id))
        .collect();
    // Before anything is scored, as for variants: a wrong name should not cost minutes.
    let chosen = chosen_columns(&arguments.columns, &variants)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let progress = SharedProgress::start(collection.runs.len(), "runs");
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        progress.done(&format!("error: {problem}"));
    }
    jobs.iter().filter_map(ScoreJob::torn).for_each(|torn| note(&format!("warning: {torn}")));
    let wanted = Wanted { variants: (!only.is_empty()).then_some(only.as_slice()), map: None };
    let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted };
    let scored = by.score_all(
        jobs,
        |run| {
            let last = last_step(run);
            let first = if arguments.steps { 0 } else { last };
            (first..=last).collect()
        },
        |scored| progress.done(&done_words(scored)),
    );
    // The bar goes before anything else is said on the terminal.
    drop(progress);
    note_problem(&scorer);
    let runs: Vec<ScoredRun> =
        scored.into_iter().map(|scored| ScoredRun::new(scored, arguments.steps)).collect();
    let out = arguments.out.as_deref();
    let about = about(&runs, &variants, &problems);
    if let Some(file) = &arguments.table {
        file.write(&typed_table(&runs, &variants, &about))?;
    }
    if arguments.json {
        let json = ScoresJson {
            metrics: variants.iter().map(|variant| &*variant.id).collect(),
            runs: runs.iter().map(ScoredRun::json).collect(),
            mean: means(&runs, &variants),
            left_out: LeftOut::of(&runs, &problems),
        };
        put(out, &visible_json(&(result_json(&json)? + "\n")))?;
    } else if arguments.csv {
        let table = typed_table(&runs, &variants, &about);
        put(out, &visible(&table.to_csv()))?;
        if let Some(out) = out {
            write_atomic(&beside(out), provenance_json(&table.about).as_bytes())?;
        }
    } else {
        let width = if out.is_some() { USUAL_WIDTH } else { terminal_width() };
        let mut text = text(&runs, &variants, &chosen, width);
        if out.is_some() {
            let lines = about.lines();
            text.extend(lines.iter().map(|line| format!("\n{line}")));
            text += "\n";
        }
        put(out, &visible(&text))?;
        note_what_is_missing(&runs, &variants);
    }
    // Last, so that what could be scored was printed all the same.
    anyhow::ensure!(problems.is_empty(), "{} of the runs cannot be read", problems.len());
    Ok(())
}

/// Replaces the file by this text, whose controls are spelled out, or writes it to stdout.
fn put(out: Option<&Path>, text: &str) -> anyhow::Result<()> {
    match out {
        Some(out) => write_atomic(out, text.as_bytes()),
        None => Ok(print(text)?),
    }
}

/// What a file of the scores says of itself; `problems` are why runs are not in it.
fn about(scored: &[ScoredRun], variants: &[&VariantSpec], problems: &[String]) -> MadeBy {
    let named = scored.len() + problems.len();
    MadeBy {
        command: command_words(),
        runs: format!("{} of {named}", scored.len()),
        variants: variants.iter().map(|variant| variant.id.to_string()).collect(),
        left_out: problems.to_vec(),
        ..MadeBy::default()
    }
}

impl<'a> LeftOut<'a> {
    fn of(runs: &[ScoredRun], unreadable: &'a [String]) -> Self {
        // What is still going on is only early; what broke off wants to be looked at.
        let without_end = runs.iter().filter(|run| !run.has_ended());
        let (running, others): (Vec<_>, Vec<_>) = without_end.partition(|run| run.is_live);
        let (stopped, broken_off): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|run| run.run.manifest.outcome == Outcome::Cancelled);
        Self {
            broken_off: broken_off.len(),
            stopped: stopped.len(),
            running: running.len(),
            unreadable,
        }
    }

    /// For people; `None` if there are none.
    fn words(self) -> Option<String> {
        let parts = [
            (self.broken_off, "broke off"),
            (self.stopped, "stopped"),
            (self.running, "not ended yet"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> =
            parts.map(|(count, what)| format!("{} {what}", runs(*count))).collect();
        (!parts.is_empty()).then(|| format!("left out of the means: {}\n", parts.join(", ")))
    }
}

/// A run and the first of its scores at the end that has a value, or why the first has none.
fn done_words(scored: &Scored) -> String {
    let scores = scored.steps.last().map_or(&[][..], |(_, scores)| scores);
    // Of many variants the first may need a model that is not there.
    let with_value = scores.iter().find(|it| it.measurement.score.value().is_some());
    let last = with_value.or(scores.first());
    let score = last.map(|first| score_text(&first.measurement.score)).unwrap_or_default();
    format!("{}  {score}", scored.job.dir.display())
}

/// Advice goes to stderr: what is on stdout may be read by a program.
fn note_what_is_missing(scored: &[ScoredRun], variants: &[&VariantSpec]) {
    if scored.iter().any(ScoredRun::is_of_a_query) {
        note(&without_truth(variants));
    }
    if scored.iter().any(ScoredRun::has_no_ground_truth) {
        note("Where the tasks of a run cannot be found, say where they are: --tasks PATH");
    }
}

/// What there is to know of runs that no ground truth is for.
fn without_truth(variants: &[&VariantSpec]) -> String {
    let others = variants.iter().filter(|variant| !variant.needs.is_ground_truth());
    let others: Vec<&str> = others.map(|variant| &*variant.id).collect();
    let answer = if others.is_empty() {
        String::new()
    } else {
        format!(" Those that need none: {}.", others.join(", "))
    };
    format!(
        "A design query has no ground truth, and {} of these metrics compare with one.{answer} What a \
         query asks for is checked by `pentimento metric constraints RUN`, and its questions are asked by \
         `pentimento metric vqa`",
        variants.len() - others.len()
    )
}

fn means(scored: &[ScoredRun], variants: &[&VariantSpec]) -> Vec<MeanJson> {
    let mut means = Vec::new();
    for (at, variant) in variants.iter().enumerate() {
        // Where a run broke off is nowhere that its agent wanted to be.
        let ended = scored.iter().filter(|run| run.has_ended());
        let values: Vec<f64> = ended.filter_map(|run| run.score(at)?.value()).collect();
        let value = mean_of(&values);
        // Those that broke off are asked too: why a score cannot be had is most often one reason for all.
        let message = scored.iter().find_map(|run| match run.score(at)? {
            Score::Missing(why) => Some(why.to_string()),
            Score::Value(_) => None,
        });
        let message = message.filter(|_| value.is_none());
        means.push(MeanJson { id: variant.id.to_string(), value, runs: values.len(), message });
    }
    means
}

/// The mean; `None` of nothing.
pub(super) fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn text(
    scored: &[ScoredRun],
    variants: &[&VariantSpec],
    chosen: &[TableColumn],
    width: usize,
) -> String {
    let columns = match chosen {
        [] => fitting_columns(scored, variants, width),
        chosen => chosen.to_vec(),
    };
    let (table, reasons) = score_table(scored, variants, &columns);
    // Said once above the table, so that the column of runs can be narrow.
    let folder = common_folder(scored);
    let mut text = if folder.is_empty() { String::new() } else { format!("runs in {folder}\n\n") };
    text += &table;
    let reasons = reasons.iter().zip(1..);
    text.extend(reasons.map(|(why, number)| format!("[{number}] {why}\n")));
    let hidden =
        variants.len() - columns.iter().filter(|it| matches!(it, TableColumn::Score(_))).count();
    text += "\n";
    text += &mean_lines(&means(scored, variants));
    text += &LeftOut::of(scored, &[]).words().unwrap_or_default();
    // Whoever named the columns knows that there are others.
    if chosen.is_empty() && hidden > 0 {
        let hidden = hidden.to_string();
        text +=
            &(hidden + " scores have no column; --columns chooses, --csv and --json have all\n");
    }
    text.extend(scored.iter().map(ScoredRun::check_lines));
    text
}

/// A line a variant; neighbours that no run has, for the same reason, share one.
fn mean_lines(means: &[MeanJson]) -> String {
    let groups =
        means.chunk_by(|a, b| a.value.is_none() && b.value.is_none() && a.message == b.message);
    let lines = groups.filter_map(|group| Some(group.first()?.line_of(&names_of(group))));
    lines.collect()
}

/// What is in a group: several variants of a metric as one name.
fn names_of(group: &[MeanJson]) -> String {
    let by_metric = group.chunk_by(|a, b| metric_of(&a.id) == metric_of(&b.id));
    let names = by_metric.map(|of_metric| match of_metric {
        [one] => one.id.clone(),
        many => many.first().map(|it| format!("{}/…", metric_of(&it.id))).unwrap_or_default(),
    });
    names.collect::<Vec<_>>().join(", ")
}

/// `ssim` of `ssim/uniform7`.
fn metric_of(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

impl MeanJson {
    fn line_of(&self, name: &str) -> String {
        match self.value {
            Some(value) => format!("mean {name} {value:.4} over {}\n", runs(self.runs)),
            None => match &self.message {
                Some(why) => format!("no run has a value of {name} ({why})\n"),
                None => format!("no run has a value of {name}\n"),
            },
        }
    }
}
