//! The official Python client draws a small screen, over stdio and over HTTP.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use pentimento::base::{CancelToken, Pixels};
use pentimento::environment::{PictureRequest, PictureView, open_environment};
use pentimento::run::replay::Replay;
use pentimento::run::{Outcome, Run, TaskRef};
use serde_json::{Value, json};

use super::{Server, program, python, runs};
use crate::shared;

/// What the client saw.
fn look(arguments: &[&str]) -> Option<Value> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mcp/client.py");
    let output = Command::new(python()?).arg(script).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    Some(serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {said}")))
}

fn picture(base64: &Value) -> Pixels {
    Pixels::decode(&STANDARD.decode(base64.as_str().unwrap()).unwrap()).unwrap()
}

fn sample(file: &str) -> Pixels {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs").join(file);
    Pixels::open(&path).unwrap()
}

#[test]
fn the_python_client_draws_over_stdio_and_sees_what_is_recorded() {
    let out = tempfile::tempdir().unwrap();
    let command = program("sign-in", out.path());
    let mut words = vec!["stdio", command.get_program().to_str().unwrap()];
    words.extend(command.get_args().map(|word| word.to_str().unwrap()));
    let Some(seen) = look(&words) else { return };
    check_offer(&seen);
    let (_, run) = runs(out.path(), 1).remove(0);
    check_run(&run, &seen);
}

#[test]
fn the_python_client_draws_over_http_and_each_session_is_a_run() {
    let out = tempfile::tempdir().unwrap();
    let server = Server::start("sign-in", out.path(), &[]);
    let token = Server::token();
    let Some(seen) = look(&["http", &server.url, &token]) else { return };
    check_offer(&seen);
    look(&["http", &server.url, &token]).unwrap();
    for (_, run) in runs(out.path(), 2) {
        check_run(&run, &seen);
    }
    let said = server.stop();
    assert_eq!(said.matches("completed after 2 turns, 8 calls").count(), 2, "{said}");
    assert!(!said.contains(&token), "a token of one's own is not printed: {said}");
}

fn check_offer(seen: &Value) {
    assert_eq!(seen["server"]["name"], "pentimento");
    assert_eq!(seen["server"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(seen["instructions"].as_str().unwrap().contains("`task`"));
    assert_eq!(seen["protocol"], "2025-11-25");
    if let Some(path) = shared::path("reference/canvas-tools.json") {
        let published: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let offered: Vec<Value> = seen["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| json!({"name": tool["name"], "inputSchema": tool["inputSchema"]}))
            .collect();
        assert_eq!(&Value::Array(offered), &published["tools"]);
    }
    let tools = seen["tools"].as_array().unwrap();
    assert_eq!(tools.len(), 50);
    assert!(tools.iter().all(|tool| tool["description"].as_str().unwrap().len() > 20));

    let truth = sample("replication/sign-in.png");
    assert_eq!(seen["resources"].as_array().unwrap().len(), 1);
    assert_eq!(seen["resources"][0]["mimeType"], "image/png");
    let read = &seen["read"][0]["contents"][0];
    assert_eq!(
        (&read["uri"], &read["mimeType"]),
        (&seen["resources"][0]["uri"], &json!("image/png"))
    );
    assert_eq!(picture(&read["blob"]), truth);
    assert_eq!(seen["prompts"][0]["name"], "task");
    let messages = seen["prompt"]["messages"].as_array().unwrap();
    let words = messages[0]["content"]["text"].as_str().unwrap();
    assert!(words.contains("Build this mobile screen") && words.contains("375 × 812"), "{words}");
    assert_eq!(picture(&messages[2]["content"]["data"]), truth);
    assert_eq!(
        (&seen["no_resource"]["code"], &seen["no_prompt"]["code"]),
        (&json!(-32002), &json!(-32602))
    );
}

fn check_run(run: &Run, seen: &Value) {
    let manifest = &run.manifest;
    assert_eq!(manifest.task, TaskRef { set: "own-samples".into(), id: "sign-in".into() });
    assert_eq!(
        (manifest.agent.kind.as_str(), manifest.agent.name.as_str()),
        ("mcp", "tests of the canvas")
    );
    assert_eq!(manifest.agent.version.as_deref(), Some("4.2"));
    assert_eq!((&manifest.outcome, &run.torn), (&Outcome::Completed, &None));
    // The pause of a second parts two turns; what came close together is one.
    let counts: Vec<usize> = run.turns.iter().map(|turn| turn.step_count).collect();
    assert_eq!(counts, [4, 4]);
    assert!(run.turns.iter().all(|turn| turn.observation.is_some()));

    let results = seen["results"].as_array().unwrap();
    for (step, result) in run.steps.iter().zip(results) {
        let outcome = step.outcome.as_ref().unwrap();
        let name = &step.call.as_ref().unwrap().name;
        if name == "make_coffee" {
            assert_eq!(result["error"]["code"], -32602, "{result}");
            continue;
        }
        assert_eq!(result["isError"], outcome.failure.is_some(), "{name}");
        assert_eq!(result["content"][0]["text"], outcome.text.as_str());
        match &outcome.structured {
            Some(structured) => assert_eq!(&result["structuredContent"], structured),
            None => assert!(result["structuredContent"]["failure"]["class"].is_string()),
        }
    }
    assert_eq!(manifest.totals.failures, 3);
    check_replay(run, &picture(&results.last().unwrap()["content"][1]["data"]));
}

/// Replaying the run shows what the client was shown.
fn check_replay(run: &Run, shown: &Pixels) {
    let last = run.steps.len() as u32;
    let mut replay = Replay::new(Arc::new(run.clone()), &open_environment).unwrap();
    let request = PictureRequest { view: PictureView::Page, scale: 1.0 };
    let replayed = replay.picture_at(last, &request, &CancelToken::new()).unwrap();
    assert_eq!(replayed.pixels, *shown);
    assert_eq!(replay.divergences().count(), 0);
}
