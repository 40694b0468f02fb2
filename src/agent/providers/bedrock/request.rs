//! Writing a request.

use serde_json::{Map, Value, json};

use crate::agent::chat::{AssistantMessage, ChatRequest, ChatTool, Message, Part, ToolResult};

use crate::agent::providers::api::{add, base64_of, in_turn, object, own_items};

/// The provider's name in items and identities.
pub(super) const NAME: &str = "bedrock";

pub(super) fn body(request: &ChatRequest, cache_prompts: bool) -> Map<String, Value> {
    let settings = &request.settings;
    let mut messages = messages(&request.messages);
    if cache_prompts {
        mark_end(&mut messages);
    }
    let mut inference = object([("maxTokens", json!(settings.max_tokens))]);
    if let Some(temperature) = settings.temperature {
        add(&mut inference, "temperature", json!(temperature));
    }
    let mut body = object([
        ("messages", Value::Array(messages)),
        ("inferenceConfig", Value::Object(inference)),
    ]);
    // Blank texts are refused, wherever they stand.
    if !request.system.trim().is_empty() {
        add(&mut body, "system", json!([{ "text": request.system }]));
    }
    if !request.tools.is_empty() {
        let tools: Vec<Value> = request.tools.iter().map(tool).collect();
        add(&mut body, "toolConfig", json!({ "tools": tools }));
    }
    body
}

fn tool(tool: &ChatTool) -> Value {
    let schema = json!({ "json": tool.schema });
    let mut spec = object([("name", json!(tool.name)), ("inputSchema", schema)]);
    // One of no characters is refused.
    if !tool.description.is_empty() {
        add(&mut spec, "description", json!(tool.description));
    }
    json!({ "toolSpec": spec })
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
    (!text.trim().is_empty()).then(|| json!({ "text": text }))
}

fn picture(png: &[u8]) -> Value {
    json!({ "image": { "format": "png", "source": { "bytes": base64_of(png) } } })
}

fn assistant(message: &AssistantMessage) -> Vec<Value> {
    if let Some(Value::Array(blocks)) = own_items(message, NAME) {
        return blocks.clone();
    }
    let calls = message.calls.iter().map(|call| {
        // Arguments that were malformed cannot be sent as what they were: the result says what was
        // wrong.
        let input = call.arguments.clone().unwrap_or_default();
        json!({ "toolUse": { "toolUseId": call.id, "name": call.name, "input": input } })
    });
    words(&message.text).into_iter().chain(calls).collect()
}

fn result(result: &ToolResult) -> Value {
    let picture = result.picture.as_deref().map(picture);
    let content: Vec<Value> = words(&result.text).into_iter().chain(picture).collect();
    let mut fields =
        object([("toolUseId", json!(result.call_id)), ("content", Value::Array(content))]);
    if result.failed {
        add(&mut fields, "status", json!("error"));
    }
    json!({ "toolResult": fields })
}

/// Everything up to here is kept for the next request.
fn mark_end(messages: &mut [Value]) {
    let content = messages.last_mut().and_then(|message| message.get_mut("content"));
    if let Some(Value::Array(blocks)) = content {
        blocks.push(json!({ "cachePoint": { "type": "default" } }));
    }
}
