//! A result as a table in a file of its own: CSV, Markdown, LaTeX or Parquet, by the ending of its name. The file says
//! of what the table is and which command makes it again; that of CSV stands beside it.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::output::write_atomic;
use crate::base::defused;
use crate::evaluate::text_table::{
    TextCell, TextColumn, TextSide, TextTable, escaped_markdown, latex_comment,
};
use crate::evaluate::typed_table::{TypedTable, TypedValues, beside, provenance_json};
use crate::export::table_as_parquet;

/// What the name of such a file ends with, for the help of commands.
pub(super) const TABLE_FILE: &str = "FILE.csv|.md|.tex|.parquet";

/// What stands in a cell without data.
const DASH: &str = "—";

/// Where a table goes, and as what.
#[derive(Clone, Debug)]
pub(super) struct TablePath {
    path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    Markdown,
    Latex,
    Parquet,
}

const FORMS: [(&str, Form); 4] =
    [("csv", Form::Csv), ("md", Form::Markdown), ("tex", Form::Latex), ("parquet", Form::Parquet)];

impl TablePath {
    /// The file of this name, which says by its ending as what: for the command line, before anything is worked out.
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        let path = PathBuf::from(name);
        let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
        let known = FORMS.iter().find(|(known, _)| Some(*known) == ending.as_deref());
        let form = known.map(|(_, form)| *form).ok_or_else(|| {
            let endings = FORMS.map(|(ending, _)| format!(".{ending}"));
            format!("its name says by its ending what it is: {}", endings.join(", "))
        })?;
        Ok(Self { path, form })
    }

    /// Writes the table.
    pub(super) fn write(&self, table: &TypedTable) -> anyhow::Result<()> {
        let path: &Path = &self.path;
        let bytes = match self.form {
            Form::Csv => csv(table),
            Form::Markdown => Ok(markdown(table).into_bytes()),
            Form::Latex => Ok(latex(table).into_bytes()),
            Form::Parquet => table_as_parquet(table).map_err(anyhow::Error::from),
        };
        write_atomic(path, &bytes.with_context(|| path.display().to_string())?)?;
        if self.form == Form::Csv {
            write_atomic(&beside(path), provenance_json(&table.about).as_bytes())?;
        }
        Ok(())
    }
}

/// What stands in a row of a column; numbers by `number`, empty where nothing is known.
fn words(values: &TypedValues, row: usize, number: fn(f64) -> String) -> Option<String> {
    match values {
        TypedValues::Numbers(values) => values.get(row).copied().flatten().map(number),
        TypedValues::Texts(values) => values.get(row).cloned().flatten(),
        TypedValues::Flags(values) => {
            let flag = values.get(row).copied().flatten()?;
            Some((if flag { "yes" } else { "no" }).to_owned())
        }
    }
}

fn rows(table: &TypedTable) -> usize {
    table.columns.first().map_or(0, |column| column.values.rows())
}

/// Numbers are whole, so that they can be gone on with.
fn csv(table: &TypedTable) -> anyhow::Result<Vec<u8>> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(table.columns.iter().map(|column| defused(&column.name)))?;
    for row in 0..rows(table) {
        let cells = table.columns.iter();
        let cells = cells.map(|it| words(&it.values, row, |number| number.to_string()));
        writer.write_record(cells.map(|cell| defused(&cell.unwrap_or_default())))?;
    }
    Ok(writer.into_inner()?)
}

/// Numbers are rounded, as papers print them.
fn text_table(table: &TypedTable) -> TextTable {
    let columns = table.columns.iter().map(|column| TextColumn {
        heading: column.name.clone(),
        side: match column.values {
            TypedValues::Numbers(_) => TextSide::Right,
            TypedValues::Texts(_) | TypedValues::Flags(_) => TextSide::Left,
        },
    });
    let rows = (0..rows(table)).map(|row| {
        let cells = table.columns.iter().map(|column| words(&column.values, row, rounded));
        cells.map(|cell| TextCell::from(cell.unwrap_or_else(|| DASH.to_owned()))).collect()
    });
    TextTable { columns: columns.collect(), rows: rows.collect() }
}

fn rounded(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.4}") }
}

fn markdown(table: &TypedTable) -> String {
    let lines =
        table.about.iter().map(|(name, value)| format!("\n{name}: {}\n", escaped_markdown(value)));
    text_table(table).to_markdown() + &lines.collect::<String>()
}

fn latex(table: &TypedTable) -> String {
    let lines = table.about.iter().map(|(name, value)| latex_comment(&format!("{name}: {value}")));
    lines.collect::<String>() + "% needs \\usepackage{booktabs}\n" + &text_table(table).to_latex("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::typed_table::TypedColumn;

    fn table() -> TypedTable {
        let task = vec![Some("=a|b".to_owned()), None];
        TypedTable {
            columns: vec![
                TypedColumn::texts("task", task),
                TypedColumn::numbers("n", vec![Some(3.0), Some(12.0)]),
                TypedColumn::numbers("ssim", vec![Some(0.123_456_789), None]),
            ],
            about: vec![("command".to_owned(), "pentimento x".to_owned())],
        }
    }

    #[test]
    fn csv_has_whole_numbers_empty_cells_and_no_formula_and_says_beside_it_where_it_is_from() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.csv");
        TablePath::parse(path.to_str().unwrap()).unwrap().write(&table()).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, "task,n,ssim\n'=a|b,3,0.123456789\n,12,\n");
        let about = std::fs::read_to_string(dir.path().join("t.csv.json")).unwrap();
        assert!(about.contains("\"command\": \"pentimento x\""), "{about}");
    }

    #[test]
    fn what_papers_print_is_rounded_with_dashes_and_says_where_it_is_from() {
        let text = markdown(&table());
        assert!(text.contains("| =a\\|b | 3 | 0.1235 |\n| — | 12 | — |\n"), "{text}");
        assert!(text.ends_with("\ncommand: pentimento x\n"), "{text}");
        let text = latex(&table());
        assert!(text.starts_with("% command: pentimento x\n% needs "), "{text}");
        assert!(text.contains("=a|b & 3 & 0.1235 \\\\"), "{text}");
    }

    #[test]
    fn the_ending_of_a_name_says_what_a_file_is() {
        assert_eq!(TablePath::parse("a/b.TEX").unwrap().form, Form::Latex);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("t.parquet");
        TablePath::parse(path.to_str().unwrap()).unwrap().write(&table()).unwrap();
        assert!(std::fs::read(&path).unwrap().starts_with(b"PAR1"));
        for name in ["table", "table.xlsx", ""] {
            let why = TablePath::parse(name).unwrap_err();
            assert!(why.contains(".csv, .md, .tex, .parquet"), "{name}: {why}");
        }
    }
}
