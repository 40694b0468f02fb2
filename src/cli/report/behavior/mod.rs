//! `pentimento report behavior`: what agents did in runs, and what each call did to the scores.
//!
//! [`run_summary`] counts a run, [`metrics`] follows a metric over it; both are printed as JSON or as
//! tables.

mod metrics;
mod run_summary;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};

use crate::cli::collection::Collection;
use crate::cli::made_by::{command_words, made_by, print_result_json};
use crate::cli::output::print;
use crate::cli::own_metrics::OwnMetrics;
use crate::cli::progress::SharedProgress;
use crate::cli::scoring::{
    Cache, Scored, ScoredBy, captions, check_variants, last_step, models, note_problem, read_runs,
    scorer,
};
use crate::cli::table::{Column, Table};
use crate::cli::table_file::{TABLE_FILE, TablePath};
use crate::evaluate::typed_table::TypedTable;
use crate::evaluate::{MadeBy, PrimaryMetric, Wanted};
use crate::metric::{Score, VariantSpec};
use crate::report::Player;

use metrics::{MetricOverRun, metric_columns};
use run_summary::{NUMBERS, RunSummary, number_columns, score_json, word_columns};

/// Print what agents did in runs, and which call moved which metric how far
///
/// Turns, calls, failures, different tools, calls a turn, and the tools that were used against those
/// that people annotated; each metric turn by turn from the start on, with its change, its standard
/// deviation (n − 1), its best step and its last; and its changes summed by tool and by category.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct BehaviorArguments {
    /// Run folders, or folders with runs in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Which variants are followed; may be given several times. Without it, of each run the one that stands for it in
    /// lists: ssim/uniform7, of a design query constraints/all.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Which models learned metrics go by, such as {"clip": …, "captioner": …, "judge": …}; what is
    /// not named is the reason that its metrics give.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Compute every score anew, and keep none.
    #[arg(long)]
    no_cache: bool,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// Write a table to this file, too; its ending says as what.
    #[arg(long, value_name = TABLE_FILE, value_parser = TablePath::parse)]
    table: Option<TablePath>,
    /// What is a row of that table.
    #[arg(long, value_name = "ROWS", requires = "table", default_value = "runs")]
    table_of: TableRows,
}

/// What is a row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TableRows {
    /// A run: what its agent did, counted.
    Runs,
    /// A metric over a run: from where to where it went, and by which tools.
    Metrics,
}

const EXAMPLES: &str = "\
Examples:
  pentimento report behavior runs
  pentimento report behavior runs --only ssim/uniform7 --only component_similarity/canvas --json
  pentimento report behavior runs --table behavior.tex
  pentimento report behavior runs --table curves.parquet --table-of metrics
  pentimento report behavior runs --json | jq '.runs[] | {task, by_tool: .metrics[0].by_tool}'

JSON, with the program and the command: {\"runs\": [{\"dir\", \"set\", \"task\", \"agent\", \"turns\", \"turns_with_calls\", \"calls\",
\"failures\", \"tool_diversity\", \"call_efficiency\", \"call_success\", \"tool_precision\",
\"tool_recall\", \"tool_hit_rate\", \"unused_tools\", \"unexpected_tools\",
\"tools\": {NAME: {\"calls\", \"failures\"}}, \"categories\": {…},
\"metrics\": [{\"id\", \"better\", \"turns\": [the start first], \"initial\", \"final\", \"delta\", \"sd\",
\"best_step\": {\"step\", \"value\"}, \"last_step\", \"lost_since_best\", \"changes\": [by step],
\"by_tool\": {NAME: {\"steps\", \"up\", \"down\", \"total\"}}, \"by_category\", \"unattributed\"}]}],
\"mean\": {NUMBER: {\"value\", \"runs\"}}}. A number that is not there is {\"missing\": \"why\"}; so
is an infinite one, of pictures that are equal, and the end of a run that is not scored at its last step.";

/// A run with everything that is said of it.
struct RunBehavior {
    summary: RunSummary,
    metrics: Vec<MetricOverRun>,
}

/// Does the command.
pub(super) fn write(arguments: &BehaviorArguments) -> anyhow::Result<()> {
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let models = arguments.own.added_to(models(arguments.models.as_deref())?);
    let scorer = scorer(cache, &models);
    // Of the file that the models name; there is no option of its own here.
    let captions = captions(None, &models)?;
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let progress = SharedProgress::start(collection.runs.len(), "runs");
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        progress.done(&format!("error: {problem}"));
    }
    let primary: BTreeSet<&str> =
        jobs.iter().map(|job| PrimaryMetric::of_run(&job.run.manifest).variant()).collect();
    let ids = if only.is_empty() { primary.into_iter().collect() } else { only.clone() };
    // Every step, not only the ends of turns: each change is put down to the call that made it.
    let wanted = Wanted { variants: Some(&ids), map: None };
    let by = ScoredBy { scorer: &scorer, captions: captions.as_ref(), wanted };
    let scored = by.score_all(
        jobs,
        |run| (0..=last_step(run)).collect(),
        |it| progress.done(&it.job.dir.display().to_string()),
    );
    drop(progress);
    note_problem(&scorer);
    let runs = scored.iter().map(|it| {
        let variants = Player::variants_of(&scorer, &only, &it.job.run.manifest);
        RunBehavior::new(it, &variants)
    });
    let runs: Vec<RunBehavior> = runs.collect();
    if let Some(file) = &arguments.table {
        let made_by = MadeBy {
            command: command_words(),
            runs: format!("{} of {}", runs.len(), runs.len() + problems.len()),
            variants: ids.iter().map(|id| (*id).to_owned()).collect(),
            left_out: problems.clone(),
            ..MadeBy::default()
        };
        file.write(&typed_table(&runs, arguments.table_of, &made_by))?;
    }
    if arguments.json {
        print_result_json(&json(&runs))?;
    } else {
        print(&format!("{}\n{}\n", text(&runs), made_by()))?;
    }
    anyhow::ensure!(problems.is_empty(), "{} of the runs cannot be read", problems.len());
    Ok(())
}

