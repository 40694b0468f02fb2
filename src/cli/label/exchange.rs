//! Answers in and out, copies joined, everything looked at.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::participants::{participants, survey_cells, survey_columns, survey_json};
use super::rows::{ForeignRows, Standing, form_named};
use super::{label_studio, prodigy};
use crate::base::defused;
use crate::cli::output::{note, print, print_json_text};
use crate::evaluate::ItemPictures;
use crate::evaluate::answer_rows::{AnswerRow, BLIND, Candidates, OWN_COLUMNS, json_lines, rows};
use crate::label::form::QuestionKind;
use crate::label::participants::Participants;
use crate::label::study::was_blind;
use crate::label::{
    Act, AnswerValue, Answered, Event, Form, FormHash, ItemId, Judgement, Ledger, Packet,
    StandingJudgement, WriterId,
};
use crate::store::labels::{LabelFile, Merged, NewEvent};

/// What answers are written as.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ExchangeFormat {
    /// A table: one answer a row, one question a column.
    Csv,
    /// One answer a line, whole.
    Jsonl,
    /// What models answered and where they did not, one a line.
    Judgements,
    /// Who made each candidate of each query, one a line: what rankings name is an id.
    Candidates,
    /// One event a line: everything that was ever done, for `merge`.
    Events,
    /// Label Studio's JSON: every item a task, with the answers to a form as annotations.
    LabelStudio,
    /// The labeling config (XML) that asks the form in Label Studio.
    LabelStudioConfig,
    /// Prodigy's JSON Lines: one question about one item a line.
    Prodigy,
}

/// What answers are read from.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ImportFormat {
    /// CSV or JSON Lines with a row an answer, by the file's extension.
    Table,
    /// What Label Studio exports: JSON, JSON-MIN, CSV or TSV, told by its content.
    LabelStudio,
    /// Prodigy's JSON Lines.
    Prodigy,
}

/// Opens a project's file as a writer of its own.
pub(super) fn open(project: &Path) -> anyhow::Result<LabelFile> {
    Ok(LabelFile::open(project, WriterId(getrandom::u64()?))?)
}

/// Takes answers in. All are looked at before any is: half a table would be taken in twice.
pub(super) fn import(project: &Path, answers: &Path, format: ImportFormat) -> anyhow::Result<()> {
    let file = open(project)?;
    let forms = file.forms()?;
    let items = file.items()?;
    let candidates: Candidates<'_> =
        items.iter().map(|item| (&item.id, item.candidates.as_slice())).collect();
    let ForeignRows { rows, left_out } = match format {
        ImportFormat::Table => {
            let rows = rows(answers)?.into_iter();
            let rows = rows.map(|(line, row)| (format!("line {line}"), row)).collect();
            ForeignRows { rows, left_out: 0 }
        }
        ImportFormat::LabelStudio => label_studio::rows(answers, &forms)?,
        ImportFormat::Prodigy => prodigy::rows(answers, &forms)?,
    };
    // All rows are read before one is kept: a file that is wrong in its last line leaves nothing behind.
    let mut new = Vec::new();
    for (place, row) in rows {
        let read = event(&forms, &candidates, row);
        new.push(read.with_context(|| format!("{place} of {}", answers.display()))?);
    }
    ensure!(!new.is_empty(), "there is no answer in {}", answers.display());
    let count = new.len();
    file.record_all(new)?;
    if left_out > 0 {
        note(&format!("{left_out} that were cancelled, rejected or ignored there are left out"));
    }
    Ok(print(&format!("{count} answers taken in"))?)
}

fn event(
    forms: &[Form],
    candidates: &Candidates<'_>,
    row: Map<String, Value>,
) -> anyhow::Result<NewEvent> {
    let row = AnswerRow::of(forms, candidates, row)?;
    let answered = Answered {
        answer: row.answer,
        shown: row.shown,
        millis: row.millis,
        views: BTreeMap::new(),
        changes: row.changes,
    };
    Ok(NewEvent {
        at: jiff::Timestamp::now().to_string(),
        person: row.person.context("no person is named")?,
        item: row.item,
        form: row.form,
        act: Act::Answered(Box::new(answered)),
    })
}

