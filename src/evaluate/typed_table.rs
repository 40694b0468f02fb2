//! A table whose columns have types, for formats that keep them and as text; and what tables say of themselves.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::text_table::{
    TextCell, TextColumn, TextSide, TextTable, escaped_markdown, latex_comment,
};
use crate::base::defused;

/// What stands in a cell without data, where people read it.
const DASH: &str = "—";

/// A table: columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedTable {
    /// In order, with names of their own.
    pub columns: Vec<TypedColumn>,
    /// What the file says of itself: names and values, such as the command that makes it again.
    pub about: Vec<(String, String)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedColumn {
    /// Its name.
    pub name: String,
    /// A value a row; `None` where nothing is known.
    pub values: TypedValues,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum TypedValues {
    /// Finite numbers.
    Numbers(Vec<Option<f64>>),
    /// Words.
    Texts(Vec<Option<String>>),
    /// Yes or no.
    Flags(Vec<Option<bool>>),
}

impl TypedValues {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        match self {
            Self::Numbers(values) => values.len(),
            Self::Texts(values) => values.len(),
            Self::Flags(values) => values.len(),
        }
    }

    /// What stands in a row, numbers by `number`; `None` where nothing is known.
    fn words(&self, row: usize, number: fn(f64) -> String) -> Option<String> {
        match self {
            Self::Numbers(values) => values.get(row).copied().flatten().map(number),
            Self::Texts(values) => values.get(row).cloned().flatten(),
            Self::Flags(values) => {
                let flag = values.get(row).copied().flatten()?;
                Some((if flag { "yes" } else { "no" }).to_owned())
            }
        }
    }
}

impl TypedTable {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.rows())
    }

    /// Comma-separated values: numbers are whole, so that they can be gone on with, and what is not known is empty.
    /// What it says of itself belongs into a file [`beside`] it.
    pub fn to_csv(&self) -> String {
        self.separated(',')
    }

    /// The same with tabs, as spreadsheets take what is pasted.
    pub fn to_tsv(&self) -> String {
        self.separated('\t')
    }

    fn separated(&self, separator: char) -> String {
        let mut text = String::new();
        let names = self.columns.iter().map(|column| column.name.clone());
        push_separated(&mut text, names, separator);
        for row in 0..self.rows() {
            let cells = self.columns.iter();
            let cells = cells.map(|it| it.values.words(row, |number| number.to_string()));
            push_separated(&mut text, cells.map(Option::unwrap_or_default), separator);
        }
        text
    }

    /// A table of Markdown with what it says of itself below it. Numbers are rounded, as papers print them.
    pub fn to_markdown(&self) -> String {
        let lines = self
            .about
            .iter()
            .map(|(name, value)| format!("\n{name}: {}\n", escaped_markdown(value)));
        self.printed().to_markdown() + &lines.collect::<String>()
    }

    /// The same for LaTeX and its package booktabs, with what it says of itself as comments above it.
    pub fn to_latex(&self) -> String {
        let about = self.about.iter();
        let lines = about.map(|(name, value)| latex_comment(&format!("{name}: {value}")));
        let needs = "% needs \\usepackage{booktabs}\n";
        lines.collect::<String>() + needs + &self.printed().to_latex("")
    }

    fn printed(&self) -> TextTable {
        let columns = self.columns.iter().map(|column| TextColumn {
            heading: column.name.clone(),
            side: match column.values {
                TypedValues::Numbers(_) => TextSide::Right,
                TypedValues::Texts(_) | TypedValues::Flags(_) => TextSide::Left,
            },
        });
        let rows = (0..self.rows()).map(|row| {
            let cells = self.columns.iter().map(|column| column.values.words(row, rounded));
            cells.map(|cell| TextCell::from(cell.unwrap_or_else(|| DASH.to_owned()))).collect()
        });
        TextTable { columns: columns.collect(), rows: rows.collect() }
    }
}

fn rounded(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number:.4}") }
}

/// Adds a line of cells, of which none is a formula to a spreadsheet.
pub fn push_separated(text: &mut String, cells: impl Iterator<Item = String>, separator: char) {
    for (at, cell) in cells.map(|cell| defused(&cell)).enumerate() {
        if at > 0 {
            text.push(separator);
        }
        if separator == '\t' {
            // Spreadsheets take tabs and line ends of a pasted cell for others.
            text.push_str(&cell.replace(['\t', '\n', '\r'], " "));
        } else if cell.contains(['"', ',', '\n', '\r']) {
            text.push('"');
            text.push_str(&cell.replace('"', "\"\""));
            text.push('"');
        } else {
            text.push_str(&cell);
        }
    }
    text.push('\n');
}

impl TypedColumn {
    /// A column of words.
    pub fn texts(name: impl Into<String>, values: Vec<Option<String>>) -> Self {
        Self { name: name.into(), values: TypedValues::Texts(values) }
    }

    /// A column of yes and no.
    pub fn flags(name: impl Into<String>, values: Vec<Option<bool>>) -> Self {
        Self { name: name.into(), values: TypedValues::Flags(values) }
    }

    /// A column of numbers.
    pub fn numbers(name: impl Into<String>, values: Vec<Option<f64>>) -> Self {
        Self { name: name.into(), values: TypedValues::Numbers(values) }
    }
}

/// The file in which a table of comma-separated values says where it comes from: beside it, called as it is and
/// `.json`. Comments are no part of CSV (RFC 4180), and programs that read it would take them for rows.
pub fn beside(table: &Path) -> PathBuf {
    let mut name = OsString::from(table);
    name.push(".json");
    name.into()
}

/// What a table says of itself as indented JSON: an object of words, in order.
pub fn provenance_json(about: &[(String, String)]) -> String {
    let members = about.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
    let object = Value::Object(members.collect::<Map<String, Value>>());
    format!("{object:#}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TypedTable {
        TypedTable {
            columns: vec![
                TypedColumn::texts("task", vec![Some("=a|b".to_owned()), None]),
                TypedColumn::numbers("n", vec![Some(3.0), Some(12.0)]),
                TypedColumn::numbers("ssim", vec![Some(0.123_456_789), None]),
                TypedColumn::flags("ended", vec![Some(true), None]),
            ],
            about: vec![("command".to_owned(), "pentimento x".to_owned())],
        }
    }

    #[test]
    fn separated_values_have_whole_numbers_empty_cells_and_no_formula() {
        let text = table().to_csv();
        assert_eq!(text, "task,n,ssim,ended\n'=a|b,3,0.123456789,yes\n,12,,\n");
        let mut text = String::new();
        let cells = ["a,b", "say \"x\"", "", "=1+2"].map(str::to_owned);
        push_separated(&mut text, cells.into_iter(), ',');
        assert_eq!(text, "\"a,b\",\"say \"\"x\"\"\",,'=1+2\n");
        let tabs = TypedTable {
            columns: vec![TypedColumn::texts("a\tb", vec![Some("c\nd,e".to_owned())])],
            ..TypedTable::default()
        };
        assert_eq!(tabs.to_tsv(), "a b\nc d,e\n");
    }

    #[test]
    fn what_papers_print_is_rounded_with_dashes_and_says_where_it_is_from() {
        let text = table().to_markdown();
        assert!(text.contains("| =a\\|b | 3 | 0.1235 | yes |\n| — | 12 | — | — |\n"), "{text}");
        assert!(text.ends_with("\ncommand: pentimento x\n"), "{text}");
        let text = table().to_latex();
        assert!(text.starts_with("% command: pentimento x\n% needs "), "{text}");
        assert!(text.contains("=a|b & 3 & 0.1235 & yes \\\\"), "{text}");
    }
}
