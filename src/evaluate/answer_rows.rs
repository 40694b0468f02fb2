//! Answers as rows of a table: CSV or JSON Lines.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::base::{JsonLimitError, Limits, parse_json, read_file_limited};
use crate::label::{Answer, AnswerError, Form, FormHash, ItemId, Shown};

use super::data_table::{DataTable, DataTableError, text};

/// Columns of answers that are no questions.
pub const OWN_COLUMNS: [&str; 6] = ["person", "item", "form", "note", "unsure", "seconds"];

/// The column that says whether names were kept from who answered; no question's id has a dot.
pub const BLIND: &str = "answer.blind";
/// What columns begin with that say something of the person.
const ABOUT_PERSON: &str = "person.";

/// What can be ranked of each item.
pub type Candidates<'a> = BTreeMap<&'a ItemId, &'a [String]>;

/// What stands in a row, by column.
pub type Cells = Map<String, Value>;

/// Why a row is no answer.
#[derive(Debug, thiserror::Error)]
pub enum AnswerRowError {
    /// It is about nothing.
    #[error("no item is named")]
    NoItemNamed,
    /// It is about something else.
    #[error("the project has no item {0:?}")]
    NoItem(String),
    /// Nothing says by which form.
    #[error("no form of the project is named")]
    NoForm,
    /// It does not fit the form.
    #[error(transparent)]
    Answer(#[from] AnswerError),
    /// What an export says of it is something else.
    #[error("{column}: {why}")]
    Column {
        /// Which column.
        column: &'static str,
        /// What is wrong with it.
        why: String,
    },
}

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RowsError {
    /// It is no table.
    #[error(transparent)]
    Table(#[from] DataTableError),
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] JsonLimitError),
    /// A line is not JSON, or something else.
    #[error("line {line} of {}: {why}", path.display())]
    Line {
        /// Where, from 1.
        line: u64,
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        why: JsonLimitError,
    },
}

/// One row.
#[derive(Debug)]
pub struct AnswerRow {
    /// Who answered, if that is said.
    pub person: Option<String>,
    /// About which item.
    pub item: ItemId,
    /// By which form.
    pub form: FormHash,
    /// What; it fits the form.
    pub answer: Answer,
    /// How long that took.
    pub millis: Option<u64>,
    /// What was shown where, if that is said.
    pub shown: Option<Shown>,
    /// How often it was changed, if that is said.
    pub changes: Option<u32>,
}

impl AnswerRow {
    /// Reads a row of [`rows`].
    pub fn of(
        forms: &[Form],
        candidates: &Candidates<'_>,
        mut row: Cells,
    ) -> Result<Self, AnswerRowError> {
        // What an export says beside the answer.
        row.retain(|column, _| column != BLIND && !column.starts_with(ABOUT_PERSON));
        // Taken out of the row, so that what is left of it are the answers.
        let [person, item, form, note, unsure, seconds] =
            OWN_COLUMNS.map(|column| take_text(&mut row, column));
        let item = ItemId(item.ok_or(AnswerRowError::NoItemNamed)?);
        let candidates =
            candidates.get(&item).ok_or_else(|| AnswerRowError::NoItem(item.0.clone()))?;
        // A table for a project of one form need not name it.
        let form = match (&form, forms) {
            (Some(id), _) => forms.iter().find(|form| form.id == *id),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let form = form.ok_or(AnswerRowError::NoForm)?;
        // An empty cell is no answer, as opposed to an answer that is empty.
        row.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
        let [mut millis, mut shown, mut changes] = [None, None, None];
        let answer = if let Some(whole) = row.shift_remove("answer") {
            // As `export --format jsonl` writes it, with how it came about.
            [millis, shown, changes] =
                ["millis", "shown", "changes"].map(|it| row.shift_remove(it));
            from_json("answer", whole)?
        } else {
            let values: BTreeMap<String, Value> = row.into_iter().collect();
            let mut answer = Answer::from_plain(form, &values)?;
            answer.note = note.unwrap_or_default();
            answer.unsure = matches!(unsure.as_deref(), Some("yes" | "true"));
            answer
        };
        answer.check(form, candidates)?;
        let parsed = seconds.map(|it| it.trim().parse::<f64>()).transpose();
        let seconds = parsed.map_err(|error| wrong_seconds(error.to_string()))?;
        // No range contains NaN, so that it is refused here too.
        if let Some(odd) = seconds.filter(|seconds| !(0.0..=1e9).contains(seconds)) {
            return Err(wrong_seconds(format!("{odd} is no length of time")));
        }
        let of_seconds = seconds.map(|seconds| (seconds * 1000.0).round() as u64);
        // An export has the exact time beside the rounded one: it comes first below.
        let millis = millis.map(|it| from_json("millis", it)).transpose()?;
        Ok(Self {
            person,
            item,
            form: form.hash(),
            answer,
            millis: millis.or(of_seconds),
            shown: shown.map(|it| from_json("shown", it)).transpose()?,
            changes: changes.map(|it| from_json("changes", it)).transpose()?,
        })
    }
}

/// Takes the text of a cell out of a row; `None` of one that is empty.
pub fn take_text(row: &mut Cells, column: &str) -> Option<String> {
    match row.shift_remove(column)? {
        Value::Null => None,
        Value::String(text) => Some(text).filter(|text| !text.trim().is_empty()),
        other => Some(other.to_string()),
    }
}

fn wrong_seconds(why: String) -> AnswerRowError {
    AnswerRowError::Column { column: "seconds", why }
}

fn from_json<T: DeserializeOwned>(column: &'static str, value: Value) -> Result<T, AnswerRowError> {
    serde_json::from_value(value).map_err(|error: serde_json::Error| AnswerRowError::Column {
        column,
        why: error.to_string(),
    })
}

/// The rows of a table, with their lines: of CSV the cells that are not empty, of JSON Lines the objects.
pub fn rows(path: &Path) -> Result<Vec<(u64, Cells)>, RowsError> {
    if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jsonl")) {
        return json_lines(path);
    }
    let table = DataTable::open(path)?;
    let columns = (0..table.names().len()).map(|column| table.column(column, "a text", text));
    let columns: Vec<Vec<Option<String>>> = columns.collect::<Result<_, _>>()?;
    let rows = table.lines().enumerate().map(|(at, line)| {
        let cells = table.names().iter().zip(&columns);
        let cells = cells.filter_map(|(name, column)| {
            Some((name.clone(), Value::String(column.get(at)?.clone()?)))
        });
        (line, cells.collect())
    });
    Ok(rows.collect())
}

/// The values of JSON Lines, with their lines.
pub fn json_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<(u64, T)>, RowsError> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
    let lines = (1u64..).zip(bytes.split(|byte| *byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(at, line)| {
            let value = parse_json(line).map_err(|why| RowsError::Line {
                line: at,
                path: path.to_path_buf(),
                why,
            })?;
            Ok((at, value))
        })
        .collect()
}
