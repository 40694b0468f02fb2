//! Logs of Inspect AI (UKGovernmentBEIS/inspect_ai, `log/_recorders`): `.eval`, an archive with a file a
//! sample, and `.json`, one file with all of them. A sample's messages are its run; of its events come the
//! tokens and times of the answers.
//!
//! Current versions compress entries by Zstandard, older ones by deflate; a log that was broken off has no
//! `header.json`, and what its journal began with is used.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::base::Limits;
use crate::import::archive::Archive;
use crate::import::conversation::{
    Answer, AskedCall, Conversation, ToolResult, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{self, items, moment, text, words};
use crate::import::picture_data;
use crate::import::sink::{RunEnd, RunHead, RunWriter, Sink};
use crate::import::source::{Certainty, Source, is_named};
use crate::run::{ImageRef, Outcome, TaskRef, Usage};

const HEADER: &str = "header.json";
const START: &str = "_journal/start.json";
const SAMPLES: &str = "samples/";

/// An archive with samples and a header or journal, or a log as one file.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let is_log = match source.entries() {
        Some(names) => {
            names.contains(HEADER)
                || names.contains(START)
                || names.iter().any(|name| name.starts_with(SAMPLES) && name.contains("_epoch_"))
        }
        None => source.outline().is_some_and(|it| {
            !it.is_list && it.has("eval") && (it.has("status") || it.has("samples"))
        }),
    };
    is_log.then_some(Certainty::Certain)
}

/// Imports every sample.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    if source.entries().is_some() {
        import_archive(source, sink)
    } else {
        import_file(source, sink)
    }
}

fn import_archive(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let mut archive = Archive::open(&source.path)?;
    // A finished log has a header; of one that was cut off there is only how it started. Without either the
    // samples are of a task and a model that are not known.
    let name = if archive.has(HEADER) { HEADER } else { START };
    let place = archive.place(name);
    let header = archive
        .read(name, Limits::JSON_BYTES)
        .and_then(|bytes| json::parse(&bytes).map_err(|what| ImportError::content(what, &*place)));
    if let Err(error) = &header {
        sink.report.skip(&*place, error.to_string());
    }
    let log = Log::of(&header.unwrap_or_default());
    let names: Vec<String> = archive
        .names()
        .filter(|name| name.starts_with(SAMPLES) && is_named(name, "json"))
        .map(str::to_owned)
        .collect();
    for name in names {
        let place = archive.place(&name);
        sink.doing(place.clone())?;
        // A sample that cannot be read is skipped; an import that was cancelled, or a full disk, ends it.
        let sample = archive.read(&name, Limits::JSON_BYTES).and_then(|bytes| {
            json::parse(&bytes).map_err(|what| ImportError::content(what, place.clone()))
        });
        let result = sample.and_then(|sample| import_sample(&log, &sample, &place, sink));
        match result {
            Ok(()) => {}
            Err(error) if error.ends_import() => return Err(error),
            Err(error) => sink.report.skip(place, error.to_string()),
        }
    }
    Ok(())
}

fn import_file(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    let place = source.path.display().to_string();
    let file = json::read(&source.path)?;
    let log = Log::of(&file);
    for (sample, number) in items(&file, "samples").iter().zip(1..) {
        let place = format!("{place}#sample {number}");
        sink.doing(place.clone())?;
        match import_sample(&log, sample, &place, sink) {
            Ok(()) => {}
            Err(error) if error.ends_import() => return Err(error),
            Err(error) => sink.report.skip(place, error.to_string()),
        }
    }
    Ok(())
}

/// What a log says of all of its samples.
struct Log {
    task: String,
    model: String,
    facts: Map<String, Value>,
}

impl Log {
    fn of(header: &Value) -> Self {
        let eval = &header["eval"];
        let mut facts = Map::new();
        let solver = text(eval, "solver").or_else(|| text(&header["plan"], "name"));
        for (name, value) in [("solver", solver), ("log_status", text(header, "status"))] {
            if let Some(value) = value {
                facts.insert(name.to_owned(), Value::String(value.to_owned()));
            }
        }
        Self {
            task: text(eval, "task").unwrap_or("inspect").to_owned(),
            model: text(eval, "model").unwrap_or_default().to_owned(),
            facts,
        }
    }
}

