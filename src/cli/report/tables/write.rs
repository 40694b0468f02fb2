//! Tables as Markdown, CSV, LaTeX and Parquet.

use clap::ValueEnum;

use super::table::{Cell, PaperTable};
use crate::base::defused;
use crate::cli::made_by::{command_words, program_words};
use crate::evaluate::text_table::{
    TextCell, TextColumn, TextSide, TextTable, escaped_latex, escaped_markdown, latex_comment,
    markdown_code,
};
use crate::evaluate::typed_table::{TypedColumn, TypedTable};
use crate::export::table_as_parquet;

/// What tables are written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TableFormat {
    /// Markdown.
    Md,
    /// Comma-separated values, the table's id in the first column.
    Csv,
    /// LaTeX, for the package booktabs.
    Latex,
    /// Apache Parquet: a row a cell, with the number it begins with.
    Parquet,
}

/// What stands in a cell without data.
const DASH: &str = "—";

/// Tables one after another, as a file holds them: text, but for Parquet.
///
/// Markdown says below each table, LaTeX in comments above it, of what it is and which program made it by which
/// command, Parquet in the file's metadata; CSV has no place for it: [`provenance`] goes into a file beside it.
pub(super) fn tables(tables: &[PaperTable], format: TableFormat) -> anyhow::Result<Vec<u8>> {
    let command = command_words();
    if format == TableFormat::Parquet {
        return Ok(table_as_parquet(&long_form(tables))?);
    }
    let texts = tables.iter().map(|table| match format {
        TableFormat::Md => Ok(markdown(table, &command)),
        TableFormat::Latex => Ok(latex(table, &command)),
        TableFormat::Csv | TableFormat::Parquet => csv(table),
    });
    let texts = texts.collect::<anyhow::Result<Vec<String>>>()?;
    Ok(texts.join("\n").into_bytes())
}

