//! Sessions of Codex CLI, of its three shapes, and what it prints of one.

use pentimento::run::Outcome;
use serde_json::{Value, json};

use super::{base64, colour, data_uri, imported, record, write, write_json, write_lines};

fn line(second: u32, kind: &str, payload: &Value) -> Value {
    json!({"timestamp": format!("2026-01-01T00:00:{second:02}.000Z"), "type": kind, "payload": payload})
}

fn message(role: &str, kind: &str, text: &str) -> Value {
    json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]})
}

fn tokens(total: u32, last: u32) -> Value {
    json!({"type": "token_count", "info": {
        "total_token_usage": {"input_tokens": total - 10, "cached_input_tokens": 5, "output_tokens": 10, "total_tokens": total},
        "last_token_usage": {"input_tokens": last, "cached_input_tokens": 5, "output_tokens": 2, "total_tokens": last + 2}}, "rate_limits": null})
}

#[test]
fn a_session_is_a_run_with_its_answers_calls_pictures_and_tokens() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("2026/01/01/rollout-2026-01-01T00-00-00-019.jsonl");
    let item = |second, payload: Value| line(second, "response_item", &payload);
    let event = |second, payload: Value| line(second, "event_msg", &payload);
    let lines = [
        line(
            0,
            "session_meta",
            &json!({"id": "019", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/project", "originator": "codex_cli_rs", "cli_version": "0.1.0", "base_instructions": {"text": "You code."}, "git": {"branch": "main"}}),
        ),
        item(0, message("developer", "input_text", "<permissions instructions>")),
        item(0, message("user", "input_text", "<environment_context>\n<cwd>/project</cwd>")),
        item(1, message("user", "input_text", "Make a logo.")),
        event(1, json!({"type": "user_message", "message": "Make a logo.", "kind": "plain"})),
        line(
            1,
            "turn_context",
            &json!({"cwd": "/project", "model": "gpt-x-codex", "effort": "high"}),
        ),
        event(2, json!({"type": "agent_reasoning", "text": "A circle."})),
        item(
            2,
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "A circle."}], "content": null, "encrypted_content": "x"}),
        ),
        item(
            2,
            json!({"type": "function_call", "name": "shell", "arguments": "{\"command\": [\"ls\"]}", "call_id": "a"}),
        ),
        item(
            2,
            json!({"type": "custom_tool_call", "status": "completed", "call_id": "b", "name": "apply_patch", "input": "*** Begin Patch"}),
        ),
        event(3, tokens(100, 80)),
        item(
            3,
            json!({"type": "function_call_output", "call_id": "a", "output": "{\"output\": \"none\\n\", \"metadata\": {\"exit_code\": 1, \"duration_seconds\": 0.5}}"}),
        ),
        item(
            3,
            json!({"type": "custom_tool_call_output", "call_id": "b", "output": "Exit code: 0\nWall time: 0.1 seconds\nOutput:\nDone"}),
        ),
        event(3, tokens(100, 80)),
        item(
            4,
            json!({"type": "local_shell_call", "call_id": "c", "status": "completed", "action": {"type": "exec", "command": ["convert"]}}),
        ),
        item(
            5,
            json!({"type": "function_call_output", "call_id": "c", "output": [{"type": "input_text", "text": "seen"}, {"type": "input_image", "image_url": data_uri([4, 0, 0])}]}),
        ),
        event(5, tokens(190, 88)),
        line(6, "world_state", &json!({"full": true, "state": {}})),
        line(6, "compacted", &json!({"message": "A logo was made."})),
        item(7, message("assistant", "output_text", "Done.")),
        event(7, json!({"type": "agent_message", "message": "Done."})),
        event(8, tokens(280, 85)),
        event(
            9,
            json!({"type": "task_complete", "last_agent_message": "Done.", "duration_ms": 9000}),
        ),
    ];
    write_lines(&path, &lines);
    let imported = imported(&[dir.path()]);
    assert!(imported.report.skipped.is_empty(), "{:#?}", imported.report.skipped);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    assert_eq!((&*run.manifest.task.set, &*run.manifest.agent.name), ("codex", "gpt-x-codex"));
    let calls: Vec<&str> = run.steps.iter().map(|it| &*it.call.as_ref().unwrap().name).collect();
    assert_eq!((run.turns.len(), calls), (3, vec!["shell", "apply_patch", "local_shell"]));
    assert_eq!((&*run.turns[0].thought, &*run.turns[2].thought), ("A circle.", "Done."));
    let [listed, patched, drawn] = [0, 1, 2].map(|at| run.steps[at].outcome.as_ref().unwrap());
    assert_eq!((&*listed.text, listed.latency_ms), ("none\n", 500.0));
    assert_eq!(listed.failure.as_ref().unwrap().message, "exit code 1");
    assert!(patched.failure.is_none() && drawn.text == "seen");
    assert_eq!(colour(&run, 3), Some([4, 0, 0]));
    let used: Vec<u64> = run.turns.iter().map(|turn| turn.usage.unwrap().input_tokens).collect();
    assert_eq!((used, run.manifest.totals.input_tokens), (vec![80, 88, 85], 270));
    let record = record(&run);
    assert_eq!(record.instruction.as_deref(), Some("Make a logo."));
    assert_eq!(
        (&record.facts["cli_version"], &record.facts["effort"]),
        (&json!("0.1.0"), &json!("high"))
    );
    assert!(run.notes.iter().any(|note| note.contains("A logo was made.")), "{:?}", run.notes);
    assert_eq!(
        (&*run.manifest.started, &run.manifest.outcome),
        ("2026-01-01T00:00:00Z", &Outcome::Completed)
    );
    assert_eq!(run.manifest.finished.as_deref(), Some("2026-01-01T00:00:09Z"));
}

