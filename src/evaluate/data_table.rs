//! The table that statistics and labels are read from: a CSV file with a header, or JSON Lines.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::base::{JsonLimitError, parse_json, read_file_limited, undefused};
use crate::metric::stats::Ratings;

/// Largest table read, in bytes.
const LARGEST_FILE: u64 = 256 << 20;
/// Most columns of a table in JSON Lines, where every line can bring new ones.
const MOST_COLUMNS: usize = 1000;

/// What is wrong with the file.
#[derive(Debug, thiserror::Error)]
pub enum DataTableError {
    /// It cannot be read, or is too large.
    #[error("cannot read the table: {0}")]
    Unreadable(#[from] JsonLimitError),
    /// It is not CSV in UTF-8.
    #[error("line {line} is not CSV in UTF-8: {}", path.display())]
    NotCsv {
        /// Where, from 1.
        line: u64,
        /// The file.
        path: PathBuf,
    },
    /// A line of JSON Lines is no object.
    #[error("line {line} is no JSON object: {source}: {}", path.display())]
    NotAnObject {
        /// Where, from 1.
        line: u64,
        /// What is wrong with it.
        source: JsonLimitError,
        /// The file.
        path: PathBuf,
    },
    /// A value of JSON Lines is no cell.
    #[error("line {line}, {column:?} must be a text, a number, true, false or null: {}", path.display())]
    NotACell {
        /// Where, from 1.
        line: u64,
        /// The key.
        column: String,
        /// The file.
        path: PathBuf,
    },
    /// The lines of JSON Lines have too many different keys.
    #[error("line {line}: more than {MOST_COLUMNS} different keys: {}", path.display())]
    TooManyColumns {
        /// Where, from 1.
        line: u64,
        /// The file.
        path: PathBuf,
    },
    /// It has no column of this name.
    #[error("there is no column {column:?}: {}", path.display())]
    NoColumn {
        /// The name.
        column: &'static str,
        /// The file.
        path: PathBuf,
    },
    /// A cell that must be there is empty.
    #[error("line {line}, column {column:?} is empty: {}", path.display())]
    EmptyCell {
        /// Where, from 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// The file.
        path: PathBuf,
    },
    /// It is empty.
    #[error("the table is empty, its first line must name the columns: {}", path.display())]
    NoHeader {
        /// The file.
        path: PathBuf,
    },
    /// No line of JSON Lines has anything in it.
    #[error("the table is empty, no line has an object with a key: {}", path.display())]
    NoKeys {
        /// The file.
        path: PathBuf,
    },
    /// Two columns could not be told apart.
    #[error("two columns are called {name:?}: {}", path.display())]
    SameName {
        /// What both are called.
        name: String,
        /// The file.
        path: PathBuf,
    },
    /// What follows a quote is one cell up to the end.
    #[error("line {line}: a quote opens a cell and is never closed: {}", path.display())]
    OpenQuote {
        /// Where it stands, from 1.
        line: u64,
        /// The file.
        path: PathBuf,
    },
    /// A line is not as long as the header.
    #[error("line {line} has {found} cells, the header has {expected}: {}", path.display())]
    Ragged {
        /// Where, from 1.
        line: u64,
        /// Its cells.
        found: usize,
        /// The cells of the header.
        expected: usize,
        /// The file.
        path: PathBuf,
    },
    /// A cell does not hold what the column must.
    #[error("line {line}, column {column:?}: {cell:?} is not {wanted}: {}", path.display())]
    WrongCell {
        /// Where, from 1.
        line: u64,
        /// The name of the column.
        column: String,
        /// What stands there.
        cell: String,
        /// What it should be.
        wanted: &'static str,
        /// The file.
        path: PathBuf,
    },
}

/// A table of text: named columns, one item a row, an empty cell is missing.
#[derive(Debug)]
pub struct DataTable {
    path: PathBuf,
    names: Vec<String>,
    rows: Vec<DataRow>,
}

#[derive(Debug)]
struct DataRow {
    line: u64,
    cells: Vec<Option<String>>,
}

impl DataTable {
    /// Reads a CSV file: quoted cells, a byte order mark and any line ends are understood, spaces
    /// around cells and empty lines are not looked at. Where there is no comma in the header, semicolons or
    /// tabs stand between cells. A file named `.jsonl` holds an object a line,
    /// whose keys are the columns; what is null or not there is missing.
    pub fn open(path: &Path) -> Result<Self, DataTableError> {
        let bytes = read_file_limited(path, LARGEST_FILE)?;
        // Spreadsheets put this mark before UTF-8; left in, it would be part of the first name.
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
        let is_json_lines = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("jsonl"));
        if is_json_lines { Self::parse_json_lines(bytes, path) } else { Self::parse(bytes, path) }
    }