/// Takes in what was done in other copies.
pub(super) fn merge(project: &Path, copies: &[PathBuf]) -> anyhow::Result<()> {
    let file = open(project)?;
    let mut all = Merged::default();
    for copy in copies {
        let merged = if copy.extension().is_some_and(|it| it == "jsonl") {
            merge_lines(&file, copy)?
        } else {
            let other = open(copy)?;
            let ledger = other.ledger()?;
            let events: Vec<Event> = ledger.in_order().into_iter().cloned().collect();
            // What comes out of a packet has to be what was packed here; a copy of the project is only joined.
            match &other.project().packet {
                Some(packet) if file.project().packet.is_none() => {
                    file.merge_packet(&other.project().id, packet, events)?
                }
                _ => file.merge(other.project(), &events)?,
            }
        };
        all.new += merged.new;
        all.known += merged.known;
        all.withdrawn += merged.withdrawn;
    }
    if all.withdrawn > 0 {
        note(&format!("{} of people who have withdrawn are not taken in", all.withdrawn));
    }
    Ok(print(&format!("{} new, {} known already", all.new, all.known))?)
}

/// What the first line of a packet's answers says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PacketHead {
    packet: String,
    of: String,
    person: String,
}

/// Events, a line each; those of a packet's page stand behind a line that says of which packet they are.
fn merge_lines(file: &LabelFile, lines: &Path) -> anyhow::Result<Merged> {
    let mut lines_of: Vec<(u64, Value)> = json_lines(lines)?;
    let is_packet = lines_of.first().is_some_and(|(_, first)| first.get("packet").is_some());
    let head = if is_packet { Some(lines_of.remove(0).1) } else { None };
    let mut events = Vec::with_capacity(lines_of.len());
    for (at, line) in lines_of {
        let event: Event = serde_json::from_value(line)
            .with_context(|| format!("line {at} of {}", lines.display()))?;
        events.push(event);
    }
    let Some(head) = head else { return Ok(file.merge(file.project(), &events)?) };
    let PacketHead { packet, of, person } =
        serde_json::from_value(head).with_context(|| format!("line 1 of {}", lines.display()))?;
    Ok(file.merge_packet(&packet, &Packet { of, person }, events)?)
}

/// Writes every answer that stands to stdout.
pub(super) fn export(
    project: &Path,
    format: ExchangeFormat,
    form: Option<&str>,
) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, ledger) = (file.forms()?, file.ledger()?);
    let people = participants(&file, (&forms, &file.items()?), &ledger)?;
    let revealed = ledger.revealed();
    let is_json = !matches!(format, ExchangeFormat::Csv | ExchangeFormat::LabelStudioConfig);
    // Printed whole at the end: an error on the way leaves no half of an export.
    let mut out = Vec::new();
    match format {
        ExchangeFormat::LabelStudio => {
            let form = form_named(&forms, form)?;
            let answers = Standing::all(&ledger);
            let tasks = label_studio::tasks(form, &file.items()?, &answers, &file)?;
            writeln!(out, "{}", serde_json::to_string_pretty(&tasks)?)?;
        }
        ExchangeFormat::LabelStudioConfig => {
            out.extend(label_studio::config(form_named(&forms, form)?).into_bytes());
        }
        ExchangeFormat::Prodigy => {
            let form = form_named(&forms, form)?;
            for line in prodigy::lines(form, &file.items()?, &Standing::all(&ledger), &file)? {
                writeln!(out, "{line}")?;
            }
        }
        ExchangeFormat::Csv => write_csv(
            &mut out,
            &forms,
            &ledger,
            (&people, &|event| was_blind(file.project(), revealed, event)),
        )?,
        ExchangeFormat::Jsonl => {
            let by_hash = by_hash(&forms);
            for Standing { key, event, answered } in Standing::all(&ledger) {
                let form = by_hash.get(&key.form);
                let line = json!({
                    "person": key.person, "item": key.item, "form": form.map(|form| &form.id),
                    "form_version": key.form, "at": event.at, "answer": answered.answer,
                    "shown": answered.shown, "millis": answered.millis, "changes": answered.changes,
                    "blind": was_blind(file.project(), revealed, event),
                    "about_person": survey_json(&people, &key.person),
                });
                writeln!(out, "{line}")?;
            }
        }
        ExchangeFormat::Candidates => {
            for item in &file.items()? {
                let named = item.candidates.iter().zip(&item.sources);
                for (candidate, source) in named {
                    let line = json!({
                        "item": item.id, "query": item.text, "candidate": candidate, "source": source,
                    });
                    writeln!(out, "{line}")?;
                }
            }
        }
        ExchangeFormat::Judgements => {
            for form in &forms {
                for StandingJudgement { event, judged } in ledger.judgements(form.hash()) {
                    let line = json!({
                        "judge": event.person, "item": event.item, "form": form.id,
                        "form_version": form.hash(), "at": event.at, "judged": judged,
                    });
                    writeln!(out, "{line}")?;
                }
            }
        }
        ExchangeFormat::Events => {
            for event in ledger.in_order() {
                writeln!(out, "{}", serde_json::to_string(event)?)?;
            }
        }
    }
    let text = String::from_utf8(out)?;
    let printed = if is_json { print_json_text(&text) } else { print(&text) };
    Ok(printed?)
}

