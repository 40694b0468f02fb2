use std::path::Path;

use pentimento::environment::{EnvironmentKind, Environments, ToolCategory};
use pentimento::evaluate::RunCanvas;
use pentimento::run::Outcome;
use serde_json::{Value, json};

use super::{colour, data_uri, imported, png, record, write, write_json};
use crate::shared;

/// A result of three turns, of which the second fails once, and eleven snapshots' worth of order.
pub(super) fn result(dir: &Path, name: &str) {
    let at = |file: &str| dir.join(format!("{name}{file}"));
    let call = |id: &str, name: &str, arguments: Value| json!({"id": format!("m-{id}"), "call_id": id, "name": name, "arguments": arguments});
    let history = json!([
        {"id": "1", "role": "user", "type": "user_request", "content": [{"type": "text", "text": "Draw the sign-in screen."}]},
        {"id": "2", "role": "assistant", "type": "agent_request", "timestamp": "2026-01-21T10:00:00Z",
         "content": [{"type": "text", "text": "First the background."}],
         "calls": [call("a", "create_rectangle", json!({"x": 0, "y": 0})), call("b", "no_such_tool", json!({}))]},
        {"id": "3", "role": "tool", "type": "tool_response", "results": []},
        {"id": "4", "role": "assistant", "type": "agent_request", "content": [], "calls": [call("c", "create_text", json!({"text": "Hi"}))]},
        {"id": "5", "role": "tool", "type": "tool_response", "results": []},
        {"id": "6", "role": "assistant", "type": "agent_request", "content": [{"type": "text", "text": "Done."}], "calls": []},
    ]);
    write_json(&at("-history.json"), &history);
    write_json(
        &at("-responses.json"),
        &json!([
            {"usage": {"prompt_tokens": 100, "completion_tokens": 10}},
            {"usage": {"prompt_tokens": 200, "completion_tokens": 20}},
            {"usage": {"prompt_tokens": 300, "completion_tokens": 30}},
        ]),
    );
    write_json(&at("-raw-response.json"), &json!({"status": "ok", "payload": {"cost": 0.25}}));
    write_json(
        &at("-json-structure.json"),
        &json!({"document": {"id": "1:2", "type": "FRAME", "name": "Main Screen"}}),
    );
    write(&at("-canvas.png"), png([9, 9, 9]));
    let snapshots = dir.join("snapshots");
    // The picture of the first is in its file, of the second in the snapshot.
    write_json(
        &snapshots.join(format!("{name}-snapshot-0.json")),
        &json!({
            "case_id": name, "init": true, "turn": 0, "image_uri": "data:broken", "structure": {},
            "toolResults": [
                {"id": "x", "call_id": "a", "name": "create_rectangle", "content": [{"type": "text", "text": "made 1:3"}], "isError": false, "structuredContent": {"id": "1:3"}},
                {"id": "y", "call_id": "b", "content": [{"type": "text", "text": "tool not found: no_such_tool"}], "isError": true},
            ],
        }),
    );
    write(&snapshots.join(format!("{name}-snapshot-0.png")), png([1, 0, 0]));
    write_json(
        &snapshots.join(format!("{name}-snapshot-2.json")),
        &json!({
            "case_id": name, "turn": 2, "image_uri": data_uri([2, 0, 0]),
            "toolResults": [{"call_id": "c", "name": "create_text", "content": [{"type": "text", "text": "made 1:4"}]}],
        }),
    );
}

#[test]
fn a_result_is_its_history_joined_with_its_snapshots() {
    let dir = tempfile::tempdir().unwrap();
    let name = "gid6-27-gpt-4o-image_only";
    result(&dir.path().join("replication_gen/image_only").join(name), name);
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    let manifest = &run.manifest;
    assert_eq!((&*manifest.task.set, &*manifest.task.id), ("canvas-replication", "gid6-27"));
    assert_eq!(
        (&*manifest.agent.name, &manifest.environment),
        ("gpt-4o", &EnvironmentKind::Canvas)
    );
    assert_eq!((run.turns.len(), run.steps.len()), (3, 3));
    assert_eq!(run.turns[0].thought, "First the background.");
    assert_eq!(run.steps[0].call.as_ref().unwrap().arguments, json!({"x": 0, "y": 0}));
    assert_eq!(run.steps[0].category, ToolCategory::Creation);
    let outcome = run.steps[0].outcome.as_ref().unwrap();
    assert_eq!(
        (&*outcome.text, outcome.structured.as_ref()),
        ("made 1:3", Some(&json!({"id": "1:3"})))
    );
    assert!(run.steps[1].outcome.as_ref().unwrap().failure.is_some());
    // One picture a turn, at its end.
    assert_eq!([1, 2, 3].map(|step| colour(&run, step)), [None, Some([1, 0, 0]), Some([2, 0, 0])]);
    assert_eq!(run.turns[1].usage.map(|usage| usage.input_tokens), Some(200));
    assert_eq!((manifest.totals.input_tokens, manifest.totals.cost_usd), (600, Some(0.25)));
    assert_eq!((manifest.totals.calls, manifest.totals.failures), (3, 1));
    let record = record(&run);
    assert_eq!(record.instruction.as_deref(), Some("Draw the sign-in screen."));
    assert_eq!(record.facts["variant"], "image_only");
    assert_eq!(manifest.outcome, Outcome::Completed);
    assert!(record.outcome.is_some());
    // Nothing is made up: there is no time that the record does not say.
    assert_eq!((manifest.totals.seconds, &*manifest.started, &manifest.finished), (0.0, "", &None));
    assert!(run.turns.iter().all(|turn| turn.seconds.is_none()));
    let document = std::fs::read(imported.report.runs[0].dir.join("final.json")).unwrap();
    assert!(String::from_utf8(document).unwrap().contains("Main Screen"));
}

