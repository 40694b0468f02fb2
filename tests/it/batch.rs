//! Models on task sets by the real program: several at once, killed and resumed, replayed, on a
//! budget.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use pentimento::run::{Outcome, reader};
use serde_json::{Value, json};

/// Turns in which the model makes a call; one without follows.
pub(crate) const CALLS: usize = 3;

/// A server that speaks Chat Completions. What it answers depends on what it is asked alone.
pub(crate) struct ModelServer {
    pub(crate) address: String,
    state: Arc<State>,
}

#[derive(Default)]
struct State {
    /// The bodies that were answered.
    answered: Mutex<Vec<String>>,
    /// From this request on, none is answered.
    mute_from: Mutex<Option<usize>>,
    arrived: Mutex<usize>,
    /// How long an answer takes.
    delay: Mutex<Duration>,
    arrival: Condvar,
}

impl ModelServer {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let state = Arc::new(State::default());
        let shared = Arc::clone(&state);
        // Lives until the test's process ends.
        std::thread::Builder::new()
            .name("model server".to_owned())
            .spawn(move || {
                for stream in listener.incoming() {
                    let (stream, shared) = (stream.unwrap(), Arc::clone(&shared));
                    let serve = move || serve(stream, &shared);
                    std::thread::Builder::new().name("answer".to_owned()).spawn(serve).unwrap();
                }
            })
            .unwrap();
        Self { address, state }
    }

    pub(crate) fn answered(&self) -> Vec<String> {
        self.state.answered.lock().unwrap().clone()
    }

    pub(crate) fn mute_from(&self, request: Option<usize>) {
        *self.state.mute_from.lock().unwrap() = request;
    }

    /// Waits until so many requests arrived in all.
    pub(crate) fn wait_for(&self, requests: usize) {
        let mut arrived = self.state.arrived.lock().unwrap();
        while *arrived < requests {
            let (lock, waited) =
                self.state.arrival.wait_timeout(arrived, Duration::from_mins(2)).unwrap();
            assert!(!waited.timed_out(), "only {} of {requests} requests came", *lock);
            arrived = lock;
        }
    }

    /// From now on every answer takes so long.
    pub(crate) fn answer_after(&self, delay: Duration) {
        *self.state.delay.lock().unwrap() = delay;
    }

    pub(crate) fn arrived(&self) -> usize {
        *self.state.arrived.lock().unwrap()
    }
}

fn serve(mut stream: TcpStream, state: &State) {
    let body = read(&stream);
    let is_mute = {
        let mut arrived = state.arrived.lock().unwrap();
        *arrived += 1;
        // Told before the test hears of the arrival, and may change it.
        let is_mute = state.mute_from.lock().unwrap().is_some_and(|from| *arrived >= from);
        state.arrival.notify_all();
        is_mute
    };
    if is_mute {
        // Says nothing until the client is gone.
        stream.read_exact(&mut [0; 1]).ok();
        return;
    }
    let delay = *state.delay.lock().unwrap();
    std::thread::sleep(delay);
    state.answered.lock().unwrap().push(body.clone());
    let events = answer(&serde_json::from_str(&body).unwrap());
    let length = events.len();
    let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n";
    write!(stream, "{head}content-length: {length}\r\n\r\n{events}").ok();
}

fn read(stream: &TcpStream) -> String {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") && reader.read_line(&mut head).unwrap_or(0) > 0 {}
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    reader.read_exact(&mut body).unwrap();
    String::from_utf8(body).unwrap()
}

