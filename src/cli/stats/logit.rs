//! `logit`: which columns predict the last one.

use serde_json::{Map, Value, json};

use crate::metric::stats::{
    Intercept, LogisticData, LogisticFit, SplitAccuracy, StatsError, Term, fit_logistic,
    split_accuracy,
};

use super::findings::{Figures, Findings, Reason, figures, missing};
use crate::evaluate::data_table::{DataTable, DataTableError, yes_or_no};

/// The outcome and the numbers of a row, if no cell is missing.
type CompleteRow = (Vec<f64>, bool);

/// Logistic regression of the last column on the others, in three variants.
pub(super) fn logit(data: &DataTable, seed: u64) -> Result<Findings, DataTableError> {
    let rows = complete_rows(data)?;
    let left_out = data.items() - rows.len();
    let data = logistic_data(data, &rows);
    // Only one that has an intercept: without it, standardised columns would force even odds on the
    // average row.
    let standardised = data.as_ref().map_err(Clone::clone).and_then(LogisticData::standardised);
    let variants = [
        ("without_intercept", &data, Intercept::Without),
        ("with_intercept", &data, Intercept::With),
        ("standardised_with_intercept", &standardised, Intercept::With),
    ];
    let variants = variants.map(|(name, data, intercept)| {
        let data = data.as_ref().map_err(Clone::clone);
        let data = data.map_err(Reason::from);
        (name.to_owned(), data.and_then(|data| fit(data, intercept, seed, left_out)))
    });
    Ok(Findings::new("logit", variants.into()))
}

fn complete_rows(data: &DataTable) -> Result<Vec<CompleteRow>, DataTableError> {
    // A table has a column at least.
    let outcome = data.names().len().saturating_sub(1);
    let outcomes = data.column(outcome, "an outcome of 0 or 1", yes_or_no)?;
    let columns = (0..outcome).map(|column| data.numbers(column));
    let columns: Vec<Vec<Option<f64>>> = columns.collect::<Result<_, _>>()?;
    // Listwise deletion, as usual for regressions: a row with one cell missing is left out whole.
    let mut rows = Vec::new();
    for (at, outcome) in outcomes.into_iter().enumerate() {
        let cells: Option<Vec<f64>> = columns.iter().map(|column| column[at]).collect();
        rows.extend(cells.zip(outcome));
    }
    Ok(rows)
}

fn logistic_data(data: &DataTable, rows: &[CompleteRow]) -> Result<LogisticData, StatsError> {
    let names = data.names().iter().take(data.names().len().saturating_sub(1)).cloned();
    let columns = names
        .enumerate()
        .map(|(at, name)| (name, rows.iter().map(|(cells, _)| cells[at]).collect()));
    LogisticData::new(columns, rows.iter().map(|(_, outcome)| *outcome).collect())
}

fn fit(data: &LogisticData, intercept: Intercept, seed: u64, left_out: usize) -> Figures {
    let LogisticFit { terms, log_likelihood, accuracy, observations, iterations } =
        fit_logistic(data, intercept)?;
    // The halves can be too small for a fit where the whole is not: then only that figure is missing.
    let split = split_accuracy(data, intercept, seed);
    Ok(figures([
        ("terms", json!(terms.iter().map(|term| term.name.as_str()).collect::<Vec<_>>())),
        ("coef", each(&terms, |term| term.coefficient)),
        ("std_err", each(&terms, |term| term.standard_error)),
        ("z", each(&terms, |term| term.z)),
        ("p", each(&terms, |term| term.p)),
        ("low", each(&terms, |term| term.interval.low)),
        ("high", each(&terms, |term| term.interval.high)),
        ("log_likelihood", json!(log_likelihood)),
        ("accuracy_train", json!(accuracy)),
        (
            "accuracy_split",
            split.map_or_else(|why| missing(&why), |split| split_json(&split, seed)),
        ),
        ("n", json!(observations)),
        ("left_out", json!(left_out)),
        ("iterations", json!(iterations)),
    ]))
}

fn each(terms: &[Term], number: fn(&Term) -> f64) -> Value {
    json!(terms.iter().map(number).collect::<Vec<_>>())
}

fn split_json(split: &SplitAccuracy, seed: u64) -> Value {
    let figures: Map<String, Value> = figures([
        ("value", json!(split.accuracy)),
        ("low", json!(split.interval.low)),
        ("high", json!(split.interval.high)),
        ("fitted", json!(split.fitted)),
        ("tested", json!(split.tested)),
        ("correct", json!(split.correct)),
        ("seed", json!(seed)),
    ]);
    Value::Object(figures)
}
