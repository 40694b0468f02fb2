//! Writing a request.

use serde_json::{Map, Value, json};

use crate::agent::chat::{
    AssistantMessage, CallRequest, ChatRequest, ChatTool, Message, Part, ToolResult,
};

use crate::agent::providers::api::{Delivery, add, data_url, object, own_items};

/// The provider's name in items and identities.
pub(super) const NAME: &str = "chat_completions";

/// What the limit of tokens is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::agent::providers) enum TokensField {
    /// `max_tokens`, which every server knows.
    MaxTokens,
    /// `max_completion_tokens`, which OpenAI itself wants for models that reason.
    MaxCompletionTokens,
}

pub(super) fn body(
    request: &ChatRequest,
    delivery: Delivery,
    tokens_field: TokensField,
) -> Map<String, Value> {
    let settings = &request.settings;
    let tokens_field = match tokens_field {
        TokensField::MaxTokens => "max_tokens",
        TokensField::MaxCompletionTokens => "max_completion_tokens",
    };
    let mut body = object([
        ("model", json!(settings.model)),
        ("messages", Value::Array(messages(request))),
        (tokens_field, json!(settings.max_tokens)),
        ("stream", json!(delivery == Delivery::Streamed)),
    ]);
    // Streams say nothing of their tokens unless they are asked.
    if delivery == Delivery::Streamed {
        add(&mut body, "stream_options", json!({ "include_usage": true }));
    }
    if let Some(temperature) = settings.temperature {
        add(&mut body, "temperature", json!(temperature));
    }
    if !request.tools.is_empty() {
        add(&mut body, "tools", request.tools.iter().map(tool).collect());
        // Said only where it is not so by itself: many servers do not know the field.
        if !settings.parallel_calls {
            add(&mut body, "parallel_tool_calls", json!(false));
        }
    }
    body
}

fn tool(tool: &ChatTool) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.schema,
        },
    })
}

fn messages(request: &ChatRequest) -> Vec<Value> {
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(json!({ "role": "system", "content": request.system }));
    }
    // What the user says is held back until somebody else speaks: templates of many models want
    // the roles in turn.
    let mut said = Vec::new();
    for message in &request.messages {
        match message {
            Message::User(parts) => said.extend(parts.iter().map(part)),
            Message::Assistant(message) => {
                messages.extend(user(&mut said));
                messages.push(assistant(message));
            }
            Message::ToolResults(results) => {
                messages.extend(user(&mut said));
                messages.extend(results.iter().map(result));
                said.extend(results.iter().flat_map(shown));
            }
        }
    }
    messages.extend(user(&mut said));
    messages
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Picture(png) => picture(png),
    }
}

fn picture(png: &[u8]) -> Value {
    json!({ "type": "image_url", "image_url": { "url": data_url(png) } })
}

/// What the user said; a plain text where it is one, for servers that know no parts.
fn user(said: &mut Vec<Value>) -> Option<Value> {
    let parts = std::mem::take(said);
    let content = match parts.as_slice() {
        [] => return None,
        [only] => only.get("text").cloned(),
        _ => None,
    };
    let content = content.unwrap_or(Value::Array(parts));
    Some(json!({ "role": "user", "content": content }))
}

fn assistant(message: &AssistantMessage) -> Value {
    let mut fields = object([("role", json!("assistant"))]);
    let has_calls = !message.calls.is_empty();
    let content =
        if message.text.is_empty() && has_calls { json!(null) } else { json!(message.text) };
    add(&mut fields, "content", content);
    if has_calls {
        add(&mut fields, "tool_calls", message.calls.iter().map(call).collect());
    }
    if let Some(Value::Object(own)) = own_items(message, NAME) {
        fields.extend(own.clone());
    }
    Value::Object(fields)
}

pub(super) fn call(call: &CallRequest) -> Value {
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": call.arguments_text() },
    })
}

fn result(result: &ToolResult) -> Value {
    json!({ "role": "tool", "tool_call_id": result.call_id, "content": result.text })
}

/// The picture of a result, which a tool's message cannot hold, as something the user shows.
fn shown(result: &ToolResult) -> Vec<Value> {
    let Some(png) = &result.picture else { return Vec::new() };
    let whose = format!("The picture that {} returned ({}):", result.name, result.call_id);
    vec![json!({ "type": "text", "text": whose }), picture(png)]
}