/// One call more for each answer that was given, then none.
fn answer(request: &Value) -> String {
    let messages = request["messages"].as_array().unwrap();
    let turn = messages.iter().filter(|message| message["role"] == "assistant").count();
    let fails = request["model"] == "broken";
    let (delta, finish) = if fails {
        (json!({"role": "assistant", "refusal": "Not today."}), "stop")
    } else if turn < CALLS {
        let arguments = json!({"x": 10 * turn, "y": 20, "width": 30, "height": 40,
            "name": format!("Box {turn}"), "fillColor": {"r": 0.2, "g": 0.4, "b": 0.6, "a": 1}});
        let function = json!({"name": "create_rectangle", "arguments": arguments.to_string()});
        let call = json!({"index": 0, "id": format!("call_{turn}"), "type": "function", "function": function});
        (
            json!({"role": "assistant", "content": format!("Box {turn} next."), "tool_calls": [call]}),
            "tool_calls",
        )
    } else {
        (json!({"role": "assistant", "content": "Done."}), "stop")
    };
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    let usage = json!({"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100});
    let first = json!({"id": "c", "object": "chat.completion.chunk", "choices": [choice]});
    let last = json!({"id": "c", "object": "chat.completion.chunk", "choices": [], "usage": usage});
    format!("data: {first}\n\ndata: {last}\n\ndata: [DONE]\n\n")
}

/// A place for a batch: the file of models and the folder of runs.
struct Place {
    dir: tempfile::TempDir,
    server: ModelServer,
}

impl Place {
    fn new() -> Self {
        let (dir, server) = (tempfile::tempdir().unwrap(), ModelServer::start());
        let model = |name: &str| {
            json!({"provider": {"kind": "chat_completions", "base_url": server.address, "model": name,
                "attempts": 2, "first_wait_secs": 0.01,
                "prices": {"input": 1.0, "output": 10.0}}})
        };
        let models = json!({"models": {"one": model("one"), "two": model("two"), "broken": model("broken")}});
        std::fs::write(dir.path().join("models.json"), models.to_string()).unwrap();
        Self { dir, server }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("runs")
    }

    fn command(&self, models: &str, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.env("PENTIMENTO_WORKSPACE", "").env("NO_PROXY", "127.0.0.1");
        command.args(["run", "--tasks", "sample_runs", "--models", models]);
        command.arg("--models-file").arg(self.dir.path().join("models.json"));
        command.arg("--out").arg(self.out()).args(more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, models: &str, more: &[&str]) -> Output {
        self.command(models, more).output().unwrap()
    }

    fn begin(&self, models: &str, more: &[&str]) -> Child {
        self.command(models, more).spawn().unwrap()
    }

    /// What every run came to: its folder, its document, its totals but for the time.
    fn results(&self) -> BTreeMap<PathBuf, (Value, Value, Value)> {
        let mut found = BTreeMap::new();
        for dir in run_dirs(&self.out()) {
            let json = |name: &str| -> Value {
                let bytes = std::fs::read(dir.join(name)).unwrap_or_else(|_| b"null".to_vec());
                serde_json::from_slice(&bytes).unwrap()
            };
            let mut manifest = json("run.json");
            let mut totals = manifest["totals"].take();
            totals.as_object_mut().unwrap().remove("seconds");
            let place = dir.strip_prefix(self.out()).unwrap().to_path_buf();
            found.insert(place, (json("final.json"), manifest["outcome"].take(), totals));
        }
        found
    }
}

pub(crate) fn run_dirs(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.join("run.json").exists() {
            found.push(path);
        } else if path.is_dir() {
            found.extend(run_dirs(&path));
        }
    }
    found
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Only the first two tasks of the samples, so that a batch is short.
const FEW: [&str; 2] = ["--filter", "sign-in"];

fn few(more: &[&'static str]) -> Vec<&'static str> {
    FEW.iter().copied().chain(more.iter().copied()).collect()
}

#[test]
fn two_models_work_on_a_task_and_a_third_that_refuses_does_not_touch_them() {
    let place = Place::new();
    let output = place.run("one,broken,two", &few(&["--jobs", "3"]));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("broken refused: Not today."), "{err}");
    assert!(err.contains("1 of 3 runs failed"), "{err}");
    assert!(out.contains("one: mean SSIM") && out.contains("two: mean SSIM"), "{out}");
    assert!(out.contains("chat_completions: 9 requests, 9 answers, 1 refusal\n"), "{out}");
    let results = place.results();
    assert_eq!(results.len(), 3);
    for (dir, (document, outcome, totals)) in &results {
        if dir.to_string_lossy().contains("broken") {
            assert_eq!((&outcome["state"], &totals["calls"]), (&json!("failed"), &json!(0)));
            continue;
        }
        assert_eq!(outcome["state"], "completed", "{dir:?}");
        assert_eq!((&totals["turns"], &totals["calls"]), (&json!(CALLS + 1), &json!(CALLS)));
        // Four answers of 1,000 tokens read and 100 written.
        assert!((totals["cost_usd"].as_f64().unwrap() - 0.008).abs() < 1e-12);
        assert!(document.to_string().contains("Box 2"));
    }
}

#[test]
fn a_batch_killed_at_any_turn_and_resumed_is_the_same_and_asks_nothing_twice() {
    let whole = Place::new();
    let output = whole.run("one,two", &few(&[]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    let requests = whole.server.arrived();
    assert_eq!(requests, 2 * (CALLS + 1));
    for killed_at in 1..=requests {
        let place = Place::new();
        place.server.mute_from(Some(killed_at));
        let mut child = place.begin("one,two", &few(&[]));
        place.server.wait_for(killed_at);
        child.kill().unwrap();
        child.wait().unwrap();
        place.server.mute_from(None);
        let output = place.run("one,two", &few(&["--resume"]));
        assert!(output.status.success(), "{killed_at}: {}", text(&output.stderr));
        assert_eq!(place.results(), whole.results(), "killed at request {killed_at}");
        let kept = |run: &&PathBuf| run.join("earlier").exists();
        assert_eq!(run_dirs(&place.out()).iter().filter(kept).count(), 1, "{killed_at}");
        let answered = place.server.answered();
        let mut different = answered.clone();
        different.sort_unstable();
        different.dedup();
        assert_eq!(different.len(), answered.len(), "killed at {killed_at}: asked twice");
        assert_eq!(answered.len(), requests);
    }
}

#[test]
fn three_processes_that_go_on_with_one_batch_make_each_run_once() {
    let place = Place::new();
    let mut children: Vec<Child> = (0..3)
        .map(|_| place.begin("one,two", &["--resume", "--jobs", "2", "--filter", "s"]))
        .collect();
    let orders = 2 * children.len(); // At least; how many tasks there are is the samples' matter.
    for child in &mut children {
        // Who finds that another is at a run says so and fails; nobody makes it twice.
        child.wait().unwrap();
    }
    let runs = run_dirs(&place.out());
    let tasks: std::collections::BTreeSet<&Path> =
        runs.iter().map(|run| run.parent().unwrap()).collect();
    assert!(runs.len() >= orders, "{runs:?}");
    assert_eq!(runs.len(), 2 * tasks.len(), "each task once by each model: {runs:?}");
    let output = place.run("one,two", &["--resume", "--filter", "s"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(run_dirs(&place.out()).len(), runs.len());
    assert_eq!(place.server.arrived(), runs.len() * (CALLS + 1), "nothing was paid for twice");
}

#[test]
fn a_broken_off_run_of_an_agent_without_a_model_makes_way_too() {
    let place = Place::new();
    let script = place.dir.path().join("script.json");
    let call = json!({"name": "create_rectangle", "arguments":
        {"x": 1, "y": 2, "width": 30, "height": 40, "name": "Box"}});
    std::fs::write(&script, json!([call]).to_string()).unwrap();
    let run = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.env("PENTIMENTO_WORKSPACE", "");
        command.args(["run", "--tasks", "sample_runs", "--agent", "scripted"]).args(FEW);
        command.arg("--script").arg(&script).arg("--out").arg(place.out()).args(more);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run(&[]);
    let dir = run_dirs(&place.out()).remove(0);
    // As a process leaves it that was killed in the middle.
    let mut manifest: Value =
        serde_json::from_slice(&std::fs::read(dir.join("run.json")).unwrap()).unwrap();
    manifest["outcome"] = json!({"state": "running"});
    manifest.as_object_mut().unwrap().remove("finished");
    std::fs::write(dir.join("run.json"), manifest.to_string()).unwrap();
    std::fs::remove_file(dir.join("final.json")).unwrap();
    run(&["--resume"]);
    assert_eq!(run_dirs(&place.out()), std::slice::from_ref(&dir));
    let kept = run_dirs(&dir.join("earlier"));
    assert_eq!(kept.len(), 1, "the broken-off one is kept in the one that took its place");
    assert_eq!(reader::peek(&dir).unwrap().manifest.outcome, Outcome::Completed);
}

#[test]
fn what_is_finished_is_not_done_again_and_other_settings_are_another_run() {
    let place = Place::new();
    assert!(place.run("one", &few(&[])).status.success());
    let asked = place.server.arrived();
    let output = place.run("one", &few(&["--resume"]));
    assert!(text(&output.stderr).contains("(was there)"), "{}", text(&output.stderr));
    assert_eq!(place.server.arrived(), asked);
    assert!(place.run("one", &few(&["--resume", "--max-turns", "2"])).status.success());
    assert_eq!((place.server.arrived(), place.results().len()), (asked + 2, 2));
}

#[test]
fn a_run_that_its_agent_ended_too_soon_is_made_again_and_the_short_ones_are_kept() {
    let place = Place::new();
    let output = place.run("one", &few(&["--least-turns", "50"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.server.arrived(), 3 * (CALLS + 1), "twice more, and then it stays");
    let dirs = run_dirs(&place.out());
    assert_eq!(dirs.len(), 1, "{dirs:?}");
    let kept = run_dirs(&dirs[0].join("earlier"));
    assert_eq!((kept.len(), run_dirs(&kept[0].join("earlier")).len()), (1, 1));
    let resumed = place.run("one", &few(&["--least-turns", "50", "--resume"]));
    assert!(text(&resumed.stderr).contains("(was there)"), "{}", text(&resumed.stderr));
    // What is long enough stays as it is.
    assert!(place.run("two", &few(&["--least-turns", "published"])).status.success());
    assert_eq!(place.server.arrived(), 4 * (CALLS + 1));
}

#[test]
fn a_run_is_repeated_from_its_record_without_a_network() {
    let place = Place::new();
    assert!(place.run("one", &few(&[])).status.success());
    let (dir, asked) = (run_dirs(&place.out()).remove(0), place.server.arrived());
    let replay = |run: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.env("PENTIMENTO_WORKSPACE", "").arg("run").arg("--replay").arg(run);
        command.args(["--tasks", "sample_runs"]).output().unwrap()
    };
    let output = replay(&dir);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("the same answers, calls, pictures and document"));
    assert_eq!(place.server.arrived(), asked);
    // A record that says something else is not the same run.
    let record = dir.join("exchanges.jsonl");
    let changed = std::fs::read_to_string(&record).unwrap().replacen("Box 1 next", "Box 7 next", 1);
    std::fs::write(&record, changed).unwrap();
    let output = replay(&dir);
    assert!(text(&output.stderr).contains("request 3"), "{}", text(&output.stderr));
}

#[test]
fn a_spent_budget_stops_the_batch_and_resume_goes_on() {
    let place = Place::new();
    let output = place.run("one,two", &few(&["--budget", "0.005"]));
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("the budget is spent ($0.01)"), "{err}");
    let asked = place.server.arrived();
    assert_eq!(asked, 3, "0.002 a request, and the third reaches 0.005");
    let output = place.run("one,two", &few(&["--budget", "1", "--resume"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.server.arrived(), 2 * (CALLS + 1));
}

#[test]
fn limits_of_tokens_and_cost_end_a_run() {
    for (limit, words) in [("--max-tokens", "2000"), ("--max-cost", "0.003")] {
        let place = Place::new();
        let output = place.run("one", &["--filter", "sign-in", limit, words]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let (_, outcome, totals) = place.results().into_values().next().unwrap();
        assert_eq!((&outcome["state"], &totals["turns"]), (&json!("limit_reached"), &json!(2)));
    }
}

#[test]
fn a_dry_run_says_what_it_would_cost_and_asks_nothing() {
    let place = Place::new();
    let output = place.run("one,two", &few(&["--dry-run"]));
    let out = text(&output.stdout);
    assert!(output.status.success() && out.contains("expected cost"), "{out}");
    assert!(out.contains("Nothing was asked"), "{out}");
    assert_eq!(place.server.arrived(), 0);
    assert!(!place.out().exists());
    // Of a model that wants a key nobody has to have one to see what it would cost.
    let mut command = place.command("anthropic:claude-1", &few(&["--dry-run"]));
    let output = command.env_remove("ANTHROPIC_API_KEY").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_dry_run_counts_what_a_run_is_told_of_the_one_it_goes_on_with() {
    let place = Place::new();
    let run_dir = crate::what_if::sample_run("quiz-progress/scripted-01");
    let last = pentimento::run::reader::peek(&run_dir).unwrap().manifest.totals.calls;
    let read = |step: u32| -> u64 {
        let from = format!("{}@{step}", run_dir.display());
        let output = place.run("one", &["--continue", &from, "--dry-run"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let out = text(&output.stdout);
        let line = out.lines().find(|line| line.starts_with("one")).unwrap();
        // Behind it stand what is written and two costs.
        line.split_whitespace().rev().nth(3).unwrap().parse().unwrap()
    };
    let (nothing, all) = (read(0), read(last));
    assert!(all > nothing + 100, "{nothing} and {all} behind step {last}");
    assert_eq!(place.server.arrived(), 0);
}

#[test]
fn what_cannot_be_asked_is_said_before_anything_is_recorded() {
    let place = Place::new();
    for (models, more, words) in [
        ("three", &[][..], "there is no model \"three\" (the file has broken, one, two)"),
        ("chat_completions:m@http://127.0.0.1:1/v1", &["--budget", "1"][..], "give it \"prices\""),
        ("one", &["--prompts", "/nowhere"][..], "there is no folder of prompts"),
        ("one", &["--prompts", "sample_runs"][..], "is called as a prompt is"),
        ("one", &["--filter", "nothing like it"][..], "none of the"),
    ] {
        let output = place.run(models, more);
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(words), "{models}: {}", text(&output.stderr));
        assert!(!place.out().exists());
    }
}

fn again(run: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").env("NO_PROXY", "127.0.0.1");
    command.args(["run", "--again"]).arg(run).args(more).output().unwrap()
}

#[test]
fn a_run_is_made_again_with_the_settings_it_had() {
    let place = Place::new();
    let limits = ["--max-turns", "3", "--compat", "canvas-2026-01"];
    assert!(place.run("one", &few(&limits)).status.success());
    let first = run_dirs(&place.out()).remove(0);
    let asked = place.server.arrived();
    let output = again(&first, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.server.arrived(), 2 * asked, "it is a new run, not a replayed one");
    let mut dirs = run_dirs(&place.out());
    dirs.sort();
    assert_eq!(dirs.len(), 2, "beside the first: {dirs:?}");
    let manifests: Vec<Value> = dirs
        .iter()
        .map(|dir| serde_json::from_slice(&std::fs::read(dir.join("run.json")).unwrap()).unwrap())
        .collect();
    for same in ["task", "agent", "mode", "compat", "settings", "outcome"] {
        assert_eq!(manifests[0][same], manifests[1][same], "{same}");
    }
    assert_ne!(manifests[0]["id"], manifests[1]["id"]);
    let elsewhere = place.dir.path().join("elsewhere");
    let output = again(&first, &["--out", elsewhere.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(run_dirs(&elsewhere).len(), 1);
}

#[test]
fn what_cannot_be_made_again_says_why_and_other_settings_are_refused() {
    let place = Place::new();
    let folder = place.dir.path().join("client");
    std::fs::create_dir(&folder).unwrap();
    let manifest = json!({"format": "pentimento/run", "version": 1, "id": "g", "environment": "canvas",
        "task": {"set": "s", "id": "t"}, "agent": {"kind": "mcp", "name": "client"},
        "mode": "multi_turn", "started": "2026-01-01T00:00:00Z", "outcome": {"state": "completed"}});
    std::fs::write(folder.join("run.json"), manifest.to_string()).unwrap();
    std::fs::write(folder.join("events.jsonl"), "").unwrap();
    let output = again(&folder, &[]);
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("no agent of this program"), "{err}");
    let output = again(&folder, &["--max-turns", "3"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let output = again(Path::new("/nowhere"), &[]);
    assert!(!output.status.success());
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_runs_after_their_turns_and_says_how_to_go_on() {
    let place = Place::new();
    place.server.answer_after(Duration::from_secs(1));
    let child = place.begin("one", &few(&[]));
    place.server.wait_for(2);
    interrupt(&child);
    let output = child.wait_with_output().unwrap();
    let err = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.contains("--resume goes on"), "{err}");
    let (_, outcome, totals) = place.results().into_values().next().unwrap();
    assert_eq!(
        (&outcome["state"], &totals["turns"]),
        (&json!("cancelled"), &json!(2)),
        "the turn under way is whole"
    );
    place.server.answer_after(Duration::ZERO);
    assert_eq!(place.server.arrived(), 2);
    let output = place.run("one", &few(&["--resume"]));
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(place.server.arrived(), CALLS + 1, "what was answered is not asked again");
}

#[cfg(unix)]
#[test]
fn a_second_ctrl_c_ends_at_once() {
    let place = Place::new();
    place.server.mute_from(Some(2));
    let mut child = place.begin("one", &few(&[]));
    place.server.wait_for(2);
    interrupt(&child);
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap().contains("Ctrl-C again ends at once")));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
