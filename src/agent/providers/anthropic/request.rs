//! Writing a request.

use serde_json::{Map, Value, json};

use crate::agent::chat::{AssistantMessage, ChatRequest, ChatTool, Message, Part, ToolResult};

use crate::agent::providers::api::{Delivery, add, base64_of, in_turn, object, own_items};

/// The provider's name in items and identities.
pub(super) const NAME: &str = "anthropic";

pub(super) fn body(
    request: &ChatRequest,
    delivery: Delivery,
    cache_prompts: bool,
) -> Map<String, Value> {
    let settings = &request.settings;
    let mut messages = messages(&request.messages);
    if cache_prompts {
        mark_last_block(&mut messages);
    }
    let mut body = object([
        ("model", json!(settings.model)),
        ("max_tokens", json!(settings.max_tokens)),
        ("messages", Value::Array(messages)),
        ("stream", json!(delivery == Delivery::Streamed)),
    ]);
    // A system of blanks alone is refused as any blank text is.
    if !request.system.trim().is_empty() {
        add(&mut body, "system", json!(request.system));
    }
    if let Some(temperature) = settings.temperature {
        add(&mut body, "temperature", json!(temperature));
    }
    if !request.tools.is_empty() {
        add(&mut body, "tools", request.tools.iter().map(tool).collect());
        if !settings.parallel_calls {
            let one_by_one = json!({ "type": "auto", "disable_parallel_tool_use": true });
            add(&mut body, "tool_choice", one_by_one);
        }
    }
    body
}

fn tool(tool: &ChatTool) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema })
}

fn messages(said: &[Message]) -> Vec<Value> {
    let said = said.iter().map(|message| match message {
        Message::User(parts) => ("user", parts.iter().filter_map(part).collect()),
        Message::Assistant(message) => ("assistant", assistant(message)),
        Message::ToolResults(results) => ("user", results.iter().map(result).collect()),
    });
    in_turn(said)
}

fn part(part: &Part) -> Option<Value> {
    match part {
        Part::Text(text) => words(text),
        Part::Picture(png) => Some(picture(png)),
    }
}

/// A block of text; none of blanks alone, which the API refuses.
fn words(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({ "type": "text", "text": text }))
}

fn picture(png: &[u8]) -> Value {
    json!({
        "type": "image",
        "source": { "type": "base64", "media_type": "image/png", "data": base64_of(png) },
    })
}

fn assistant(message: &AssistantMessage) -> Vec<Value> {
    if let Some(Value::Array(blocks)) = own_items(message, NAME) {
        return blocks.clone();
    }
    let calls = message.calls.iter().map(|call| {
        // Arguments that were malformed cannot be sent as what they were: the result says what was
        // wrong.
        let input = call.arguments.clone().unwrap_or_default();
        json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
    });
    words(&message.text).into_iter().chain(calls).collect()
}

fn result(result: &ToolResult) -> Value {
    let picture = result.picture.as_deref().map(picture);
    let content: Vec<Value> = words(&result.text).into_iter().chain(picture).collect();
    let mut fields = object([
        ("type", json!("tool_result")),
        ("tool_use_id", json!(result.call_id)),
        ("content", Value::Array(content)),
    ]);
    if result.failed {
        add(&mut fields, "is_error", json!(true));
    }
    Value::Object(fields)
}

/// Everything up to the last block is kept for the next request.
fn mark_last_block(messages: &mut [Value]) {
    let content = messages.last_mut().and_then(|message| message.get_mut("content"));
    let block = content.and_then(Value::as_array_mut).and_then(|blocks| blocks.last_mut());
    if let Some(Value::Object(block)) = block {
        block.insert("cache_control".to_owned(), json!({ "type": "ephemeral" }));
    }
}