/// A row a cell, so that tables of different columns stand in one file: which table, which row of it (from 1) and what
/// that is called, which column, what stands there, and the number it begins with.
fn long_form(tables: &[PaperTable]) -> TypedTable {
    let (mut ids, mut rows, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut columns, mut texts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let mut notes = Vec::new();
    for table in tables {
        for (row, number) in table.rows.iter().zip(1_u32..) {
            let name: Vec<&str> =
                row.iter().take(table.heading_columns).filter_map(Cell::words).collect();
            let cells = row.iter().zip(&table.columns).skip(table.heading_columns);
            for (cell, column) in cells {
                ids.push(Some(table.id.to_owned()));
                rows.push(Some(f64::from(number)));
                names.push(Some(name.join(" · ")));
                columns.push(Some(column.clone()));
                texts.push(cell.words().map(str::to_owned));
                // Beside the words as printed: a mean with its interval is a number only in part.
                numbers.push(cell.words().and_then(as_number));
                notes.push(cell.note().map(str::to_owned));
            }
        }
    }
    TypedTable {
        columns: vec![
            TypedColumn::texts("table", ids),
            TypedColumn::numbers("row", rows),
            TypedColumn::texts("of", names),
            TypedColumn::texts("column", columns),
            TypedColumn::texts("text", texts),
            TypedColumn::numbers("number", numbers),
            TypedColumn::texts("note", notes),
        ],
        about: provenance(tables),
    }
}

/// Which program made tables by which command, and what is to be said of each.
pub(super) fn provenance(tables: &[PaperTable]) -> Vec<(String, String)> {
    let remarks = tables.iter().flat_map(|table| {
        let made_of = made_of(table);
        let made_of =
            made_of.into_iter().map(|(name, value)| (format!("{name} of {}", table.id), value));
        // Numbered: of two that are called the same a reader would show one.
        let numbered = (1..).zip(&table.remarks);
        let numbered = numbered
            .map(|(number, remark)| (format!("remark {number} of {}", table.id), remark.clone()));
        made_of.chain(numbered)
    });
    let program = ("program".to_owned(), program_words());
    let command = ("command".to_owned(), command_words());
    [program, command].into_iter().chain(remarks).collect()
}

/// Of how many runs a table is, by which variants, and what was left out, each with its name.
fn made_of(table: &PaperTable) -> Vec<(String, String)> {
    // Program and command come first, and are said once for all tables.
    table.made_by.entries().split_off(2)
}

/// The number that a cell begins with: all of it, or what stands before an interval, a change or a sign of per cent.
fn as_number(words: &str) -> Option<f64> {
    let first = words.split_whitespace().next()?;
    let number: f64 = first.trim_end_matches('%').replace('−', "-").parse().ok()?;
    number.is_finite().then_some(number)
}

/// The number of a footnote, from 1.
fn footnote(notes: &[&str], note: &str) -> usize {
    notes.iter().position(|known| *known == note).map_or(0, |at| at + 1)
}

/// The table with its footnotes by their numbers.
fn text_table(table: &PaperTable, notes: &[&str]) -> TextTable {
    // Words stand left, numbers right.
    let columns = table.columns.iter().enumerate().map(|(at, heading)| TextColumn {
        heading: heading.clone(),
        side: if at < table.heading_columns { TextSide::Left } else { TextSide::Right },
    });
    let rows = table.rows.iter().map(|row| {
        let cells = row.iter().map(|cell| TextCell {
            words: cell.words().unwrap_or(DASH).to_owned(),
            footnote: cell.note().map(|note| footnote(notes, note)),
        });
        cells.collect()
    });
    TextTable { columns: columns.collect(), rows: rows.collect() }
}

fn markdown(table: &PaperTable, command: &str) -> String {
    let notes = table.footnotes();
    let mut text = format!("## {} (`{}`)\n\n", table.title, table.id);
    text += &text_table(table, &notes).to_markdown();
    for below in below(table, &notes) {
        text.extend(["\n", &escaped_markdown(&below), "\n"]);
    }
    let made_of = made_of(table);
    let made_of = made_of.iter().map(|(name, value)| format!("{name}: {value}"));
    let made_of = made_of.collect::<Vec<_>>().join(" · ");
    if !made_of.is_empty() {
        text.extend(["\n", &escaped_markdown(&capitalised(&made_of)), "\n"]);
    }
    text + &format!("\n{}: {}\n", program_words(), markdown_code(command))
}

/// What stands below a table: remarks, then footnotes.
fn below(table: &PaperTable, notes: &[&str]) -> Vec<String> {
    let nothing = table.rows.is_empty().then(|| "There are no runs for this table.".to_owned());
    let notes = notes.iter().enumerate();
    let notes = notes.map(|(at, note)| format!("[{}] {}.", at + 1, capitalised(note)));
    nothing.into_iter().chain(table.remarks.iter().cloned()).chain(notes).collect()
}

fn capitalised(words: &str) -> String {
    let mut letters = words.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// The id of the table in every row, and the reasons for what is missing in the column after its own,
/// so that several tables stand in one file. Where cells have to be read with a note, those are the
/// last column.
fn csv(table: &PaperTable) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let own = table.columns.iter().map(String::as_str);
    // Only where there are any, so that files of before keep their columns.
    let has_notes = table.rows.iter().flatten().any(|cell| matches!(cell, Cell::Noted { .. }));
    let last = ["missing", "notes"].into_iter().take(if has_notes { 2 } else { 1 });
    writer.write_record(std::iter::once("table").chain(own).chain(last))?;
    for row in &table.rows {
        // CSV has no footnotes: a row brings its own, each once.
        let (mut reasons, mut notes) = (Vec::new(), Vec::new());
        let mut cells = vec![table.id.to_owned()];
        for cell in row {
            let (words, below, note) = match cell {
                Cell::Text(words) => (words.as_str(), &mut notes, None),
                Cell::Missing(why) => (DASH, &mut reasons, Some(why.as_str())),
                Cell::Noted { words, note } => (words.as_str(), &mut notes, Some(note.as_str())),
            };
            cells.push(defused(words));
            if let Some(note) = note.filter(|note| !below.contains(note)) {
                below.push(note);
            }
        }
        cells.push(defused(&reasons.join("; ")));
        if has_notes {
            cells.push(defused(&notes.join("; ")));
        }
        writer.write_record(&cells)?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// For the packages booktabs and textcomp. The command is a comment, to be copied as it is and not to be printed.
fn latex(table: &PaperTable, command: &str) -> String {
    let notes = table.footnotes();
    let below: String = below(table, &notes)
        .iter()
        .map(|words| ["  \\par\\footnotesize ", &escaped_latex(words), "\n"].concat())
        .collect();
    let mut made_by = latex_comment(&format!("{}: {command}", program_words()));
    made_by.extend(
        made_of(table).iter().map(|(name, value)| latex_comment(&format!("{name}: {value}"))),
    );
    format!(
        "{made_by}\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{tab:{}}}\n{}{below}\\end{{table}}\n",
        escaped_latex(table.title),
        table.id,
        text_table(table, &notes).to_latex("  ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::MadeBy;

    fn table() -> PaperTable {
        let rows = vec![
            vec![Cell::text("gpt_4|o"), Cell::text("0.7 (±0.1)")],
            vec![Cell::text("a, b"), Cell::Missing("no model: none given".to_owned())],
        ];
        PaperTable { rows, ..PaperTable::new("canvas-1", "CANVAS, Table 1", &["Model", "SSIM"]) }
    }

    #[test]
    fn markdown_has_its_footnotes_below() {
        let text = markdown(&table(), "pentimento x");
        assert!(text.contains("| gpt_4\\|o | 0.7 (±0.1) |\n| a, b | —[1] |\n"), "{text}");
        assert!(text.contains("\n[1] No model: none given.\n"), "{text}");
        assert!(text.ends_with(": `pentimento x`\n"), "{text}");
    }

    #[test]
    fn csv_quotes_what_needs_it_and_keeps_the_reasons_in_a_column() {
        let text = csv(&table()).unwrap();
        let expected = "table,Model,SSIM,missing\ncanvas-1,gpt_4|o,0.7 (±0.1),\n\
                        canvas-1,\"a, b\",—,no model: none given\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_cell_with_a_note_keeps_its_number_in_every_format() {
        let noted = Cell::text("0.7").with_note(Some("runs of two kinds".to_owned()));
        let mut table = PaperTable::new("t", "T", &["Model", "SSIM"]);
        table.rows.push(vec![Cell::text("a"), noted]);
        let text = markdown(&table, "pentimento x");
        assert!(
            text.contains("| a | 0.7[1] |") && text.contains("[1] Runs of two kinds.\n"),
            "{text}"
        );
        let text = csv(&table).unwrap();
        assert!(text.ends_with("t,a,0.7,,runs of two kinds\n"), "{text}");
        assert!(latex(&table, "pentimento x").contains("a & 0.7\\textsuperscript{1}"));
    }

    #[test]
    fn what_a_run_calls_itself_is_neither_a_formula_nor_a_tag() {
        let mut table = PaperTable::new("t", "T", &["Model", "Δ"]);
        table.rows.push(vec![Cell::text("=1+2"), Cell::text("-0.25")]);
        let text = csv(&table).unwrap();
        assert!(text.ends_with("t,'=1+2,-0.25,\n"), "{text}");
        table.rows = vec![vec![Cell::text("<img src=x>"), Cell::text("0.5")]];
        let text = markdown(&table, "pentimento x");
        assert!(text.contains("| &lt;img src=x&gt; | 0.5 |"), "{text}");
    }

    #[test]
    fn latex_escapes_what_means_something_there() {
        let text = latex(&table(), "pentimento x");
        assert!(text.contains("gpt\\_4|o & 0.7 ($\\pm$0.1) \\\\"), "{text}");
        assert!(text.contains("---\\textsuperscript{1}"), "{text}");
        assert!(
            text.starts_with("% Pentimento ") && text.contains(": pentimento x\n\\begin{table}")
        );
    }

    #[test]
    fn the_long_form_has_a_row_a_cell_with_its_number_and_its_reason() {
        let mut table = table();
        table.rows.push(vec![Cell::text("c"), Cell::text("−0.25")]);
        table.remarks = ["One.", "Two."].map(str::to_owned).to_vec();
        let long = long_form(&[table]);
        let column = |name: &str| {
            let found = long.columns.iter().find(|column| column.name == name).unwrap();
            format!("{:?}", found.values)
        };
        assert_eq!(column("number"), "Numbers([Some(0.7), None, Some(-0.25)])");
        assert_eq!(column("of"), r#"Texts([Some("gpt_4|o"), Some("a, b"), Some("c")])"#);
        assert_eq!(column("text"), r#"Texts([Some("0.7 (±0.1)"), None, Some("−0.25")])"#);
        assert_eq!(column("note"), r#"Texts([None, Some("no model: none given"), None])"#);
        let names: Vec<&str> = long.about.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["program", "command", "remark 1 of canvas-1", "remark 2 of canvas-1"]);
    }

    #[test]
    fn a_table_says_of_which_runs_and_by_which_variants_it_is() {
        let made_by = MadeBy {
            runs: "3 (a: 3)".to_owned(),
            variants: vec!["ssim/uniform7".to_owned()],
            left_out: vec!["b_1 cannot be read".to_owned()],
            ..MadeBy::default()
        };
        let table = PaperTable { made_by, ..table() };
        let text = markdown(&table, "pentimento x");
        let below = "\n\nRuns: 3 (a: 3) · metrics: ssim/uniform7 · left out: b_1 cannot be read\n\nPentimento ";
        assert!(text.contains(below), "{text}");
        let text = latex(&table, "pentimento x");
        let above = "\n% runs: 3 (a: 3)\n% metrics: ssim/uniform7\n% left out: b_1 cannot be read\n\\begin{table}";
        assert!(text.contains(above), "{text}");
        let about = provenance(&[table]);
        let names: Vec<&str> = about.iter().map(|(name, _)| name.as_str()).collect();
        let of_it = ["runs of canvas-1", "metrics of canvas-1", "left out of canvas-1"];
        assert_eq!(names[2..], of_it);
    }

    #[test]
    fn a_table_without_runs_says_so() {
        let empty = PaperTable { rows: Vec::new(), ..table() };
        assert!(markdown(&empty, "pentimento x").contains("There are no runs for this table."));
    }
}
