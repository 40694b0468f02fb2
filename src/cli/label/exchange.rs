//! Answers in and out, copies joined, everything looked at.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base::{Limits, parse_json, read_file_limited};
use crate::cli::data_table::{DataTable, text};
use crate::cli::output::{note, print};
use crate::cli::table::defused;
use crate::label::form::QuestionKind;
use crate::label::{
    Act, Answer, AnswerValue, Answered, CellKey, Event, Form, ItemId, Ledger, WriterId,
};
use crate::store::labels::{LabelFile, Merged, NewEvent};

/// What answers are written as.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Format {
    /// A table: one answer a row, one question a column.
    Csv,
    /// One answer a line, whole.
    Jsonl,
    /// One event a line: everything that was ever done, for `merge`.
    Events,
}

/// Columns of answers that are no questions.
const OWN_COLUMNS: [&str; 6] = ["person", "item", "form", "note", "unsure", "seconds"];

/// Opens a project's file as a writer of its own.
pub(super) fn open(project: &Path) -> anyhow::Result<LabelFile> {
    Ok(LabelFile::open(project, WriterId(getrandom::u64()?))?)
}

/// Takes answers in. All are looked at before any is: half a table would be taken in twice.
pub(super) fn import(project: &Path, answers: &Path) -> anyhow::Result<()> {
    let file = open(project)?;
    let forms = file.forms()?;
    let candidates: BTreeMap<ItemId, Vec<String>> =
        file.items()?.into_iter().map(|item| (item.id, item.candidates)).collect();
    let mut new = Vec::new();
    for (line, row) in rows(answers)? {
        let read = answer_of(&forms, &candidates, row);
        new.push(read.with_context(|| format!("line {line} of {}", answers.display()))?);
    }
    ensure!(!new.is_empty(), "there is no answer in {}", answers.display());
    let count = new.len();
    file.record_all(new)?;
    Ok(print(&format!("{count} answers taken in"))?)
}

/// The rows of a table, with their lines: of CSV the cells that are not empty, of JSON Lines the objects.
fn rows(path: &Path) -> anyhow::Result<Vec<(u64, Map<String, Value>)>> {
    if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jsonl")) {
        let lines = json_lines(path)?;
        return Ok(lines);
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
fn json_lines<T: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<(u64, T)>> {
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

fn answer_of(
    forms: &[Form],
    candidates: &BTreeMap<ItemId, Vec<String>>,
    mut row: Map<String, Value>,
) -> anyhow::Result<NewEvent> {
    let mut taken = |column: &str| match row.shift_remove(column) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text).filter(|text| !text.trim().is_empty()),
        Some(other) => Some(other.to_string()),
    };
    let [person, item, form, note, unsure, seconds] = OWN_COLUMNS.map(&mut taken);
    let person = person.context("no person is named")?;
    let item = ItemId(item.context("no item is named")?);
    let candidates =
        candidates.get(&item).with_context(|| format!("the project has no item {:?}", item.0))?;
    let form = match (&form, forms) {
        (Some(id), _) => forms.iter().find(|form| form.id == *id),
        (None, [only]) => Some(only),
        (None, _) => None,
    };
    let form = form.context("no form of the project is named")?;
    row.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
    let answer = if let Some(whole) = row.shift_remove("answer") {
        // As `export --format jsonl` writes it; what else stands there is of how it came about.
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
    let answered = Answered {
        answer,
        shown: None,
        millis: seconds.map(|seconds| (seconds * 1000.0).round() as u64),
        views: BTreeMap::new(),
        changes: None,
    };
    Ok(NewEvent {
        at: jiff::Timestamp::now().to_string(),
        person,
        item,
        form: form.hash(),
        act: Act::Answered(Box::new(answered)),
    })
}

/// Takes in what was done in other copies.
pub(super) fn merge(project: &Path, copies: &[PathBuf]) -> anyhow::Result<()> {
    let file = open(project)?;
    let mut all = Merged::default();
    for copy in copies {
        let merged = if copy.extension().is_some_and(|it| it == "jsonl") {
            let events: Vec<(u64, Event)> = json_lines(copy)?;
            let events: Vec<Event> = events.into_iter().map(|(_, event)| event).collect();
            file.merge(file.project(), &events)?
        } else {
            let other = open(copy)?;
            let ledger = other.ledger()?;
            let events: Vec<Event> = ledger.in_order().into_iter().cloned().collect();
            file.merge(other.project(), &events)?
        };
        all.new += merged.new;
        all.known += merged.known;
    }
    Ok(print(&format!("{} new, {} known already", all.new, all.known))?)
}

/// Writes every answer that stands to stdout.
pub(super) fn export(project: &Path, format: Format) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, ledger) = (file.forms()?, file.ledger()?);
    let mut out = Vec::new();
    match format {
        Format::Csv => write_csv(&mut out, &forms, &ledger)?,
        Format::Jsonl => {
            for (key, event, answered) in standing(&ledger) {
                let form = forms.iter().find(|form| form.hash() == key.form);
                let line = json!({
                    "person": key.person, "item": key.item, "form": form.map(|form| &form.id),
                    "form_version": key.form, "at": event.at, "answer": answered.answer,
                    "shown": answered.shown, "millis": answered.millis, "changes": answered.changes,
                });
                writeln!(out, "{line}")?;
            }
        }
        Format::Events => {
            for event in ledger.in_order() {
                writeln!(out, "{}", serde_json::to_string(event)?)?;
            }
        }
    }
    Ok(print(&String::from_utf8(out)?)?)
}