impl RunBehavior {
    fn new(scored: &Scored, variants: &[&VariantSpec]) -> Self {
        let metrics = variants.iter().map(|variant| MetricOverRun::new(scored, variant));
        Self { summary: RunSummary::of(&scored.job), metrics: metrics.collect() }
    }
}

fn typed_table(runs: &[RunBehavior], rows: TableRows, made_by: &MadeBy) -> TypedTable {
    let columns = match rows {
        TableRows::Runs => {
            let summaries: Vec<&RunSummary> = runs.iter().map(|run| &run.summary).collect();
            [word_columns(&summaries), number_columns(&summaries)].concat()
        }
        TableRows::Metrics => {
            let rows =
                runs.iter().flat_map(|run| run.metrics.iter().map(move |it| (&run.summary, it)));
            let (summaries, metrics): (Vec<&RunSummary>, Vec<&MetricOverRun>) = rows.unzip();
            [word_columns(&summaries), metric_columns(&metrics)].concat()
        }
    };
    TypedTable { columns, about: made_by.entries() }
}

fn json(runs: &[RunBehavior]) -> Value {
    let each = runs.iter().map(|run| {
        let mut json = run.summary.json();
        if let Some(fields) = json.as_object_mut() {
            let metrics = run.metrics.iter().map(MetricOverRun::json).collect();
            fields.insert("metrics".to_owned(), metrics);
        }
        json
    });
    let mean = NUMBERS.iter().map(|(name, number)| {
        let scores: Vec<Score> = runs.iter().map(|run| number(&run.summary)).collect();
        ((*name).to_owned(), mean_json(&scores))
    });
    json!({
        "runs": each.collect::<Vec<_>>(),
        "mean": mean.collect::<Value>(),
    })
}

/// The mean of the values there are, and of how many runs.
fn mean_json(scores: &[Score]) -> Value {
    let values: Vec<f64> = scores.iter().filter_map(Score::value).collect();
    let missing = scores.iter().find(|score| score.value().is_none());
    match (crate::cli::score::mean_of(&values), missing) {
        (Some(mean), _) => json!({ "value": mean, "runs": values.len() }),
        // No run has it: the reason of the first stands for all.
        (None, Some(score)) => score_json(score),
        (None, None) => Value::Null,
    }
}

fn text(runs: &[RunBehavior]) -> String {
    let mut table = Table::new(&[
        Column::left("run"),
        Column::left("task"),
        Column::left("agent"),
        Column::right("turns"),
        Column::right("calls"),
        Column::right("failed"),
        Column::right("tools"),
        Column::right("calls/turn"),
        Column::right("precision"),
        Column::right("recall"),
        Column::right("hit rate"),
    ]);
    for run in runs {
        table.push(run.summary.cells());
    }
    let mut text = table.to_text();
    // A table of its own: a run has one row of counts, but one here for each metric.
    let mut curves = Table::new(&[
        Column::left("run"),
        Column::left("metric"),
        Column::right("initial"),
        Column::right("final"),
        Column::right("Δ"),
        Column::right("sd"),
        Column::right("best"),
        Column::right("at step"),
        Column::left("gained most by"),
        Column::left("lost most by"),
    ]);
    for run in runs {
        for metric in &run.metrics {
            curves.push(metric.cells(&run.summary.dir));
        }
    }
    text += "\n";
    text += &curves.to_text();
    text
}
