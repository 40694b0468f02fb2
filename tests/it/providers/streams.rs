//! An answer of each API as a stream: the words "I draw it.", some reasoning, and two calls.

use pentimento::agent::providers::ProviderKind;
use serde_json::{Value, json};

/// The stream of this API.
pub(super) fn of(kind: ProviderKind) -> String {
    match kind {
        ProviderKind::Responses => responses(),
        ProviderKind::ChatCompletions => chat_completions(),
        ProviderKind::Anthropic => anthropic(),
        ProviderKind::Gemini => gemini(),
        ProviderKind::Bedrock => bedrock(&bedrock_events()),
    }
}

/// Events with their type, as Responses and Messages send them.
pub(super) fn typed(events: &[Value]) -> String {
    let lines = events.iter().map(|event| {
        let kind = event["type"].as_str().unwrap();
        format!("event: {kind}\ndata: {event}\n\n")
    });
    lines.collect::<Vec<_>>().concat()
}

/// Events without a type.
pub(super) fn untyped(events: &[Value]) -> String {
    let lines = events.iter().map(|event| format!("data: {event}\n\n"));
    lines.collect::<Vec<_>>().concat()
}

/// Bedrock's events as lines, as gateways translate its messages; those themselves are in
/// [`super::bedrock`].
pub(super) fn bedrock(events: &[(&str, Value)]) -> String {
    let lines = events.iter().map(|(kind, data)| format!("event: {kind}\ndata: {data}\n\n"));
    lines.collect::<Vec<_>>().concat()
}

/// An answer of ConverseStream, event by event.
pub(super) fn bedrock_events() -> Vec<(&'static str, Value)> {
    let start = |index: u32, id: &str| {
        let call = json!({ "toolUseId": id, "name": "create_rectangle" });
        ("contentBlockStart", json!({ "contentBlockIndex": index, "start": { "toolUse": call } }))
    };
    let delta = |index: u32, delta: Value| {
        (
            "contentBlockDelta",
            json!({ "contentBlockIndex": index, "delta": delta, "p": "abcdefgh" }),
        )
    };
    let part = |json: &str| json!({ "toolUse": { "input": json } });
    let stop = |index: u32| ("contentBlockStop", json!({ "contentBlockIndex": index }));
    let usage = json!({
        "inputTokens": 15, "outputTokens": 30, "totalTokens": 150,
        "cacheReadInputTokens": 100, "cacheWriteInputTokens": 5,
    });
    vec![
        ("messageStart", json!({ "role": "assistant" })),
        delta(0, json!({ "reasoningContent": { "text": "A card." } })),
        delta(0, json!({ "reasoningContent": { "signature": "c2lnbg==" } })),
        stop(0),
        delta(1, json!({ "text": "I draw" })),
        delta(1, json!({ "text": " it." })),
        stop(1),
        start(2, "tooluse_a"),
        delta(2, part("{\"name\":")),
        delta(2, part("\"Card\"}")),
        stop(2),
        start(3, "tooluse_b"),
        delta(3, part("{\"name\":\"Bar\",\"width\":4}")),
        stop(3),
        ("messageStop", json!({ "stopReason": "tool_use" })),
        ("metadata", json!({ "usage": usage, "metrics": { "latencyMs": 400 } })),
    ]
}

/// The whole answer at the end of [`responses`].
pub(super) fn whole_response() -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": "completed", "error": null,
        "incomplete_details": null, "model": "model-1",
        "output": [
            { "type": "reasoning", "id": "rs_1", "encrypted_content": "gAAAA",
              "summary": [{ "type": "summary_text", "text": "A card." }] },
            { "type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
              "content": [{ "type": "output_text", "text": "I draw it.", "annotations": [] }] },
            { "type": "function_call", "id": "fc_1", "call_id": "call_a", "status": "completed",
              "name": "create_rectangle", "arguments": "{\"name\":\"Card\"}" },
            { "type": "function_call", "id": "fc_2", "call_id": "call_b", "status": "completed",
              "name": "create_rectangle", "arguments": "{\"name\":\"Bar\",\"width\":4}" },
        ],
        "usage": {
            "input_tokens": 120, "input_tokens_details": { "cached_tokens": 100 },
            "output_tokens": 30, "output_tokens_details": { "reasoning_tokens": 12 },
            "total_tokens": 150,
        },
    })
}

