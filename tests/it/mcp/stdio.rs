//! The server over stdin and stdout, by messages written by hand.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use pentimento::run::{Outcome, reader};
use serde_json::{Value, json};

use super::{program, runs, task};

/// A client that writes its messages by hand.
pub(super) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Session {
    fn start(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        Self { child, stdin, stdout }
    }

    pub(super) fn connected(command: Command) -> Self {
        let mut session = Self::start(command);
        let me = json!({"name": "hand/made\u{7}", "version": ""});
        session.say(
            &json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params":
            {"protocolVersion": "2024-11-05", "capabilities": {}, "clientInfo": me}})
            .to_string(),
        );
        assert_eq!(session.hear()["result"]["serverInfo"]["name"], "pentimento");
        session.say(r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#);
        session
    }

    fn say(&mut self, line: &str) {
        writeln!(self.stdin.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The next message; everything on stdout is one.
    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?}"));
        assert_eq!(message["jsonrpc"], "2.0");
        message
    }

    pub(super) fn call(&mut self, id: u32, name: &str, arguments: &Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        self.say(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
        let answer = self.hear();
        assert_eq!(answer["id"], id);
        answer
    }

    pub(super) fn end(mut self) {
        self.stdin = None;
        let mut rest = String::new();
        while self.stdout.read_line(&mut rest).unwrap() > 0 {}
        assert_eq!(rest, "", "nothing but answers is on stdout");
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn what_is_no_message_is_passed_over_or_refused_and_the_session_goes_on() {
    let out = tempfile::tempdir().unwrap();
    let mut session = Session::connected(program("sign-in", out.path()));
    // There is no id to answer to.
    session.say("this is no message");
    session.say(&"x".repeat(17 << 20));
    session.say(r#"{"jsonrpc": "2.0", "id": 4, "method": "tools/call", "params": {"name": 7}}"#);
    assert!(session.hear()["error"]["code"].is_i64());
    session.say(r#"{"jsonrpc": "2.0", "id": 5, "method": "tools/burn"}"#);
    assert_eq!(session.hear()["error"]["code"], -32601);
    let drawn = session.call(
        6,
        "create_rectangle",
        &json!({"x": 1, "y": 2, "width": 3, "height": 4, "name": "Box"}),
    );
    assert_eq!(drawn["result"]["isError"], false);
    session.end();
    let (dir, run) = runs(out.path(), 1).remove(0);
    assert_eq!((run.manifest.agent.name.as_str(), run.manifest.agent.version), ("hand/made", None));
    assert!(dir.ends_with("own-samples/sign-in/hand-made-01"), "{}", dir.display());
    assert_eq!(run.manifest.outcome, Outcome::Completed);
    assert!(dir.join("final.json").is_file());
}

#[test]
fn calls_are_made_in_the_order_they_are_asked_for() {
    let out = tempfile::tempdir().unwrap();
    let mut session = Session::connected(program("sign-in", out.path()));
    for id in 1..=120 {
        let params = json!({"name": "create_rectangle", "arguments":
            {"x": id, "y": 0, "width": 5, "height": 5, "name": format!("R{id}")}});
        session.say(
            &json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
                .to_string(),
        );
    }
    let answered =
        (0..120).map(|_| session.hear()).filter(|m| m["result"]["isError"] == false).count();
    assert_eq!(answered, 120);
    session.end();
    let (_, run) = runs(out.path(), 1).remove(0);
    let names: Vec<Value> = run
        .steps
        .iter()
        .map(|step| step.call.as_ref().unwrap().arguments["name"].clone())
        .collect();
    let expected: Vec<Value> = (1..=120).map(|id| json!(format!("R{id}"))).collect();
    assert_eq!(names, expected);
    let counts: Vec<usize> = run.turns.iter().map(|turn| turn.step_count).collect();
    assert_eq!(counts[0], 100, "a turn has a most: {counts:?}");
}

#[test]
fn a_run_ends_at_its_most_calls_and_says_so() {
    let out = tempfile::tempdir().unwrap();
    let mut command = program("sign-in", out.path());
    command.args(["--max-calls", "2", "--compat", "canvas-2026-01"]);
    let mut session = Session::connected(command);
    for id in 1..=2 {
        assert_eq!(session.call(id, "get_page_info", &json!({}))["result"]["isError"], false);
    }
    for id in 3..=4 {
        let refused = session.call(id, "get_page_info", &json!({}));
        assert_eq!(refused["result"]["isError"], true);
        let words = refused["result"]["content"][0]["text"].as_str().unwrap();
        assert!(words.contains("the run is over") && words.contains("2 calls"), "{words}");
    }
    session.end();
    let (_, run) = runs(out.path(), 1).remove(0);
    assert_eq!(run.manifest.outcome, Outcome::LimitReached("2 calls".into()));
    assert_eq!(run.manifest.compat.as_deref(), Some("canvas-2026-01"));
}

#[test]
fn a_start_that_is_not_empty_is_a_resource_too() {
    let out = tempfile::tempdir().unwrap();
    let mut session = Session::connected(program("settings-dark", out.path()));
    session.say(r#"{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}"#);
    let listed = session.hear();
    let names: Vec<&Value> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|r| &r["name"]).collect();
    assert_eq!(names, ["ground-truth.png", "start.png"]);
    session
        .say(r#"{"jsonrpc": "2.0", "id": 2, "method": "prompts/get", "params": {"name": "task"}}"#);
    let prompt = session.hear();
    let kinds: Vec<&Value> = prompt["result"]["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| &m["content"]["type"])
        .collect();
    assert_eq!(kinds, ["text", "text", "image", "text", "image"]);
    session.end();
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0, "looking is no run");
}

#[test]
fn a_killed_server_leaves_an_interrupted_run_and_its_whole_turns() {
    let out = tempfile::tempdir().unwrap();
    let mut command = program("sign-in", out.path());
    command.args(["--pause", "10"]);
    let mut session = Session::connected(command);
    session.call(1, "get_page_info", &json!({}));
    std::thread::sleep(std::time::Duration::from_millis(300));
    session.call(2, "get_page_info", &json!({}));
    session.child.kill().unwrap();
    session.child.wait().unwrap();
    let dir = pentimento::task::open(out.path()).unwrap().runs.remove(0).dir;
    let run = reader::open(&dir).unwrap();
    assert_eq!(run.manifest.outcome, Outcome::Running);
    assert!((1..=2).contains(&run.turns.len()) && run.turns[0].observation.is_some());
}

#[test]
fn a_task_that_is_not_there_and_a_client_that_says_nothing_are_failures_with_words() {
    let out = tempfile::tempdir().unwrap();
    let said = |mut command: Command| {
        let output = command.stdin(Stdio::null()).output().unwrap();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
        String::from_utf8(output.stderr).unwrap()
    };
    let words = said(program("sign-out", out.path()));
    assert!(words.contains("no task \"sign-out\"") && words.contains("sign-in"), "{words}");
    let mut without_id = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    let set = task("");
    without_id.args(["mcp", "--task", set.trim_end_matches('#'), "--out"]).arg(out.path());
    assert!(said(without_id).contains("add # and the id of one"));
    assert!(said(program("sign-in", out.path())).contains("the client left before"));
}
