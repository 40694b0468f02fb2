//! Logs of OpenAI's APIs, and of the many that speak as they do: Chat Completions with messages, Responses
//! with items, of which those that follow each other without anything in between are one answer.

use serde_json::{Value, json};

use crate::import::conversation::{
    Answer, AskedCall, ToolResult, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{items, text, words};
use crate::import::sink::{OutcomeRecord, Sink};
use crate::import::source::{Certainty, Source};
use crate::run::ImageRef;

use super::batch;
use super::dialect::{Chat, Dialect};
use super::log::{self, has_role, may_be_log};
use super::stream::{self, StreamShape};

/// Under what stands what came of a tool that the provider ran.
const GIVEN: [&str; 4] = ["output", "outputs", "result", "results"];

/// Under what a message says how many other answers its request had, which are not taken in.
const OTHER_CHOICES: &str = "other_choices";

static DIALECT: Dialect = Dialect {
    set: "openai",
    lists: &["messages", "input"],
    is_message: |value| {
        // An answer may have no content but calls.
        has_role(value, "content") || has_role(value, "tool_calls") || is_item(value)
    },
    take,
    answer,
    is_of_model,
    streams: &STREAMS,
};

static STREAMS: [StreamShape; 2] = [stream::chat::SHAPE, stream::responses::SHAPE];

/// What only its streams have, bare or as JSON within a text.
const STREAM_MARKS: [&str; 6] = [
    "\"chat.completion.chunk\"",
    "\\\"chat.completion.chunk\\\"",
    "\"response.created\"",
    "\\\"response.created\\\"",
    "\"response.output_item.done\"",
    "\"response.output_text.delta\"",
];

/// Messages or items with what only these APIs have; plain messages, if nobody knows them better.
pub(in crate::import::formats) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    if batch::is_kept(outline, &["response", "body", "error"])
        || log::is_capture(source, outline, &["/chat/completions", "/responses"])
        || stream::is_kept(source, outline, &STREAMS, &STREAM_MARKS)
    {
        return Some(Certainty::Certain);
    }
    let outline = Some(outline).filter(|outline| may_be_log(outline, &DIALECT))?;
    let marks = [
        "\"tool_calls\"",
        "\"choices\"",
        "\"image_url\"",
        "\"function_call\"",
        "\"function_call_output\"",
        "\"computer_call\"",
        "\"output_text\"",
        "\"input_text\"",
        "\"tool_call_id\"",
        "\"image_generation_call\"",
        "\"previous_response_id\"",
    ];
    if marks.iter().any(|mark| source.mentions(mark)) {
        return Some(Certainty::Certain);
    }
    let is_plain = (outline.has("role") && outline.has("content")) || outline.has("messages");
    (is_plain && source.mentions("\"assistant\"")).then_some(Certainty::Possible)
}

/// Imports a log.
pub(in crate::import::formats) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    log::import(source, sink, &DIALECT)
}

/// Whether it is an item of the Responses API. There are as many kinds of calls as it has tools.
fn is_item(value: &Value) -> bool {
    value["type"].as_str().is_some_and(|kind| match kind {
        "reasoning" => true,
        "message" => value.get("role").is_some(),
        _ => kind.ends_with("_call") || kind.ends_with("_call_output"),
    })
}

fn is_of_model(value: &Value) -> bool {
    let kind = value["type"].as_str().unwrap_or_default();
    value["role"] == "assistant" || kind == "reasoning" || kind.ends_with("_call")
}

/// The messages of an answer, with what it cost and said of itself.
fn answer(value: &Value) -> Option<Vec<Value>> {
    // Chat completions: one choice is taken, as a conversation can only have gone on from one.
    if let [choice, others @ ..] = items(value, "choices") {
        let mut message = choice.get("message")?.clone();
        let fields = message.as_object_mut()?;
        if !others.is_empty() {
            fields.insert(OTHER_CHOICES.to_owned(), json!(others.len()));
        }
        let about = [
            ("usage", value.get("usage")),
            ("model", value.get("model")),
            ("finish_reason", choice.get("finish_reason")),
        ];
        for (name, said) in about {
            if let Some(said) = said.filter(|said| !said.is_null()) {
                fields.insert(name.to_owned(), said.clone());
            }
        }
        return Some(vec![message]);
    }
    // Responses: a list of items, each of which stands by itself in the next request.
    let output = value.get("output")?.as_array()?;
    let mut messages = output.clone();
    // What is said of the whole answer goes with its last item; there are others that are not read.
    let last = messages.iter().rposition(is_of_model).unwrap_or(messages.len().saturating_sub(1));
    if let Some(fields) = messages.get_mut(last).and_then(Value::as_object_mut) {
        // Why it is incomplete says more than that it is.
        let incomplete = text(&value["incomplete_details"], "reason").map(|reason| json!(reason));
        let about = [
            ("usage", value.get("usage").cloned()),
            ("model", value.get("model").cloned()),
            ("finish_reason", incomplete.or_else(|| value.get("status").cloned())),
        ];
        for (name, said) in about {
            if let Some(said) = said.filter(|said| !said.is_null()) {
                fields.insert(name.to_owned(), said);
            }
        }
    }
    (!messages.is_empty()).then_some(messages)
}

