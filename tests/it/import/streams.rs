//! Answers that came in events, as people keep them: as they came over the wire, a line an event, within exchanges.

use base64::Engine as _;
use serde_json::{Value, json};

use super::{imported, record, write, write_json, write_lines};

/// As a server sends it.
fn wire(events: &[Value], has_names: bool) -> String {
    let events = events.iter().map(|event| {
        let name = event["type"].as_str().filter(|_| has_names);
        let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
        format!("{name}data: {event}\n\n")
    });
    events.collect()
}

/// An answer that looks first, or says that it is done.
fn claude(number: u32, has_call: bool) -> Vec<Value> {
    let mut events = vec![
        json!({"type": "message_start", "message": {"id": format!("m{number}"), "type": "message", "role": "assistant", "model": "claude-x", "content": [], "stop_reason": null, "usage": {"input_tokens": 5, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": if has_call { "I lo" } else { "Do" }}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": if has_call { "ok." } else { "ne." }}}),
    ];
    if has_call {
        events.extend([
            json!({"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": format!("t{number}"), "name": "look", "input": {}}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{\"at\": "}}),
            json!({"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": "[1, 2]}"}}),
            json!({"type": "content_block_stop", "index": 1}),
        ]);
    }
    let stop = if has_call { "tool_use" } else { "end_turn" };
    events.extend([
        json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 9}}),
        json!({"type": "message_stop"}),
    ]);
    events
}

fn request(messages: &Value) -> Value {
    json!({"model": "claude-x", "stream": true, "messages": messages})
}

/// What was asked before the second answer.
fn with_result() -> Value {
    json!([
        {"role": "user", "content": "Draw it."},
        {"role": "assistant", "content": [{"type": "text", "text": "I look."}, {"type": "tool_use", "id": "t1", "name": "look", "input": {"at": [1, 2]}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "nothing"}]},
    ])
}

#[test]
fn a_stream_of_anthropic_is_the_same_run_in_whatever_it_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let asked = request(&json!([{"role": "user", "content": "Draw it."}]));
    let again = request(&with_result());
    let (first, last) = (claude(1, true), claude(2, false));
    // Requests on lines of their own, the answers as they came.
    let mixed = format!("{asked}\n{}\n{again}\n{}", wire(&first, true), wire(&last, true));
    write(&at("mixed.log"), mixed);
    // Exchanges with the text of the answer.
    let exchange = |request: &Value, events: &[Value]| json!({"request": {"method": "POST", "body": request}, "response": {"status_code": 200, "body_raw": wire(events, true)}});
    write_lines(&at("exchanges.jsonl"), &[exchange(&asked, &first), exchange(&again, &last)]);
    // What a browser captured, among much else.
    let captured = |request: &Value, events: &[Value]| {
        json!({"startedDateTime": "2026-01-01T00:00:00.000Z", "time": 12,
            "request": {"method": "POST", "url": "https://api.anthropic.com/v1/messages", "postData": {"mimeType": "application/json", "text": request.to_string()}},
            "response": {"status": 200, "content": {"mimeType": "text/event-stream", "text": wire(events, true)}}})
    };
    let mut last_entry = captured(&again, &last);
    let packed = base64::engine::general_purpose::STANDARD.encode(wire(&last, true));
    last_entry["response"]["content"] = json!({"text": packed, "encoding": "base64"});
    let other = json!({"request": {"method": "GET", "url": "https://example.com/"}, "response": {"content": {"text": "<html>"}}});
    let entries = [other, captured(&asked, &first), last_entry];
    write_json(&at("capture.har"), &json!({"log": {"version": "1.2", "entries": entries}}));
    // A line an event, in what a program wrote around it.
    let mut lines = vec![asked];
    let wrapped = |event: &Value| json!({"event": event["type"], "data": event.to_string()});
    lines.extend(first.iter().map(wrapped));
    lines.push(again);
    lines.extend(last.iter().map(|event| json!({"time": "2026-01-01T00:00:01Z", "chunk": event})));
    write_lines(&at("lines.jsonl"), &lines);
    for name in ["mixed.log", "exchanges.jsonl", "capture.har", "lines.jsonl"] {
        let imported = imported(&[&at(name)]);
        let run = imported.run();
        assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0], "{name}");
        assert!(imported.report.skipped.is_empty(), "{name}: {:?}", imported.report);
        assert_eq!((&*run.manifest.task.set, &*run.manifest.agent.name), ("anthropic", "claude-x"));
        let thoughts: Vec<&str> = run.turns.iter().map(|turn| &*turn.thought).collect();
        assert_eq!((thoughts, run.steps.len()), (vec!["I look.", "Done."], 1), "{name}");
        assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!({"at": [1, 2]}), "{name}");
        assert_eq!(run.steps[0].outcome.as_ref().unwrap().text, "nothing", "{name}");
        assert_eq!((run.manifest.totals.input_tokens, run.manifest.totals.output_tokens), (10, 18));
        assert_eq!(record(&run).instruction.as_deref(), Some("Draw it."), "{name}");
        assert_eq!(record(&run).outcome.as_deref(), Some("end_turn"), "{name}");
    }
}