#[test]
fn the_canvas_at_a_step_is_the_picture_that_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    result(dir.path(), "task-2-gid1-gpt-4.1");
    let run = imported(&[dir.path()]);
    let opened = std::sync::Arc::new(run.run());
    let environments = Environments::default();
    let mut canvas = RunCanvas::open(opened, None, &environments.opener()).unwrap();
    let colour = |canvas: &mut RunCanvas, step| {
        canvas
            .picture(step, 1.0, &pentimento::base::CancelToken::new())
            .unwrap()
            .pixels
            .get(0, 0)
            .unwrap()[0]
    };
    assert_eq!([2, 3].map(|step| colour(&mut canvas, step)), [1, 2]);
    let start = canvas.picture(0, 1.0, &pentimento::base::CancelToken::new()).unwrap_err();
    assert!(start.to_string().starts_with("the start was not recorded"), "{start}");
}

#[test]
fn without_a_history_the_arguments_are_said_to_be_unknown() {
    let dir = tempfile::tempdir().unwrap();
    let name = "task-2-gid1-gpt-4.1";
    result(dir.path(), name);
    std::fs::remove_file(dir.path().join(format!("{name}-history.json"))).unwrap();
    std::fs::remove_file(dir.path().join(format!("{name}-raw-response.json"))).unwrap();
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((&*run.manifest.task.set, &*run.manifest.task.id), ("canvas-task-2", "gid1"));
    assert_eq!((run.turns.len(), run.steps.len()), (2, 3));
    let warnings = &imported.report.runs[0].warnings;
    assert!(warnings.iter().any(|it| it.contains("history is missing")), "{warnings:?}");
    assert!(run.notes.iter().any(|note| note.starts_with("Not imported: ")), "{:?}", run.notes);
    assert_eq!(record(&run).outcome, None);
}

#[test]
fn a_torn_snapshot_costs_its_picture_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let name = "task-2-gid1-gpt-4.1";
    result(dir.path(), name);
    write(&dir.path().join(format!("snapshots/{name}-snapshot-2.json")), "{\"turn\": 2, \"tool");
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (3, 3));
    assert_eq!(colour(&run, 3), None);
    let warnings = &imported.report.runs[0].warnings;
    assert!(
        warnings[0].contains("not valid JSON") && warnings[0].contains("snapshot-2"),
        "{warnings:?}"
    );
}

#[test]
fn where_ids_begin_anew_and_a_snapshot_is_missing_each_is_of_one_turn_and_in_order() {
    let dir = tempfile::tempdir().unwrap();
    let name = "task-2-gid1-gpt-4.1";
    let turn = json!({"role": "assistant", "type": "agent_request", "content": [], "calls": [
        {"call_id": "call_1", "name": "create_rectangle", "arguments": {}}]});
    write_json(&dir.path().join(format!("{name}-history.json")), &json!([turn, turn, turn, turn]));
    // The third is missing: all have the same ids, and the numbers tell.
    for number in [0_u8, 1, 3] {
        let at = |end| dir.path().join(format!("snapshots/{name}-snapshot-{number}.{end}"));
        write(&at("png"), png([number + 1, 0, 0]));
        let made = json!([{"type": "text", "text": format!("made {number}")}]);
        let result = json!({"call_id": "call_1", "name": "create_rectangle", "content": made});
        write_json(&at("json"), &json!({"turn": number, "toolResults": [result]}));
    }
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (4, 4));
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    let red = [1, 2, 3, 4].map(|step| colour(&run, step).map(|rgb| rgb[0]));
    assert_eq!(red, [Some(1), Some(2), None, Some(4)]);
    let texts = run.steps.iter().map(|step| step.outcome.as_ref().map(|it| it.text.as_str()));
    assert!(texts.eq([Some("made 0"), Some("made 1"), None, Some("made 3")]));
}

