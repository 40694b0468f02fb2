//! Label Studio's tasks with annotations, and the labeling config that asks a form there.
//!
//! Source: Label Studio's guide, *Export annotations: Label Studio JSON format of annotated tasks* and *Tags*; of
//! JSON-MIN, CSV and TSV its library, `label_studio_sdk/converter` (`convert_to_json_min`, `exports/csv2.py`). Every
//! question is a control on the one object `about`: `Choices` where answers are named, `Rating` from 1 to at most
//! ten, `Number`, `Ranker` on a `List` of its own, or `TextArea` (of rankings with ties `a=b|c`, of marks JSON). Places
//! that show an answer stay behind.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::rows::{ForeignRows, Standing, by_item, candidate_pictures};
use crate::base::{Limits, parse_json, read_file_limited};
use crate::label::form::{Question, QuestionKind, Scale};
use crate::label::{AnswerValue, Form, Item};
use crate::store::labels::LabelFile;

/// The highest rating that is shown as stars.
const MOST_STARS: i32 = 10;
/// The object that all controls are about.
const OBJECT: &str = "about";
/// Beside the questions.
const NOTE: &str = "note";
const UNSURE: &str = "unsure";
/// The column of JSON-MIN and CSV that says who answered.
const ANNOTATOR: &str = "annotator";

/// A control of the labeling config.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    Choices,
    Rating,
    Number,
    Ranker,
    TextArea,
}

impl Control {
    fn of(kind: &QuestionKind) -> Self {
        match kind {
            QuestionKind::Rating { least: 1, most, .. } if *most <= MOST_STARS => Self::Rating,
            QuestionKind::Rating { .. } => Self::Number,
            QuestionKind::Marks { .. } => Self::TextArea,
            QuestionKind::Ranking { ties: false, .. } => Self::Ranker,
            _ if kind.scale() == Scale::None => Self::TextArea,
            _ => Self::Choices,
        }
    }

    /// As results say it.
    fn name(self) -> &'static str {
        match self {
            Self::Choices => "choices",
            Self::Rating => "rating",
            Self::Number => "number",
            Self::Ranker => "ranker",
            Self::TextArea => "textarea",
        }
    }
}

/// The labeling config of a form.
pub(super) fn config(form: &Form) -> String {
    let mut xml =
        format!("<View>\n  <Header value=\"{}\"/>\n", escaped(form.title.in_language("en")));
    xml.extend(["  <Text name=\"", OBJECT, "\" value=\"$text\"/>\n"]);
    for question in &form.questions {
        xml += &control(question);
    }
    let beside = format!(
        "  <Choices name=\"{UNSURE}\" toName=\"{OBJECT}\" choice=\"multiple\">\n    \
         <Choice value=\"yes\"/>\n  </Choices>\n  \
         <TextArea name=\"{NOTE}\" toName=\"{OBJECT}\" maxSubmissions=\"1\"/>\n</View>\n"
    );
    xml + &beside
}

fn control(question: &Question) -> String {
    let Question { id, answer, .. } = question;
    let mut more = String::new();
    if !question.optional {
        more += " required=\"true\"";
    }
    // Asked only after another answer: it has the words for that, of choices.
    if let Some(condition) = &question.when {
        let (of, is) = (&condition.question, condition.is.join(","));
        let is = escaped(&is);
        more.extend([
            " visibleWhen=\"choice-selected\" whenTagName=\"",
            of,
            "\" whenChoiceValue=\"",
            &is,
            "\"",
        ]);
    }
    let text = escaped(question.text.in_language("en"));
    let header = format!("  <Header value=\"{text}\" size=\"5\"/>\n");
    let named = format!("name=\"{id}\" toName=\"{OBJECT}\"{more}");
    header
        + &match (Control::of(answer), answer) {
            (Control::Rating, QuestionKind::Rating { most, .. }) => {
                format!("  <Rating {named} maxRating=\"{most}\"/>\n")
            }
            (Control::Number, QuestionKind::Rating { least, most, .. }) => {
                format!("  <Number {named} min=\"{least}\" max=\"{most}\"/>\n")
            }
            // Two parts, the list that is ranked and what is said of it; exports name the second.
            (Control::Ranker, _) => {
                let list = list_of(id);
                format!(
                    "  <List name=\"{list}\" value=\"${list}\" title=\"{text}\"/>\n  \
                     <Ranker name=\"{id}\" toName=\"{list}\"{more}/>\n"
                )
            }
            (Control::Choices, _) => {
                let many = answer.scale() == Scale::PerOption;
                let choice = if many { "multiple" } else { "single" };
                let values = answer.values().into_iter();
                let values = values.map(|it| format!("    <Choice value=\"{}\"/>\n", escaped(&it)));
                let values: String = values.collect();
                format!("  <Choices {named} choice=\"{choice}\">\n{values}  </Choices>\n")
            }
            _ => format!("  <TextArea {named} maxSubmissions=\"1\"/>\n"),
        }
}