#[test]
fn several_answers_over_the_wire_are_turns_and_one_that_is_cut_off_is_as_far_as_it_came() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("capture.txt");
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
    let cut = wire(&claude(2, true)[..6], true);
    let text = format!(
        "{head}{}{head}{cut}event: content_block_delta\ndata: {{\"type\": \"cont",
        wire(&claude(1, true), true)
    );
    write(&path, text.replace('\n', "\r\n").replace("\r\r", "\r"));
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (2, 2));
    assert_eq!(run.steps[1].call.as_ref().unwrap().arguments, json!({"text": "{\"at\": "}));
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.iter().any(|it| it.contains("the stream is cut off")), "{warnings:?}");
    assert_eq!(record(&run).outcome, None);
}

#[test]
fn streams_of_openai_and_gemini_are_answers_with_their_calls_and_tokens() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let chunk = |delta: Value, finish: Value| json!({"id": "c", "object": "chat.completion.chunk", "model": "gpt-x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let chat = [
        chunk(json!({"role": "assistant", "content": "I draw."}), json!(null)),
        chunk(
            json!({"tool_calls": [{"index": 0, "id": "a", "type": "function", "function": {"name": "draw", "arguments": "{\"x\""}}]}),
            json!(null),
        ),
        chunk(
            json!({"tool_calls": [{"index": 0, "function": {"arguments": ": 1}"}}]}),
            json!("tool_calls"),
        ),
        json!({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
    ];
    write(&at("chat.sse"), format!("{}data: [DONE]\n\n", wire(&chat, false)));
    let call =
        json!({"type": "function_call", "call_id": "a", "name": "draw", "arguments": "{\"x\": 1}"});
    let said = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I draw."}]});
    let responses = [
        json!({"type": "response.created", "response": {"id": "r", "model": "gpt-x", "status": "in_progress", "output": []}}),
        json!({"type": "response.output_text.delta", "output_index": 0, "delta": "I draw."}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": said}),
        json!({"type": "response.output_item.done", "output_index": 1, "item": call}),
        json!({"type": "response.completed", "response": {"id": "r", "model": "gpt-x", "status": "completed", "output": [said, call], "usage": {"input_tokens": 3, "output_tokens": 4}}}),
    ];
    write(&at("responses.sse"), wire(&responses, true));
    let piece = |part: Value, finish: Value| json!({"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": finish}], "modelVersion": "gpt-x", "usageMetadata": {"promptTokenCount": 3, "candidatesTokenCount": 4}});
    let gemini = [
        piece(json!({"text": "I dr"}), json!(null)),
        piece(json!({"text": "aw."}), json!(null)),
        piece(json!({"functionCall": {"name": "draw", "args": {"x": 1}}}), json!("STOP")),
    ];
    // Twice in one file: the second is another answer.
    let twice = [wire(&gemini, false), wire(&gemini, false)].concat();
    write(&at("gemini.sse"), twice.replace('\n', "\r\n"));
    for (name, set, turns) in
        [("chat.sse", "openai", 1), ("responses.sse", "openai", 1), ("gemini.sse", "gemini", 2)]
    {
        let imported = imported(&[&at(name)]);
        let run = imported.run();
        assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0], "{name}");
        assert_eq!((&*run.manifest.task.set, &*run.manifest.agent.name), (set, "gpt-x"), "{name}");
        assert_eq!((run.turns.len(), run.steps.len()), (turns, turns), "{name}");
        for (turn, step) in run.turns.iter().zip(&run.steps) {
            assert_eq!(turn.thought, "I draw.", "{name}");
            assert_eq!(step.call.as_ref().unwrap().arguments, json!({"x": 1}), "{name}");
            let usage = turn.usage.unwrap();
            assert_eq!((usage.input_tokens, usage.output_tokens), (3, 4), "{name}");
        }
    }
}