/// What the events say of an answer, by the id of its message.
struct EventUsage {
    usage: Option<Usage>,
    at: String,
    seconds: f64,
}

fn import_sample(
    log: &Log,
    sample: &Value,
    place: &str,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    let id = words(&sample["id"]);
    // Before a run is begun: an entry that is no sample must leave nothing behind.
    if id.is_empty() || !sample["messages"].is_array() {
        return Err(ImportError::content("it is no sample of an Inspect log", place));
    }
    let started = text(sample, "started_at").map(moment).unwrap_or_default();
    let finished = text(sample, "completed_at").map(moment).unwrap_or_default();
    let mut head = RunHead { agent: log.model.clone(), started, ..RunHead::new("", "", place) };
    head.task = TaskRef { set: log.task.clone(), id };
    let mut writer = sink.begin(head)?;
    writer.about(|record| {
        record.facts.clone_from(&log.facts);
        if let Some(epoch) = sample["epoch"].as_u64() {
            record.facts.insert("epoch".to_owned(), epoch.into());
        }
        record.scores = scores_of(sample);
    });
    // The first is called as it was before epochs were told apart.
    if let Some(epoch) = sample["epoch"].as_u64().filter(|epoch| *epoch > 1) {
        writer.tell_apart(&format!("epoch {epoch}"));
    }
    // Messages say nothing of time and usage; the events of the same answers do.
    let told = told_by_events(sample);
    let mut conversation = Conversation::default();
    for message in items(sample, "messages") {
        take(message, sample, &told, &mut conversation, &mut writer, place)?;
    }
    conversation.end_turn(&mut writer)?;
    let outcome = outcome_of(sample);
    if writer.is_empty() {
        let Some((Outcome::Failed(why), _)) = &outcome else {
            sink.report.skip(place, "the sample holds no answer of a model");
            // The writer is dropped without being finished, and with it what it wrote.
            return Ok(());
        };
        // What failed before its first answer was tried, and counts.
        writer.error(why.clone())?;
    }
    let end = RunEnd {
        outcome,
        finished,
        usage: total_usage(sample),
        seconds: sample["total_time"].as_f64(),
        ..RunEnd::default()
    };
    sink.finish(writer, end)
}

fn take(
    message: &Value,
    sample: &Value,
    told: &BTreeMap<String, EventUsage>,
    conversation: &mut Conversation,
    writer: &mut RunWriter,
    place: &str,
) -> Result<(), ImportError> {
    let content = Content::of(&message["content"], sample, writer, place)?;
    match message["role"].as_str() {
        Some("assistant") => {
            let told = text(message, "id").and_then(|id| told.get(id));
            let calls = items(message, "tool_calls").iter().map(|call| AskedCall {
                id: words(&call["id"]),
                name: text(call, "function").unwrap_or_default().to_owned(),
                // Long texts lie beside the messages, known by a hash.
                arguments: resolved(arguments_of(call.get("arguments")), sample),
                outcome: None,
            });
            let answer = Answer {
                at: told.map(|told| told.at.clone()).unwrap_or_default(),
                text: content.text,
                calls: calls.collect(),
                usage: told.and_then(|told| told.usage),
                seconds: told.map_or(0.0, |told| told.seconds),
                model: text(message, "model").map(str::to_owned),
                ..Answer::default()
            };
            conversation.answer(writer, answer)
        }
        Some("tool") => {
            // An error is an object with a message, or a plain text.
            let error = &message["error"];
            let error = text(error, "message").map(str::to_owned).or_else(|| {
                (!error.is_null()).then(|| words(error)).filter(|error| !error.is_empty())
            });
            let result = ToolResult {
                call_id: words(&message["tool_call_id"]),
                text: content.text,
                image: content.image,
                error,
                ..ToolResult::default()
            };
            conversation.result(writer, result, place);
            Ok(())
        }
        Some("user") => {
            // Before the words: a picture that comes with them is what the last call led to.
            conversation.shown(writer, content.image);
            conversation.told(writer, &content.text)
        }
        // What the system says is not what is asked.
        _ => Ok(()),
    }
}

