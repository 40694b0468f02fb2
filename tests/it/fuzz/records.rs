//! Records of other programs as anybody may have written them: what comes in of one can be read back whole.

use pentimento::base::CancelToken;
use pentimento::import::{ImportRequest, JsonHead, import};
use pentimento::run::reader;
use serde_json::{Value, json};

use super::campaign;

/// A record of each format that is JSON.
fn corpus() -> Vec<Value> {
    let picture = crate::import::data_uri([1, 2, 3]);
    vec![
        json!([
            {"role": "user", "type": "user_request", "content": [{"type": "text", "text": "x"}]},
            {"role": "assistant", "type": "agent_request", "content": [], "calls": [{"call_id": "a", "name": "create_text", "arguments": {}}]},
            {"role": "tool", "type": "tool_response", "results": [{"call_id": "a", "content": [], "isError": true}]},
        ]),
        json!({"step_num": 1, "action": "tag_1=(1, 2)\nclick(tag_1)", "action_timestamp": "x", "response": {"text": "y"}, "info": {}, "screenshot_file": "a.png"}),
        json!({"task_id": "t", "traj": [{"image": "a.png", "value": {"code": "f()", "thought": "x"}}]}),
        json!({"version": 2, "status": "success", "eval": {"task": "t", "model": "m"}, "samples": [{
            "id": 1, "messages": [{"role": "assistant", "content": [{"type": "image", "image": picture}], "tool_calls": [{"id": "a", "function": "f", "arguments": {}}]},
                {"role": "tool", "tool_call_id": "a", "content": "x", "error": {"message": "e"}}],
            "events": [{"event": "model", "output": {"choices": [{"message": {"id": "x"}}], "usage": {"input_tokens": 1}}}],
            "scores": {"s": {"value": 1}}, "total_time": 1.5, "model_usage": {"m": {"input_tokens": 1}}}]}),
        json!({"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": [{"type": "image", "source": {"type": "base64", "data": "AA=="}}]}]}]}),
        json!({"request": {"input": [{"role": "user", "content": "x"}]}, "response": {"status": "completed", "output": [
            {"type": "reasoning", "summary": [{"text": "r"}]}, {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}], "usage": {"input_tokens": 1}}}),
        json!({"contents": [{"role": "user", "parts": [{"text": "x"}]}, {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]},
            {"role": "user", "parts": [{"functionResponse": {"name": "f", "response": {"error": "e"}}}, {"inlineData": {"mimeType": "image/png", "data": "AA=="}}]}]}),
        json!([
            {"type": "message_start", "message": {"id": "m", "content": [], "usage": {"input_tokens": 1}, "stop_reason": null}},
            {"event": "content_block_delta", "data": "{\"type\": \"content_block_delta\", \"index\": 0, \"delta\": {\"type\": \"input_json_delta\", \"partial_json\": \"{\"}}"},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}},
        ]),
        json!([
            {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f", "arguments": "{"}}]}}]},
            {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "summary": []}},
            {"type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "x"},
        ]),
        json!([
            {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "x"}}]},
            {"id": "d", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {"content": "y"}}]},
            {"id": "c", "object": "chat.completion.chunk", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]),
        json!([
            {"custom_id": "a", "method": "POST", "body": {"messages": [{"role": "user", "content": "x"}]}},
            {"custom_id": "a", "response": {"status_code": 200, "body": {"choices": [{"message": {"role": "assistant", "content": "y"}, "finish_reason": "stop"}]}}, "error": null},
            {"custom_id": "b", "response": null, "error": {"message": "e"}},
        ]),
        json!([
            {"custom_id": "a", "result": {"type": "succeeded", "message": {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "x"}]}}},
            {"custom_id": "b", "result": {"type": "errored", "error": {"error": {"message": "e"}}}},
        ]),
        json!({"session": {"id": "s", "timestamp": "2026-01-01T00:00:00Z", "instructions": null}, "items": [
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]},
            {"type": "local_shell_call", "call_id": "a", "action": {"type": "exec", "command": ["f"]}},
            {"type": "local_shell_call_output", "call_id": "a", "output": "{\"output\": \"y\", \"metadata\": {\"exit_code\": 1}}"}]}),
        json!({"timestamp": "2026-01-01T00:00:00Z", "type": "response_item", "payload": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}}),
        json!({"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "t", "spanId": "s", "parentSpanId": "s", "startTimeUnixNano": "1", "endTimeUnixNano": "2",
            "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}},
                {"key": "gen_ai.output.messages", "value": {"stringValue": "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"a\",\"name\":\"f\"}]}]"}}],
            "status": {"code": 2}}]}]}]}),
    ]
}

fn use_record(input: &[u8]) {
    drop(JsonHead::of(input));
    let dir = tempfile::tempdir().unwrap();
    let (from, out) = (dir.path().join("in"), dir.path().join("out"));
    // As each of the files that its name makes something of, and as one that it does not.
    for file in ["log", "task/traj.jsonl", "gid1-2-m/gid1-2-m-history.json"] {
        crate::import::write(&from.join(file), input);
    }
    let paths = [from];
    let request = ImportRequest { paths: &paths, out_dir: &out, format: None };
    let report = import(&request, &CancelToken::new(), &mut |_| {}).unwrap();
    for run in &report.runs {
        let read = reader::open(&run.dir).unwrap();
        assert_eq!((read.torn, read.steps.len()), (None, run.steps as usize));
    }
    let again = import(&request, &CancelToken::new(), &mut |_| {}).unwrap();
    assert_eq!(again.new_runs(), 0, "the same record is the same run");
}

#[test]
fn records() {
    let corpus = corpus();
    campaign("records", |mutator| mutator.json(&corpus), use_record);
}
