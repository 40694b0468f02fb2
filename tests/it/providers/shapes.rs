//! Answers in every shape that providers document or are known to send.

use pentimento::agent::chat::{Answer, ChatError, StopReason, TokenUsage};
use pentimento::agent::providers::ProviderKind;
use serde_json::{Value, json};

use super::asking::{arguments, read_stream, read_whole};
use super::streams;

const CHAT: ProviderKind = ProviderKind::ChatCompletions;

#[test]
fn a_stream_of_each_api_is_the_answer_it_was_cut_from() {
    for kind in ProviderKind::ALL {
        let (answer, heard) = read_stream(kind, &streams::of(kind));
        let answer = answer.unwrap();
        assert_eq!(answer.message.text, "I draw it.", "{kind:?}");
        assert_eq!(answer.reasoning, "A card.", "{kind:?}");
        let expected = [json!({ "name": "Card" }), json!({ "name": "Bar", "width": 4 })];
        assert_eq!(arguments(&answer), expected, "{kind:?}");
        assert_eq!(answer.stop, StopReason::ToolCalls, "{kind:?}");
        let usage = answer.usage.unwrap();
        assert_eq!((usage.input, usage.output, usage.cached_input), (120, 30, 100), "{kind:?}");
        assert_eq!((heard.text.as_str(), heard.reasoning.as_str()), ("I draw it.", "A card."));
        let told: Vec<Value> =
            heard.calls.iter().map(|(_, text)| serde_json::from_str(text).unwrap()).collect();
        assert_eq!(told, expected, "{kind:?}");
        let ids = answer.message.calls.iter().map(|call| call.id.as_str()).collect::<Vec<_>>();
        assert!(ids[0] != ids[1] && ids.iter().all(|id| !id.is_empty()), "{kind:?}: {ids:?}");
    }
}

#[test]
fn a_stream_that_calls_itself_something_else_is_read_all_the_same() {
    for kind in ProviderKind::ALL {
        let mut canned = super::asking::Canned::stream(&streams::of(kind), 64);
        canned.content_type = "text/plain";
        let (answer, _) = super::asking::ask(&canned.provider(kind), &super::asking::question("?"));
        assert_eq!(answer.unwrap().message.text, "I draw it.", "{kind:?}");
    }
}

#[test]
fn reasoning_tokens_and_cache_writes_are_told_apart() {
    let usage = |kind| read_stream(kind, &streams::of(kind)).0.unwrap().usage.unwrap();
    let expected =
        TokenUsage { input: 120, output: 30, cached_input: 100, cache_writes: 0, reasoning: 12 };
    for kind in [ProviderKind::Responses, CHAT, ProviderKind::Gemini] {
        assert_eq!(usage(kind), expected, "{kind:?}");
    }
    let expected = TokenUsage { cache_writes: 5, reasoning: 0, ..expected };
    assert_eq!(usage(ProviderKind::Anthropic), expected);
    assert_eq!(usage(ProviderKind::Bedrock), expected);
}

fn stop(kind: ProviderKind, body: &Value) -> StopReason {
    read_whole(kind, body).unwrap().stop
}

fn response(status: &str, details: &Value, content: &Value) -> Value {
    let item = json!({ "type": "message", "role": "assistant", "content": [content] });
    json!({ "status": status, "incomplete_details": details, "output": [item] })
}

#[test]
fn every_way_in_which_a_response_ends_is_told() {
    let kind = ProviderKind::Responses;
    let text = json!({ "type": "output_text", "text": "Half a" });
    assert_eq!(stop(kind, &response("completed", &json!(null), &text)), StopReason::End);
    let length = json!({ "reason": "max_output_tokens" });
    assert_eq!(stop(kind, &response("incomplete", &length, &text)), StopReason::Length);
    let filter = json!({ "reason": "content_filter" });
    let filtered = StopReason::Filtered("content_filter".to_owned());
    assert_eq!(stop(kind, &response("incomplete", &filter, &text)), filtered);
    let refusal = json!({ "type": "refusal", "refusal": "I will not." });
    let refused = StopReason::Refused("I will not.".to_owned());
    assert_eq!(stop(kind, &response("completed", &json!(null), &refusal)), refused);
}

