//! Tables as Markdown, CSV and LaTeX.

use super::super::super::arguments::TableFormat;
use super::table::{Cell, PaperTable};

/// What stands in a cell without data.
const DASH: &str = "—";

/// Tables one after another.
pub(super) fn tables(tables: &[PaperTable], format: TableFormat) -> String {
    let one = match format {
        TableFormat::Md => markdown,
        TableFormat::Csv => csv,
        TableFormat::Latex => latex,
    };
    tables.iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The number of the footnote of a cell, from 1.
fn footnote(notes: &[&str], why: &str) -> usize {
    notes.iter().position(|note| *note == why).map_or(0, |at| at + 1)
}

fn markdown(table: &PaperTable) -> String {
    let notes = table.footnotes();
    let cell = |cell: &Cell| match cell {
        Cell::Text(words) => escape_markdown(words),
        Cell::Missing(why) => format!("{DASH}[{}]", footnote(&notes, why)),
    };
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = table.columns.iter().map(|column| escape_markdown(column)).collect();
    let side = |at| if at < table.heading_columns { "---" } else { "---:" };
    let sides = (0..table.columns.len()).map(|at| side(at).to_owned()).collect();
    let rows = table.rows.iter().map(|row| line(row.iter().map(cell).collect()));
    let mut text = format!("## {} (`{}`)\n\n", table.title, table.id);
    text += &line(headings);
    text += &line(sides);
    text.extend(rows);
    for below in below(table, &notes) {
        text.extend(["\n", &escape_markdown(&below), "\n"]);
    }
    text
}

/// What stands below a table: remarks, then footnotes.
fn below(table: &PaperTable, notes: &[&str]) -> Vec<String> {
    let nothing = table.rows.is_empty().then(|| "There are no runs for this table.".to_owned());
    let notes = notes.iter().enumerate();
    let notes = notes.map(|(at, why)| format!("[{}] {}.", at + 1, capitalised(why)));
    nothing.into_iter().chain(table.remarks.iter().cloned()).chain(notes).collect()
}

fn capitalised(words: &str) -> String {
    let mut letters = words.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

fn escape_markdown(words: &str) -> String {
    words.replace('|', "\\|").replace(['\n', '\r'], " ")
}

/// The id of the table in every row, and the reasons for what is missing in the last column, so that
/// several tables stand in one file.
fn csv(table: &PaperTable) -> String {
    let line = |cells: &[String]| {
        cells.iter().map(|cell| quoted(cell)).collect::<Vec<_>>().join(",") + "\n"
    };
    let mut headings = vec!["table".to_owned()];
    headings.extend(table.columns.iter().cloned());
    headings.push("missing".to_owned());
    let row = |row: &Vec<Cell>| {
        let mut cells = vec![table.id.to_owned()];
        let mut reasons: Vec<&str> = Vec::new();
        for cell in row {
            match cell {
                Cell::Text(words) => cells.push(words.clone()),
                Cell::Missing(why) => {
                    cells.push(DASH.to_owned());
                    if !reasons.contains(&why.as_str()) {
                        reasons.push(why);
                    }
                }
            }
        }
        cells.push(reasons.join("; "));
        line(&cells)
    };
    line(&headings) + &table.rows.iter().map(row).collect::<String>()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// For the packages booktabs and textcomp.
fn latex(table: &PaperTable) -> String {
    let notes = table.footnotes();
    let cell = |cell: &Cell| match cell {
        Cell::Text(words) => escape_latex(words),
        Cell::Missing(why) => format!("---\\textsuperscript{{{}}}", footnote(&notes, why)),
    };
    let line = |cells: Vec<String>| format!("    {} \\\\\n", cells.join(" & "));
    let side = |at| if at < table.heading_columns { "l" } else { "r" };
    let sides: String = (0..table.columns.len()).map(side).collect();
    let headings = table.columns.iter().map(|column| escape_latex(column)).collect();
    let rows: String = table.rows.iter().map(|row| line(row.iter().map(cell).collect())).collect();
    let below: String = below(table, &notes)
        .iter()
        .map(|words| ["  \\par\\footnotesize ", &escape_latex(words), "\n"].concat())
        .collect();
    format!(
        "\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\label{{tab:{}}}\n  \
         \\begin{{tabular}}{{{sides}}}\n    \\toprule\n{}    \\midrule\n{rows}    \
         \\bottomrule\n  \\end{{tabular}}\n{below}\\end{{table}}\n",
        escape_latex(table.title),
        table.id,
        line(headings)
    )
}

fn escape_latex(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', c]),
            '\\' => out += "\\textbackslash{}",
            '~' => out += "\\textasciitilde{}",
            '^' => out += "\\textasciicircum{}",
            'Δ' => out += "$\\Delta$",
            '±' => out += "$\\pm$",
            '−' => out += "$-$",
            '→' => out += "$\\rightarrow$",
            '·' => out += "$\\cdot$",
            '\n' | '\r' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> PaperTable {
        let rows = vec![
            vec![Cell::text("gpt_4|o"), Cell::text("0.7 (±0.1)")],
            vec![Cell::text("a, b"), Cell::Missing("no model: none given".to_owned())],
        ];
        PaperTable::new("canvas-1", "CANVAS, Table 1", &["Model", "SSIM"]).with_rows(rows)
    }

    #[test]
    fn markdown_has_its_footnotes_below() {
        let text = markdown(&table());
        assert!(text.contains("| gpt_4\\|o | 0.7 (±0.1) |\n| a, b | —[1] |\n"), "{text}");
        assert!(text.ends_with("\n[1] No model: none given.\n"), "{text}");
    }

    #[test]
    fn csv_quotes_what_needs_it_and_keeps_the_reasons_in_a_column() {
        let text = csv(&table());
        let expected = "table,Model,SSIM,missing\ncanvas-1,gpt_4|o,0.7 (±0.1),\n\
                        canvas-1,\"a, b\",—,no model: none given\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn latex_escapes_what_means_something_there() {
        let text = latex(&table());
        assert!(text.contains("gpt\\_4|o & 0.7 ($\\pm$0.1) \\\\"), "{text}");
        assert!(text.contains("---\\textsuperscript{1}"), "{text}");
    }

    #[test]
    fn a_table_without_runs_says_so() {
        let empty = PaperTable { rows: Vec::new(), ..table() };
        assert!(markdown(&empty).contains("There are no runs for this table."));
    }
}
