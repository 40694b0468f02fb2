//! `describe`, `bootstrap` and `sign`: how large, and which of two is larger.

use std::sync::{Mutex, PoisonError};

use serde_json::json;

use crate::metric::stats::{
    BootstrapPlan, StatsError, bootstrap_mean_observed, mean, paired_bootstrap_observed, sign_test,
    standard_deviation,
};

use super::findings::{Figures, Findings, figures, missing};
use crate::cli::data_table::{DataTable, DataTableError};
use crate::cli::progress::Progress;

/// Mean, standard deviation and bootstrap interval of each column.
pub(super) fn describe(data: &DataTable, plan: &BootstrapPlan) -> Result<Findings, DataTableError> {
    let variants = data.names().iter().enumerate().map(|(column, name)| {
        let cells = data.numbers(column)?;
        let values: Vec<f64> = cells.iter().copied().flatten().collect();
        let resampling = Resampling::start(values.len(), plan);
        Ok((name.clone(), description(&values, cells.len() - values.len(), &resampling)))
    });
    Ok(Findings::new("describe", variants.collect::<Result<_, DataTableError>>()?))
}

/// Resamples being drawn; of very many values, how far it is stands on stderr.
struct Resampling<'a> {
    plan: &'a BootstrapPlan,
    progress: Option<Mutex<Progress>>,
}

/// Numbers drawn without a word: what a second is enough for.
const QUIET_DRAWS: usize = 100_000_000;

impl<'a> Resampling<'a> {
    fn start(values: usize, plan: &'a BootstrapPlan) -> Self {
        let is_long = values.saturating_mul(plan.resamples) > QUIET_DRAWS;
        let progress = is_long.then(|| Mutex::new(Progress::start(plan.resamples, "resamples")));
        Self { plan, progress }
    }

    fn passed(&self) {
        if let Some(progress) = &self.progress {
            progress.lock().unwrap_or_else(PoisonError::into_inner).passed("");
        }
    }
}

fn description(values: &[f64], left_out: usize, resampling: &Resampling<'_>) -> Figures {
    let plan = resampling.plan;
    let interval = bootstrap_mean_observed(values, plan, &|| resampling.passed())?;
    let deviation = standard_deviation(values);
    Ok(figures([
        ("value", json!(mean(values)?)),
        ("sd", deviation.map_or_else(|why| missing(&why), |deviation| json!(deviation))),
        ("low", json!(interval.low)),
        ("high", json!(interval.high)),
        ("min", json!(values.iter().copied().reduce(f64::min))),
        ("max", json!(values.iter().copied().reduce(f64::max))),
        ("n", json!(values.len())),
        ("left_out", json!(left_out)),
        ("confidence", json!(plan.confidence)),
        ("resamples", json!(plan.resamples)),
        ("seed", json!(plan.seed)),
    ]))
}

/// The mean difference of each pair of columns, first minus second, resampled by rows.
pub(super) fn bootstrap(
    data: &DataTable,
    plan: &BootstrapPlan,
) -> Result<Findings, DataTableError> {
    of_pairs(data, "bootstrap", "mean_difference", |first, second| {
        let resampling = Resampling::start(first.len(), plan);
        let found = paired_bootstrap_observed(first, second, plan, &|| resampling.passed())?;
        Ok(figures([
            ("value", json!(found.mean_difference)),
            ("low", json!(found.interval.low)),
            ("high", json!(found.interval.high)),
            ("p", json!(found.p)),
            ("confidence", json!(plan.confidence)),
            ("resamples", json!(plan.resamples)),
            ("seed", json!(plan.seed)),
        ]))
    })
}

/// How often the first of each pair of columns is larger, and whether by chance.
pub(super) fn sign(data: &DataTable) -> Result<Findings, DataTableError> {
    of_pairs(data, "sign", "share_of_wins", |first, second| {
        let found = sign_test(first, second)?;
        Ok(figures([
            ("value", json!(found.wins as f64 / (found.wins + found.losses) as f64)),
            ("wins", json!(found.wins)),
            ("losses", json!(found.losses)),
            ("ties", json!(found.ties)),
            ("p", json!(found.p)),
        ]))
    })
}

fn of_pairs(
    data: &DataTable,
    coefficient: &'static str,
    variant: &'static str,
    of: impl Fn(&[f64], &[f64]) -> Figures + Sync,
) -> Result<Findings, DataTableError> {
    let columns = (0..data.names().len()).map(|column| data.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    let too_few = StatsError::TooFew { what: "columns", found: columns.len(), needed: 2 };
    let pair = |a: usize, b: usize| {
        let rows = columns.get(a).into_iter().flatten().zip(columns.get(b).into_iter().flatten());
        let (first, second): (Vec<f64>, Vec<f64>) = rows.filter_map(|(a, b)| a.zip(*b)).unzip();
        let figures = of(&first, &second).map(|mut figures| {
            figures.insert("n".to_owned(), json!(first.len()));
            figures.insert("left_out".to_owned(), json!(data.items() - first.len()));
            figures
        });
        vec![(variant.to_owned(), figures)]
    };
    Ok(Findings::of_pairs(coefficient, &[variant], data.names(), &too_few, pair))
}
