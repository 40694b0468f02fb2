//! `tau`, `spearman` and `pearson`: does one column follow another.

use serde_json::json;

use crate::metric::stats::{self, Correlation, Undefined};

use super::findings::{Figures, Findings, figures, missing};
use crate::cli::sheet::{Sheet, SheetError};

type Correlate = fn(&[f64], &[f64]) -> Result<Correlation, Undefined>;

/// Kendall's τ-b of each pair of columns.
pub(super) fn tau(sheet: &Sheet) -> Result<Findings, SheetError> {
    correlate(sheet, "tau", "b", stats::kendall_tau_b)
}

/// Spearman's ρ of each pair of columns.
pub(super) fn spearman(sheet: &Sheet) -> Result<Findings, SheetError> {
    correlate(sheet, "spearman", "rho", stats::spearman)
}

/// Pearson's r of each pair of columns.
pub(super) fn pearson(sheet: &Sheet) -> Result<Findings, SheetError> {
    correlate(sheet, "pearson", "r", stats::pearson)
}

fn correlate(
    sheet: &Sheet,
    coefficient: &'static str,
    variant: &'static str,
    of: Correlate,
) -> Result<Findings, SheetError> {
    let columns = (0..sheet.names().len()).map(|column| sheet.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    let too_few = Undefined::TooFew { what: "columns", found: columns.len(), needed: 2 };
    Ok(Findings::of_pairs(coefficient, &[variant], sheet.names(), &too_few, |a, b| {
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
