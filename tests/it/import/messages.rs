//! Message logs of three APIs, in the ways in which people keep them.

use pentimento::run::{Outcome, Run};
use serde_json::{Value, json};

use super::{base64, colour, data_uri, imported, record, write_json, write_lines};

/// A run with the folder that its pictures are in.
struct Kept {
    run: Run,
    _out: tempfile::TempDir,
}

impl std::ops::Deref for Kept {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.run
    }
}

fn import_one(name: &str, value: &Value) -> Kept {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    write_json(&path, value);
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert!(imported.report.skipped.is_empty(), "{:?}", imported.report);
    Kept { run, _out: imported.out }
}

fn claude() -> Vec<Value> {
    vec![
        json!({"role": "user", "content": "Draw it."}),
        json!({"role": "assistant", "content": [
            {"type": "thinking", "thinking": "A circle.", "signature": "x"},
            {"type": "text", "text": "I look first."},
            {"type": "tool_use", "id": "t1", "name": "computer", "input": {"action": "screenshot"}},
            {"type": "tool_use", "id": "t2", "name": "create_ellipse", "input": {"x": 1}},
        ]}),
        json!({"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": "t2", "is_error": true, "content": "no room"},
            {"type": "tool_result", "tool_use_id": "t1", "content": [
                {"type": "text", "text": "here"},
                {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": base64([5, 0, 0])}},
            ]},
        ]}),
    ]
}

fn last_answer() -> Value {
    json!({
        "id": "m", "type": "message", "role": "assistant", "model": "claude-x", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "Done."}], "usage": {"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": 2},
    })
}

fn check_claude(run: &Run) {
    assert_eq!(run.manifest.task.set, "anthropic");
    assert_eq!((run.turns.len(), run.steps.len()), (2, 2));
    assert_eq!(run.turns[0].thought, "A circle.\n\nI look first.");
    assert_eq!(run.steps[0].outcome.as_ref().unwrap().text, "here");
    assert_eq!(run.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap().message, "no room");
    assert_eq!(record(run).instruction.as_deref(), Some("Draw it."));
}

#[test]
fn blocks_of_anthropic_are_turns_calls_and_what_came_of_them() {
    let run = import_one(
        "log.json",
        &json!({"system": "s", "messages": claude(), "response": last_answer()}),
    );
    check_claude(&run);
    assert_eq!(
        run.turns[1].usage.map(|usage| (usage.input_tokens, usage.output_tokens)),
        Some((9, 3))
    );
    assert_eq!(
        (&*run.manifest.agent.name, &run.manifest.outcome),
        ("claude-x", &Outcome::Completed)
    );
    assert_eq!(record(&run).outcome.as_deref(), Some("end_turn"));
}

#[test]
fn exchanges_that_repeat_what_came_before_are_one_run_and_another_conversation_is_another() {
    let dir = tempfile::tempdir().unwrap();
    let messages = claude();
    let mut first = messages[1].clone();
    first["type"] = json!("message");
    first["usage"] = json!({"input_tokens": 5, "output_tokens": 6});
    let path = dir.path().join("wire.jsonl");
    // The mark for the cache moves from request to request.
    let mut marked = messages.clone();
    marked[0]["content"] =
        json!([{"type": "text", "text": "Draw it.", "cache_control": {"type": "ephemeral"}}]);
    let mut plain = marked[0].clone();
    plain["content"][0].as_object_mut().unwrap().remove("cache_control");
    write_lines(
        &path,
        &[
            json!({"request": {"messages": [marked[0]]}, "response": first}),
            json!({"request": {"body": json!({"messages": [plain, messages[1], messages[2]]}).to_string()}, "response": last_answer()}),
            json!({"request": {"messages": [{"role": "user", "content": "Something else."}]}, "response": last_answer()}),
        ],
    );
    let imported = imported(&[&path]);
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    check_claude(&runs[0]);
    assert_eq!(runs[0].manifest.totals.output_tokens, 9);
    assert_eq!((&*runs[1].manifest.task.id, runs[1].turns.len()), ("wire-2", 1));
}

#[test]
fn a_line_a_message_is_one_run_with_torn_lines_left_out() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("session.jsonl");
    let mut text = String::new();
    for message in claude() {
        text.push_str(&json!({"type": "user", "message": message}).to_string());
        text.push('\n');
    }
    text.push_str("{\"type\": \"assistant\", \"message\": {\"role\"\n");
    text.push_str(&json!({"type": "assistant", "message": last_answer()}).to_string());
    super::write(&path, text);
    let imported = imported(&[&path]);
    let run = imported.run();
    check_claude(&run);
    assert!(
        imported.report.runs[0].warnings[0].contains("session.jsonl:4"),
        "{:?}",
        imported.report
    );
}

