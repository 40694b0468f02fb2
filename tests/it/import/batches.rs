//! What was sent and fetched as a file: OpenAI's batches and Anthropic's, with and without what was asked.

use pentimento::run::{Outcome, Run};
use serde_json::{Value, json};

use super::{imported, record, write, write_lines};

/// A result of OpenAI's, as its output file has it.
fn result(id: &str, status: u32, body: &Value) -> Value {
    json!({"id": format!("batch_req_{id}"), "custom_id": id, "response": {"status_code": status, "request_id": "r", "body": body}, "error": null})
}

fn chat(text: &str) -> Value {
    json!({"id": "c", "object": "chat.completion", "created": 1_767_225_600, "model": "gpt-x",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4}})
}

fn asked(id: &str, text: &str) -> Value {
    json!({"custom_id": id, "method": "POST", "url": "/v1/chat/completions", "body": {"model": "gpt-x", "messages": [
        {"role": "system", "content": "You design."}, {"role": "user", "content": text}]}})
}

fn names(runs: &[Run]) -> Vec<&str> {
    runs.iter().map(|run| &*run.manifest.task.id).collect()
}

#[test]
fn results_of_openai_are_runs_by_their_names_and_errors_are_why_they_failed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("output.jsonl");
    let message = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Two."}]});
    let response = json!({"id": "r", "object": "response", "status": "completed", "model": "gpt-x", "output": [message], "error": null});
    let failed = json!({"error": {"message": "Too long.", "type": "invalid_request_error"}});
    let late = json!({"id": "b", "custom_id": "late", "response": null, "error": {"code": "batch_expired", "message": "It expired."}});
    let vector = json!({"object": "list", "data": [{"object": "embedding", "embedding": [0.5]}]});
    write_lines(
        &path,
        &[
            result("logo-1", 200, &chat("One.")),
            result("logo-2", 200, &response),
            result("long", 400, &failed),
            late,
            result("vector", 200, &vector),
        ],
    );
    let imported = imported(&[&path]);
    let runs = imported.runs();
    assert_eq!(names(&runs), ["logo-1", "logo-2", "long", "late"], "{:#?}", imported.report);
    let said: Vec<&str> = runs[..2].iter().map(|run| &*run.turns[0].thought).collect();
    assert_eq!((said, &*runs[0].manifest.agent.name), (vec!["One.", "Two."], "gpt-x"));
    assert_eq!(runs[0].manifest.started, "2026-01-01T00:00:00Z");
    assert_eq!(record(&runs[0]).instruction, None);
    for run in &runs[..2] {
        assert_eq!(
            (&*run.manifest.task.set, &run.manifest.outcome),
            ("openai", &Outcome::Completed)
        );
    }
    for (run, why) in runs[2..].iter().zip(["Too long.", "It expired."]) {
        assert_eq!((run.turns.len(), &run.manifest.outcome), (0, &Outcome::Failed(why.to_owned())));
        assert_eq!(record(run).outcome.as_deref(), Some(why));
    }
    assert!(imported.reason("output.jsonl:5").contains("no message"), "{:?}", imported.report);
}

#[test]
fn what_was_asked_comes_from_the_requests_beside_the_results_in_whatever_order() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let text = json!({"custom_id": "c", "method": "POST", "url": "/v1/responses", "body": {"model": "gpt-x", "input": "Draw a cat."}});
    let item = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "A cat."}]});
    write_lines(&at("batch/input.jsonl"), &[asked("a", "Draw a."), asked("b", "Draw b."), text]);
    let failed = json!({"error": {"message": "No."}});
    let response = json!({"id": "r", "status": "completed", "output": [item]});
    write_lines(
        &at("batch/output.jsonl"),
        &[
            result("c", 200, &response),
            result("b", 400, &failed),
            result("a", 200, &chat("A.")),
            result("d", 200, &chat("D.")),
        ],
    );
    let imported = imported(&[&at("batch")]);
    let runs = imported.runs();
    assert_eq!(names(&runs), ["c", "b", "a", "d"], "{:#?}", imported.report);
    let said: Vec<Option<&str>> =
        runs.iter().map(|run| record(run).instruction.as_deref()).collect();
    assert_eq!(said, [Some("Draw a cat."), Some("Draw b."), Some("Draw a."), None]);
    assert_eq!(runs[1].manifest.outcome, Outcome::Failed("No.".to_owned()));
    assert!(imported.report.runs.iter().all(|run| run.warnings.is_empty()));
    assert!(imported.reason("input.jsonl").contains("requests of a batch"));
    // Of two that are called alike nobody knows which it was, unless they are the same.
    write_lines(&at("batch/other.jsonl"), &[asked("a", "Draw another."), asked("b", "Draw b.")]);
    let unclear = super::imported(&[&at("batch/output.jsonl")]);
    let runs = unclear.runs();
    assert_eq!(record(&runs[1]).instruction.as_deref(), Some("Draw b."));
    assert_eq!(record(&runs[2]).instruction, None);
    let warnings = &unclear.report.runs[2].warnings;
    assert!(warnings.len() == 1 && warnings[0].contains("not the same"), "{warnings:?}");
}