    fn parse_json_lines(bytes: &[u8], path: &Path) -> Result<Self, DataTableError> {
        let mut data = Self { path: path.to_owned(), names: Vec::new(), rows: Vec::new() };
        for (text, line) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            if text.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            let object: Map<String, Value> = parse_json(text).map_err(|source| {
                DataTableError::NotAnObject { line, source, path: path.to_owned() }
            })?;
            // Later lines may bring columns of their own, so that rows are of one length only at the end.
            let mut row = DataRow { line, cells: vec![None; data.names.len()] };
            for (column, value) in object {
                let cell = cell_of(&value, || DataTableError::NotACell {
                    line,
                    column: column.clone(),
                    path: path.to_owned(),
                })?;
                data.put(&mut row, &column, cell);
            }
            // At every line, as each row is as wide as all keys so far: memory is their product.
            if data.names.len() > MOST_COLUMNS {
                return Err(DataTableError::TooManyColumns { line, path: path.to_owned() });
            }
            data.rows.push(row);
        }
        let columns = data.names.len();
        if columns == 0 {
            return Err(DataTableError::NoKeys { path: path.to_owned() });
        }
        data.rows.iter_mut().for_each(|row| row.cells.resize(columns, None));
        Ok(data)
    }

    /// Puts a cell into a column, which is a new one if its name is.
    fn put(&mut self, row: &mut DataRow, column: &str, cell: Option<String>) {
        let at = self.names.iter().position(|name| name == column).unwrap_or_else(|| {
            self.names.push(column.to_owned());
            self.names.len() - 1
        });
        row.cells.resize(self.names.len(), None);
        if let Some(place) = row.cells.get_mut(at) {
            *place = cell;
        }
    }

    fn parse(bytes: &[u8], path: &Path) -> Result<Self, DataTableError> {
        let separator = separator(bytes);
        // The reader takes the end of the file for the closing quote, and all lines up to it for one cell.
        if let Some(line) = open_quote(bytes, separator) {
            return Err(DataTableError::OpenQuote { line, path: path.to_owned() });
        }
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(bytes);
        let mut records = reader.records();
        // Even of a table without rows something has to be said of its columns.
        let Some(header) = records.next() else {
            return Err(DataTableError::NoHeader { path: path.to_owned() });
        };
        let header = header.map_err(|error| not_csv(&error, path))?;
        let mut lines = Lines { bytes, at: 0, line: 1 };
        let mut rows = Vec::new();
        for record in records {
            let record = record.map_err(|error| not_csv(&error, path))?;
            let (line, found, expected) = (lines.line_of(&record), record.len(), header.len());
            // The reader lets these pass (`flexible`), as its own error does not say which line it is.
            if found != expected {
                let path = path.to_owned();
                return Err(DataTableError::Ragged { line, found, expected, path });
            }
            let cells = record.iter();
            let cells = cells.map(|cell| (!cell.is_empty()).then(|| undefused(cell).to_owned()));
            rows.push(DataRow { line, cells: cells.collect() });
        }
        // A column without a name can still be asked for, by its place.
        let names = header.iter().zip(1..).map(|(name, at)| {
            if name.is_empty() { format!("column {at}") } else { name.to_owned() }
        });
        let names: Vec<String> = names.collect();
        let mut known = HashSet::with_capacity(names.len());
        if let Some(name) = names.iter().find(|name| !known.insert(name.as_str())) {
            return Err(DataTableError::SameName { name: name.clone(), path: path.to_owned() });
        }
        Ok(Self { rows, names, path: path.to_owned() })
    }

    /// The names of the columns, at least one.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.rows.len()
    }

    /// The line in the file of each item, from 1.
    pub fn lines(&self) -> impl Iterator<Item = u64> {
        self.rows.iter().map(|row| row.line)
    }

    /// The place of the column of this name, if there is one. Case does not matter.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known.eq_ignore_ascii_case(name))
    }

    /// The column of this name as whatever `read` understands; all missing if there is none.
    pub fn named<T: Clone>(
        &self,
        name: &str,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Option<T>>, DataTableError> {
        match self.find(name) {
            Some(column) => self.column(column, wanted, read),
            None => Ok(vec![None; self.rows.len()]),
        }
    }

    /// The column of this name as whatever `read` understands; every cell must be there.
    pub fn required<T: Clone>(
        &self,
        name: &'static str,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, DataTableError> {
        let column = self
            .find(name)
            .ok_or_else(|| DataTableError::NoColumn { column: name, path: self.path.clone() })?;
        // Read first: of a wrong and an empty cell the wrong one is the likelier slip to be told of.
        let cells = self.column(column, wanted, read)?.into_iter().zip(self.lines());
        let required = cells.map(|(cell, line)| {
            cell.ok_or_else(|| DataTableError::EmptyCell {
                line,
                column: name.to_owned(),
                path: self.path.clone(),
            })
        });
        required.collect()
    }

    /// That a cell does not hold what its column must: an error that names it.
    pub fn wrong_cell(&self, item: usize, column: usize, wanted: &'static str) -> DataTableError {
        let row = self.rows.get(item);
        let cell = row.and_then(|row| row.cells.get(column)?.clone());
        DataTableError::WrongCell {
            line: row.map_or(0, |row| row.line),
            column: self.names.get(column).cloned().unwrap_or_default(),
            cell: cell.unwrap_or_default(),
            wanted,
            path: self.path.clone(),
        }
    }

    /// The cells as labels: numbers if all of them are, words otherwise.
    pub fn ratings(&self) -> Ratings {
        let mut numbers: Vec<Vec<Option<f64>>> = Vec::with_capacity(self.rows.len());
        for row in &self.rows {
            let cells = row.cells.iter().map(|cell| match cell {
                None => Some(None),
                Some(cell) => number(cell).map(Some),
            });
            // One word makes all labels words: a label that is a number for one rater and a word for
            // another would agree with nothing.
            let Some(cells) = cells.collect::<Option<Vec<_>>>() else {
                let words = self.rows.iter().map(|row| row.cells.iter().map(Option::as_deref));
                return Ratings::from_words(&words.map(Iterator::collect).collect::<Vec<Vec<_>>>());
            };
            numbers.push(cells);
        }
        Ratings::from_numbers(&numbers)
    }

    /// A column of finite numbers.
    pub fn numbers(&self, column: usize) -> Result<Vec<Option<f64>>, DataTableError> {
        self.column(column, "a finite number", number)
    }

    /// A column of whatever `read` understands; a cell that it does not is an error.
    pub fn column<T>(
        &self,
        column: usize,
        wanted: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<Option<T>>, DataTableError> {
        let cells = self.rows.iter().enumerate().map(|(item, row)| {
            let Some(cell) = row.cells.get(column).and_then(Option::as_deref) else {
                return Ok(None);
            };
            read(cell).map(Some).ok_or_else(|| self.wrong_cell(item, column, wanted))
        });
        cells.collect()
    }
}

/// On which line records stand. The reader's own position is before the line ends that it skips.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of a record, which must not be before the last one asked for.
    fn line_of(&mut self, record: &csv::StringRecord) -> u64 {
        let start = record.position().map_or(0, |position| position.byte() as usize);
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        // The reader skips empty lines before a record, and its position is before them: so the ends of
        // lines up to the first byte of the record itself are counted here.
        for (at, byte) in (self.at..).zip(rest) {
            if at >= start && !matches!(byte, b'\r' | b'\n') {
                break;
            }
            self.at = at + 1;
            self.line += u64::from(*byte == b'\n');
        }
        self.line
    }
}