#[test]
fn results_with_ids_that_no_call_has_are_those_of_their_turns_all_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let name = "task-2-gid1-gemini";
    // As its runner records Gemini: an id is drawn anew wherever a call is written down.
    let turn = |number: usize| {
        let call = |at: usize| {
            json!({"call_id": format!("h{number}{at}"), "name": "create_rectangle",
            "arguments": {"x": 10 * number + at}})
        };
        json!({"role": "assistant", "type": "agent_request", "content": [], "calls": [call(0), call(1)]})
    };
    let answer = |number: usize| {
        let result = |at: usize| {
            json!({"call_id": format!("r{number}{at}"), "name": "create_rectangle",
            "content": [{"type": "text", "text": format!("made {number}.{at}")}]})
        };
        json!([result(0), result(1)])
    };
    let history: Vec<Value> = (0..3)
        .flat_map(|at| {
            [turn(at), json!({"role": "tool", "type": "tool_response", "results": answer(at)})]
        })
        .collect();
    write_json(&dir.path().join(format!("{name}-history.json")), &json!(history));
    // The second is missing.
    for number in [0_usize, 2] {
        let at = |end| dir.path().join(format!("snapshots/{name}-snapshot-{number}.{end}"));
        write(&at("png"), png([number as u8 + 1, 0, 0]));
        write_json(&at("json"), &json!({"turn": number, "toolResults": answer(number)}));
    }
    let imported = imported(&[dir.path()]);
    let run = imported.run();
    assert_eq!((run.turns.len(), run.steps.len()), (3, 6));
    assert_eq!(imported.report.runs[0].warnings, [] as [&str; 0]);
    let red = [2, 4, 6].map(|step| colour(&run, step).map(|rgb| rgb[0]));
    assert_eq!(red, [Some(1), None, Some(3)]);
    for (at, step) in run.steps.iter().enumerate() {
        let text = step.outcome.as_ref().map(|it| it.text.clone());
        assert_eq!(text, Some(format!("made {}.{}", at / 2, at % 2)));
        assert_eq!(step.call.as_ref().unwrap().arguments["x"], 10 * (at / 2) + at % 2);
    }
}

#[test]
fn snapshots_without_ids_are_of_the_turns_of_their_numbers_where_these_can_be_turns() {
    let name = "task-2-gid1-gpt-4.1";
    let turn = json!({"role": "assistant", "type": "agent_request", "content": [], "calls": [
        {"name": "create_rectangle", "arguments": {}}]});
    // The second is torn. Numbers that begin with 1 go beyond the last turn, and then the order is all there is.
    for (numbers, torn, expected) in [
        ([0_u8, 1, 2, 3], 1, [Some(0), None, Some(2), Some(3)]),
        ([1, 2, 3, 4], 9, [Some(1), Some(2), Some(3), Some(4)]),
        ([1, 2, 3, 4], 2, [Some(1), Some(3), Some(4), None]),
        ([0, 3, 3, 3], 9, [Some(0), None, None, Some(3)]),
        ([1, 2, 3, 3], 9, [Some(1), Some(2), Some(3), None]),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let history = json!([turn, turn, turn, turn]);
        write_json(&dir.path().join(format!("{name}-history.json")), &history);
        for number in numbers {
            let at = |end| dir.path().join(format!("snapshots/{name}-snapshot-{number}.{end}"));
            write(&at("png"), png([number, 0, 0]));
            let result = json!({"name": "create_rectangle", "content": []});
            let init = number == numbers[0];
            let snapshot = json!({"turn": number, "init": init, "toolResults": [result]});
            write_json(&at("json"), &snapshot);
            if number == torn {
                write(&at("json"), "{\"turn\": ");
            }
        }
        let imported = imported(&[dir.path()]);
        let run = imported.run();
        let red = [1, 2, 3, 4].map(|step| colour(&run, step).map(|rgb| rgb[0]));
        assert_eq!(red, expected, "{numbers:?} without {torn}");
    }
}

#[test]
fn published_samples_come_in_as_the_runs_they_are_shown_as() {
    let Some(samples) = shared::path("data/canvas-samples/replication/gid1-22") else { return };
    let imported = imported(&[&samples]);
    assert_eq!(imported.report.runs.len(), 5, "{:#?}", imported.report);
    for run in imported.runs() {
        let model = &run.manifest.agent.name;
        let original = pentimento::run::reader::open(&samples.join(model)).unwrap();
        assert_eq!(run.steps.len(), original.steps.len(), "{model}");
        assert_eq!(run.manifest.task, original.manifest.task);
        assert_eq!(run.manifest.id, original.manifest.id);
    }
}