/// The words and the last picture of a message.
struct Content {
    text: String,
    image: Option<ImageRef>,
}

impl Content {
    fn of(
        content: &Value,
        sample: &Value,
        writer: &mut RunWriter,
        place: &str,
    ) -> Result<Self, ImportError> {
        let mut parts: Vec<String> = Vec::new();
        let mut image = None;
        match content {
            Value::String(text) => parts.push(attached(text, sample).to_owned()),
            Value::Array(list) => {
                for part in list {
                    match part["type"].as_str() {
                        Some("text") => parts.extend(
                            text(part, "text").map(|text| attached(text, sample).to_owned()),
                        ),
                        // Redacted reasoning is a cipher that nobody can read.
                        Some("reasoning") if part["redacted"] != true => {
                            parts.extend(
                                text(part, "reasoning")
                                    .map(|text| attached(text, sample).to_owned()),
                            );
                        }
                        Some("image") => {
                            let uri = attached(text(part, "image").unwrap_or_default(), sample);
                            match picture_data::from_data_uri(uri) {
                                Ok(bytes) => image = writer.picture(&bytes, place)?.or(image),
                                Err(why) => writer.warn(format!("{why}: {place}")),
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(Self { text: paragraphs(parts), image })
    }
}

/// What stands for a text, if it is a reference to an attachment.
fn attached<'a>(text: &'a str, sample: &'a Value) -> &'a str {
    let hash = text.strip_prefix("attachment://");
    hash.and_then(|hash| sample["attachments"].get(hash)?.as_str()).unwrap_or(text)
}

/// Arguments with attachments in their place.
fn resolved(mut arguments: Value, sample: &Value) -> Value {
    if let Some(fields) = arguments.as_object_mut() {
        for value in fields.values_mut() {
            if let Value::String(text) = value {
                *text = attached(text, sample).to_owned();
            }
        }
    }
    arguments
}

/// Tokens and times by the ids of the messages that model events brought.
fn told_by_events(sample: &Value) -> BTreeMap<String, EventUsage> {
    let mut told = BTreeMap::new();
    for event in items(sample, "events").iter().filter(|event| event["event"] == "model") {
        let output = &event["output"];
        let message = output["choices"].get(0).map(|choice| &choice["message"]);
        let Some(id) = message.and_then(|message| text(message, "id")) else { continue };
        let seconds = event["working_time"].as_f64().or_else(|| output["time"].as_f64());
        told.insert(
            id.to_owned(),
            EventUsage {
                usage: output.get("usage").and_then(usage_of),
                at: text(event, "timestamp").map(moment).unwrap_or_default(),
                seconds: seconds.unwrap_or(0.0),
            },
        );
    }
    told
}

/// Tokens of all models of a sample together.
fn total_usage(sample: &Value) -> Option<Usage> {
    let models = sample["model_usage"].as_object()?;
    let mut sum: Option<Usage> = None;
    for usage in models.values().filter_map(usage_of) {
        sum.get_or_insert_default().add(&usage);
    }
    sum
}

fn scores_of(sample: &Value) -> Map<String, Value> {
    let scores = sample["scores"].as_object();
    let named = scores.into_iter().flatten();
    named.map(|(name, score)| (name.clone(), score.get("value").unwrap_or(score).clone())).collect()
}

/// How it ended: an error, a limit, or neither.
fn outcome_of(sample: &Value) -> Option<(Outcome, String)> {
    if !sample["error"].is_null() {
        let error = &sample["error"];
        let said = text(error, "message").map_or_else(|| words(error), str::to_owned);
        return Some((Outcome::Failed(said), "error".to_owned()));
    }
    if !sample["limit"].is_null() {
        let limit = &sample["limit"];
        let said = text(limit, "type").map_or_else(|| words(limit), str::to_owned);
        return Some((Outcome::LimitReached(said.clone()), format!("limit: {said}")));
    }
    // Only samples that ran to their end are scored.
    (!scores_of(sample).is_empty()).then(|| (Outcome::Completed, "completed".to_owned()))
}