#[test]
fn chats_and_responses_of_openai_are_the_same_run() {
    let chat = json!({"model": "gpt-x", "messages": [
        {"role": "system", "content": "You draw."},
        {"role": "user", "content": [{"type": "text", "text": "Draw it."}, {"type": "image_url", "image_url": {"url": data_uri([1, 0, 0])}}]},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "click", "arguments": "{\"x\": 3}"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "clicked"},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": data_uri([2, 0, 0])}}]},
        {"role": "assistant", "content": "Done."},
    ]});
    let responses = json!({"input": [
        {"role": "user", "content": [{"type": "input_text", "text": "Draw it."}, {"type": "input_image", "image_url": data_uri([1, 0, 0])}]},
        {"type": "reasoning", "summary": []},
        {"type": "function_call", "call_id": "c1", "name": "click", "arguments": "{\"x\": 3}"},
        {"type": "function_call_output", "call_id": "c1", "output": [{"type": "input_text", "text": "clicked"}, {"type": "input_image", "image_url": data_uri([2, 0, 0])}]},
    ], "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}],
       "status": "completed", "model": "gpt-x", "usage": {"input_tokens": 4, "output_tokens": 5}});
    for (name, log) in [("chat.json", &chat), ("responses.json", &responses)] {
        let run = import_one(name, log);
        assert_eq!(run.manifest.task.set, "openai", "{name}");
        assert_eq!((run.turns.len(), run.steps.len()), (2, 1), "{name}");
        assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!({"x": 3}), "{name}");
        assert_eq!(run.steps[0].outcome.as_ref().unwrap().text, "clicked", "{name}");
        assert_eq!((colour(&run, 1), &*run.turns[1].thought), (Some([2, 0, 0]), "Done."), "{name}");
        assert!(record(&run).start_picture.is_some(), "{name}");
        assert_eq!(record(&run).instruction.as_deref(), Some("Draw it."), "{name}");
    }
    let run = import_one("responses.json", &responses);
    assert_eq!(
        (run.manifest.outcome.clone(), run.manifest.totals.input_tokens),
        (Outcome::Completed, 4)
    );
}

#[test]
fn screenshots_of_a_computer_are_what_came_of_its_actions() {
    let run = import_one(
        "cua.json",
        &json!([
            {"role": "user", "content": "Open it."},
            {"type": "computer_call", "call_id": "k", "action": {"type": "click", "x": 3, "y": 4, "button": "left"}, "status": "completed"},
            {"type": "computer_call_output", "call_id": "k", "output": {"type": "computer_screenshot", "image_url": data_uri([6, 0, 0])}},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Open."}]},
        ]),
    );
    assert_eq!(run.steps[0].call.as_ref().unwrap().name, "click");
    assert_eq!((colour(&run, 1), run.turns.len()), (Some([6, 0, 0]), 2));
}

#[test]
fn parts_of_gemini_are_joined_by_their_order() {
    let run = import_one(
        "gemini.json",
        &json!({"contents": [
        {"role": "user", "parts": [{"text": "Draw it."}]},
        {"role": "model", "parts": [{"text": "I do."}, {"functionCall": {"name": "draw", "args": {"x": 1}}}, {"functionCall": {"name": "look", "args": {}}}]},
        {"role": "user", "parts": [
            {"functionResponse": {"name": "draw", "response": {"output": "drawn"}}},
            {"functionResponse": {"name": "look", "response": {"error": "blind"}}},
            {"inlineData": {"mimeType": "image/png", "data": base64([3, 0, 0])}},
        ]},
    ], "candidates": [{"content": {"parts": [{"text": "Done."}]}, "finishReason": "STOP"}],
       "usageMetadata": {"promptTokenCount": 8, "candidatesTokenCount": 2}, "modelVersion": "gemini-x"}),
    );
    assert_eq!((&*run.manifest.task.set, &*run.manifest.agent.name), ("gemini", "gemini-x"));
    assert_eq!((run.turns.len(), run.steps.len()), (2, 2));
    assert_eq!(run.steps[0].outcome.as_ref().unwrap().text, "drawn");
    assert_eq!(run.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap().message, "blind");
    assert_eq!(
        (colour(&run, 2), run.turns[1].usage.map(|usage| usage.input_tokens)),
        (Some([3, 0, 0]), Some(8))
    );
    assert_eq!(record(&run).outcome.as_deref(), Some("STOP"));
}

#[test]
fn what_belongs_to_nothing_is_a_warning_and_long_texts_stay_whole() {
    let dir = tempfile::tempdir().unwrap();
    let long = "words".repeat(10_000);
    let path = dir.path().join("odd.json");
    write_json(
        &path,
        &json!([
            {"role": "user", "content": long},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "x", "input": {}}, {"type": "tool_use", "id": "a", "name": "y", "input": "no object"}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1"}, {"type": "tool_result", "tool_use_id": "a", "content": "2"},
                {"type": "tool_result", "tool_use_id": "zzz", "content": "3"}, {"type": "image", "source": {"type": "url", "url": "https://example.com/a.png"}}]},
        ]),
    );
    let imported = imported(&[&path]);
    let run = imported.run();
    let texts: Vec<&str> =
        run.steps.iter().map(|step| &*step.outcome.as_ref().unwrap().text).collect();
    assert_eq!(texts, ["1", "2"], "of one id, in their order");
    assert_eq!(run.steps[1].call.as_ref().unwrap().arguments, json!({"text": "no object"}));
    assert_eq!(record(&run).instruction.as_ref().unwrap().len(), 50_000);
    let warnings = &imported.report.runs[0].warnings;
    assert!(
        warnings[0].contains("no call that waits") && warnings[1].contains("does not hold"),
        "{warnings:?}"
    );
}