/// The list that a question ranks.
fn list_of(question: &str) -> String {
    format!("{question}-list")
}

/// What a question ranks of an item: its candidates with their pictures, in an order that says nothing of who made
/// them, or the options of the form.
fn ranked(question: &Question, item: &Item, file: &LabelFile) -> anyhow::Result<Vec<Value>> {
    let options = question.answer.options();
    if !options.is_empty() {
        let named = options.iter();
        let named = named.map(|it| json!({"id": it.id, "title": it.text.in_language("en")}));
        return Ok(named.collect());
    }
    let pictures = candidate_pictures(item, file)?;
    let named = (1..).zip(pictures).map(|(number, (id, url))| {
        let title = format!("Candidate {number}");
        json!({"id": id, "title": title, "html": format!("<img src=\"{url}\" alt=\"{title}\">")})
    });
    Ok(named.collect())
}

fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace(['\n', '\r'], " ")
}

/// Every item as a task, with the answers to a form that stand.
pub(super) fn tasks(
    form: &Form,
    items: &[Item],
    answers: &[Standing<'_>],
    file: &LabelFile,
) -> anyhow::Result<Value> {
    let by_item = by_item(form, answers);
    let mut tasks = Vec::with_capacity(items.len());
    for (number, item) in (1..).zip(items) {
        let answers = by_item.get(&item.id).into_iter().flatten();
        let annotations: Vec<Value> = answers.map(|one| annotation(form, one)).collect();
        // Nothing of who made it: who labels there is to be as blind as here.
        let text =
            item.text.clone().unwrap_or_else(|| format!("{} {}", item.kind.name(), item.id.0));
        let mut data = Map::new();
        let about =
            [("item", json!(item.id)), ("form", json!(form.id)), ("kind", json!(item.kind))];
        data.extend(about.into_iter().map(|(key, value)| (key.to_owned(), value)));
        data.insert("text".to_owned(), json!(text));
        let asked = form.questions.iter();
        for question in asked.filter(|it| Control::of(&it.answer) == Control::Ranker) {
            let list = ranked(question, item, file)?;
            data.insert(list_of(&question.id), json!(list));
        }
        tasks.push(json!({"id": number, "data": data, "annotations": annotations}));
    }
    Ok(json!(tasks))
}

fn annotation(form: &Form, one: &Standing<'_>) -> Value {
    let answer = &one.answered.answer;
    let mut values: Vec<(&str, Control, Value)> = Vec::new();
    for question in &form.questions {
        let Some(value) = answer.values.get(&question.id) else { continue };
        let control = Control::of(&question.answer);
        let value = match (control, value) {
            (_, AnswerValue::Rating(number)) => json!(number),
            // Nothing there has the fields of a mark: as JSON in a text they come back whole.
            (_, AnswerValue::Marks(marks)) => json!([json!(marks).to_string()]),
            (Control::TextArea, value) => json!([value.words().join("|")]),
            (Control::Ranker, value) => json!({question.id.as_str(): value.words()}),
            (_, value) => json!(value.words()),
        };
        values.push((&question.id, control, value));
    }
    if answer.unsure {
        values.push((UNSURE, Control::Choices, json!(["yes"])));
    }
    if !answer.note.is_empty() {
        values.push((NOTE, Control::TextArea, json!([answer.note])));
    }
    let results = values.into_iter().enumerate().map(|(at, (name, control, value))| {
        let key = if control == Control::TextArea { "text" } else { control.name() };
        let object = if control == Control::Ranker { list_of(name) } else { OBJECT.to_owned() };
        json!({
            "id": format!("{}-{at}", one.event.id.sequence), "from_name": name,
            "to_name": object, "type": control.name(), "value": {key: value},
        })
    });
    let results: Vec<Value> = results.collect();
    let seconds = one.answered.millis.map(|millis| millis as f64 / 1000.0);
    json!({
        "completed_by": {"email": one.key.person, "first_name": one.key.person},
        "created_at": one.event.at, "lead_time": seconds, "was_cancelled": false,
        "result": results,
    })
}

/// A task of a file, as far as it is looked at.
#[derive(Deserialize)]
struct Task {
    data: Map<String, Value>,
    #[serde(default, alias = "completions")]
    annotations: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Annotation {
    #[serde(default)]
    completed_by: Value,
    #[serde(default)]
    lead_time: Option<f64>,
    #[serde(default)]
    was_cancelled: bool,
    #[serde(default)]
    result: Vec<AnnotationResult>,
}

#[derive(Deserialize)]
struct AnnotationResult {
    #[serde(default)]
    from_name: Option<String>,
    #[serde(default)]
    value: Map<String, Value>,
}

/// Names that Label Studio gives columns of JSON-MIN and CSV: a question called so loses its answers there.
const ITS_COLUMNS: [&str; 8] = [
    "id",
    "annotator",
    "annotation_id",
    "created_at",
    "updated_at",
    "lead_time",
    "agreement",
    "history",
];
/// What tasks have beside what they are about, and JSON-MIN puts among the answers.
const BESIDE: [&str; 2] = ["text", "kind"];

/// The answers of a file that Label Studio exported (JSON, JSON-MIN, CSV or TSV, told by its content) as rows of a
/// table, each with where it stood, and how many were cancelled there.
pub(super) fn rows(path: &Path, forms: &[Form]) -> anyhow::Result<ForeignRows> {
    let bytes = read_file_limited(path, Limits::JSON_BYTES)?;
    // A spreadsheet that kept the file put a byte order mark before it.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if matches!(first, Some(b'[' | b'{')) {
        json_rows(bytes, forms)
            .with_context(|| format!("not Label Studio's JSON: {}", path.display()))
    } else {
        table_rows(bytes, forms)
            .with_context(|| format!("not Label Studio's CSV: {}", path.display()))
    }
}

/// Of JSON, whose entries are tasks, and of JSON-MIN, whose entries are answers.
fn json_rows(bytes: &[u8], forms: &[Form]) -> anyhow::Result<ForeignRows> {
    let entries: Vec<Map<String, Value>> = parse_json(bytes)?;
    let mut found = ForeignRows::default();
    for (at, entry) in (1..).zip(entries) {
        let id = entry.get("id").filter(|id| !id.is_null());
        let place = format!("task {at}{}", id.map_or_else(String::new, |id| format!(" (id {id})")));
        if entry.contains_key(ANNOTATOR) && !entry.contains_key("data") {
            let row = flat_row(&entry, forms).with_context(|| place.clone())?;
            found.rows.extend(row.map(|row| (place, row)));
        } else {
            let task: Task = serde_json::from_value(Value::Object(entry))
                .with_context(|| format!("{place} is not as Label Studio writes one"))?;
            add_task(&mut found, task, &place);
        }
    }
    Ok(found)
}

fn add_task(found: &mut ForeignRows, task: Task, place: &str) {
    for annotation in task.annotations {
        if annotation.was_cancelled {
            found.left_out += 1;
            continue;
        }
        let mut row = Map::new();
        for key in ["item", "form"] {
            row.extend(task.data.get(key).map(|value| (key.to_owned(), value.clone())));
        }
        let person = person(&annotation.completed_by);
        row.extend(person.map(|person| ("person".to_owned(), json!(person))));
        row.extend(annotation.lead_time.map(|time| ("seconds".to_owned(), json!(time))));
        for outcome in annotation.result {
            // What has no name is a relation of regions, which no form asks for.
            if let Some(name) = outcome.from_name {
                row.insert(name, plain(&outcome.value));
            }
        }
        found.rows.push((place.to_owned(), row));
    }
}

/// Of CSV and TSV: JSON-MIN as a table, in whose cells whatever is no text is JSON.
fn table_rows(bytes: &[u8], forms: &[Form]) -> anyhow::Result<ForeignRows> {
    let head = bytes.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let delimiter = if head.contains(&b'\t') { b'\t' } else { b',' };
    let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
    let columns = reader.headers()?.clone();
    ensure!(
        columns.iter().any(|column| column == ANNOTATOR),
        "it has no column `{ANNOTATOR}`, which says who answered"
    );
    let mut found = ForeignRows::default();
    for record in reader.records() {
        let record = record?;
        let place = format!("line {}", record.position().map_or(0, csv::Position::line));
        let cells = columns.iter().zip(&record).filter(|(_, cell)| !cell.is_empty());
        let cells = cells.map(|(column, cell)| (column.to_owned(), json!(cell))).collect();
        let row = flat_row(&cells, forms).with_context(|| place.clone())?;
        found.rows.extend(row.map(|row| (place, row)));
    }
    Ok(found)
}

/// An answer beside the data of its task; `None`: nobody answered the task.
fn flat_row(
    entry: &Map<String, Value>,
    forms: &[Form],
) -> anyhow::Result<Option<Map<String, Value>>> {
    let id = entry.get("form").and_then(Value::as_str);
    let form = match (id, forms) {
        (None, [only]) => Some(only),
        (id, _) => forms.iter().find(|form| Some(form.id.as_str()) == id),
    };
    let mut row = Map::new();
    let questions = form.into_iter().flat_map(|form| &form.questions);
    let questions = questions.map(|it| (it.id.as_str(), Control::of(&it.answer)));
    for (name, control) in questions.chain([(UNSURE, Control::Choices), (NOTE, Control::TextArea)])
    {
        let is_bare = matches!(control, Control::Choices | Control::TextArea);
        let is_beside = BESIDE.contains(&name);
        let is_lost = ITS_COLUMNS.contains(&name) || (is_beside && is_bare);
        ensure!(
            !is_lost,
            "what was answered to `{name}` cannot be told from Label Studio's own column of that name: \
             export as JSON there"
        );
        let value = entry.get(name).filter(|it| !it.is_null()).map(|value| flat(control, value));
        // Results are lists: words there are those of the task, and the question was not answered.
        let value = value.filter(|value| !(is_beside && value.is_string()));
        row.extend(value.map(|value| (name.to_owned(), value)));
    }
    let person = entry.get(ANNOTATOR).and_then(annotator);
    // Nobody who answered nothing is the line of a task without annotations.
    if row.is_empty() && person.is_none() {
        return Ok(None);
    }
    row.extend(person.map(|person| ("person".to_owned(), json!(person))));
    for (key, column) in [("item", "item"), ("form", "form"), ("lead_time", "seconds")] {
        row.extend(entry.get(key).map(|value| (column.to_owned(), value.clone())));
    }
    Ok(Some(row))
}

/// An answer of JSON-MIN or CSV as tables write it: there one choice and one text stand bare, all else as results, in
/// CSV as JSON.
fn flat(control: Control, value: &Value) -> Value {
    let text = value.as_str();
    // Words that look like JSON are words all the same.
    let json = text.filter(|it| control != Control::TextArea && it.starts_with(['[', '{']));
    let parsed: Option<Value> = json.and_then(|text| serde_json::from_str(text).ok());
    let answer = parsed.as_ref().unwrap_or(value);
    match answer {
        Value::Array(results) => match results.first() {
            Some(Value::Object(result)) => plain(result),
            // Of several results of one text or one choice each, these stand bare in a list.
            Some(Value::String(_)) => json!(joined(answer)),
            _ => Value::Null,
        },
        Value::Object(result) => plain(result),
        Value::String(text) if control == Control::TextArea => plain_text(text),
        bare => bare.clone(),
    }
}

/// Who it was, as JSON-MIN and CSV say it: an address, or a number.
fn annotator(who: &Value) -> Option<String> {
    match who.as_str() {
        Some(number) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(format!("annotator {number}"))
        }
        Some("") => None,
        _ => person(who),
    }
}

