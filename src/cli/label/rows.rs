//! Answers as rows of a table: CSV or JSON Lines.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::base::{Limits, parse_json, read_file_limited};
use crate::cli::data_table::{DataTable, text};
use crate::label::{Act, Answer, Answered, CellKey, Event, Form, FormHash, ItemId, Ledger, Shown};

/// Columns of answers that are no questions.
pub(super) const OWN_COLUMNS: [&str; 6] = ["person", "item", "form", "note", "unsure", "seconds"];

/// The column that says whether names were kept from who answered; no question's id has a dot.
pub(super) const BLIND: &str = "answer.blind";
/// What columns begin with that say something of the person.
const ABOUT_PERSON: &str = "person.";

/// What can be ranked of each item.
pub(super) type Candidates<'a> = BTreeMap<&'a ItemId, &'a [String]>;

/// Rows of another program's file.
#[derive(Default)]
pub(super) struct ForeignRows {
    /// The answers, with where each stands.
    pub(super) rows: Vec<(String, Map<String, Value>)>,
    /// Answers that were cancelled, rejected or ignored there.
    pub(super) left_out: usize,
}

/// An answer that stands.
pub(super) struct Standing<'a> {
    /// Whose, about what.
    pub(super) key: &'a CellKey,
    /// What gave it.
    pub(super) event: &'a Event,
    /// What it is.
    pub(super) answered: &'a Answered,
}

impl<'a> Standing<'a> {
    /// All answers that stand, in the order they were given.
    pub(super) fn all(ledger: &'a Ledger) -> Vec<Self> {
        let standing = ledger.cell_keys().filter_map(|key| {
            let event = ledger.event(ledger.cell(key).answer?)?;
            match &event.act {
                Act::Answered(answered) => Some(Self { key, event, answered }),
                _ => None,
            }
        });
        let mut standing: Vec<Self> = standing.collect();
        standing.sort_unstable_by_key(|one| one.event.order());
        standing
    }
}

/// One row.
pub(super) struct AnswerRow {
    /// Who answered, if that is said.
    pub(super) person: Option<String>,
    /// About which item.
    pub(super) item: ItemId,
    /// By which form.
    pub(super) form: FormHash,
    /// What; it fits the form.
    pub(super) answer: Answer,
    /// How long that took.
    pub(super) millis: Option<u64>,
    /// What was shown where, if that is said.
    pub(super) shown: Option<Shown>,
    /// How often it was changed, if that is said.
    pub(super) changes: Option<u32>,
}

impl AnswerRow {
    /// Reads a row of [`rows`].
    pub(super) fn of(
        forms: &[Form],
        candidates: &Candidates<'_>,
        mut row: Map<String, Value>,
    ) -> anyhow::Result<Self> {
        // What an export says beside the answer.
        row.retain(|column, _| column != BLIND && !column.starts_with(ABOUT_PERSON));
        let own = OWN_COLUMNS.map(|column| match row.shift_remove(column)? {
            Value::Null => None,
            Value::String(text) => Some(text).filter(|text| !text.trim().is_empty()),
            other => Some(other.to_string()),
        });
        let [person, item, form, note, unsure, seconds] = own;
        let item = ItemId(item.context("no item is named")?);
        let candidates = candidates
            .get(&item)
            .with_context(|| format!("the project has no item {:?}", item.0))?;
        let form = match (&form, forms) {
            (Some(id), _) => forms.iter().find(|form| form.id == *id),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let form = form.context("no form of the project is named")?;
        row.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
        let [mut millis, mut shown, mut changes] = [None, None, None];
        let answer = if let Some(whole) = row.shift_remove("answer") {
            // As `export --format jsonl` writes it, with how it came about.
            [millis, shown, changes] =
                ["millis", "shown", "changes"].map(|it| row.shift_remove(it));
            serde_json::from_value(whole).context("answer")?
        } else {
            let values: BTreeMap<String, Value> = row.into_iter().collect();
            let mut answer = Answer::from_plain(form, &values)?;
            answer.note = note.unwrap_or_default();
            answer.unsure = matches!(unsure.as_deref(), Some("yes" | "true"));
            answer
        };
        answer.check(form, candidates)?;
        let seconds: Option<f64> =
            seconds.map(|it| it.trim().parse()).transpose().context("seconds")?;
        if let Some(odd) = seconds.filter(|seconds| !(0.0..=1e9).contains(seconds)) {
            anyhow::bail!("seconds: {odd} is no length of time");
        }
        let of_seconds = seconds.map(|seconds| (seconds * 1000.0).round() as u64);
        let millis = millis.map(serde_json::from_value).transpose().context("millis")?;
        Ok(Self {
            person,
            item,
            form: form.hash(),
            answer,
            millis: millis.or(of_seconds),
            shown: shown.map(serde_json::from_value).transpose().context("shown")?,
            changes: changes.map(serde_json::from_value).transpose().context("changes")?,
        })
    }
}

/// The rows of a table, with their lines: of CSV the cells that are not empty, of JSON Lines the objects.
pub(super) fn rows(path: &Path) -> anyhow::Result<Vec<(u64, Map<String, Value>)>> {
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
pub(super) fn json_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<(u64, T)>> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
    let lines = (1u64..).zip(bytes.split(|byte| *byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(at, line)| {
            let value =
                parse_json(line).with_context(|| format!("line {at} of {}", path.display()))?;
            Ok((at, value))
        })
        .collect()
}

/// The form of this name, or the only one.
pub(super) fn form_named<'a>(forms: &'a [Form], id: Option<&str>) -> anyhow::Result<&'a Form> {
    let found = match (id, forms) {
        (None, [only]) => Some(only),
        (None, _) => None,
        (Some(id), _) => forms.iter().find(|form| form.id == id),
    };
    found.with_context(|| {
        let names: Vec<&str> = forms.iter().map(|form| form.id.as_str()).collect();
        let names = names.join(", ");
        match id {
            None => format!("say which form, by --form: {names}"),
            Some(id) => format!("the project has no form {id:?}, it has {names}"),
        }
    })
}
