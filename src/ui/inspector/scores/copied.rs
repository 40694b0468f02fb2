//! The table for elsewhere: a document, a spreadsheet.

use crate::evaluate::text_table::{TextCell, TextColumn, TextSide, TextTable};
use crate::evaluate::typed_table::push_separated;
use crate::metric::Score;
use crate::workbench::State;
use crate::workbench::views::{ScoreRow, Scores};

/// What the table is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CopyFormat {
    /// A table of GitHub's Markdown.
    Markdown,
    /// RFC 4180, with all digits.
    Csv,
}

const HEADINGS: [&str; 8] =
    ["id", "metric", "variant", "value", "change", "start", "last", "reason"];

/// The whole table with a heading.
pub(super) fn table(state: &State, scores: &Scores<'_>, format: CopyFormat) -> String {
    let rows: Vec<Vec<String>> = scores.rows.iter().map(|row| cells(row, format)).collect();
    match format {
        CopyFormat::Markdown => {
            let run = state.selected_run().map(|run| run.manifest.agent.name.as_str());
            let task = state.selection.task.as_ref().map(|task| task.id.as_str());
            let of = [run, task].into_iter().flatten().collect::<Vec<_>>().join(" on ");
            format!("{of}, step {} of {}\n\n{}", scores.step, scores.last_step, markdown(rows))
        }
        CopyFormat::Csv => csv(&rows),
    }
}

fn markdown(rows: Vec<Vec<String>>) -> String {
    let columns = HEADINGS.map(|heading| {
        let is_number = matches!(heading, "value" | "change" | "start" | "last");
        let side = if is_number { TextSide::Right } else { TextSide::Left };
        TextColumn { heading: heading.to_owned(), side }
    });
    let rows = rows.into_iter().map(|row| row.into_iter().map(TextCell::from).collect());
    TextTable { columns: columns.to_vec(), rows: rows.collect() }.to_markdown()
}

fn csv(rows: &[Vec<String>]) -> String {
    let mut table = String::new();
    push_separated(&mut table, HEADINGS.into_iter().map(str::to_owned), ',');
    for row in rows {
        push_separated(&mut table, row.iter().cloned(), ',');
    }
    table
}

fn cells(row: &ScoreRow<'_>, format: CopyFormat) -> Vec<String> {
    let reason = match row.now {
        Some(Score::Missing(why)) => why.to_string(),
        Some(Score::Value(_)) => String::new(),
        None => "not computed yet".to_owned(),
    };
    let mut cells = vec![
        row.variant.id.to_string(),
        row.variant.label.to_owned(),
        row.variant.variant_label.to_string(),
    ];
    let numbers = [
        row.now.and_then(Score::value),
        row.delta,
        row.start.and_then(Score::value),
        row.last.and_then(Score::value),
    ];
    cells.extend(numbers.map(|number| match (number, format) {
        (None, _) => String::new(),
        (Some(value), CopyFormat::Markdown) => format!("{value:.4}"),
        // All digits: a spreadsheet goes on calculating with them.
        (Some(value), CopyFormat::Csv) => value.to_string(),
    }));
    cells.push(reason);
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_with_commas_or_quotes_is_quoted_and_none_is_a_formula() {
        let row = ["uniform 7×7", "a, \"b\"", "=1+1", "-0.5"].map(str::to_owned);
        let table = csv(&[row.to_vec()]);
        assert!(table.starts_with(&HEADINGS.join(",")), "{table}");
        assert!(table.ends_with("\nuniform 7×7,\"a, \"\"b\"\"\",'=1+1,-0.5\n"), "{table}");
    }
}