#[test]
fn an_incomplete_response_is_an_answer_in_a_stream_too() {
    let text = json!({ "type": "output_text", "text": "Half a" });
    let whole = response("incomplete", &json!({ "reason": "max_output_tokens" }), &text);
    let stream = streams::typed(&[json!({ "type": "response.incomplete", "response": whole })]);
    let answer = read_stream(ProviderKind::Responses, &stream).0.unwrap();
    assert_eq!((answer.message.text.as_str(), &answer.stop), ("Half a", &StopReason::Length));
}

#[test]
fn a_response_whose_last_event_repeats_no_items_has_them_from_before() {
    let whole = streams::whole_response();
    let mut events: Vec<Value> = whole["output"].as_array().unwrap().iter().enumerate()
        .map(|(index, item)| json!({ "type": "response.output_item.done", "output_index": index, "item": item }))
        .collect();
    events.reverse();
    let mut last = whole;
    last["output"] = json!([]);
    events.push(json!({ "type": "response.completed", "response": last }));
    let answer = read_stream(ProviderKind::Responses, &streams::typed(&events)).0.unwrap();
    assert_eq!(answer.message.text, "I draw it.");
    assert_eq!(arguments(&answer)[0], json!({ "name": "Card" }));
}

#[test]
fn what_cannot_be_found_at_the_provider_is_not_sent_back() {
    let mut whole = streams::whole_response();
    whole["output"][0]["encrypted_content"] = json!(null);
    let items =
        read_whole(ProviderKind::Responses, &whole).unwrap().message.provider_items.unwrap();
    assert_eq!(items.items.as_array().unwrap().len(), 3);
}

fn choice(message: &Value, finish_reason: &str) -> Value {
    json!({ "choices": [{ "message": message, "finish_reason": finish_reason }] })
}

#[test]
fn every_way_in_which_a_completion_ends_is_told() {
    let text = json!({ "content": "Half a" });
    let cases = [
        ("stop", StopReason::End),
        ("length", StopReason::Length),
        ("content_filter", StopReason::Filtered("content_filter".to_owned())),
        (
            "MALFORMED_FUNCTION_CALL",
            StopReason::MalformedCall("MALFORMED_FUNCTION_CALL".to_owned()),
        ),
        (
            "insufficient_system_resource",
            StopReason::Other("insufficient_system_resource".to_owned()),
        ),
    ];
    for (reason, expected) in cases {
        assert_eq!(stop(CHAT, &choice(&text, reason)), expected);
    }
    let refusal = json!({ "content": null, "refusal": "I will not." });
    let refused = StopReason::Refused("I will not.".to_owned());
    assert_eq!(stop(CHAT, &choice(&refusal, "stop")), refused);
    let empty = read_whole(CHAT, &choice(&json!({ "content": null }), "stop")).unwrap();
    assert!(empty.is_empty() && empty.stop == StopReason::End);
}

fn calls_of(message: &Value) -> Answer {
    let answer = read_whole(CHAT, &choice(message, "stop")).unwrap();
    assert_eq!(answer.stop, StopReason::ToolCalls);
    answer
}

#[test]
fn calls_are_read_in_every_way_in_which_servers_write_them() {
    let messages = [
        json!({ "content": "", "tool_calls": [{ "id": "a", "function": { "name": "t", "arguments": { "x": 1 } } }] }),
        json!({ "content": null, "tool_calls": [{ "function": { "name": "t", "arguments": "{\"x\":1}" } }] }),
        json!({ "tool_calls": [{ "id": "", "name": "t", "arguments": "{\"x\": 1}" }] }),
        json!({ "content": [{ "type": "text", "text": "" }],
                "function_call": { "name": "t", "arguments": "{\"x\":1}" } }),
    ];
    for message in messages {
        let answer = calls_of(&message);
        assert_eq!(arguments(&answer), [json!({ "x": 1 })], "{message}");
        assert_eq!(answer.message.calls[0].name, "t");
        assert!(!answer.message.calls[0].id.is_empty());
    }
}

#[test]
fn two_calls_of_the_same_id_get_two_ids() {
    let call = json!({ "id": "call_0", "function": { "name": "t", "arguments": "{}" } });
    let answer = calls_of(&json!({ "tool_calls": [call, call] }));
    assert_ne!(answer.message.calls[0].id, answer.message.calls[1].id);
}

