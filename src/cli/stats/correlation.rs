//! `tau`, `spearman` and `pearson`: does one column follow another.

use serde_json::json;

use crate::metric::stats::{self, Correlation, StatsError};

use super::findings::{Figures, Findings, figures, missing};
use crate::cli::data_table::{DataTable, DataTableError};

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
    of: Correlate,
) -> Result<Findings, DataTableError> {
    let columns = (0..data.names().len()).map(|column| data.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    let too_few = StatsError::TooFew { what: "columns", found: columns.len(), needed: 2 };
    Ok(Findings::of_pairs(coefficient, &[variant], data.names(), &too_few, |a, b| {
        vec![(variant.to_owned(), pair(&columns[a], &columns[b], of))]
    }))
}

/// The figures of the rows that have both cells.
fn pair(a: &[Option<f64>], b: &[Option<f64>], of: Correlate) -> Figures {
    let (x, y): (Vec<f64>, Vec<f64>) = a.iter().zip(b).filter_map(|(a, b)| a.zip(*b)).unzip();
    let found = of(&x, &y)?;
    Ok(figures([
        ("value", json!(found.value)),
        ("p", found.p.map_or_else(|why| missing(&why), |p| json!(p))),
        ("method", json!(found.method.name())),
        ("n", json!(x.len())),
        ("left_out", json!(a.len() - x.len())),
    ]))
}