#[test]
fn older_sessions_have_items_alone_and_the_oldest_all_in_one_object() {
    let dir = tempfile::tempdir().unwrap();
    let about = json!({"id": "c3", "timestamp": "2025-08-18T01:16:13.522Z", "instructions": null, "git": {"branch": "main"}});
    let items = [
        message("user", "input_text", "Make a logo."),
        json!({"type": "function_call", "id": null, "name": "shell", "arguments": "{}", "call_id": "a"}),
        json!({"type": "function_call_output", "call_id": "a", "output": {"content": "not allowed", "success": false}}),
        message("assistant", "output_text", "I cannot."),
    ];
    let state = json!({"record_type": "state"});
    let lines: Vec<Value> =
        [about.clone(), state.clone()].into_iter().chain(items.clone()).chain([state]).collect();
    write_lines(&dir.path().join("lines.jsonl"), &lines);
    write_json(&dir.path().join("object.json"), &json!({"session": about, "items": items}));
    let imported = imported(&[dir.path()]);
    let runs = imported.runs();
    assert_eq!(runs.len(), 2, "{:#?}", imported.report);
    for run in &runs {
        assert_eq!((&*run.manifest.task.set, run.turns.len(), run.steps.len()), ("codex", 2, 1));
        assert_eq!(
            run.steps[0].outcome.as_ref().unwrap().failure.as_ref().unwrap().message,
            "not allowed"
        );
        assert_eq!(record(run).facts["id"], "c3");
        assert_eq!(
            (&*run.turns[1].thought, &*run.manifest.started),
            ("I cannot.", "2025-08-18T01:16:13.522Z")
        );
    }
    assert!(
        imported.report.runs.iter().all(|run| run.warnings.is_empty()),
        "{:#?}",
        imported.report
    );
}

#[test]
fn limits_alone_are_of_no_answer_and_tokens_that_are_said_again_of_the_one_before() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rollout.jsonl");
    let thought =
        json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "Hm."}]});
    let lines = [
        line(0, "session_meta", &json!({"id": "1"})),
        line(1, "response_item", &message("user", "input_text", "Make a logo.")),
        line(2, "response_item", &message("assistant", "output_text", "Which?")),
        line(2, "event_msg", &tokens(100, 7)),
        line(3, "response_item", &thought),
        line(3, "event_msg", &json!({"type": "token_count", "info": null, "rate_limits": {}})),
        line(3, "event_msg", &tokens(100, 7)),
        line(4, "response_item", &message("assistant", "output_text", "A round one.")),
        line(4, "event_msg", &tokens(200, 9)),
    ];
    write_lines(&path, &lines);
    let run = imported(&[&path]).run();
    let turns = run.turns.iter().map(|turn| (&*turn.thought, turn.usage.unwrap().input_tokens));
    let turns: Vec<(&str, u64)> = turns.collect();
    assert_eq!(turns, [("Which?", 7), ("Hm.\n\nA round one.", 9)]);
}