#[test]
fn arguments_that_are_no_object_are_kept_as_they_came() {
    let call = json!({ "id": "a", "function": { "name": "t", "arguments": "{\"x\": [1" } });
    let answer = calls_of(&json!({ "tool_calls": [call] }));
    let malformed = answer.message.calls[0].arguments.clone().unwrap_err();
    assert_eq!(malformed.raw, "{\"x\": [1");
    assert_eq!(answer.message.calls[0].arguments_text(), "{\"x\": [1");
}

fn deltas(calls: &[Value]) -> String {
    let delta = |call: &Value| json!({ "choices": [{ "delta": { "tool_calls": [call] } }] });
    let events: Vec<Value> = calls.iter().map(delta).collect();
    streams::untyped(&events)
        + "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n"
}

#[test]
fn calls_in_a_stream_are_told_apart_without_places_and_in_spite_of_wrong_ones() {
    let whole = |id: &str, x: u32| json!({ "id": id, "function": { "name": "t", "arguments": { "x": x } } });
    let with = |mut call: Value, index: u32| {
        call["index"] = json!(index);
        call
    };
    let cases = [
        // Ollama: whole calls, every one of them at place 0.
        deltas(&[with(whole("a", 1), 0), with(whole("b", 2), 0)]),
        // Without places.
        deltas(&[whole("a", 1), whole("b", 2)]),
        // Without places and ids.
        deltas(&[whole("", 1), whole("", 2)]),
        // In pieces without places.
        deltas(&[
            json!({ "id": "a", "function": { "name": "t", "arguments": "{\"x\"" } }),
            json!({ "function": { "arguments": ":1}" } }),
            json!({ "id": "b", "function": { "name": "t", "arguments": "{\"x\"" } }),
            json!({ "id": "b", "function": { "arguments": ":2}" } }),
        ]),
        // Pieces of two calls in turn, with a place that no list has.
        deltas(&[
            json!({ "index": 0, "id": "a", "function": { "name": "t", "arguments": "{\"x\"" } }),
            json!({ "index": 4_000_000_000_u32, "id": "b", "function": { "name": "t", "arguments": "{\"x\"" } }),
            json!({ "index": 0, "function": { "arguments": ":1}" } }),
            json!({ "index": 4_000_000_000_u32, "function": { "arguments": ":2}" } }),
        ]),
    ];
    for stream in cases {
        let (answer, heard) = read_stream(CHAT, &stream);
        assert_eq!(arguments(&answer.unwrap()), [json!({ "x": 1 }), json!({ "x": 2 })], "{stream}");
        assert_eq!(heard.calls.len(), 2, "{stream}");
    }
}

#[test]
fn a_stream_needs_either_a_reason_or_a_done_to_be_whole() {
    let text = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n";
    let reason = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
    for end in [reason, "data: [DONE]\n\n", "data: [DONE]"] {
        let answer = read_stream(CHAT, &format!("{text}{end}")).0.unwrap();
        assert_eq!((answer.message.text.as_str(), answer.stop), ("Hi", StopReason::End));
        assert_eq!(answer.usage, None);
    }
    let error = read_stream(CHAT, text).0.unwrap_err();
    assert!(matches!(error, ChatError::GaveUp { .. }), "{error}");
    assert!(error.to_string().contains("its end is missing"), "{error}");
}

