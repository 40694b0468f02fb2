//! The table for elsewhere: a document, a spreadsheet.

use crate::metric::Score;
use crate::workbench::State;
use crate::workbench::views::{ScoreRow, Scores};

/// What the table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// A table of GitHub's Markdown.
    Markdown,
    /// RFC 4180, with all digits.
    Csv,
}

const HEADINGS: [&str; 8] =
    ["id", "metric", "variant", "value", "change", "start", "last", "reason"];

/// The whole table with a heading.
pub(super) fn table(state: &State, scores: &Scores<'_>, format: Format) -> String {
    let rows: Vec<Vec<String>> = scores.rows.iter().map(|row| cells(row, format)).collect();
    match format {
        Format::Markdown => {
            let run = state.selected_run().map(|run| run.manifest.agent.name.as_str());
            let task = state.selection.task.as_ref().map(|task| task.id.as_str());
            let of = [run, task].into_iter().flatten().collect::<Vec<_>>().join(" on ");
            format!("{of}, step {} of {}\n\n{}", scores.step, scores.last_step, markdown(&rows))
        }
        Format::Csv => csv(&rows),
    }
}

fn markdown(rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let headings = HEADINGS.map(ToOwned::to_owned);
    let sides = HEADINGS.map(|heading| {
        let is_number = matches!(heading, "value" | "change" | "start" | "last");
        if is_number { "---:" } else { "---" }.to_owned()
    });
    let escaped = |row: &Vec<String>| row.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let rows = rows.iter().map(escaped).map(|row: Vec<String>| line(&row));
    line(&headings) + &line(&sides) + &rows.collect::<String>()
}

fn csv(rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<String>| cells.join(",") + "\n";
    let rows = rows.iter().map(|row| line(row.iter().map(|text| quoted(text)).collect()));
    line(HEADINGS.map(ToOwned::to_owned).to_vec()) + &rows.collect::<String>()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

fn cells(row: &ScoreRow<'_>, format: Format) -> Vec<String> {
    let number = |value: Option<f64>| {
        value.map_or_else(String::new, |value| match format {
            Format::Markdown => format!("{value:.4}"),
            Format::Csv => value.to_string(),
        })
    };
    let score = |score: Option<&Score>| number(score.and_then(Score::value));
    let reason = match row.now {
        Some(Score::Missing(why)) => why.to_string(),
        Some(Score::Value(_)) => String::new(),
        None => "not computed yet".to_owned(),
    };
    vec![
        row.variant.id.to_string(),
        row.variant.label.to_owned(),
        row.variant.variant_label.to_string(),
        score(row.now),
        number(row.delta),
        score(row.start),
        score(row.last),
        reason,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_with_commas_or_quotes_is_quoted() {
        assert_eq!(quoted("uniform 7×7"), "uniform 7×7");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }
}