#[test]
fn a_session_that_was_interrupted_or_torn_is_as_far_as_it_goes() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("rollout.jsonl");
    let lines = [
        line(0, "session_meta", &json!({"id": "1"})),
        line(0, "session_meta", &json!({"id": "of the one that it goes on from"})),
        line(1, "response_item", &message("user", "input_text", "Make a logo.")),
        line(
            2,
            "response_item",
            &json!({"type": "function_call", "name": "shell", "arguments": "{", "call_id": "a"}),
        ),
        line(3, "event_msg", &json!({"type": "turn_aborted", "reason": "interrupted"})),
    ];
    let mut text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
    text.push("{\"timestamp\": \"2026".to_owned());
    write(&path, text.concat());
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(run.manifest.outcome, Outcome::Cancelled);
    assert_eq!(record(&run).facts["id"], "1");
    assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!({"text": "{"}));
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("rollout.jsonl:6"), "{warnings:?}");
    // One in which nothing was answered is none.
    write_lines(&path, &lines[..3]);
    assert!(super::imported(&[&path]).reason("rollout.jsonl").contains("without a run"));
}

#[test]
fn what_it_prints_of_a_session_is_a_run_too() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("events.jsonl");
    let begun = |item: Value| json!({"type": "item.started", "item": item});
    let item = |item: Value| json!({"type": "item.completed", "item": item});
    let picture = base64([3, 0, 0]);
    let lines = [
        json!({"type": "thread.started", "thread_id": "t1"}),
        json!({"type": "turn.started"}),
        item(json!({"id": "item_0", "type": "reasoning", "text": "I look."})),
        begun(
            json!({"id": "item_1", "type": "command_execution", "command": "ls", "status": "in_progress"}),
        ),
        item(
            json!({"id": "item_1", "type": "command_execution", "command": "ls", "aggregated_output": "none", "exit_code": 2, "status": "failed"}),
        ),
        item(
            json!({"id": "item_2", "type": "mcp_tool_call", "server": "canvas", "tool": "draw", "arguments": {"x": 1},
            "result": {"content": [{"type": "text", "text": "drawn"}, {"type": "image", "data": picture, "mimeType": "image/png"}]}, "error": null, "status": "completed"}),
        ),
        item(json!({"id": "item_3", "type": "todo_list", "items": []})),
        item(json!({"id": "item_4", "type": "agent_message", "text": "Done."})),
        json!({"type": "turn.completed", "usage": {"input_tokens": 30, "cached_input_tokens": 20, "output_tokens": 4}}),
    ];
    write_lines(&path, &lines);
    let imported = imported(&[&path]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    let calls: Vec<&str> = run.steps.iter().map(|it| &*it.call.as_ref().unwrap().name).collect();
    assert_eq!((run.turns.len(), calls), (2, vec!["command_execution", "draw"]));
    let [listed, drawn] = [0, 1].map(|at| &run.steps[at]);
    assert_eq!(listed.call.as_ref().unwrap().arguments, json!({"command": "ls"}));
    assert_eq!(listed.outcome.as_ref().unwrap().failure.as_ref().unwrap().message, "exit code 2");
    assert_eq!(drawn.outcome.as_ref().unwrap().text, "drawn");
    assert_eq!((colour(&run, 2), &*run.turns[1].thought), (Some([3, 0, 0]), "Done."));
    assert_eq!(
        (run.manifest.totals.output_tokens, &run.manifest.outcome),
        (4, &Outcome::Completed)
    );
    assert_eq!(record(&run).facts["thread_id"], "t1");
}

#[test]
fn each_turn_of_what_it_prints_ends_its_answer_and_counts_all_tokens_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("events.jsonl");
    let said = |text: &str| json!({"type": "item.completed", "item": {"id": text, "type": "agent_message", "text": text}});
    let ended = |input: u32, output: u32| json!({"type": "turn.completed", "usage": {"input_tokens": input, "output_tokens": output}});
    let lines = [
        json!({"type": "thread.started", "thread_id": "t1"}),
        json!({"type": "turn.started"}),
        said("One."),
        ended(30, 4),
        json!({"type": "turn.started"}),
        json!({"type": "item.completed", "item": {"id": "none"}}),
        said("Two."),
        ended(70, 9),
    ];
    write_lines(&path, &lines);
    let imported = imported(&[&path]);
    let run = imported.run();
    let thoughts: Vec<&str> = run.turns.iter().map(|turn| &*turn.thought).collect();
    assert_eq!((thoughts, run.steps.len()), (vec!["One.", "Two."], 0));
    let totals = &run.manifest.totals;
    assert_eq!((totals.input_tokens, totals.output_tokens), (70, 9));
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("without a type"), "{warnings:?}");
}
