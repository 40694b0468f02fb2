//! Logs of OpenAI's APIs, and of the many that speak as they do: Chat Completions with messages, Responses
//! with items, of which those that follow each other without anything in between are one answer.

use serde_json::{Value, json};

use crate::import::conversation::{
    Answer, AskedCall, ToolResult, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{items, text, words};
use crate::import::sink::Sink;
use crate::import::source::{Certainty, Source};
use crate::run::ImageRef;

use super::messages::{self, Chat, Dialect, has_role, may_be_log};

static DIALECT: Dialect = Dialect {
    set: "openai",
    lists: &["messages", "input"],
    is_message: |value| {
        // An answer may have no content but calls.
        has_role(value, "content") || has_role(value, "tool_calls") || is_item(value)
    },
    take,
    answer,
};

/// Messages or items with what only these APIs have; plain messages, if nobody knows them better.
pub(super) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline().filter(|outline| may_be_log(outline, &DIALECT))?;
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
    ];
    if marks.iter().any(|mark| source.mentions(mark)) {
        return Some(Certainty::Certain);
    }
    let is_plain = (outline.has("role") && outline.has("content")) || outline.has("messages");
    (is_plain && source.mentions("\"assistant\"")).then_some(Certainty::Possible)
}

/// Imports a log.
pub(super) fn import(source: &Source, sink: &mut Sink<'_>) -> Result<(), ImportError> {
    messages::import(source, sink, &DIALECT)
}

/// Whether it is an item of the Responses API.
fn is_item(value: &Value) -> bool {
    matches!(
        value["type"].as_str(),
        Some(
            "function_call"
                | "function_call_output"
                | "computer_call"
                | "computer_call_output"
                | "custom_tool_call"
                | "custom_tool_call_output"
                | "reasoning"
        )
    ) || (value["type"] == "message" && value.get("role").is_some())
}

/// The messages of an answer, with what it cost and said of itself.
fn answer(value: &Value) -> Option<Vec<Value>> {
    // Chat completions: one choice is taken, as a conversation can only have gone on from one.
    if let Some(choice) = items(value, "choices").first() {
        let mut message = choice.get("message")?.clone();
        let fields = message.as_object_mut()?;
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
    // What is said of the whole answer goes with its last item.
    if let Some(fields) = messages.last_mut().and_then(Value::as_object_mut) {
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

fn take(message: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    match (message["type"].as_str(), message["role"].as_str()) {
        (Some("function_call_output" | "computer_call_output" | "custom_tool_call_output"), _) => {
            // A screenshot comes as one object and is read as a list of one.
            let output = if message["output"].is_object() {
                json!([message["output"]])
            } else {
                message["output"].clone()
            };
            result(&message["call_id"], &output, chat)
        }
        (Some("function_call" | "computer_call" | "custom_tool_call" | "reasoning"), _) => {
            item(message, chat)
        }
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
        });
    }
    *chat.stop = text(message, "finish_reason").map(str::to_owned);
    let answer = Answer {
        text: paragraphs([thought.unwrap_or_default(), &said, refusal]),
        calls,
        usage: message.get("usage").and_then(usage_of),
        model: text(message, "model").map(str::to_owned),
        ..Answer::default()
    };
    chat.conversation.answer(chat.writer, answer)
}

/// An item of an answer of the Responses API.
fn item(item: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let (mut said, mut call) = (String::new(), None);
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
        _ => {
            let arguments = item.get("arguments").or_else(|| item.get("input"));
            call = Some((words(&item["name"]), arguments_of(arguments)));
        }
    }
    let pending = chat.pending.get_or_insert_default();
    pending.text = paragraphs([std::mem::take(&mut pending.text), said]);
    if let Some((name, arguments)) = call {
        let id = text(item, "call_id").or_else(|| text(item, "id")).unwrap_or_default();
        pending.calls.push(AskedCall { id: id.to_owned(), name, arguments });
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

fn result(id: &Value, output: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    chat.end_answer()?;
    let (said, image) = content(output, chat)?;
    let result = ToolResult { call_id: words(id), text: said, image, ..ToolResult::default() };
    chat.conversation.result(chat.writer, result, chat.place);
    Ok(())
}

/// The words and the last picture of a message.
fn content(
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
        if let Some(uri) = uri {
            image = chat.picture_of_uri(uri)?.or(image);
        } else if let Some(words) =
            text(part, "text").or_else(|| text(part, "refusal")).or_else(|| part.as_str())
        {
            said.push(words.to_owned());
        }
    }
    Ok((paragraphs(said), image))
}