/// What stands between cells: a comma, or where the header has none, what spreadsheets write in its place.
fn separator(bytes: &[u8]) -> u8 {
    let (mut is_quoted, mut found) = (false, None);
    for byte in bytes.iter().skip_while(|byte| matches!(byte, b'\r' | b'\n')) {
        match byte {
            b'"' => is_quoted = !is_quoted,
            // A name in quotes may hold any of them.
            _ if is_quoted => {}
            b'\r' | b'\n' => break,
            b',' => return b',',
            b';' => found = Some(b';'),
            b'\t' => found = found.or(Some(b'\t')),
            _ => {}
        }
    }
    found.unwrap_or(b',')
}

/// The line of a quote that opens a cell and is never closed.
fn open_quote(bytes: &[u8], separator: u8) -> Option<u64> {
    let (mut line, mut opened) = (1, 1);
    let (mut is_open, mut has_just_closed, mut is_at_start) = (false, false, true);
    for byte in bytes {
        match byte {
            b'"' if is_open => (is_open, has_just_closed) = (false, true),
            // Two of them are one in the cell.
            b'"' if has_just_closed => (is_open, has_just_closed) = (true, false),
            // Elsewhere than at the start of a cell it is a letter like others.
            b'"' if is_at_start => (is_open, opened) = (true, line),
            _ if is_open => {}
            _ => {
                is_at_start = *byte == separator || matches!(byte, b'\r' | b'\n');
                has_just_closed = false;
            }
        }
        line += u64::from(*byte == b'\n');
    }
    is_open.then_some(opened)
}