fn responses() -> String {
    let whole = whole_response();
    let output = whole["output"].as_array().unwrap();
    let mut events = vec![
        json!({ "type": "response.created", "response": { "id": "resp_1", "status": "in_progress" } }),
        json!({ "type": "response.reasoning_summary_text.delta", "delta": "A card." }),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": output[0] }),
        json!({ "type": "response.output_text.delta", "delta": "I draw" }),
        json!({ "type": "response.output_text.delta", "delta": " it." }),
        json!({ "type": "response.output_item.done", "output_index": 1, "item": output[1] }),
        json!({ "type": "response.function_call_arguments.delta", "delta": "{\"name\":" }),
        json!({ "type": "response.output_item.done", "output_index": 2, "item": output[2] }),
        json!({ "type": "response.output_item.done", "output_index": 3, "item": output[3] }),
    ];
    events.push(json!({ "type": "response.completed", "response": whole }));
    typed(&events)
}

fn chat_completions() -> String {
    let delta = |delta: Value| json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] });
    let call = |call: Value| delta(json!({ "tool_calls": [call] }));
    let events = [
        delta(json!({ "role": "assistant", "content": "" })),
        delta(json!({ "reasoning_content": "A card." })),
        delta(json!({ "content": "I draw" })),
        delta(json!({ "content": " it." })),
        call(json!({ "index": 0, "id": "call_a", "type": "function",
                     "function": { "name": "create_rectangle", "arguments": "" } })),
        call(json!({ "index": 0, "function": { "arguments": "{\"name\":" } })),
        call(json!({ "index": 0, "function": { "arguments": "\"Card\"}" } })),
        call(json!({ "index": 1, "id": "call_b", "type": "function",
                     "function": { "name": "create_rectangle", "arguments": "" } })),
        call(json!({ "index": 1, "function": { "arguments": "{\"name\":\"Bar\",\"width\":4}" } })),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }] }),
        json!({ "choices": [], "usage": {
            "prompt_tokens": 120, "prompt_tokens_details": { "cached_tokens": 100 },
            "completion_tokens": 30, "completion_tokens_details": { "reasoning_tokens": 12 },
        } }),
    ];
    untyped(&events) + "data: [DONE]\n\n"
}

fn anthropic() -> String {
    let start = |index: u32, block: Value| json!({ "type": "content_block_start", "index": index, "content_block": block });
    let delta = |index: u32, delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
    let stop = |index: u32| json!({ "type": "content_block_stop", "index": index });
    let use_of =
        |id: &str| json!({ "type": "tool_use", "id": id, "name": "create_rectangle", "input": {} });
    let part = |json: &str| json!({ "type": "input_json_delta", "partial_json": json });
    typed(&[
        json!({ "type": "message_start", "message": {
            "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "model-1",
            "stop_reason": null, "stop_sequence": null,
            "usage": { "input_tokens": 15, "cache_read_input_tokens": 100,
                       "cache_creation_input_tokens": 5, "output_tokens": 1 },
        } }),
        start(0, json!({ "type": "thinking", "thinking": "", "signature": "" })),
        json!({ "type": "ping" }),
        delta(0, json!({ "type": "thinking_delta", "thinking": "A card." })),
        delta(0, json!({ "type": "signature_delta", "signature": "c2lnbg==" })),
        stop(0),
        start(1, json!({ "type": "text", "text": "" })),
        delta(1, json!({ "type": "text_delta", "text": "I draw" })),
        delta(1, json!({ "type": "text_delta", "text": " it." })),
        stop(1),
        start(2, use_of("toolu_a")),
        delta(2, part("")),
        delta(2, part("{\"name\":")),
        delta(2, part("\"Card\"}")),
        stop(2),
        start(3, use_of("toolu_b")),
        delta(3, part("{\"name\":\"Bar\",\"width\":4}")),
        stop(3),
        json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use", "stop_sequence": null },
                "usage": { "output_tokens": 30 } }),
        json!({ "type": "message_stop" }),
    ])
}

fn gemini() -> String {
    let chunk = |parts: Value| {
        json!({
            "candidates": [{ "index": 0, "content": { "role": "model", "parts": parts } }],
            "usageMetadata": { "promptTokenCount": 120, "totalTokenCount": 120 },
            "modelVersion": "model-1",
        })
    };
    let call = |arguments: Value| json!({ "name": "create_rectangle", "args": arguments });
    let mut last = chunk(json!([{ "functionCall": call(json!({ "name": "Bar", "width": 4 })) }]));
    last["candidates"][0]["finishReason"] = json!("STOP");
    last["usageMetadata"] = json!({
        "promptTokenCount": 120, "cachedContentTokenCount": 100, "candidatesTokenCount": 18,
        "thoughtsTokenCount": 12, "totalTokenCount": 150,
    });
    untyped(&[
        chunk(json!([{ "text": "A card.", "thought": true }])),
        chunk(json!([{ "text": "I draw" }])),
        chunk(json!([{ "text": " it." }])),
        chunk(
            json!([{ "functionCall": call(json!({ "name": "Card" })), "thoughtSignature": "c2lnbg==" }]),
        ),
        last,
    ])
}