#[test]
fn an_answer_of_responses_that_is_cut_off_is_a_turn_of_its_own_and_has_no_end() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let answer = |id: &str, text: &str, is_whole: bool| {
        let item = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]});
        let mut events = vec![
            json!({"type": "response.created", "response": {"id": id, "model": "gpt-x", "status": "in_progress", "output": []}}),
            json!({"type": "response.output_text.delta", "output_index": 0, "delta": text}),
        ];
        if is_whole {
            events.push(json!({"type": "response.completed", "response": {"id": id, "model": "gpt-x", "status": "completed", "output": [item]}}));
        }
        wire(&events, true)
    };
    for (name, is_whole, outcome) in
        [("first.sse", [false, true], Some("completed")), ("last.sse", [true, false], None)]
    {
        let [first, last] = is_whole;
        write(&at(name), [answer("a", "One.", first), answer("b", "Two.", last)].concat());
        let imported = imported(&[&at(name)]);
        let run = imported.run();
        let thoughts: Vec<&str> = run.turns.iter().map(|turn| &*turn.thought).collect();
        assert_eq!(thoughts, ["One.", "Two."], "{name}");
        assert_eq!(record(&run).outcome.as_deref(), outcome, "{name}");
        let warnings = &imported.report.runs[0].warnings;
        assert!(warnings.len() == 1 && warnings[0].contains("cut off"), "{name}: {warnings:?}");
    }
}

#[test]
fn a_stream_with_an_error_or_nothing_in_it_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let failed =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let [start, said] = [0, 2].map(|at| claude(1, false)[at].clone());
    write(&at("broken.sse"), wire(&[start.clone(), said, failed.clone()], true));
    write(&at("failed.sse"), wire(&[start, failed], true));
    let imported = imported(&[&at("broken.sse"), &at("failed.sse")]);
    let run = imported.run();
    assert_eq!(run.turns[0].thought, "Do");
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings[0].contains("broke off: Overloaded"), "{warnings:?}");
    assert!(
        imported.report.skipped[0].reason.contains("broke off: Overloaded"),
        "{:?}",
        imported.report
    );
}

/// The events of each of these lists in turn.
fn mixed(streams: &[Vec<Value>]) -> Vec<Value> {
    let longest = streams.iter().map(Vec::len).max().unwrap_or_default();
    (0..longest).flat_map(|at| streams.iter().filter_map(move |it| it.get(at).cloned())).collect()
}