/// A value as a cell, which is `None` where it is missing.
fn cell_of(
    value: &Value,
    error: impl FnOnce() -> DataTableError,
) -> Result<Option<String>, DataTableError> {
    match value {
        Value::Null => Ok(None),
        Value::Bool(yes) => Ok(Some(yes.to_string())),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::String(cell) => Ok(text(cell.trim())),
        Value::Array(_) | Value::Object(_) => Err(error()),
    }
}

/// Any text that is not empty.
pub fn text(cell: &str) -> Option<String> {
    (!cell.is_empty()).then(|| cell.to_owned())
}

/// A number within bounds, both included.
pub fn within(low: f64, high: f64) -> impl Fn(&str) -> Option<f64> {
    move |cell| number(cell).filter(|number| (low..=high).contains(number))
}

/// 0 or 1, also written as a number with decimals or as false and true.
pub fn yes_or_no(cell: &str) -> Option<bool> {
    match (number(cell), cell.to_ascii_lowercase().as_str()) {
        (Some(0.0), _) | (None, "false" | "no") => Some(false),
        (Some(1.0), _) | (None, "true" | "yes") => Some(true),
        _ => None,
    }
}

/// A finite number.
pub fn number(cell: &str) -> Option<f64> {
    cell.parse().ok().filter(|number: &f64| number.is_finite())
}

