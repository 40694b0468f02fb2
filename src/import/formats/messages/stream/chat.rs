//! Streams of OpenAI's Chat Completions, and of the many servers that speak as they do.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use crate::import::json::{items, text};

use super::{Joint, Known, StreamShape, append, error_in};

pub(in crate::import::formats::messages) const SHAPE: StreamShape = StreamShape {
    types: &[],
    is_event,
    id_of: |event| text(event, "id"),
    finishes: |event| finish_of(event).is_some(),
    begins,
    ends: |_| false,
    is_mixed: |_| false,
    join,
};

fn is_event(value: &Value) -> bool {
    let Some(choices) = value["choices"].as_array() else { return false };
    // Beside what was asked, an answer was whole.
    if value.get("messages").is_some() {
        return false;
    }
    // What comes before the first word and behind the last is of no choice.
    value["object"] == "chat.completion.chunk"
        || choices.first().is_none_or(|choice| choice["delta"].is_object())
}

/// By their ids; where a server gives none, what is said after the reason for the end is another answer.
fn begins(known: &Known, event: &Value) -> bool {
    match (&known.id, text(event, "id")) {
        (Some(known), Some(id)) => known != id,
        _ => known.is_finished && choice_of(event).is_some(),
    }
}

/// The first choice: a conversation can only have gone on from one.
fn choice_of(event: &Value) -> Option<&Value> {
    items(event, "choices").iter().find(|choice| choice["index"].as_u64().unwrap_or(0) == 0)
}

fn finish_of(event: &Value) -> Option<&str> {
    text(choice_of(event)?, "finish_reason")
}

fn join(events: &[Value]) -> Joint {
    let (mut message, mut about) = (Map::new(), Map::new());
    let mut calls: Vec<Call> = Vec::new();
    let mut others: BTreeSet<u64> = BTreeSet::new();
    let (mut finish, mut error) = (None, None);
    for event in events {
        for name in ["id", "model"] {
            if let Some(said) = text(event, name) {
                about.entry(name).or_insert_with(|| json!(said));
            }
        }
        // Often in an event of its own behind the end.
        if event["usage"].is_object() {
            about.insert("usage".to_owned(), event["usage"].clone());
        }
        error = error_in(event).or(error);
        let places = items(event, "choices").iter().filter_map(|choice| choice["index"].as_u64());
        others.extend(places.filter(|place| *place > 0));
        let Some(choice) = choice_of(event) else { continue };
        finish = finish_of(event).or(finish);
        // Servers that cannot stream send the whole message in one event.
        let delta = choice.get("delta").unwrap_or(&choice["message"]);
        for name in ["content", "reasoning_content", "reasoning", "refusal"] {
            append(&mut message, name, &delta[name]);
        }
        for call in items(delta, "tool_calls") {
            grow(&mut calls, call, &call["function"]);
        }
        // As it was before there could be several.
        if delta["function_call"].is_object() {
            grow(&mut calls, &json!({ "index": 0 }), &delta["function_call"]);
        }
    }
    if message.is_empty() && calls.is_empty() && finish.is_none() {
        return Joint { answer: Value::Null, is_whole: false, error };
    }
    message.insert("role".to_owned(), json!("assistant"));
    if !calls.is_empty() {
        let calls = calls.into_iter().map(|call| {
            let function = json!({ "name": call.name, "arguments": call.arguments });
            json!({ "id": call.id, "type": "function", "function": function })
        });
        message.insert("tool_calls".to_owned(), calls.collect());
    }
    let mut choices = vec![json!({ "message": message, "finish_reason": finish })];
    // Of the others only that they came.
    choices.extend(others.into_iter().map(|place| json!({ "index": place })));
    about.insert("choices".to_owned(), Value::Array(choices));
    Joint { answer: Value::Object(about), is_whole: finish.is_some(), error }
}

#[derive(Default)]
struct Call {
    /// Its place as the server counts.
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
}

