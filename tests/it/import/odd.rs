//! Records as nobody should write them: of each comes in what can be read, or it is said why nothing can, and what
//! lies beside it comes in.

use serde_json::{Value, json};

use super::playwright::archive;
use super::{Imported, colour, data_uri, import_into, imported, png, write};

/// Imports files in folders of their own, with a good record beside them. Every folder is one of a run, or of what was
/// left out; all runs are whole; and importing them again brings nothing new.
fn imported_beside_a_good_one(files: &[(&str, Vec<u8>)]) -> Imported {
    let dir = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        write(&dir.path().join(path), bytes);
    }
    let good = [user("Hello"), assistant("Hi")].concat();
    write(&dir.path().join("good/log.jsonl"), good);
    let out = imported(&[dir.path()]);
    let sources: Vec<String> = out
        .runs()
        .into_iter()
        .map(|run| run.manifest.imported.map_or_else(String::new, |record| record.source))
        .collect();
    assert!(sources.iter().any(|source| source.contains("good")), "{sources:?}");
    for (path, _) in files {
        let folder = path.split('/').next().unwrap();
        let is_told = sources.iter().any(|source| source.contains(folder))
            || out.report.skipped.iter().any(|it| it.place.contains(folder));
        assert!(is_told, "{folder} is in no run and not left out: {:#?}", out.report);
    }
    assert_eq!(import_into(out.out.path(), &[dir.path()]).new_runs(), 0);
    out
}

/// The turns of the run that was read from this folder.
fn turns(out: &Imported, folder: &str) -> usize {
    let of_folder = |record: &pentimento::run::ImportRecord| record.source.contains(folder);
    let run =
        out.runs().into_iter().find(|run| run.manifest.imported.as_ref().is_some_and(of_folder));
    run.unwrap_or_else(|| panic!("{folder} is no run: {:#?}", out.report)).turns.len()
}

fn user(text: &str) -> String {
    format!("{}\n", json!({"role": "user", "content": text}))
}

fn assistant(text: &str) -> String {
    format!("{}\n", json!({"role": "assistant", "content": text, "tool_calls": []}))
}

fn bytes(text: impl Into<String>) -> Vec<u8> {
    text.into().into_bytes()
}

fn lines(values: &[Value]) -> Vec<u8> {
    let lines: Vec<String> = values.iter().map(|value| format!("{value}\n")).collect();
    lines.concat().into_bytes()
}

#[test]
fn odd_logs_of_messages() {
    // Of equal runs one is kept.
    let talk = |name: &str| [user("x"), assistant(name)].concat();
    let answer = |more: Value| {
        let text = format!("y {more}");
        let mut message = json!({"role": "assistant", "content": text, "tool_calls": []});
        message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        message
    };
    let asked = json!({"role": "user", "content": "x"});
    let uri = data_uri([9, 0, 0]).replace(";base64,", ";charset=utf-8;base64,\n ");
    let seen =
        json!({"role": "user", "content": [{"type": "image_url", "image_url": {"url": uri}}]});
    let called = answer(
        json!({"tool_calls": [{"id": "a", "function": {"name": "look", "arguments": "{}"}}]}),
    );
    let torn = [
        talk("latin").as_bytes(),
        b"{\"role\": \"user\", \"content\": \"\xff\"}\n",
        assistant("z").as_bytes(),
    ]
    .concat();
    let out = imported_beside_a_good_one(&[
        ("marked/a.jsonl", bytes(format!("\u{feff}{}", talk("marked").replace('\n', "\r\n")))),
        (
            "number/a.jsonl",
            bytes(format!(
                "{}{{\"role\": \"assistant\", \"content\": 1e999}}\n{}",
                talk("number"),
                assistant("z")
            )),
        ),
        ("latin/a.jsonl", torn),
        (
            "tokens/a.jsonl",
            lines(&[
                asked.clone(),
                answer(
                    json!({"usage": {"prompt_tokens": -5, "completion_tokens": 1e300, "cost": -1}}),
                ),
            ]),
        ),
        (
            "times/a.jsonl",
            lines(&[
                asked.clone(),
                answer(json!({"timestamp": "yesterday"})),
                answer(json!({"timestamp": 1e40})),
                answer(json!({"timestamp": [1]})),
            ]),
        ),
        (
            "calls/a.jsonl",
            lines(&[
                asked.clone(),
                answer(
                    json!({"tool_calls": [null, 7, {}, {"function": null}, {"id": 3, "function": {"name": 4, "arguments": [5]}}]}),
                ),
            ]),
        ),
        ("uri/a.jsonl", lines(&[asked.clone(), called, seen])),
        (
            "twice/a.json",
            bytes(format!(
                "{{\"messages\": [], \"messages\": [{}, {}]}}",
                asked,
                answer(json!({}))
            )),
        ),
    ]);
    for (folder, count) in [
        ("marked", 1),
        ("number", 2),
        ("latin", 2),
        ("tokens", 1),
        ("times", 3),
        ("calls", 1),
        ("uri", 1),
        ("twice", 1),
    ] {
        assert_eq!(turns(&out, folder), count, "{folder}");
    }
    let run = out
        .runs()
        .into_iter()
        .find(|run| run.manifest.imported.as_ref().is_some_and(|it| it.source.contains("uri")));
    assert_eq!(colour(&run.unwrap(), 1), Some([9, 0, 0]));
}

