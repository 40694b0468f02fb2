//! `pentimento report behavior`: what agents did in runs, and what each call did to the scores.
//!
//! [`facts`] counts a run, [`metrics`] follows a metric over it; both are printed as JSON or as
//! tables.

mod facts;
mod metrics;

use std::sync::{Mutex, PoisonError};

use serde_json::{Value, json};

use crate::evaluate::Wanted;
use crate::metric::{MissingScore, Score, VariantSpec};
use crate::run::Run;

use super::super::arguments::BehaviorArguments;
use super::super::collection::Collection;
use super::super::output::{print, print_json};
use super::super::progress::Progress;
use super::super::scoring::{
    Cache, Scored, check_variants, last_step, models, note_problem, read_runs, score_all, scorer,
};
use super::super::table::{Column, Side, Table};
use facts::Facts;
use metrics::MetricOverRun;

/// A run with everything that is said of it.
struct RunBehavior {
    facts: Facts,
    metrics: Vec<MetricOverRun>,
}

/// Does the command.
pub(super) fn write(arguments: &BehaviorArguments) -> anyhow::Result<()> {
    let cache = if arguments.no_cache { Cache::None } else { Cache::Workspace };
    let scorer = scorer(cache, &models(arguments.models.as_deref())?);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let mut collection = Collection::open(&arguments.runs, &arguments.tasks)?;
    let progress = Mutex::new(Progress::start(collection.runs.len(), "runs"));
    let say = |line: &str| progress.lock().unwrap_or_else(PoisonError::into_inner).done(line);
    let (jobs, problems) = read_runs(&mut collection);
    for problem in &problems {
        say(&format!("error: {problem}"));
    }
    let every_step = |run: &Run| (0..=last_step(run)).collect();
    let wanted = Wanted { variants: Some(&only), map: None };
    let done = |it: &Scored| say(&it.job.dir.display().to_string());
    let scored = score_all(&scorer, jobs, every_step, wanted, done);
    drop(progress);
    note_problem(&scorer);
    let variants: Vec<&VariantSpec> =
        only.iter().filter_map(|id| scorer.registry().variant(id)).collect();
    let runs: Vec<RunBehavior> = scored.iter().map(|it| RunBehavior::of(it, &variants)).collect();
    if arguments.json {
        print_json(&json(&runs))?;
    } else {
        print(&text(&runs))?;
    }
    anyhow::ensure!(problems.is_empty(), "{} of the runs cannot be read", problems.len());
    Ok(())
}

impl RunBehavior {
    fn of(scored: &Scored, variants: &[&VariantSpec]) -> Self {
        let metrics = variants.iter().map(|variant| MetricOverRun::of(scored, variant));
        Self { facts: Facts::of(&scored.job), metrics: metrics.collect() }
    }
}

fn json(runs: &[RunBehavior]) -> Value {
    let run = |run: &RunBehavior| {
        let mut json = run.facts.json();
        if let Some(fields) = json.as_object_mut() {
            let metrics = run.metrics.iter().map(MetricOverRun::json).collect();
            fields.insert("metrics".to_owned(), metrics);
        }
        json
    };
    let mean = facts::NUMBERS.iter().map(|(name, number)| {
        let scores: Vec<Score> = runs.iter().map(|run| number(&run.facts)).collect();
        ((*name).to_owned(), mean_json(&scores))
    });
    json!({ "runs": runs.iter().map(run).collect::<Vec<_>>(), "mean": mean.collect::<Value>() })
}

/// The mean of the values there are, and of how many runs.
fn mean_json(scores: &[Score]) -> Value {
    let values: Vec<f64> = scores.iter().filter_map(Score::value).collect();
    let missing = || scores.iter().find(|score| score.value().is_none());
    match (super::super::score::mean_of(&values), missing()) {
        (Some(mean), _) => json!({ "value": mean, "runs": values.len() }),
        (None, Some(score)) => score_json(score),
        (None, None) => Value::Null,
    }
}

/// A number, or `{"missing": "why"}`.
fn score_json(score: &Score) -> Value {
    match score {
        Score::Value(value) => json!(value),
        Score::Missing(why) => json!({ "missing": reason(why) }),
    }
}

/// A number with so many decimals, or a dash.
fn score_cell(score: &Score, decimals: usize) -> String {
    score.value().map_or_else(|| "—".to_owned(), |value| format!("{value:.decimals$}"))
}

fn reason(why: &MissingScore) -> String {
    match why {
        MissingScore::Undefined(why) => why.clone(),
        why => why.to_string(),
    }
}

fn text(runs: &[RunBehavior]) -> String {
    let left = |heading| Column { heading, side: Side::Left };
    let right = |heading| Column { heading, side: Side::Right };
    let mut table = Table::new(&[
        left("run"),
        left("task"),
        left("agent"),
        right("turns"),
        right("calls"),
        right("failed"),
        right("tools"),
        right("calls/turn"),
        right("precision"),
        right("recall"),
        right("hit rate"),
    ]);
    for run in runs {
        table.push(run.facts.cells());
    }
    let mut text = table.to_text();
    let mut curves = Table::new(&[
        left("run"),
        left("metric"),
        right("initial"),
        right("final"),
        right("Δ"),
        right("sd"),
        right("best"),
        right("at step"),
        left("gained most by"),
        left("lost most by"),
    ]);
    for run in runs {
        for metric in &run.metrics {
            curves.push(metric.cells(&run.facts.dir));
        }
    }
    text += "\n";
    text += &curves.to_text();
    text
}