#[test]
fn what_goes_back_with_a_call_is_kept() {
    let call = json!({ "id": "a", "function": { "name": "t", "arguments": "{}" },
                       "extra_content": { "google": { "thought_signature": "s" } } });
    let message = json!({ "tool_calls": [call], "reasoning_details": [{ "type": "r" }] });
    let items = calls_of(&message).message.provider_items.unwrap().items;
    assert_eq!(items["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "s");
    assert_eq!(items["tool_calls"][0]["function"]["name"], "t");
    assert_eq!(items["reasoning_details"], json!([{ "type": "r" }]));
}

fn message(stop_reason: &str, content: &Value) -> Value {
    json!({ "type": "message", "content": content, "stop_reason": stop_reason,
            "usage": { "input_tokens": 1, "output_tokens": 1 } })
}

#[test]
fn every_way_in_which_a_message_ends_is_told() {
    let text = json!([{ "type": "text", "text": "I cannot." }]);
    let cases = [
        ("end_turn", StopReason::End),
        ("stop_sequence", StopReason::End),
        ("max_tokens", StopReason::Length),
        ("model_context_window_exceeded", StopReason::Length),
        ("refusal", StopReason::Refused("I cannot.".to_owned())),
        ("pause_turn", StopReason::Other("pause_turn".to_owned())),
    ];
    for (reason, expected) in cases {
        assert_eq!(stop(ProviderKind::Anthropic, &message(reason, &text)), expected);
    }
}

#[test]
fn thinking_goes_back_with_its_signature_and_blank_text_does_not() {
    let (answer, _) = read_stream(ProviderKind::Anthropic, &streams::of(ProviderKind::Anthropic));
    let items = answer.unwrap().message.provider_items.unwrap().items;
    let thinking = json!({ "type": "thinking", "thinking": "A card.", "signature": "c2lnbg==" });
    assert_eq!(items[0], thinking);
    assert_eq!(items[2]["input"], json!({ "name": "Card" }));
    let blank =
        json!([{ "type": "text", "text": "\n" }, { "type": "redacted_thinking", "data": "x" }]);
    let answer = read_whole(ProviderKind::Anthropic, &message("end_turn", &blank)).unwrap();
    assert!(answer.is_empty());
    assert_eq!(answer.message.provider_items.unwrap().items, json!([blank[1]]));
}

#[test]
fn a_call_cut_by_the_limit_of_tokens_is_malformed_and_its_block_can_go_back() {
    let stream = streams::typed(&[
        json!({ "type": "message_start", "message": { "content": [], "usage": { "input_tokens": 3 } } }),
        json!({ "type": "content_block_start", "index": 0,
                "content_block": { "type": "tool_use", "id": "a", "name": "t", "input": {} } }),
        json!({ "type": "content_block_delta", "index": 0,
                "delta": { "type": "input_json_delta", "partial_json": "{\"x\":" } }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "max_tokens" }, "usage": { "output_tokens": 9 } }),
        json!({ "type": "message_stop" }),
    ]);
    let answer = read_stream(ProviderKind::Anthropic, &stream).0.unwrap();
    assert_eq!(answer.stop, StopReason::Length);
    assert_eq!(answer.message.calls[0].arguments.clone().unwrap_err().raw, "{\"x\":");
    assert_eq!(answer.message.provider_items.unwrap().items[0]["input"], json!({}));
    assert_eq!(answer.usage.unwrap().output, 9);
}

fn candidate(reason: &str, parts: &Value) -> Value {
    json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": reason, "finishMessage": "So." }] })
}

#[test]
fn every_way_in_which_a_candidate_ends_is_told() {
    let text = json!([{ "text": "Half a" }]);
    let cases = [
        ("STOP", StopReason::End),
        ("MAX_TOKENS", StopReason::Length),
        ("SAFETY", StopReason::Filtered("SAFETY: So.".to_owned())),
        ("RECITATION", StopReason::Filtered("RECITATION: So.".to_owned())),
        (
            "MALFORMED_FUNCTION_CALL",
            StopReason::MalformedCall("MALFORMED_FUNCTION_CALL: So.".to_owned()),
        ),
        ("LANGUAGE", StopReason::Other("LANGUAGE: So.".to_owned())),
    ];
    for (reason, expected) in cases {
        assert_eq!(stop(ProviderKind::Gemini, &candidate(reason, &text)), expected);
    }
    let without_content = json!({ "candidates": [{ "finishReason": "MALFORMED_FUNCTION_CALL" }] });
    let expected = StopReason::MalformedCall("MALFORMED_FUNCTION_CALL".to_owned());
    assert_eq!(stop(ProviderKind::Gemini, &without_content), expected);
}

#[test]
fn a_blocked_prompt_is_a_filtered_answer_whole_and_streamed() {
    let blocked = json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } });
    let expected = StopReason::Filtered("PROHIBITED_CONTENT".to_owned());
    assert_eq!(stop(ProviderKind::Gemini, &blocked), expected);
    let (answer, _) = read_stream(ProviderKind::Gemini, &streams::untyped(&[blocked]));
    assert_eq!(answer.unwrap().stop, expected);
}

#[test]
fn signatures_go_back_in_the_part_they_came_with() {
    let (answer, _) = read_stream(ProviderKind::Gemini, &streams::of(ProviderKind::Gemini));
    let items = answer.unwrap().message.provider_items.unwrap().items;
    assert_eq!(items[1], json!({ "text": "I draw it." }));
    assert_eq!(items[2]["thoughtSignature"], "c2lnbg==");
    assert_eq!(items[2]["functionCall"]["args"], json!({ "name": "Card" }));
}
