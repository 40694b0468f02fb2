//! Writing a request.

use serde_json::{Map, Value, json};

use crate::agent::chat::{AssistantMessage, ChatRequest, ChatTool, Message, Part, ToolResult};

use crate::agent::providers::api::{Delivery, add, data_url, object, own_items};

/// The provider's name in items and identities.
pub(super) const NAME: &str = "responses";

/// How the names of models begin that do not reason, and refuse to be asked for their reasoning.
const WITHOUT_REASONING: [&str; 3] = ["gpt-3", "gpt-4", "chatgpt-4"];

pub(super) fn body(request: &ChatRequest, delivery: Delivery) -> Map<String, Value> {
    let settings = &request.settings;
    let input: Vec<Value> = request.messages.iter().flat_map(items_of).collect();
    let mut body = object([
        ("model", json!(settings.model)),
        ("input", Value::Array(input)),
        ("max_output_tokens", json!(settings.max_tokens)),
        ("store", json!(false)),
        ("stream", json!(delivery == Delivery::Streamed)),
    ]);
    if !request.system.is_empty() {
        add(&mut body, "instructions", json!(request.system));
    }
    if let Some(temperature) = settings.temperature {
        add(&mut body, "temperature", json!(temperature));
    }
    // Nothing is stored there, so that reasoning has to come along with every request.
    if !WITHOUT_REASONING.iter().any(|start| settings.model.starts_with(start)) {
        add(&mut body, "include", json!(["reasoning.encrypted_content"]));
    }
    if !request.tools.is_empty() {
        add(&mut body, "tools", request.tools.iter().map(tool).collect());
        if !settings.parallel_calls {
            add(&mut body, "parallel_tool_calls", json!(false));
        }
    }
    body
}

fn tool(tool: &ChatTool) -> Value {
    json!({
        "type": "function",
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.schema,
        "strict": false,
    })
}

fn items_of(message: &Message) -> Vec<Value> {
    match message {
        Message::User(parts) => {
            let content: Vec<Value> = parts.iter().map(part).collect();
            vec![json!({ "type": "message", "role": "user", "content": content })]
        }
        Message::Assistant(message) => match own_items(message, NAME) {
            Some(Value::Array(items)) => items.clone(),
            _ => plain_items(message),
        },
        Message::ToolResults(results) => results.iter().map(output).collect(),
    }
}

fn part(part: &Part) -> Value {
    match part {
        Part::Text(text) => json!({ "type": "input_text", "text": text }),
        Part::Picture(png) => picture(png),
    }
}

fn picture(png: &[u8]) -> Value {
    json!({ "type": "input_image", "image_url": data_url(png), "detail": "auto" })
}

fn plain_items(message: &AssistantMessage) -> Vec<Value> {
    // Of another model, or of none: without items of this provider to send back.
    let mut items = Vec::new();
    if !message.text.is_empty() {
        items.push(json!({ "type": "message", "role": "assistant", "content": message.text }));
    }
    items.extend(message.calls.iter().map(|call| {
        let (id, name, arguments) = (&call.id, &call.name, call.arguments_text());
        json!({ "type": "function_call", "call_id": id, "name": name, "arguments": arguments })
    }));
    items
}

fn output(result: &ToolResult) -> Value {
    let output = match &result.picture {
        None => json!(result.text),
        Some(png) => json!([{ "type": "input_text", "text": result.text }, picture(png)]),
    };
    json!({ "type": "function_call_output", "call_id": result.call_id, "output": output })
}
