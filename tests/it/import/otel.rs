use serde_json::{Value, json};

use super::{colour, imported, record, write_json, write_lines};

fn attributes(pairs: &[(&str, Value)]) -> Value {
    pairs.iter().map(|(key, value)| json!({"key": key, "value": value})).collect()
}

fn text(value: &Value) -> Value {
    json!({"stringValue": value.to_string()})
}

fn spans() -> Vec<Value> {
    let word = |word: &str| json!({"stringValue": word});
    let span = |id: &str, parent: &str, start: u64, attributes: Value, status: Value| {
        json!({
            "traceId": "0af7", "spanId": id, "parentSpanId": parent, "name": id,
            "startTimeUnixNano": (1_700_000_000_000_000_000 + start * 1_000_000_000).to_string(),
            "endTimeUnixNano": (1_700_000_000_500_000_000 + start * 1_000_000_000).to_string(),
            "attributes": attributes, "status": status,
        })
    };
    let asked = json!([{"role": "user", "parts": [{"type": "text", "content": "Draw it."}]}]);
    let call = json!([{"role": "assistant", "finish_reason": "tool_call", "parts": [
        {"type": "text", "content": "I draw."}, {"type": "tool_call", "id": "c1", "name": "draw", "arguments": {"x": 1}}, {"type": "tool_call", "id": "c2", "name": "look", "arguments": {}}]}]);
    let again = json!([{"role": "user", "parts": [{"type": "text", "content": "Draw it."}]},
        {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c2", "response": "seen"}, {"type": "blob", "mime_type": "image/png", "content": super::base64([4, 0, 0])}]}]);
    let done = json!([{"role": "assistant", "finish_reason": "stop", "parts": [{"type": "text", "content": "Done."}]}]);
    // Not in their order, as exporters write them.
    vec![
        span(
            "chat-2",
            "agent",
            5,
            attributes(&[
                ("gen_ai.operation.name", word("chat")),
                ("gen_ai.response.model", word("m-1")),
                ("gen_ai.input.messages", text(&again)),
                ("gen_ai.output.messages", text(&done)),
            ]),
            json!({}),
        ),
        span(
            "agent",
            "",
            0,
            attributes(&[
                ("gen_ai.operation.name", word("invoke_agent")),
                ("gen_ai.agent.name", word("painter")),
            ]),
            json!({}),
        ),
        span(
            "chat-1",
            "agent",
            1,
            attributes(&[
                ("gen_ai.operation.name", word("chat")),
                ("gen_ai.response.model", word("m-1")),
                ("gen_ai.usage.input_tokens", json!({"intValue": "12"})),
                ("gen_ai.input.messages", text(&asked)),
                ("gen_ai.output.messages", text(&call)),
            ]),
            json!({}),
        ),
        span(
            "tool",
            "agent",
            3,
            attributes(&[
                ("gen_ai.operation.name", word("execute_tool")),
                ("gen_ai.tool.name", word("draw")),
                ("gen_ai.tool.call.id", word("c1")),
            ]),
            json!({"code": 2, "message": "no paint"}),
        ),
    ]
}

#[test]
fn spans_of_one_trace_are_a_run_in_the_order_of_their_times() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("trace.json");
    write_json(
        &path,
        &json!({"resourceSpans": [{"resource": {}, "scopeSpans": [{"spans": spans()}]}]}),
    );
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert_eq!((&*run.manifest.task.set, &*run.manifest.agent.name), ("opentelemetry", "m-1"));
    assert_eq!((run.turns.len(), run.steps.len()), (2, 2));
    assert_eq!((&*run.turns[0].thought, &*run.turns[1].thought), ("I draw.", "Done."));
    let outcomes: Vec<_> = run.steps.iter().map(|step| step.outcome.as_ref().unwrap()).collect();
    assert_eq!(outcomes[0].failure.as_ref().unwrap().message, "no paint");
    assert_eq!((outcomes[0].latency_ms, &*outcomes[1].text), (500.0, "seen"));
    assert_eq!(colour(&run, 2), Some([4, 0, 0]));
    assert_eq!(
        (run.turns[0].usage.map(|usage| usage.input_tokens), run.turns[1].usage),
        (Some(12), None)
    );
    assert_eq!(run.manifest.started, "2023-11-14T22:13:20Z");
    assert_eq!(
        (record(&run).instruction.as_deref(), record(&run).outcome.as_deref()),
        (Some("Draw it."), Some("stop"))
    );
    assert_eq!(record(&run).facts["agent"], "painter");
}

#[test]
fn parents_in_a_circle_double_ids_and_spans_of_nothing_are_said() {
    let dir = tempfile::tempdir().unwrap();
    let mut lines = spans();
    lines[1]["parentSpanId"] = json!("chat-1");
    lines.push(lines[0].clone());
    lines.push(json!({"traceId": "other", "spanId": "s", "name": "GET /"}));
    lines.push(json!({"name": "without ids"}));
    let path = dir.path().join("spans.jsonl");
    write_lines(&path, &lines);
    let imported = imported(&[&path]);
    assert_eq!(imported.run().steps.len(), 2);
    assert!(imported.report.runs[0].warnings[0].contains("circle"), "{:?}", imported.report);
    assert!(imported.reason("spans.jsonl:5").contains("is there twice"));
    assert!(imported.reason("spans.jsonl:7").contains("no span"));
    assert!(imported.reason("spans.jsonl#other").contains("asks a model"));
}

#[test]
fn spans_that_the_python_sdk_writes_have_plain_attributes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("python.json");
    write_json(
        &path,
        &json!({
            "name": "openai.chat", "context": {"trace_id": "0x1", "span_id": "0x2", "trace_state": "[]"}, "kind": "x", "parent_id": null,
            "start_time": "2026-01-01T00:00:00.000000Z", "end_time": "2026-01-01T00:00:02.000000Z", "status": {"status_code": "UNSET"},
            "attributes": {"gen_ai.request.model": "gpt-x", "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi", "gen_ai.completion.0.content": "Hello"},
            "events": [],
        }),
    );
    let run = imported(&[&path]).run();
    assert_eq!((&*run.turns[0].thought, run.turns[0].seconds), ("Hello", Some(2.0)));
    assert_eq!(record(&run).instruction.as_deref(), Some("Hi"));
}

#[test]
fn pictures_that_every_request_repeats_are_seen_once_and_where_they_are_new() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("pictures.json");
    let shown = |role: &str, red: u8| json!({"role": role, "parts": [{"type": "blob", "mime_type": "image/png", "content": super::base64([red, 0, 0])}]});
    let called = |id: &str| json!({"role": "assistant", "parts": [{"type": "tool_call", "id": id, "name": "draw", "arguments": {}}]});
    let mut asked = vec![shown("user", 1)];
    let spans: Vec<Value> = ["a", "b", "c"]
        .iter()
        .zip(2..)
        .map(|(id, red)| {
            let input = json!(asked);
            asked.extend([called(id), shown("tool", red)]);
            json!({
                "traceId": "t", "spanId": id, "name": "chat", "startTimeUnixNano": red,
                "attributes": attributes(&[
                    ("gen_ai.operation.name", json!({"stringValue": "chat"})),
                    ("gen_ai.input.messages", text(&input)),
                    ("gen_ai.output.messages", text(&json!([called(id)]))),
                ]),
            })
        })
        .collect();
    write_json(&path, &json!({"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]}));
    let imported = imported(&[&path]);
    let run = imported.run();
    // What the last call led to was asked about by nobody.
    assert_eq!([1, 2, 3].map(|step| colour(&run, step)), [Some([2, 0, 0]), Some([3, 0, 0]), None]);
    assert!(record(&run).start_picture.is_some());
}