#[test]
fn odd_streams() {
    let wire = |events: &[&str]| {
        let events: Vec<String> = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        events.concat().into_bytes()
    };
    let start =
        r#"{"type": "message_start", "message": {"role": "assistant", "stop_reason": null}}"#;
    let said = r#"{"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x"}}"#;
    let stop = r#"{"type": "message_stop"}"#;
    let out = imported_beside_a_good_one(&[
        ("order/a.sse", wire(&[stop, said, start, said, start, stop])),
        (
            "places/a.sse",
            wire(&[
                start,
                said,
                &said.replace("{\"type\": \"content", "{\"index\": -1, \"type\": \"content"),
                &said.replace("{\"type\": \"content", "{\"index\": \"x\", \"type\": \"content"),
            ]),
        ),
        (
            "types/a.sse",
            wire(&[
                start,
                r#"{"type": "message_start", "message": 7}"#,
                r#"{"type": "content_block_start", "content_block": []}"#,
                r#"{"type": "content_block_delta", "delta": 7}"#,
                r#"{"type": "message_delta", "delta": [], "usage": "x"}"#,
                stop,
            ]),
        ),
        (
            "choices/a.sse",
            wire(&[
                r#"{"object": "chat.completion.chunk", "choices": [7]}"#,
                r#"{"object": "chat.completion.chunk", "choices": [{"delta": {"content": 7, "tool_calls": [null, {"index": "x", "function": 7}]}, "finish_reason": 7}]}"#,
            ]),
        ),
        (
            "items/a.sse",
            wire(&[
                r#"{"type": "response.created", "response": 7}"#,
                r#"{"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "content": 7}}"#,
                r#"{"type": "response.output_text.delta", "output_index": 0, "delta": "x"}"#,
                r#"{"type": "response.completed", "response": {"output": {}}}"#,
            ]),
        ),
        (
            "parts/a.sse",
            wire(&[
                r#"{"candidates": [null], "parts": 1}"#,
                r#"{"candidates": [{"content": {"parts": 7}, "finishReason": "STOP"}]}"#,
            ]),
        ),
    ]);
    assert_eq!((turns(&out, "places"), turns(&out, "items")), (1, 1));
    // An answer that ends at once is one without a word.
    assert_eq!((turns(&out, "order"), turns(&out, "types")), (4, 1));
    assert_eq!((turns(&out, "choices"), turns(&out, "parts")), (1, 1));
    let is_told = |folder: &str| out.report.skipped.iter().any(|it| it.place.contains(folder));
    assert!(is_told("types") && !is_told("order") && !is_told("choices"), "{:#?}", out.report);
}

#[test]
fn odd_sessions_and_traces() {
    let line =
        |kind: &str, payload: Value| json!({"timestamp": 7, "type": kind, "payload": payload});
    let items: Vec<Value> = [
        json!(null),
        json!(7),
        json!([]),
        json!({}),
        json!({"type": 7}),
        json!({"type": "function_call_output", "output": 7}),
        json!({"type": "function_call", "name": 7, "arguments": {"x": 1}, "call_id": 7}),
        json!({"type": "message", "role": "user", "content": 7}),
        json!({"type": "message", "role": "assistant", "content": [7, null]}),
    ]
    .into_iter()
    .map(|payload| line("response_item", payload))
    .collect();
    let events: Vec<Value> = [json!({"type": "token_count"}), json!({"type": "token_count", "info": {"total_token_usage": 7, "last_token_usage": {"input_tokens": -1}}}),
        json!({"type": "turn_aborted", "reason": 7}), json!({"type": "error"})].into_iter().map(|payload| line("event_msg", payload)).collect();
    let session = [vec![line("session_meta", json!(null))], items, events].concat();
    let span = |more: Value| {
        let mut span = json!({"traceId": "t", "spanId": "s", "attributes": [{"key": "gen_ai.operation.name", "value": {"stringValue": "chat"}}]});
        span.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
    };
    let out = imported_beside_a_good_one(&[
        ("session/a.jsonl", lines(&session)),
        (
            "long/a.json",
            lines(&[span(
                json!({"startTimeUnixNano": "99999999999999999999999", "endTimeUnixNano": -1}),
            )]),
        ),
        (
            "late/a.json",
            lines(&[span(
                json!({"startTimeUnixNano": "18446744073709551615", "endTimeUnixNano": "1"}),
            )]),
        ),
        ("plain/a.json", lines(&[span(json!({"attributes": null, "events": 7, "status": []}))])),
        (
            "zone/a.json",
            lines(&[
                json!({"name": "chat", "context": {"trace_id": "0x1", "span_id": "0x2"}, "start_time": "2026-01-01T01:00:00+01:00", "end_time": "then", "attributes": {"gen_ai.operation.name": "chat"}}),
            ]),
        ),
        ("ids/a.json", lines(&[span(json!({"traceId": 7}))])),
    ]);
    assert_eq!((turns(&out, "long"), turns(&out, "late"), turns(&out, "session")), (1, 1, 2));
    let zone = out.runs().into_iter().find(|run| run.manifest.started == "2026-01-01T00:00:00Z");
    assert!(zone.is_some(), "{:#?}", out.report);
}

