//! Logs of Gemini's API: contents with parts, in the names of its JSON and in those of its Python library.

use serde_json::Value;

use crate::import::conversation::{
    Answer, AskedCall, ToolResult, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{items, text, words};
use crate::import::sink::{OutcomeRecord, Sink};
use crate::import::source::{Certainty, Source};
use crate::run::ImageRef;

use super::dialect::{Chat, Dialect};
use super::log::{self, has_role, may_be_log};
use super::stream::{self, StreamShape};

/// Under what a content says how many other answers its request had, which are not taken in.
const OTHER_CANDIDATES: &str = "other_candidates";

static DIALECT: Dialect = Dialect {
    set: "gemini",
    lists: &["contents", "history"],
    is_message: |value| has_role(value, "parts"),
    take,
    answer,
    is_of_model: |value| value["role"] == "model",
    streams: &STREAMS,
};

static STREAMS: [StreamShape; 1] = [stream::gemini::SHAPE];

/// What only its answers have, bare or as JSON within a text.
const STREAM_MARKS: [&str; 2] = ["\"candidates\"", "\\\"candidates\\\""];

/// Contents with parts.
pub(in crate::import::formats) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    let parts = ["\"parts\"", "\\\"parts\\\""];
    if log::is_capture(source, outline, &[":generateContent", ":streamGenerateContent"])
        || (stream::is_kept(source, outline, &STREAMS, &STREAM_MARKS)
            && parts.iter().any(|mark| source.mentions(mark)))
    {
        return Some(Certainty::Certain);
    }
    let outline = Some(outline).filter(|outline| may_be_log(outline, &DIALECT))?;
    let is_parts = outline.has("contents")
        || outline.has("candidates")
        || (outline.has("role") && outline.has("parts"));
    let is_exchange = outline.has("request") && source.mentions("\"contents\"");
    ((is_parts || is_exchange) && source.mentions("\"parts\"")).then_some(Certainty::Certain)
}

/// Imports a log.
pub(in crate::import::formats) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    log::import(source, sink, &DIALECT)
}

/// What stands under either of two names.
fn either<'a>(value: &'a Value, names: [&str; 2]) -> Option<&'a Value> {
    names.iter().find_map(|name| value.get(*name).filter(|it| !it.is_null()))
}

fn answer(value: &Value) -> Option<Vec<Value>> {
    let [candidate, others @ ..] = items(value, "candidates") else { return None };
    let mut content = candidate.get("content")?.clone();
    let fields = content.as_object_mut()?;
    if !others.is_empty() {
        fields.insert(OTHER_CANDIDATES.to_owned(), others.len().into());
    }
    fields.entry("role").or_insert_with(|| "model".into());
    let about = [
        ("usage", either(value, ["usageMetadata", "usage_metadata"])),
        ("model", either(value, ["modelVersion", "model_version"])),
        ("finish_reason", either(candidate, ["finishReason", "finish_reason"])),
    ];
    for (name, said) in about {
        if let Some(said) = said {
            fields.insert(name.to_owned(), said.clone());
        }
    }
    Some(vec![content])
}

fn take(message: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let parts = items(message, "parts");
    if message["role"] == "model" { said(message, parts, chat) } else { given(parts, chat) }
}

fn said(message: &Value, parts: &[Value], chat: &mut Chat<'_>) -> Result<(), ImportError> {
    chat.leave_out_others(&message[OTHER_CANDIDATES]);
    let (mut calls, mut image) = (Vec::new(), None);
    for part in parts {
        if let Some(call) = either(part, ["functionCall", "function_call"]) {
            calls.push(AskedCall {
                // Only newer versions give calls ids; without them results are told by their order.
                id: words(&call["id"]),
                name: text(call, "name").unwrap_or_default().to_owned(),
                arguments: arguments_of(call.get("args")),
                outcome: None,
            });
        } else if let Some(code) = either(part, ["executableCode", "executable_code"]) {
            let name = "code_execution".to_owned();
            let arguments = arguments_of(Some(code));
            calls.push(AskedCall { name, arguments, ..AskedCall::default() });
        } else if let Some(result) = either(part, ["codeExecutionResult", "code_execution_result"])
            && let Some(call) = calls.last_mut()
        {
            call.outcome = Some(executed(result));
        } else if let Some(data) = either(part, ["inlineData", "inline_data"]) {
            image = picture(data, chat)?.or(image);
        }
    }
    let stop = text(message, "finish_reason").map(|stop| {
        // The Python library writes the name of its enum before it.
        stop.rsplit('.').next().unwrap_or(stop).to_owned()
    });
    *chat.stop = stop;
    let answer = Answer {
        text: words_of(parts),
        calls,
        at: chat.at.to_owned(),
        usage: message.get("usage").and_then(usage_of),
        model: text(message, "model").map(str::to_owned),
        ..Answer::default()
    };
    chat.conversation.answer(chat.writer, answer)?;
    // A picture that the model drew.
    chat.conversation.shown(chat.writer, image);
    Ok(())
}

/// The words of an answer: parts of one kind go on where the one before ended.
fn words_of(parts: &[Value]) -> String {
    let (mut said, mut was_thought) = (String::new(), None);
    for part in parts {
        let Some(text) = text(part, "text") else { continue };
        let is_thought = part["thought"] == true;
        if was_thought.is_some_and(|was_thought| was_thought != is_thought) {
            said.push_str("\n\n");
        }
        said.push_str(text);
        was_thought = Some(is_thought);
    }
    said
}

/// What came of code that the provider ran.
fn executed(result: &Value) -> OutcomeRecord {
    let said = text(result, "output").unwrap_or_default().to_owned();
    let is_failed = text(result, "outcome").is_some_and(|it| !it.ends_with("OK"));
    OutcomeRecord {
        error: is_failed
            .then(|| if said.is_empty() { words(&result["outcome"]) } else { said.clone() }),
        text: said,
        ..OutcomeRecord::default()
    }
}

fn given(parts: &[Value], chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let (mut words_said, mut image) = (Vec::new(), None);
    for part in parts {
        if let Some(response) = either(part, ["functionResponse", "function_response"]) {
            result(response, chat)?;
        } else if let Some(data) = either(part, ["inlineData", "inline_data"]) {
            image = picture(data, chat)?.or(image);
        } else if let Some(said) = text(part, "text") {
            words_said.push(said.to_owned());
        }
    }
    chat.told(&paragraphs(words_said), image)
}

fn result(response: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let body = &response["response"];
    let mut image = None;
    // Pictures that a function gives back stand in parts of their own.
    for part in items(response, "parts") {
        if let Some(data) = either(part, ["inlineData", "inline_data"]) {
            image = picture(data, chat)?.or(image);
        }
    }
    let plain = ["output", "result", "content"].iter().find_map(|name| text(body, name));
    let result = ToolResult {
        call_id: words(&response["id"]),
        text: plain.map_or_else(|| words(body), str::to_owned),
        structured: body.is_object().then(|| body.clone()),
        error: body.get("error").filter(|error| !error.is_null()).map(words),
        image,
        ..ToolResult::default()
    };
    chat.conversation.result(chat.writer, result, chat.place);
    Ok(())
}

fn picture(data: &Value, chat: &mut Chat<'_>) -> Result<Option<ImageRef>, ImportError> {
    let kind = either(data, ["mimeType", "mime_type"]).map(words).unwrap_or_default();
    // Sound and documents are no pictures.
    if !kind.is_empty() && !kind.starts_with("image/") {
        return Ok(None);
    }
    chat.picture_of_base64(text(data, "data").unwrap_or_default())
}
