//! `majority`: what most raters say of each item.

use serde_json::{Value, json};

use crate::metric::stats::{Majority, StatsError, majority_vote};

use super::findings::{Figures, Findings, Variant, figures};
use crate::cli::data_table::{DataTable, DataTableError, text};

/// The label with the most votes of each line, and how many lines have one.
pub(super) fn majority(data: &DataTable) -> Result<Findings, DataTableError> {
    let columns = (0..data.names().len()).map(|column| data.column(column, "a label", text));
    let columns: Vec<Vec<Option<String>>> = columns.collect::<Result<_, _>>()?;
    let votes = |item: usize| columns.iter().filter_map(move |column| column.get(item)?.as_ref());
    let found: Vec<(u64, Result<Majority<&String>, StatsError>)> =
        data.lines().enumerate().map(|(item, line)| (line, majority_vote(votes(item)))).collect();
    let mut variants: Vec<Variant> = vec![("items".to_owned(), counts(&found))];
    variants.extend(found.into_iter().map(|(line, it)| (format!("line {line}"), it.map(of_line))));
    Ok(Findings::new("majority", variants))
}

/// How many items have a majority.
fn counts(found: &[(u64, Result<Majority<&String>, StatsError>)]) -> Figures {
    let won = found.iter().filter(|(_, it)| matches!(it, Ok(Majority::Winner { .. }))).count();
    let tied = found.iter().filter(|(_, it)| matches!(it, Ok(Majority::Tie { .. }))).count();
    if found.is_empty() {
        return Err(StatsError::TooFew { what: "items", found: 0, needed: 1 });
    }
    Ok(figures([
        ("value", json!(won)),
        ("ties", json!(tied)),
        ("n", json!(won + tied)),
        ("left_out", json!(found.len() - won - tied)),
    ]))
}

fn of_line(majority: Majority<&String>) -> serde_json::Map<String, Value> {
    match majority {
        Majority::Winner { label, votes, of } => {
            figures([("value", json!(label)), ("votes", json!(votes)), ("n", json!(of))])
        }
        Majority::Tie { labels, votes, of } => figures([
            ("value", Value::Null),
            ("tie", json!(labels)),
            ("votes", json!(votes)),
            ("n", json!(of)),
        ]),
    }
}