#[test]
fn odd_trajectories() {
    let step = |file: Value| json!({"step_num": 1, "action": "WAIT", "screenshot_file": file});
    let numbered = |number: Value| json!({"step_num": number, "action": {"action_type": 7}, "info": 7, "reward": "x"});
    // Of equal runs one is kept.
    let task = |id: &str, image: &str| json!({"task_id": id, "traj": [{"index": 0, "image": image, "value": {"code": "f()"}}]});
    let out = imported_beside_a_good_one(&[
        (
            "files/traj.jsonl",
            lines(&[
                step(json!("a\0b.png")),
                step(json!("/etc/passwd")),
                step(json!("../../a.png")),
                step(json!("C:\\a.png")),
                step(json!(7)),
                step(json!("")),
            ]),
        ),
        (
            "numbers/traj.jsonl",
            lines(&[
                numbered(json!("x")),
                numbered(json!(-1)),
                numbered(json!(1.5)),
                numbered(json!(1e300)),
            ]),
        ),
        ("score/traj.jsonl", lines(&[step(json!(null))])),
        ("score/result.txt", bytes("\u{feff}NaN\r\n")),
        ("image-nul/a.jsonl", lines(&[task("nul", "a\0b.png")])),
        (
            "image-out/a.jsonl",
            lines(&[
                task("up", "../../../a.png"),
                task("root", "/a.png"),
                task("double", "a//b.png"),
                task("none", ""),
            ]),
        ),
        (
            "fields/a.jsonl",
            lines(&[
                json!({"task_id": 7, "traj": [7, null, {"value": 7}, {"image": 7, "value": {"code": 7}}]}),
            ]),
        ),
    ]);
    assert_eq!((turns(&out, "files"), turns(&out, "score")), (1, 1));
    let warned = |text: &str| {
        out.report.runs.iter().flat_map(|run| &run.warnings).any(|it| it.contains(text))
    };
    assert!(warned("is no score") && warned("leads out of the folder"), "{:#?}", out.report);
}

#[test]
fn odd_archives_and_what_they_hold() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let trace = [
        json!({"type": "context-options", "version": 8, "wallTime": 1e300, "monotonicTime": -1e300, "title": 7}),
        json!({"type": "before", "callId": "a", "class": 7, "startTime": "x", "params": [1], "pageId": "p"}),
        json!({"type": "screencast-frame", "pageId": "p", "sha1": "../../a.jpeg", "timestamp": 1e300}),
        json!({"type": "screencast-frame", "pageId": "p", "sha1": "a\0b", "timestamp": -1}),
        json!({"type": "after", "callId": "a", "endTime": 1e308, "error": 7, "result": [], "point": {"x": "y"}}),
    ];
    archive(
        &at("trace.zip"),
        &[("x/a.trace", lines(&trace)), ("resources/a.jpeg", png([1, 0, 0]))],
    );
    let header = br#"{"eval": {"task": 7, "model": []}, "status": "success"}"#.to_vec();
    let sample = br#"{"id": 0, "epoch": -1, "messages": [7, {"role": "assistant", "content": [null, {"type": "image", "image": "attachment://x"}], "tool_calls": [7]}], "scores": {"a": NaN}, "events": [7], "model_usage": {"m": 7}, "total_time": -1}"#.to_vec();
    archive(
        &at("log.eval"),
        &[
            ("header.json", header),
            ("samples/0_epoch_1.json", sample),
            ("samples/1_epoch_1.json", b"{\"id\": {}}".to_vec()),
            ("samples/2_epoch_1.json", vec![0xff; 9]),
        ],
    );
    archive(&at("inner.zip"), &[("log.eval", std::fs::read(at("log.eval")).unwrap())]);
    let out = imported(&[dir.path()]);
    let runs = out.runs();
    let sets: Vec<&str> = runs.iter().map(|run| &*run.manifest.task.set).collect();
    assert_eq!((runs.len(), sets.contains(&"playwright")), (2, true), "{:#?}", out.report);
    assert!(out.reason("inner.zip").contains("archive of no format"));
    assert!(out.reason("1_epoch_1.json").contains("no sample"));
    assert!(out.reason("2_epoch_1.json").contains("not UTF-8"));
    assert_eq!(import_into(out.out.path(), &[dir.path()]).new_runs(), 0);
}