/// The answers that stand, with their cells and events.
fn standing(ledger: &Ledger) -> impl Iterator<Item = (&CellKey, &Event, &Answered)> {
    ledger.cell_keys().filter_map(|key| {
        let event = ledger.event(ledger.cell(key).answer?)?;
        match &event.act {
            Act::Answered(answered) => Some((key, event, &**answered)),
            _ => None,
        }
    })
}

/// One answer a row, one question of any form a column; what `import` takes.
fn write_csv(out: &mut Vec<u8>, forms: &[Form], ledger: &Ledger) -> anyhow::Result<()> {
    let mut questions: Vec<&str> = Vec::new();
    for question in forms.iter().flat_map(|form| &form.questions) {
        // Marks are no cell of a table.
        let is_cell = !matches!(question.answer, QuestionKind::Marks { .. });
        if is_cell && !questions.contains(&question.id.as_str()) {
            questions.push(&question.id);
        }
    }
    let mut csv = csv::Writer::from_writer(out);
    csv.write_record(OWN_COLUMNS.into_iter().chain(questions.iter().copied()))?;
    for (key, _, answered) in standing(ledger) {
        let form = forms.iter().find(|form| form.hash() == key.form);
        let seconds = answered.millis.map(|millis| (millis as f64 / 1000.0).to_string());
        let seconds = seconds.unwrap_or_default();
        let unsure = if answered.answer.unsure { "yes" } else { "" };
        let form = form.map_or_else(|| key.form.to_hex(), |form| form.id.clone());
        let (person, note) = (defused(&key.person), defused(&answered.answer.note));
        let own = [person, key.item.0.clone(), form, note, unsure.to_owned(), seconds];
        let values = questions.iter().map(|question| {
            let value = answered.answer.values.get(*question);
            // Only words of people's own could be a spreadsheet's formula.
            value.map_or_else(String::new, |value| match value {
                AnswerValue::Text(text) => defused(text),
                value => value.words().join("|"),
            })
        });
        csv.write_record(own.into_iter().chain(values))?;
    }
    csv.flush()?;
    Ok(())
}

/// Looks at everything; fails if something is odd.
pub(super) fn verify(project: &Path) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    let candidates: BTreeMap<&ItemId, &[String]> =
        items.iter().map(|item| (&item.id, item.candidates.as_slice())).collect();
    let mut odd = 0;
    for (key, _, answered) in standing(&ledger) {
        let form = forms.iter().find(|form| form.hash() == key.form);
        let why = match (form, candidates.get(&key.item)) {
            (None, _) => Some("its form is not the project's".to_owned()),
            (_, None) => Some("its item is not the project's".to_owned()),
            (Some(form), Some(candidates)) => {
                answered.answer.check(form, candidates).err().map(|error| error.to_string())
            }
        };
        if let Some(why) = why {
            odd += 1;
            note(&format!("{} on {}: {why}", key.person, key.item.0));
        }
    }
    ensure!(odd == 0, "{odd} answers do not fit their forms");
    Ok(print(&format!(
        "{} items, {} forms, {} events: all can be read, and every answer fits its form",
        items.len(),
        forms.len(),
        ledger.len()
    ))?)
}
