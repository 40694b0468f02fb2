//! Streams of OpenAI's Responses: items bit by bit, each once more when it is whole, and at last all of the answer.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::import::json::text;

use super::{Joint, StreamShape, append, error_in};

/// What the types of the events begin with.
const EVENT: &str = "response.";

pub(in crate::import::formats::messages) const SHAPE: StreamShape = StreamShape {
    types: &[EVENT],
    is_event: |value| {
        value["type"].as_str().is_some_and(|kind| kind.starts_with(EVENT) || kind == "error")
    },
    // The types say where an answer begins and ends; most events name an item of it alone.
    id_of: |event| text(event, "response_id").or_else(|| text(&event["response"], "id")),
    finishes: |_| false,
    begins: |_, event| event["type"] == "response.created",
    ends: |event| is_last(event) || event["type"] == "error",
    is_mixed: |_| false,
    join,
};

/// Whether an event holds the whole answer once more.
fn is_last(event: &Value) -> bool {
    let kind = event["type"].as_str().unwrap_or_default();
    matches!(kind, "response.completed" | "response.incomplete" | "response.failed")
}

fn join(events: &[Value]) -> Joint {
    let (mut answer, mut parts) = (Map::new(), BTreeMap::new());
    let (mut is_whole, mut error) = (false, None);
    for event in events {
        if let Some(response) = event["response"].as_object() {
            answer.clone_from(response);
        }
        is_whole |= is_last(event);
        error = error_in(event).or_else(|| error_in(&event["response"])).or(error);
        if event["type"] == "error" && error.is_none() {
            error = error_in(&json!({ "error": event }));
        }
        let Some(place) = event["output_index"].as_u64() else { continue };
        grow(parts.entry(place).or_default(), event);
    }
    let parts = parts.into_values().filter(|item: &Map<_, _>| item.contains_key("type"));
    let mut output = match answer.remove("output") {
        Some(Value::Array(output)) => output,
        _ => Vec::new(),
    };
    // Some servers end with an answer that repeats nothing of what they sent.
    if output.is_empty() {
        output.extend(parts.map(Value::Object));
    }
    if output.is_empty() {
        return Joint { answer: Value::Null, is_whole, error };
    }
    answer.insert("output".to_owned(), Value::Array(output));
    if !is_whole {
        // It says that it is in progress.
        answer.remove("status");
    }
    Joint { answer: Value::Object(answer), is_whole, error }
}

/// Adds what an event says of an item.
fn grow(item: &mut Map<String, Value>, event: &Value) {
    let more = &event["delta"];
    match event["type"].as_str().unwrap_or_default() {
        "response.output_item.added" | "response.output_item.done" => {
            if let Some(fields) = event["item"].as_object() {
                item.clone_from(fields);
            }
        }
        "response.output_text.delta" | "response.refusal.delta" => {
            add_text(item, "message", "content", more);
        }
        "response.reasoning_summary_text.delta" => add_text(item, "reasoning", "summary", more),
        "response.reasoning_text.delta" => add_text(item, "reasoning", "content", more),
        "response.function_call_arguments.delta" | "response.mcp_call_arguments.delta" => {
            append(item, "arguments", more);
        }
        "response.custom_tool_call_input.delta" => append(item, "input", more),
        "response.code_interpreter_call_code.delta" => append(item, "code", more),
        _ => {}
    }
}

/// Adds to the words of an item; to one whose beginning is missing, as what its parts say that it is.
fn add_text(item: &mut Map<String, Value>, kind: &str, list: &str, more: &Value) {
    item.entry("type").or_insert_with(|| json!(kind));
    if kind == "message" {
        item.entry("role").or_insert_with(|| json!("assistant"));
    }
    let parts = item.entry(list).or_insert_with(|| json!([]));
    if !parts.is_array() {
        *parts = json!([]);
    }
    let Some(parts) = parts.as_array_mut() else { return };
    if parts.is_empty() {
        parts.push(json!({ "type": "output_text" }));
    }
    if let Some(Value::Object(last)) = parts.last_mut() {
        append(last, "text", more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: &str, place: u32, more: &Value) -> Value {
        let mut event = json!({"type": format!("response.{kind}"), "output_index": place});
        event.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        event
    }

    fn events() -> Vec<Value> {
        let call =
            json!({"type": "function_call", "call_id": "f", "name": "draw", "arguments": ""});
        let mut whole = call.clone();
        whole["arguments"] = json!("{\"x\": 1}");
        vec![
            json!({"type": "response.created", "response": {"id": "r", "model": "gpt-x", "status": "in_progress", "output": []}}),
            event(
                "output_item.added",
                0,
                &json!({"item": {"type": "message", "role": "assistant", "content": []}}),
            ),
            event("content_part.added", 0, &json!({"part": {"type": "output_text", "text": ""}})),
            event("output_text.delta", 0, &json!({"delta": "I "})),
            event("output_text.delta", 0, &json!({"delta": "draw."})),
            event("output_item.added", 1, &json!({"item": call})),
            event("function_call_arguments.delta", 1, &json!({"delta": "{\"x\""})),
            event("output_item.done", 1, &json!({"item": whole})),
            json!({"type": "response.completed", "response": {"id": "r", "model": "gpt-x", "status": "completed", "output": [], "usage": {"input_tokens": 1, "output_tokens": 2}}}),
        ]
    }

    #[test]
    fn items_are_whole_or_as_far_as_they_came() {
        let events = events();
        let Joint { answer, is_whole, error } = join(&events);
        assert!(is_whole && error.is_none());
        assert_eq!(
            (&answer["status"], &answer["usage"]["output_tokens"]),
            (&json!("completed"), &json!(2))
        );
        assert_eq!(answer["output"][0]["content"][0]["text"], "I draw.");
        assert_eq!(answer["output"][1]["arguments"], "{\"x\": 1}");
        let Joint { answer, is_whole, .. } = join(&events[..7]);
        assert!(!is_whole && answer.get("status").is_none());
        assert_eq!(
            (&answer["model"], &answer["output"][1]["arguments"]),
            (&json!("gpt-x"), &json!("{\"x\""))
        );
        // Without its beginning.
        assert_eq!(join(&events[3..5]).answer["output"][0]["content"][0]["text"], "I draw.");
        assert!(join(&events[..1]).answer.is_null());
    }

    #[test]
    fn what_failed_says_why() {
        for failed in [
            json!({"type": "response.failed", "response": {"status": "failed", "output": [], "error": {"code": "server_error", "message": "Sorry"}}}),
            json!({"type": "error", "code": "server_error", "message": "Sorry"}),
        ] {
            let Joint { error, .. } = join(&[failed]);
            assert_eq!(error.as_deref(), Some("the stream broke off: Sorry"));
        }
    }
}