/// Who it was: by address, name, or number.
fn person(who: &Value) -> Option<String> {
    match who {
        Value::String(name) => Some(name.clone()),
        Value::Number(number) => Some(format!("annotator {number}")),
        Value::Object(who) => {
            let named = ["email", "first_name", "username"].into_iter();
            let named = named.filter_map(|key| who.get(key)?.as_str().filter(|it| !it.is_empty()));
            named
                .map(str::to_owned)
                .next()
                .or_else(|| who.get("id").map(|id| format!("annotator {id}")))
        }
        _ => None,
    }
}

/// A result's value as tables write it.
fn plain(value: &Map<String, Value>) -> Value {
    if let Some(ranker) = value.get("ranker") {
        // A dict whose one key is the tag's name; of a list without it no more can be meant.
        let list = ranker.as_object().and_then(|it| it.values().next()).unwrap_or(ranker);
        return json!(joined(list));
    }
    match (value.get("choices"), value.get("text"), value.get("rating"), value.get("number")) {
        (Some(choices), ..) => json!(joined(choices)),
        (_, Some(text), ..) => {
            plain_text(&text.as_str().map_or_else(|| joined(text), str::to_owned))
        }
        (_, _, Some(number), _) | (_, _, _, Some(number)) => number.clone(),
        _ => Value::Null,
    }
}

/// A text, or the marks that are written in it.
fn plain_text(text: &str) -> Value {
    // Marks are a list of objects, and nothing else begins so and can be read.
    match serde_json::from_str::<Vec<Map<String, Value>>>(text) {
        Ok(marks) => json!(marks),
        Err(_) => json!(text),
    }
}

/// The words of a list, as one text.
fn joined(list: &Value) -> String {
    let words = list.as_array().into_iter().flatten().filter_map(Value::as_str);
    words.collect::<Vec<_>>().join("|")
}