/// Takes a message, or an item.
pub(super) fn take(message: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    match (message["type"].as_str(), message["role"].as_str()) {
        (Some(kind), _) if kind.ends_with("_call_output") => {
            // A screenshot comes as one object and is read as a list of one.
            let output = if message["output"].is_object() {
                json!([message["output"]])
            } else {
                message["output"].clone()
            };
            result(&message["call_id"], &output, chat)
        }
        (Some(kind), _) if kind == "reasoning" || kind.ends_with("_call") => item(message, chat),
        // An item of the other API, of which more may follow.
        (Some("message"), Some("assistant")) => item(message, chat),
        (_, Some("assistant")) => chat_answer(message, chat),
        (_, Some("tool" | "function")) => {
            let id = message.get("tool_call_id").unwrap_or(&Value::Null);
            result(id, &message["content"], chat)
        }
        (_, Some("user")) => {
            let (said, image) = content(&message["content"], chat)?;
            chat.told(&said, image)
        }
        // System and developer messages set the scene and are no part of the run.
        _ => Ok(()),
    }
}

fn chat_answer(message: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    chat.end_answer()?;
    chat.leave_out_others(&message[OTHER_CHOICES]);
    let (said, _) = content(&message["content"], chat)?;
    let thought = text(message, "reasoning_content").or_else(|| text(message, "reasoning"));
    let refusal = text(message, "refusal").unwrap_or_default();
    let mut calls: Vec<AskedCall> = items(message, "tool_calls")
        .iter()
        .map(|call| {
            // Custom tools take free text under `input` where functions take JSON under `arguments`.
            let function =
                if call["function"].is_object() { &call["function"] } else { &call["custom"] };
            AskedCall {
                id: words(&call["id"]),
                name: text(function, "name").unwrap_or_default().to_owned(),
                arguments: arguments_of(
                    function.get("arguments").or_else(|| function.get("input")),
                ),
                outcome: None,
            }
        })
        .collect();
    // As it was before there could be several.
    if let Some(call) = message.get("function_call").filter(|call| call.is_object()) {
        calls.push(AskedCall {
            // The interface of that time gave calls no id.
            id: String::new(),
            name: text(call, "name").unwrap_or_default().to_owned(),
            arguments: arguments_of(call.get("arguments")),
            outcome: None,
        });
    }
    *chat.stop = text(message, "finish_reason").map(str::to_owned);
    let answer = Answer {
        text: paragraphs([thought.unwrap_or_default(), &said, refusal]),
        calls,
        at: chat.at.to_owned(),
        usage: message.get("usage").and_then(usage_of),
        model: text(message, "model").map(str::to_owned),
        ..Answer::default()
    };
    chat.conversation.answer(chat.writer, answer)
}