#[test]
fn a_name_of_any_length_is_cut_in_messages() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let long = "name-".repeat(20_000);
    let vector = json!({"object": "list", "data": [{"object": "embedding", "embedding": [0.5]}]});
    write_lines(
        &at("output.jsonl"),
        &[result(&long, 200, &chat("A.")), result(&long, 200, &vector)],
    );
    write_lines(&at("one.jsonl"), &[asked(&long, "Draw a.")]);
    write_lines(&at("other.jsonl"), &[asked(&long, "Draw another.")]);
    let imported = imported(&[&at("output.jsonl")]);
    let run = &imported.report.runs[0];
    let why = imported.reason("output.jsonl:2");
    for (said, words) in [(why, "no message"), (&*run.warnings[0], "not the same")] {
        assert!(said.contains(words) && said.contains("name-name"), "{said}");
        assert!(said.len() < 1000, "{} bytes", said.len());
    }
    assert_eq!(run.task.id, long);
}

#[test]
fn where_too_many_files_lie_beside_the_results_it_is_said_that_not_all_are_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    write_lines(&at("output.jsonl"), &[result("a", 200, &chat("A."))]);
    write_lines(&at("requests.jsonl"), &[asked("a", "Draw a.")]);
    for number in 0..200 {
        write(&at(&format!("note-{number}.txt")), "nothing");
    }
    let not_all = imported(&[&at("output.jsonl")]);
    assert_eq!(record(&not_all.run()).instruction, None);
    let why = not_all.reason("output.jsonl");
    assert!(why.contains("first 200 files"), "{why}");
    std::fs::remove_file(at("note-0.txt")).unwrap();
    let all = imported(&[&at("output.jsonl")]);
    assert_eq!(record(&all.run()).instruction.as_deref(), Some("Draw a."));
    assert!(all.report.skipped.is_empty(), "{:?}", all.report.skipped);
}

#[test]
fn results_of_anthropic_are_messages_or_why_there_are_none() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let message = json!({"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "content": [{"type": "text", "text": "Done."}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 11, "output_tokens": 36}});
    let line = |id: &str, result: Value| json!({"custom_id": id, "result": result});
    let error = json!({"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: missing"}});
    write_lines(
        &at("results.jsonl"),
        &[
            line("first", json!({"type": "succeeded", "message": message})),
            line("second", json!({"type": "errored", "error": error})),
            line("third", json!({"type": "canceled"})),
            line("fourth", json!({"type": "expired"})),
        ],
    );
    let params = json!({"model": "claude-x", "max_tokens": 9, "messages": [{"role": "user", "content": "Draw it."}]});
    write_lines(&at("requests.jsonl"), &[json!({"custom_id": "first", "params": params})]);
    let imported = imported(&[&at("results.jsonl")]);
    let runs = imported.runs();
    assert_eq!(names(&runs), ["first", "second", "third", "fourth"], "{:#?}", imported.report);
    assert_eq!((&*runs[0].manifest.task.set, &*runs[0].turns[0].thought), ("anthropic", "Done."));
    assert_eq!(record(&runs[0]).instruction.as_deref(), Some("Draw it."));
    assert_eq!(runs[0].manifest.totals.output_tokens, 36);
    let outcomes: Vec<&Outcome> = runs[1..].iter().map(|run| &run.manifest.outcome).collect();
    let whys = ["max_tokens: missing", "the request is canceled", "the request is expired"];
    assert_eq!(outcomes, whys.map(|why| Outcome::Failed(why.to_owned())).each_ref());
}