#[test]
fn answers_of_openai_that_came_mixed_are_runs_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let chat = |id: &str, words: [&str; 2]| -> Vec<Value> {
        let chunk = |delta: Value, finish: Value| json!({"id": id, "object": "chat.completion.chunk", "model": "gpt-x", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
        let call = json!({"tool_calls": [{"index": 0, "id": id, "function": {"name": "draw", "arguments": "{}"}}]});
        vec![
            chunk(json!({"role": "assistant", "content": words[0]}), json!(null)),
            chunk(json!({"content": words[1]}), json!(null)),
            chunk(call, json!(null)),
            chunk(json!({}), json!("tool_calls")),
            json!({"id": id, "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
        ]
    };
    let chats = mixed(&[chat("a", ["One", " cat."]), chat("b", ["Two", " dogs."])]);
    write(&at("chats.sse"), format!("{}data: [DONE]\n\ndata: [DONE]\n\n", wire(&chats, false)));
    let response = |id: &str, words: [&str; 2]| -> Vec<Value> {
        let item = format!("msg-{id}");
        let message = json!({"type": "message", "id": item, "role": "assistant", "content": []});
        let call = json!({"type": "function_call", "id": format!("fc-{id}"), "call_id": id, "name": "draw", "arguments": "{}"});
        let delta = |text: &str| json!({"type": "response.output_text.delta", "item_id": item, "output_index": 0, "delta": text});
        let mut events = vec![
            json!({"type": "response.created", "response": {"id": id, "model": "gpt-x", "status": "in_progress", "output": []}}),
            json!({"type": "response.output_item.added", "output_index": 0, "item": message}),
            delta(words[0]),
            delta(words[1]),
            json!({"type": "response.output_item.done", "output_index": 1, "item": call}),
            json!({"type": "response.completed", "response": {"id": id, "model": "gpt-x", "status": "completed", "output": [], "usage": {"input_tokens": 3, "output_tokens": 4}}}),
        ];
        for (number, event) in events.iter_mut().enumerate() {
            event["sequence_number"] = json!(number);
        }
        events
    };
    // The second begins when the first is at its words.
    let (first, second) = (response("a", ["One", " cat."]), response("b", ["Two", " dogs."]));
    let responses = [first[..3].to_vec(), mixed(&[second, first[3..].to_vec()])].concat();
    write(&at("responses.sse"), wire(&responses, true));
    for name in ["chats.sse", "responses.sse"] {
        let imported = imported(&[&at(name)]);
        let runs = imported.runs();
        assert!(imported.report.skipped.is_empty(), "{name}: {:?}", imported.report);
        let thoughts: Vec<&str> = runs.iter().map(|run| &*run.turns[0].thought).collect();
        assert_eq!(thoughts, ["One cat.", "Two dogs."], "{name}");
        for (run, told) in runs.iter().zip(&imported.report.runs) {
            assert_eq!((run.turns.len(), run.steps.len()), (1, 1), "{name}");
            assert_eq!(run.turns[0].usage.unwrap().output_tokens, 4, "{name}");
            let warnings = &told.warnings;
            assert!(
                warnings.len() == 1 && warnings[0].contains("at the same time"),
                "{name}: {warnings:?}"
            );
        }
    }
}

#[test]
fn answers_of_anthropic_that_came_mixed_are_said_to_be_and_not_put_together() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("mixed.sse");
    let both = mixed(&[claude(2, true), claude(3, true)]);
    write(&path, wire(&[claude(1, true), both, claude(4, false)].concat(), true));
    let imported = imported(&[&path]);
    let run = imported.run();
    let thoughts: Vec<&str> = run.turns.iter().map(|turn| &*turn.thought).collect();
    assert_eq!(thoughts, ["I look.", "Done."], "{:#?}", imported.report);
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.iter().any(|it| it.contains("came mixed")), "{warnings:?}");
    // One that is cut off before another begins is not mixed with it.
    let cut = [claude(1, true)[..6].to_vec(), claude(2, false)].concat();
    write(&path, wire(&cut, true));
    let cut = super::imported(&[&path]);
    assert_eq!(cut.run().turns.len(), 2);
    let warnings = &cut.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("cut off"), "{warnings:?}");
}
