//! Prodigy's JSON Lines: one question about one item a line.
//!
//! Source: Prodigy's documentation, *Annotation interfaces* (`choice` with `options` and `accept`, `text_input` with
//! `user_input`) and *Database and hashing* (`_input_hash`, `_task_hash`, `answer`, `_annotator_id`). A question with
//! named answers is a `choice`; words, rankings (`a|b|c`) and marks (JSON) are a `text_input`, below the pictures with
//! their ids (`blocks` with `html`) where candidates are ranked, as no interface ranks. Places that show an answer stay
//! behind.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::rows::{ForeignRows, Standing, by_item, candidate_pictures};
use crate::evaluate::answer_rows::json_lines;
use crate::label::form::{Question, QuestionKind, Scale};
use crate::label::{Answer, AnswerValue, Form, Item};
use crate::store::labels::LabelFile;

/// Every question about every item, with the answers that stand; one that nobody answered is there to be asked.
pub(super) fn lines(
    form: &Form,
    items: &[Item],
    answers: &[Standing<'_>],
    file: &LabelFile,
) -> anyhow::Result<Vec<Value>> {
    let by_item = by_item(form, answers);
    let mut lines = Vec::new();
    for item in items {
        let given = by_item.get(&item.id).map_or(&[][..], Vec::as_slice);
        let pictures = candidates_html(item, file)?;
        let task = |question: &Question| {
            let mut line = task(form, item, question);
            let ranks = matches!(&question.answer, QuestionKind::Ranking { options, .. } if options.is_empty());
            if ranks {
                line.insert("html".to_owned(), json!(pictures));
                line.insert("_view_id".to_owned(), json!("blocks"));
                let blocks = json!([{"view_id": "html"}, {"view_id": "text_input"}]);
                line.insert("config".to_owned(), json!({"blocks": blocks}));
            }
            line
        };
        // A task a question, as Prodigy asks one at a time; without an answer it is a task to be asked there.
        for question in &form.questions {
            if given.is_empty() {
                lines.push(Value::Object(task(question)));
            }
            for one in given {
                if let Some(value) = one.answered.answer.values.get(&question.id) {
                    let mut line = task(question);
                    line.extend(answered(question, value, &one.answered.answer));
                    line.insert("_annotator_id".to_owned(), json!(one.key.person));
                    let seconds = one.answered.millis.map(|millis| millis as f64 / 1000.0);
                    line.extend(seconds.map(|it| ("seconds".to_owned(), json!(it))));
                    lines.push(Value::Object(line));
                }
            }
        }
    }
    Ok(lines)
}

/// The candidates with their ids, in an order that says nothing of who made them.
fn candidates_html(item: &Item, file: &LabelFile) -> anyhow::Result<String> {
    let pictures = candidate_pictures(item, file)?;
    let figures = pictures.into_iter().map(|(id, url)| {
        format!("<figure><img src=\"{url}\" alt=\"{id}\"><figcaption>{id}</figcaption></figure>")
    });
    Ok(figures.collect())
}

fn is_choice(question: &Question) -> bool {
    let kind = &question.answer;
    kind.scale() != Scale::None && !matches!(kind, QuestionKind::Marks { .. })
}

fn task(form: &Form, item: &Item, question: &Question) -> Map<String, Value> {
    let text = item.text.clone().unwrap_or_else(|| format!("{} {}", item.kind.name(), item.id.0));
    // Its own program tells tasks and answers of one item together by these.
    let input = hash(&[&item.id.0]);
    let view = if is_choice(question) { "choice" } else { "text_input" };
    let asked = question.text.in_language("en");
    let mut line = Map::new();
    line.insert("text".to_owned(), json!(text));
    line.insert("label".to_owned(), json!(asked));
    let meta = json!({"item": item.id, "form": form.id, "question": question.id});
    line.insert("meta".to_owned(), meta);
    line.insert("_input_hash".to_owned(), json!(input));
    let task = hash(&[&item.id.0, &form.hash().to_hex(), &question.id]);
    line.insert("_task_hash".to_owned(), json!(task));
    line.insert("_view_id".to_owned(), json!(view));
    if is_choice(question) {
        let options = question.answer.values().into_iter().map(|id| json!({"id": id, "text": id}));
        line.insert("options".to_owned(), options.collect());
        let many = question.answer.scale() == Scale::PerOption;
        let style = if many { "multiple" } else { "single" };
        line.insert("config".to_owned(), json!({"choice_style": style}));
    }
    line
}

/// As Prodigy's are: 32 bits, the same for the same input in every file.
fn hash(parts: &[&str]) -> i32 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let [a, b, c, d, ..] = *hasher.finalize().as_bytes();
    i32::from_le_bytes([a, b, c, d])
}