/// Adds to the call that a part belongs to: by its place, unless its id says otherwise, as some servers give every
/// call the place 0; without a place by its id, or else to the last.
fn grow(calls: &mut Vec<Call>, part: &Value, function: &Value) {
    let id = text(part, "id").unwrap_or_default();
    let name = text(function, "name").unwrap_or_default();
    let place = match part["index"].as_u64() {
        Some(index) => calls.iter().rposition(|call| {
            let is_other = !id.is_empty() && !call.id.is_empty() && id != call.id;
            call.index == Some(index) && !is_other
        }),
        None if !id.is_empty() => calls.iter().rposition(|call| call.id == id),
        None if name.is_empty() => calls.len().checked_sub(1),
        None => None,
    };
    let place = place.unwrap_or_else(|| {
        calls.push(Call { index: part["index"].as_u64(), ..Call::default() });
        calls.len() - 1
    });
    let Some(call) = calls.get_mut(place) else { return };
    // Some repeat both with every part.
    if call.id.is_empty() {
        id.clone_into(&mut call.id);
    }
    if call.name.is_empty() {
        name.clone_into(&mut call.name);
    }
    match &function["arguments"] {
        Value::String(more) => call.arguments.push_str(more),
        Value::Null => {}
        // As an object they come at once.
        whole => call.arguments.push_str(&whole.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(id: &str, delta: &Value) -> Value {
        json!({"id": id, "object": "chat.completion.chunk", "model": "gpt-x", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
    }

    #[test]
    fn calls_grow_side_by_side_and_tokens_come_behind_the_end() {
        let events = [
            json!({"choices": [], "prompt_filter_results": []}),
            chunk("c", &json!({"role": "assistant", "content": "I "})),
            chunk("c", &json!({"content": "draw."})),
            chunk(
                "c",
                &json!({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "draw", "arguments": ""}}]}),
            ),
            chunk(
                "c",
                &json!({"tool_calls": [{"index": 1, "id": "b", "type": "function", "function": {"name": "look", "arguments": "{"}}]}),
            ),
            chunk(
                "c",
                &json!({"tool_calls": [{"index": 0, "function": {"arguments": "{\"x\""}}, {"index": 1, "function": {"arguments": "}"}}]}),
            ),
            chunk("c", &json!({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]})),
            json!({"id": "c", "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}),
            json!({"id": "c", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
        ];
        assert!(events.iter().all(is_event));
        let Joint { answer, is_whole, error } = join(&events);
        assert!(is_whole && error.is_none());
        let message = &answer["choices"][0]["message"];
        assert_eq!(message["content"], "I draw.");
        let calls = message["tool_calls"].as_array().unwrap();
        let arguments: Vec<&Value> = calls.iter().map(|it| &it["function"]["arguments"]).collect();
        assert_eq!(arguments, [&json!("{\"x\": 1}"), &json!("{}")]);
        assert_eq!(answer["usage"]["completion_tokens"], 4);
        assert!(!join(&events[..7]).is_whole && join(&events[..1]).answer.is_null());
        assert!(SHAPE.begins_behind(&events, &chunk("d", &json!({}))));
        assert!(!SHAPE.begins_behind(&events[..3], &events[3]));
    }

    #[test]
    fn a_server_that_gives_no_ids_and_one_place_to_all_calls_is_understood() {
        let call = |id: &str, arguments: Value| json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": id, "function": {"name": "draw", "arguments": arguments}}]}}]});
        let end = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]});
        let events = [call("a", json!({"x": 1})), call("b", json!("{}")), end];
        let answer = join(&events).answer;
        let calls = answer["choices"][0]["message"]["tool_calls"].as_array().unwrap();
        assert_eq!((calls.len(), &calls[0]["function"]["arguments"]), (2, &json!("{\"x\":1}")));
        assert!(SHAPE.begins_behind(&events, &call("c", json!("{}"))));
        assert!(!SHAPE.begins_behind(&events, &json!({"choices": [], "usage": {}})));
    }
}
