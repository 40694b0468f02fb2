//! Of each column: `describe` (how large) and `wilson` (how often, and how sure that is).

use serde_json::json;

use crate::metric::stats::{
    self, BootstrapPlan, StatsError, bootstrap_mean_observed, mean, standard_deviation,
};

use super::findings::{Figures, Findings, Variant, figures, missing};
use crate::cli::progress::SharedProgress;
use crate::evaluate::data_table::{DataTable, DataTableError, yes_or_no};

/// Of Wilson's intervals.
const CONFIDENCE: f64 = 0.95;

/// Resamples being drawn; of very many values, how far it is stands on stderr.
pub(super) struct Resampling<'a> {
    pub(super) plan: &'a BootstrapPlan,
    progress: Option<SharedProgress>,
}

/// Numbers drawn without a word: what a second is enough for.
const QUIET_DRAWS: usize = 100_000_000;

impl<'a> Resampling<'a> {
    /// Resamples of so many values.
    pub(super) fn start(values: usize, plan: &'a BootstrapPlan) -> Self {
        // Told by what it costs, values times resamples, and not by either alone.
        let is_long = values.saturating_mul(plan.resamples) > QUIET_DRAWS;
        let progress = is_long.then(|| SharedProgress::start(plan.resamples, "resamples"));
        Self { plan, progress }
    }

    /// One more is drawn.
    pub(super) fn passed(&self) {
        if let Some(progress) = &self.progress {
            progress.passed("");
        }
    }
}

/// Mean, standard deviation and bootstrap interval of each column.
pub(super) fn describe(data: &DataTable, plan: &BootstrapPlan) -> Result<Findings, DataTableError> {
    let mut variants = Vec::new();
    for (column, name) in data.names().iter().enumerate() {
        let cells = data.numbers(column)?;
        let values: Vec<f64> = cells.iter().copied().flatten().collect();
        let resampling = Resampling::start(values.len(), plan);
        let left_out = cells.len() - values.len();
        variants.push((name.clone(), description(&values, left_out, &resampling)));
    }
    Ok(Findings::new("describe", variants))
}

fn description(values: &[f64], left_out: usize, resampling: &Resampling<'_>) -> Figures {
    let plan = resampling.plan;
    let mean = mean(values)?;
    // One value has a mean, but neither a deviation nor an interval: only these figures are missing then.
    let deviation = standard_deviation(values);
    let interval = bootstrap_mean_observed(values, plan, &|| resampling.passed());
    let [low, high] = match interval {
        Ok(interval) => [json!(interval.low), json!(interval.high)],
        Err(why) => [missing(&why), missing(&why)],
    };
    Ok(figures([
        ("value", json!(mean)),
        ("sd", deviation.map_or_else(|why| missing(&why), |deviation| json!(deviation))),
        ("low", low),
        ("high", high),
        ("min", json!(values.iter().copied().reduce(f64::min))),
        ("max", json!(values.iter().copied().reduce(f64::max))),
        ("n", json!(values.len())),
        ("left_out", json!(left_out)),
        ("confidence", json!(plan.confidence)),
        ("resamples", json!(plan.resamples)),
        ("seed", json!(plan.seed)),
    ]))
}

/// Wilson's interval of each column of 0 and 1, or of each line of `successes,trials`.
pub(super) fn wilson(data: &DataTable) -> Result<Findings, DataTableError> {
    // By their names alone: a column of counts up to 1 looks like one of outcomes.
    let names: Vec<String> = data.names().iter().map(|name| name.to_lowercase()).collect();
    let is_counts = names == ["successes", "trials"];
    let variants = if is_counts { wilson_of_lines(data)? } else { wilson_of_columns(data)? };
    Ok(Findings::new("wilson", variants))
}

fn wilson_of_lines(data: &DataTable) -> Result<Vec<Variant>, DataTableError> {
    let successes = data.column(0, "a whole number from 0", |cell| cell.parse::<u64>().ok())?;
    let trials = data.column(1, "a whole number from 0", |cell| cell.parse::<u64>().ok())?;
    let mut variants = Vec::new();
    for ((line, successes), trials) in data.lines().zip(successes).zip(trials) {
        let found = [successes, trials].iter().flatten().count();
        let figures = match (successes, trials) {
            (Some(successes), Some(trials)) => proportion(successes, trials, 0),
            // Half a line says nothing, and says that.
            _ => Err(StatsError::TooFew { what: "numbers in the line", found, needed: 2 }.into()),
        };
        variants.push((format!("line {line}"), figures));
    }
    Ok(variants)
}

fn wilson_of_columns(data: &DataTable) -> Result<Vec<Variant>, DataTableError> {
    let mut variants = Vec::new();
    for (column, name) in data.names().iter().enumerate() {
        let outcomes = data.column(column, "0 or 1", yes_or_no)?;
        let known: Vec<bool> = outcomes.iter().copied().flatten().collect();
        let successes = known.iter().filter(|success| **success).count() as u64;
        let left_out = outcomes.len() - known.len();
        variants.push((name.clone(), proportion(successes, known.len() as u64, left_out)));
    }
    Ok(variants)
}

fn proportion(successes: u64, trials: u64, left_out: usize) -> Figures {
    let interval = stats::wilson(successes, trials, CONFIDENCE)?;
    Ok(figures([
        ("value", json!(successes as f64 / trials as f64)),
        ("low", json!(interval.low)),
        ("high", json!(interval.high)),
        ("successes", json!(successes)),
        ("n", json!(trials)),
        ("left_out", json!(left_out)),
        ("confidence", json!(CONFIDENCE)),
    ]))
}
