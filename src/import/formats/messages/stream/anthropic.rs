//! Anthropic's streams: the message without its content, its blocks bit by bit, and why it ended.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{Joint, StreamShape, append, error_in};

/// The types of the events.
const EVENTS: [&str; 8] = [
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
    "ping",
    "error",
];

pub(in crate::import::formats::messages) const SHAPE: StreamShape = StreamShape {
    types: &EVENTS,
    is_event: |value| value["type"].as_str().is_some_and(|kind| EVENTS.contains(&kind)),
    // The types say where an answer begins and ends.
    id_of: |_| None,
    finishes: |_| false,
    begins: |_, event| event["type"] == "message_start",
    ends: |event| event["type"] == "message_stop" || event["type"] == "error",
    is_mixed,
    join,
};

/// Of one answer they begin with its message, and its blocks come one after the other.
fn is_mixed(events: &[Value]) -> bool {
    let (mut open, mut next) = (None, 0);
    for (number, event) in events.iter().enumerate() {
        let place = event["index"].as_u64();
        let kind = event["type"].as_str().unwrap_or_default();
        let is_in_order = match kind {
            "message_start" => number == 0,
            // Some servers do not say where the block before it stops, or which one it is.
            "content_block_start" => place.is_none_or(|place| place == next),
            "content_block_delta" | "content_block_stop" => place.is_none() || place == open,
            _ => true,
        };
        if !is_in_order || (number == 0 && kind != "message_start") {
            return true;
        }
        match kind {
            "content_block_start" => (open, next) = (place, next + 1),
            "content_block_stop" => open = None,
            _ => {}
        }
    }
    false
}

fn join(events: &[Value]) -> Joint {
    let mut message = Map::new();
    let mut blocks: BTreeMap<u64, Map<String, Value>> = BTreeMap::new();
    let (mut is_whole, mut error) = (false, None);
    for event in events {
        let place = event["index"].as_u64().unwrap_or(0);
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => message = event["message"].as_object().cloned().unwrap_or_default(),
            "content_block_start" => {
                let block = event["content_block"].as_object().cloned().unwrap_or_default();
                blocks.insert(place, block);
            }
            "content_block_delta" => grow(blocks.entry(place).or_default(), &event["delta"]),
            "message_delta" => {
                message.extend(event["delta"].as_object().cloned().unwrap_or_default());
                // What it says of tokens replaces what was said before, one by one.
                let usage = message.entry("usage").or_insert_with(|| json!({}));
                if let (Some(usage), Some(more)) =
                    (usage.as_object_mut(), event["usage"].as_object())
                {
                    usage.extend(more.clone());
                }
            }
            "message_stop" => is_whole = true,
            _ => error = error_in(event).or(error),
        }
    }
    // The reason comes before the last event, which some servers leave out.
    is_whole |= message.get("stop_reason").is_some_and(Value::is_string);
    if blocks.is_empty() && !is_whole {
        return Joint { answer: Value::Null, is_whole, error };
    }
    message.insert("content".to_owned(), blocks.into_values().map(Value::Object).collect());
    message.insert("type".to_owned(), json!("message"));
    message.insert("role".to_owned(), json!("assistant"));
    Joint { answer: Value::Object(message), is_whole, error }
}

/// Adds to a block; to one whose beginning is missing what its parts say that it is.
fn grow(block: &mut Map<String, Value>, delta: &Value) {
    let (kind, field, more) = match delta["type"].as_str() {
        Some("text_delta") => ("text", "text", &delta["text"]),
        Some("thinking_delta") => ("thinking", "thinking", &delta["thinking"]),
        Some("input_json_delta") => ("tool_use", "input", &delta["partial_json"]),
        // Signatures, and citations.
        _ => return,
    };
    block.entry("type").or_insert_with(|| json!(kind));
    // An object without anything in it until its text comes, which is JSON only when it is whole.
    append(block, field, more);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(index: u32, delta: &Value) -> Value {
        json!({"type": "content_block_delta", "index": index, "delta": delta})
    }

    #[test]
    fn blocks_grow_bit_by_bit_and_tokens_are_those_said_last() {
        let events = [
            json!({"type": "message_start", "message": {"id": "m", "model": "claude-x", "content": [], "stop_reason": null, "usage": {"input_tokens": 5, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "ping"}),
            delta(0, &json!({"type": "text_delta", "text": "I d"})),
            delta(0, &json!({"type": "text_delta", "text": "raw."})),
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "t", "name": "draw", "input": {}}}),
            delta(1, &json!({"type": "input_json_delta", "partial_json": ""})),
            delta(1, &json!({"type": "input_json_delta", "partial_json": "{\"x\": "})),
            delta(1, &json!({"type": "input_json_delta", "partial_json": "1}"})),
            json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 9}}),
            json!({"type": "message_stop"}),
        ];
        let Joint { answer, is_whole, error } = join(&events);
        assert!(is_whole && error.is_none());
        assert_eq!(answer["usage"], json!({"input_tokens": 5, "output_tokens": 9}));
        assert_eq!(
            (&answer["stop_reason"], &answer["model"]),
            (&json!("tool_use"), &json!("claude-x"))
        );
        let content = json!([{"type": "text", "text": "I draw."}, {"type": "tool_use", "id": "t", "name": "draw", "input": "{\"x\": 1}"}]);
        assert_eq!(answer["content"], content);
        // Cut off in the middle of a call, and with its beginning gone.
        let Joint { answer, is_whole, .. } = join(&events[3..8]);
        assert!(!is_whole);
        assert_eq!(
            (&answer["content"][0]["text"], &answer["content"][1]["input"]),
            (&json!("I draw."), &json!("{\"x\": "))
        );
        assert!(join(&events[..1]).answer.is_null());
    }

    #[test]
    fn an_error_in_the_middle_is_told() {
        let events = [
            delta(0, &json!({"type": "text_delta", "text": "I"})),
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        ];
        let Joint { answer, error, .. } = join(&events);
        assert_eq!(answer["content"][0]["text"], "I");
        assert!(error.unwrap().ends_with("broke off: Overloaded"));
    }
}
