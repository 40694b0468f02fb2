//! `pentimento metric ndec`: NDEC checklists and success, from what people said.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Value, json};

use crate::cli::label::read_labels;
use crate::cli::labels::Label;
use crate::cli::made_by::print_result_json;
use crate::cli::output::print;
use crate::cli::table::{Column, Table};
use crate::metric::checklist::{CellKey, ChecklistCell, ChecklistItem, LayerRelation, tabulate};
use crate::metric::{MissingScore, Score};

/// Count success and NDEC checklists by model, difficulty and relation to layers
///
/// LABELS is what `report tables --labels` takes; `pentimento report tables --help` lists its columns.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct NdecArguments {
    /// What was said of attempts, one a row, CSV or JSON Lines, or a labelling project (NAME.labels).
    #[arg(value_name = "LABELS", required = true)]
    labels: Vec<PathBuf>,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  pentimento metric ndec labels.csv
  pentimento metric ndec study.labels
  pentimento metric ndec labels.jsonl --json | jq '.cells[] | select(.difficulty == null)'

JSON, with the program and the command: {\"cells\": [{\"model\", \"difficulty\", \"layers\" (null: all of them), \"attempts\", \"judged\",
\"successes\", \"success_rate\", \"completion_secs\" (of successes), \"ndec\", \"by_item\"}]}, rates in per
cent. Several rows of one attempt each count.";

/// Does the command.
pub(super) fn tabulate_labels(arguments: &NdecArguments) -> anyhow::Result<()> {
    let mut labels = Vec::new();
    for path in &arguments.labels {
        labels.extend(read_labels(path)?);
    }
    // A file of labels may be of designs too, which have no checklist.
    let results: Vec<_> =
        labels.iter().filter(|label| label.is_of_photo()).map(Label::result).collect();
    anyhow::ensure!(
        !results.is_empty(),
        "no row has a success or an answer of the checklist; its columns are success, {}",
        ChecklistItem::ALL.map(|item| item.label().replace(' ', "_")).join(", ")
    );
    let cells = tabulate(&results);
    if arguments.json {
        let cells: Vec<Value> = cells.iter().map(|(key, cell)| of_cell(key, cell)).collect();
        return print_result_json(&json!({ "cells": cells }));
    }
    let mut table = Table::new(&[
        Column::left("model"),
        Column::left("difficulty"),
        Column::left("layers"),
        Column::right("attempts"),
        Column::right("judged"),
        Column::right("successes"),
        Column::right("success %"),
        Column::right("seconds"),
        Column::right("NDEC %"),
    ]);
    for (key, cell) in &cells {
        table.push(row(key, cell));
    }
    Ok(print(&table.to_text())?)
}

/// Of the key: null is all of them.
fn of_cell(key: &CellKey, cell: &ChecklistCell) -> Value {
    let by_item = ChecklistItem::ALL.iter().zip(&cell.by_item);
    json!({
        "model": key.model,
        "difficulty": key.difficulty,
        "layers": key.layers.map(|relation| relation == LayerRelation::LayerRelated),
        "attempts": cell.attempts,
        "judged": cell.judged,
        "successes": cell.successes,
        "success_rate": score(&cell.success_rate),
        "completion_secs": score(&cell.completion_secs),
        "ndec": score(&cell.ndec),
        "by_item": by_item
            .map(|(item, share)| (item.label().replace(' ', "_"), score(share)))
            .collect::<Value>(),
    })
}

fn row(key: &CellKey, cell: &ChecklistCell) -> Vec<String> {
    // As the paper abbreviates it, and as `--labels` reads it.
    let layers = match key.layers {
        None => "all",
        Some(LayerRelation::LayerRelated) => "LR",
        Some(LayerRelation::NotLayerRelated) => "NLR",
    };
    let difficulty = match key.difficulty.as_deref() {
        None => "all",
        // A label without a difficulty is in a cell of its own, not in that of all.
        Some("") => "not said",
        Some(difficulty) => difficulty,
    };
    let mut row = vec![key.model.clone(), difficulty.to_owned(), layers.to_owned()];
    row.extend([cell.attempts, cell.judged, cell.successes].map(|count| count.to_string()));
    row.extend(
        [&cell.success_rate, &cell.completion_secs, &cell.ndec].map(|score| {
            score.value().map_or_else(|| "—".to_owned(), |value| format!("{value:.2}"))
        }),
    );
    row
}

/// A number, or `{"missing": "why"}`.
pub(super) fn score(score: &Score) -> Value {
    match score {
        Score::Value(value) => json!(value),
        Score::Missing(MissingScore::Undefined(why)) => json!({ "missing": why }),
        Score::Missing(why) => json!({ "missing": why.to_string() }),
    }
}
