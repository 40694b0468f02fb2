//! Of each pair of columns: `tau`, `spearman` and `pearson` (does one follow the other), `bootstrap` and
//! `sign` (which of two is larger).

use serde_json::{Map, Value, json};

use crate::metric::stats::{
    self, BootstrapPlan, Correlation, StatsError, paired_bootstrap_observed, sign_test,
};

use super::columns::Resampling;
use super::findings::{Figures, Findings, figures, missing};
use crate::evaluate::data_table::{DataTable, DataTableError};

/// A coefficient of correlation.
type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, StatsError>;

/// Kendall's τ-b of each pair of columns.
pub(super) fn tau(data: &DataTable) -> Result<Findings, DataTableError> {
    correlate(data, "tau", "b", stats::kendall_tau_b)
}

/// Spearman's ρ of each pair of columns.
pub(super) fn spearman(data: &DataTable) -> Result<Findings, DataTableError> {
    correlate(data, "spearman", "rho", stats::spearman)
}

/// Pearson's r of each pair of columns.
pub(super) fn pearson(data: &DataTable) -> Result<Findings, DataTableError> {
    correlate(data, "pearson", "r", stats::pearson)
}

fn correlate(
    data: &DataTable,
    coefficient: &'static str,
    variant: &'static str,
    correlation: Correlate,
) -> Result<Findings, DataTableError> {
    of_pairs(data, coefficient, variant, |x, y| {
        let found = correlation(x, y)?;
        Ok(figures([
            ("value", json!(found.value)),
            // Of two points Spearman has a coefficient, but no degree of freedom for a probability.
            ("p", found.p.map_or_else(|why| missing(&why), |p| json!(p))),
            ("method", json!(found.method.name())),
        ]))
    })
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
            // Ties are no evidence for either side, so the test leaves them out, and so does the share.
            ("value", json!(found.wins as f64 / (found.wins + found.losses) as f64)),
            ("wins", json!(found.wins)),
            ("losses", json!(found.losses)),
            ("ties", json!(found.ties)),
            ("p", json!(found.p)),
        ]))
    })
}

/// The figures of each pair over the rows that have both cells, with how many these are.
fn of_pairs(
    data: &DataTable,
    coefficient: &'static str,
    variant: &'static str,
    figures_of: impl Fn(&[f64], &[f64]) -> Figures + Sync,
) -> Result<Findings, DataTableError> {
    // All columns are read before any pair: a cell that is no number is an error of the whole table.
    let columns = (0..data.names().len()).map(|column| data.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    let too_few = StatsError::TooFew { what: "columns", found: columns.len(), needed: 2 };
    Ok(Findings::of_pairs(coefficient, &[variant], data.names(), &too_few, |a, b| {
        let rows = columns.get(a).into_iter().flatten().zip(columns.get(b).into_iter().flatten());
        let (first, second): (Vec<f64>, Vec<f64>) = rows.filter_map(|(a, b)| a.zip(*b)).unzip();
        let figures = figures_of(&first, &second).map(|mut figures: Map<String, Value>| {
            figures.insert("n".to_owned(), json!(first.len()));
            figures.insert("left_out".to_owned(), json!(data.items() - first.len()));
            figures
        });
        vec![(variant.to_owned(), figures)]
    }))
}