/// One answer a row, one question of any form a column; what `import` takes.
fn write_csv(
    out: &mut Vec<u8>,
    forms: &[Form],
    ledger: &Ledger,
    (people, was_blind): (&Participants, &dyn Fn(&Event) -> bool),
) -> anyhow::Result<()> {
    let mut questions: Vec<&str> = Vec::new();
    for question in forms.iter().flat_map(|form| &form.questions) {
        // Marks are no cell of a table.
        let is_cell = !matches!(question.answer, QuestionKind::Marks { .. });
        if is_cell && !questions.contains(&question.id.as_str()) {
            questions.push(&question.id);
        }
    }
    let mut csv = csv::Writer::from_writer(out);
    let columns = OWN_COLUMNS.into_iter().chain(questions.iter().copied()).map(str::to_owned);
    csv.write_record(columns.chain([BLIND.to_owned()]).chain(survey_columns(people)))?;
    let by_hash = by_hash(forms);
    for Standing { key, event, answered } in Standing::all(ledger) {
        let form = by_hash.get(&key.form);
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
        let blind = if was_blind(event) { "yes" } else { "no" };
        let row = own.into_iter().chain(values).chain([blind.to_owned()]);
        csv.write_record(row.chain(survey_cells(people, &key.person)))?;
    }
    csv.flush()?;
    Ok(())
}

/// The forms by their versions: to find that of an answer by hashing all would take longer than all else.
fn by_hash(forms: &[Form]) -> BTreeMap<FormHash, &Form> {
    forms.iter().map(|form| (form.hash(), form)).collect()
}

/// Looks at everything; fails if something is odd.
pub(super) fn verify(project: &Path) -> anyhow::Result<()> {
    let file = open(project)?;
    let (forms, items, ledger) = (file.forms()?, file.items()?, file.ledger()?);
    let candidates: BTreeMap<&ItemId, &[String]> =
        items.iter().map(|item| (&item.id, item.candidates.as_slice())).collect();
    // Pictures first: what cannot be shown cannot be answered.
    let mut odd = 0;
    for item in &items {
        if let Err(why) = ItemPictures::default().with_candidates(item, &file) {
            odd += 1;
            note(&format!("{}: {why}", item.id.0));
        }
    }
    ensure!(odd == 0, "{odd} queries cannot be shown");
    let by_hash = by_hash(&forms);
    for Standing { key, answered, .. } in Standing::all(&ledger) {
        let form = by_hash.get(&key.form);
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
    if let Some(form) = file.pre_survey()? {
        for person in ledger.people() {
            let answered = ledger.survey(file.project(), person);
            if let Some(Err(why)) = answered.map(|it| it.answer.check(&form, &[])) {
                odd += 1;
                note(&format!("{person} on themselves: {why}"));
            }
        }
    }
    for form in &forms {
        for StandingJudgement { event, judged } in ledger.judgements(form.hash()) {
            let Judgement::Answered { answer, confidence } = &judged.outcome else { continue };
            let why = match candidates.get(&event.item) {
                None => Some("its item is not the project's".to_owned()),
                Some(candidates) => answer.check(form, candidates).err().map(|it| it.to_string()),
            };
            // No range contains NaN, so that it is odd as well.
            let unsure = confidence.values().any(|sure| !(0.0..=1.0).contains(sure));
            let why = why.or_else(|| unsure.then(|| "a confidence is not from 0 to 1".to_owned()));
            if let Some(why) = why {
                odd += 1;
                note(&format!("{} (a model) on {}: {why}", event.person, event.item.0));
            }
        }
    }
    ensure!(odd == 0, "{odd} answers do not fit their forms");
    let left = file.rows_of_withdrawn()?;
    ensure!(left == 0, "{left} events of people who have withdrawn are still in the file");
    Ok(print(&format!(
        "{} items, {} forms, {} events: all can be read, and every answer fits its form",
        items.len(),
        forms.len(),
        ledger.len()
    ))?)
}