fn not_csv(error: &csv::Error, path: &Path) -> DataTableError {
    let line = error.position().map_or(0, csv::Position::line);
    DataTableError::NotCsv { line, path: path.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::Labels;

    fn parse(text: &[u8]) -> Result<DataTable, String> {
        DataTable::parse(text, Path::new("labels.csv")).map_err(|error| error.to_string())
    }

    #[test]
    fn quotes_marks_and_line_ends_are_understood() {
        let data = parse("\u{feff}\"a, b\",,c\r\n 1 ,\"2\",\r\n\r\n3,4,5".as_bytes()).unwrap();
        assert_eq!(data.names(), ["a, b", "column 2", "c"]);
        assert_eq!(data.items(), 2);
        assert_eq!(data.numbers(0).unwrap(), [Some(1.0), Some(3.0)]);
        assert_eq!(data.numbers(2).unwrap(), [None, Some(5.0)]);
        assert_eq!(data.lines().collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn one_word_makes_all_labels_words() {
        let numbers = parse(b"a,b\n1,1.0\n10,\n").unwrap().ratings();
        assert_eq!(*numbers.labels(), Labels::Numbers(vec![1.0, 10.0]));
        let words = parse(b"a,b\n1,1.0\nnan,\n").unwrap().ratings();
        assert!(matches!(words.labels(), Labels::Words(words) if words.len() == 3));
    }

    #[test]
    fn semicolons_and_tabs_separate_where_no_comma_does() {
        for (text, names) in [
            (&b"a;b\n1,5;2\n"[..], ["a", "b"]),
            (b"a\tb\n1,5\t2\n", ["a", "b"]),
            (b"\n\"a;x\";\"b\ty\"\n\"1,5\";2\n", ["a;x", "b\ty"]),
            (b"\"a,x\";b\n1,5;2\n", ["a,x", "b"]),
            (b"a;x,b\n\"1,5\",2\n", ["a;x", "b"]),
        ] {
            let data = parse(text).unwrap();
            assert_eq!(data.names(), names);
            let cells = data.column(0, "a text", super::text).unwrap();
            assert_eq!(cells, [Some("1,5".to_owned())], "{}", data.names().join(" "));
        }
    }

    #[test]
    fn quotes_may_hold_quotes_lines_and_separators() {
        let data = parse(b"a,b\n\"x, \"\"y\"\"\nz\",5\" screen\n\"\",1\n").unwrap();
        let cells = data.column(0, "a text", text).unwrap();
        assert_eq!(cells, [Some("x, \"y\"\nz".to_owned()), None]);
        assert_eq!(data.column(1, "a text", text).unwrap()[0].as_deref(), Some("5\" screen"));
        assert_eq!(data.lines().collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn bad_files_say_where() {
        for (text, words) in [
            (&b""[..], "empty"),
            (b"\n\n", "empty"),
            (b"a,b, a\n1,2,3\n", "two columns are called \"a\": labels.csv"),
            (b"column 2,\n1,2\n", "two columns are called \"column 2\""),
            (b"a,b\n1,2\n3,\"4\n5,6\n7,8\n", "line 3: a quote opens a cell"),
            (b"a,b\n1,\"2 \"\"x\n\n3,4\n", "line 2: a quote opens a cell"),
            (b"a,b\n1,2\n1\n", "line 3 has 1 cells, the header has 2: labels.csv"),
            (b"a,b\n1,2\n\xff,1\n", "line 3 is not CSV in UTF-8: labels.csv"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.contains(words), "{error}");
        }
        let data = parse(b"a\n1\nx\n").unwrap();
        let wrong = data.numbers(0).unwrap_err().to_string();
        assert_eq!(wrong, "line 3, column \"a\": \"x\" is not a finite number: labels.csv");
    }

    #[test]
    fn yes_and_no_are_read_in_their_usual_ways() {
        let read = ["0", "1", "0.0", "1.0", "TRUE", "false", "2", "Yes", "nan"].map(yes_or_no);
        let [no, yes] = [Some(false), Some(true)];
        assert_eq!(read, [no, yes, no, yes, yes, no, None, yes, None]);
    }

    #[test]
    fn json_lines_are_a_table_whose_columns_are_their_keys() {
        let lines = b"{\"a\": 1, \"b\": true}\n\n{\"c\": \" x \", \"a\": null}\n";
        let data = DataTable::parse_json_lines(lines, Path::new("l.jsonl")).unwrap();
        assert_eq!((data.names(), data.items()), (&["a", "b", "c"].map(str::to_owned)[..], 2));
        assert_eq!(data.numbers(0).unwrap(), [Some(1.0), None]);
        assert_eq!(data.named("B", "yes or no", yes_or_no).unwrap(), [Some(true), None]);
        assert_eq!(data.named("c", "a text", text).unwrap(), [None, Some("x".to_owned())]);
        assert_eq!(data.named("d", "a text", text).unwrap(), [None, None]);
        let error = data.required("a", "a text", text).unwrap_err().to_string();
        assert_eq!(error, "line 3, column \"a\" is empty: l.jsonl");
        let error = data.required("d", "a text", text).unwrap_err().to_string();
        assert_eq!(error, "there is no column \"d\": l.jsonl");
        for (lines, words) in [
            (&b"\n[1]\n"[..], "line 2 is no JSON object: "),
            (b"{\"a\": [1]}", "line 1, \"a\" must be"),
            (b"\n", "the table is empty"),
            (b"{}\n{}\n", "the table is empty"),
        ] {
            let error = DataTable::parse_json_lines(lines, Path::new("l.jsonl")).unwrap_err();
            assert!(error.to_string().starts_with(words), "{error}");
        }
    }
}
