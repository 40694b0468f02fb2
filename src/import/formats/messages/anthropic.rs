//! Logs of Anthropic's Messages API: what a model says, asks of tools and is given back stands in blocks.

use serde_json::Value;

use crate::import::conversation::{
    Answer, AskedCall, ToolResult, arguments_of, paragraphs, usage_of,
};
use crate::import::error::ImportError;
use crate::import::json::{text, words};
use crate::import::sink::Sink;
use crate::import::source::{Certainty, Source};
use crate::run::ImageRef;

use super::batch;
use super::dialect::{Chat, Dialect, Standing};
use super::log::{self, has_role, may_be_log};
use super::stream::{self, StreamShape};

static DIALECT: Dialect = Dialect {
    set: "anthropic",
    lists: &["messages"],
    is_message: |value| has_role(value, "content"),
    take,
    answer: |value| {
        let is_answer = value["type"] == "message" && value["role"] == "assistant";
        is_answer.then(|| vec![value.clone()])
    },
    is_of_model: |value| value["role"] == "assistant",
    streams: &STREAMS,
};

static STREAMS: [StreamShape; 1] = [stream::anthropic::SHAPE];

/// What only its streams have, bare or as JSON within a text.
const STREAM_MARKS: [&str; 4] = [
    "\"message_start\"",
    "\"content_block_delta\"",
    "{\\\"type\\\":\\\"message_start\\\"",
    "{\\\"type\\\": \\\"message_start\\\"",
];

/// Messages with the blocks that only this API has.
pub(in crate::import::formats) fn sniff(source: &Source) -> Option<Certainty> {
    let outline = source.outline()?;
    if batch::is_kept(outline, &["result", "params"])
        || log::is_capture(source, outline, &["/v1/messages"])
        || stream::is_kept(source, outline, &STREAMS, &STREAM_MARKS)
    {
        return Some(Certainty::Certain);
    }
    let outline = Some(outline).filter(|outline| may_be_log(outline, &DIALECT))?;
    let marks = ["\"tool_use\"", "\"tool_result\"", "\"stop_reason\"", "\"tool_use_id\""];
    if marks.iter().any(|mark| source.mentions(mark)) {
        return Some(Certainty::Certain);
    }
    // Elsewhere what the system says is a message.
    (outline.has("system") && outline.has("messages")).then_some(Certainty::Possible)
}

/// Imports a log.
pub(in crate::import::formats) fn import(
    source: &Source,
    sink: &mut Sink<'_>,
) -> Result<(), ImportError> {
    log::import(source, sink, &DIALECT)
}

fn take(message: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let blocks: Vec<Value> = match &message["content"] {
        Value::String(said) => vec![serde_json::json!({ "type": "text", "text": said })],
        Value::Array(blocks) => blocks.clone(),
        _ => Vec::new(),
    };
    if message["role"] == "assistant" {
        answer(message, &blocks, chat)
    } else {
        given(&blocks, chat)
    }
}

fn answer(message: &Value, blocks: &[Value], chat: &mut Chat<'_>) -> Result<(), ImportError> {
    // Thinking is kept as words of the answer; what was redacted has no text to keep.
    let said = blocks.iter().filter_map(|block| match block["type"].as_str()? {
        "text" => text(block, "text"),
        "thinking" => text(block, "thinking"),
        _ => None,
    });
    let calls = blocks.iter().filter(|block| {
        matches!(block["type"].as_str(), Some("tool_use" | "server_tool_use" | "mcp_tool_use"))
    });
    let calls = calls.map(|block| AskedCall {
        id: words(&block["id"]),
        name: text(block, "name").unwrap_or_default().to_owned(),
        arguments: arguments_of(block.get("input")),
        outcome: None,
    });
    let answer = Answer {
        // Transcripts have a line for each block, all with the id of the answer.
        id: text(message, "id").filter(|_| chat.standing == Standing::Line).map(str::to_owned),
        at: chat.at.to_owned(),
        text: paragraphs(said),
        calls: calls.collect(),
        usage: message.get("usage").and_then(usage_of),
        model: text(message, "model").map(str::to_owned),
        ..Answer::default()
    };
    *chat.stop = text(message, "stop_reason").map(str::to_owned);
    // An answer may still wait for more of its items: this message shows that it has them all.
    chat.end_answer()?;
    chat.conversation.answer(chat.writer, answer)?;
    // What the provider's own tools gave back stands in the answer itself.
    for block in blocks.iter().filter(|block| block.get("tool_use_id").is_some()) {
        result(block, chat)?;
    }
    Ok(())
}

fn given(blocks: &[Value], chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let mut said: Vec<String> = Vec::new();
    let mut image = None;
    for block in blocks {
        match block["type"].as_str() {
            Some("tool_result") => result(block, chat)?,
            Some("text") => said.extend(text(block, "text").map(str::to_owned)),
            Some("image") => image = picture(block, chat)?.or(image),
            _ => {}
        }
    }
    chat.told(&paragraphs(said), image)
}

fn result(block: &Value, chat: &mut Chat<'_>) -> Result<(), ImportError> {
    let (mut said, mut image): (Vec<String>, _) = (Vec::new(), None);
    match &block["content"] {
        Value::String(text) => said.push(text.clone()),
        Value::Array(parts) => {
            for part in parts {
                match part["type"].as_str() {
                    Some("text") => said.extend(text(part, "text").map(str::to_owned)),
                    // A picture that cannot be read does not take the place of one before that could.
                    Some("image") => image = picture(part, chat)?.or(image),
                    _ => said.push(words(part)),
                }
            }
        }
        Value::Null => {}
        other => said.push(words(other)),
    }
    let said = paragraphs(said);
    let failed = block["is_error"] == true;
    // A failed call needs a reason to be shown as failed at all.
    let reason = if said.is_empty() { "the log gives no reason".to_owned() } else { said.clone() };
    let result = ToolResult {
        call_id: words(&block["tool_use_id"]),
        text: said,
        image,
        error: failed.then_some(reason),
        ..ToolResult::default()
    };
    chat.conversation.result(chat.writer, result, chat.place);
    Ok(())
}

fn picture(block: &Value, chat: &mut Chat<'_>) -> Result<Option<ImageRef>, ImportError> {
    let source = &block["source"];
    match (source["type"].as_str(), text(source, "data")) {
        (Some("base64"), Some(data)) => chat.picture_of_base64(data),
        _ => chat.picture_of_uri(text(source, "url").unwrap_or("a picture without data")),
    }
}
