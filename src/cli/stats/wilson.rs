//! `wilson`: proportions and how sure they are.

use serde_json::json;

use crate::metric::stats;

use super::findings::{Figures, Findings, Variant, figures};
use crate::cli::data_table::{DataTable, DataTableError, yes_or_no};

const CONFIDENCE: f64 = 0.95;

/// Wilson's interval of each column of 0 and 1, or of each line of `successes,trials`.
pub(super) fn wilson(data: &DataTable) -> Result<Findings, DataTableError> {
    let variants = if is_counts(data) { of_lines(data)? } else { of_columns(data)? };
    Ok(Findings::new("wilson", variants))
}

fn is_counts(data: &DataTable) -> bool {
    let names: Vec<String> = data.names().iter().map(|name| name.to_lowercase()).collect();
    names == ["successes", "trials"]
}

fn of_lines(data: &DataTable) -> Result<Vec<Variant>, DataTableError> {
    let count = |cell: &str| cell.parse::<u64>().ok();
    let successes = data.column(0, "a whole number from 0", count)?;
    let trials = data.column(1, "a whole number from 0", count)?;
    let rows = data.lines().zip(successes.into_iter().zip(trials));
    let complete = rows.filter_map(|(line, (successes, trials))| Some((line, successes?, trials?)));
    Ok(complete
        .map(|(line, successes, trials)| (format!("line {line}"), proportion(successes, trials, 0)))
        .collect())
}

fn of_columns(data: &DataTable) -> Result<Vec<Variant>, DataTableError> {
    let of = |(column, name): (usize, &String)| {
        let outcomes = data.column(column, "0 or 1", yes_or_no)?;
        let known: Vec<bool> = outcomes.iter().copied().flatten().collect();
        let successes = known.iter().filter(|success| **success).count() as u64;
        let left_out = outcomes.len() - known.len();
        Ok((name.clone(), proportion(successes, known.len() as u64, left_out)))
    };
    data.names().iter().enumerate().map(of).collect()
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