fn answered(question: &Question, value: &AnswerValue, answer: &Answer) -> Map<String, Value> {
    let mut line = Map::new();
    if is_choice(question) {
        line.insert("accept".to_owned(), json!(value.words()));
    } else {
        let text = match value {
            AnswerValue::Marks(marks) => json!(marks).to_string(),
            value => value.words().join("|"),
        };
        line.insert("user_input".to_owned(), json!(text));
    }
    line.insert("answer".to_owned(), json!("accept"));
    if !answer.note.is_empty() {
        line.insert("note".to_owned(), json!(answer.note));
    }
    if answer.unsure {
        line.insert("unsure".to_owned(), json!(true));
    }
    line
}

/// The answers of a file as rows of a table, with where each began, and how many lines were rejected or ignored.
pub(super) fn rows(path: &Path, forms: &[Form]) -> anyhow::Result<ForeignRows> {
    let lines: Vec<(u64, Map<String, Value>)> = json_lines(path)?;
    let ForeignRows { mut rows, mut left_out } = ForeignRows::default();
    let mut places: BTreeMap<[String; 3], usize> = BTreeMap::new();
    let mut seen: BTreeSet<(usize, String)> = BTreeSet::new();
    for (at, line) in lines {
        match line.get("answer").and_then(Value::as_str) {
            Some("accept") => {}
            // A task that is still to be answered.
            None => continue,
            Some(_) => {
                left_out += 1;
                continue;
            }
        }
        let place_in_file = format!("line {at} of {}", path.display());
        let meta = line.get("meta").and_then(Value::as_object);
        let [item, form, question] = ["item", "form", "question"].map(|key| {
            let named = meta.and_then(|meta| meta.get(key)?.as_str());
            named.unwrap_or_default().to_owned()
        });
        anyhow::ensure!(!question.is_empty(), "{place_in_file}: its meta names no question");
        let person = ["_annotator_id", "_session_id"];
        let person = person.into_iter().find_map(|key| line.get(key)?.as_str());
        let person = person.with_context(|| format!("{place_in_file}: no _annotator_id"))?;
        let key = [person.to_owned(), item.clone(), form.clone()];
        // There each question is a task of its own: those of a person about one item become one row again.
        let place = *places.entry(key).or_insert_with(|| {
            let mut row = Map::new();
            for (column, value) in [("person", person), ("item", &item), ("form", &form)] {
                row.insert(column.to_owned(), json!(value));
            }
            rows.push((format!("line {at}"), row));
            rows.len() - 1
        });
        // A second answer would take the place of the first without a word.
        anyhow::ensure!(
            seen.insert((place, question.clone())),
            "{place_in_file}: {person} answered {question} of {item} before"
        );
        // A file made for one form need not name it.
        let asked = forms.iter().find(|it| form.is_empty() || it.id == form);
        let asked = asked.and_then(|form| form.question(&question));
        let value = value(&line, asked).context(place_in_file)?;
        let Some((_, row)) = rows.get_mut(place) else { continue };
        row.insert(question, value);
        for column in ["note", "unsure", "seconds"] {
            row.extend(line.get(column).map(|value| (column.to_owned(), value.clone())));
        }
    }
    Ok(ForeignRows { rows, left_out })
}

fn value(line: &Map<String, Value>, asked: Option<&Question>) -> anyhow::Result<Value> {
    if let Some(accepted) = line.get("accept") {
        let accepted = accepted.as_array().context("accept is a list of options")?;
        let words =
            accepted.iter().map(|it| it.as_str().map_or_else(|| it.to_string(), str::to_owned));
        let words: Vec<String> = words.collect();
        return Ok(match asked.map(|it| it.answer.scale()) {
            Some(Scale::PerOption) => json!(words),
            _ => json!(words.join("|")),
        });
    }
    let text = line.get("user_input").and_then(Value::as_str);
    let text = text.context("there is neither accept nor user_input")?;
    if matches!(asked.map(|it| &it.answer), Some(QuestionKind::Marks { .. })) {
        return Ok(serde_json::from_str(text)?);
    }
    Ok(json!(text))
}