/// An item of an answer of the Responses API.
fn item(item: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let (mut said, mut call, mut outcome) = (String::new(), None, None);
    match item["type"].as_str() {
        Some("reasoning") => {
            let parts = items(item, "summary").iter().chain(items(item, "content"));
            said = paragraphs(parts.filter_map(|part| text(part, "text")));
        }
        Some("message") => said = content(&item["content"], chat)?.0,
        Some("computer_call") => {
            let actions = match item["actions"].as_array() {
                Some(actions) => actions.clone(),
                None => vec![item["action"].clone()],
            };
            // Several at once are carried out as one, and answered by one screenshot.
            let arguments = match actions.as_slice() {
                [one] => one.clone(),
                _ => json!({ "actions": actions }),
            };
            let name = text(&arguments, "type").unwrap_or("computer").to_owned();
            call = Some((name, arguments_of(Some(&arguments))));
        }
        Some("function_call" | "custom_tool_call") => {
            let arguments = item.get("arguments").or_else(|| item.get("input"));
            call = Some((words(&item["name"]), arguments_of(arguments)));
        }
        // A tool that the provider has, and may have run itself.
        kind => {
            let kind = kind.unwrap_or_default().trim_end_matches("_call");
            let name = text(item, "name").unwrap_or(kind).to_owned();
            call = Some((name, asked_of_provider(item)));
            outcome = given_by_provider(item, chat)?;
        }
    }
    let at = chat.at;
    let pending =
        chat.pending.get_or_insert_with(|| Answer { at: at.to_owned(), ..Answer::default() });
    pending.text = paragraphs([std::mem::take(&mut pending.text), said]);
    if let Some((name, arguments)) = call {
        let id = text(item, "call_id").or_else(|| text(item, "id")).unwrap_or_default();
        pending.calls.push(AskedCall { id: id.to_owned(), name, arguments, outcome });
    }
    if let Some(usage) = item.get("usage").and_then(usage_of) {
        pending.usage = Some(usage);
    }
    pending.model = text(item, "model").map(str::to_owned).or(pending.model.take());
    // What is said of the whole answer stands with its last item.
    if let Some(stop) = text(item, "finish_reason") {
        *chat.stop = Some(stop.to_owned());
        return chat.end_answer();
    }
    Ok(())
}

/// What a tool of the provider was asked: where no field holds it alone, all that are not about the call itself.
fn asked_of_provider(item: &Value) -> Value {
    if let Some(arguments) = item.get("arguments").or_else(|| item.get("action")) {
        return arguments_of(Some(arguments));
    }
    let mut fields = item.as_object().cloned().unwrap_or_default();
    let about = ["id", "call_id", "type", "name", "status", "usage", "model", "finish_reason"];
    fields.retain(|name, value| {
        !about.contains(&name.as_str())
            && !GIVEN.contains(&name.as_str())
            && name != "error"
            && !value.is_null()
    });
    Value::Object(fields)
}

/// What came of it, if the provider ran it: that stands in the call.
fn given_by_provider(
    item: &Value,
    chat: &mut Chat<'_>,
) -> Result<Option<OutcomeRecord>, ImportError> {
    let error = item.get("error").filter(|error| !error.is_null());
    let error =
        error.map(|error| text(error, "message").map_or_else(|| words(error), str::to_owned));
    let given = GIVEN.iter().find_map(|name| item.get(*name).filter(|it| !it.is_null()));
    let (said, image) = match given {
        Some(drawn) if item["type"] == "image_generation_call" => {
            (String::new(), chat.picture_of_base64(drawn.as_str().unwrap_or_default())?)
        }
        Some(given) => content(given, chat)?,
        None if error.is_none() => return Ok(None),
        None => (String::new(), None),
    };
    Ok(Some(OutcomeRecord { text: said, image, error, ..OutcomeRecord::default() }))
}

fn result(id: &Value, output: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    chat.end_answer()?;
    let (said, image) = content(output, chat)?;
    let result = ToolResult { call_id: words(id), text: said, image, ..ToolResult::default() };
    chat.conversation.result(chat.writer, result, chat.place);
    Ok(())
}

/// The words and the last picture of a message.
pub(super) fn content(
    content: &Value,
    chat: &mut Chat<'_>,
) -> Result<(String, Option<ImageRef>), ImportError> {
    let parts = match content {
        Value::Array(parts) => parts.as_slice(),
        Value::Null => &[],
        other => return Ok((words(other), None)),
    };
    let (mut said, mut image) = (Vec::new(), None);
    for part in parts {
        let uri = text(part, "image_url").or_else(|| text(&part["image_url"], "url"));
        // What code drew.
        let uri = uri.or_else(|| text(part, "url").filter(|_| part["type"] == "image"));
        if let Some(uri) = uri {
            image = chat.picture_of_uri(uri)?.or(image);
            continue;
        }
        // The last three are what programs printed.
        let names = ["text", "refusal", "logs", "stdout", "stderr"];
        said.extend(names.iter().filter_map(|name| text(part, name)).map(str::to_owned));
        said.extend(part.as_str().map(str::to_owned));
    }
    Ok((paragraphs(said), image))
}
