//! Agents that are programs.

use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use pentimento::agent::program::{FromProgram, Message, Program, ToProgram};
use pentimento::agent::runner::{NoObserver, RunLimits};
use pentimento::agent::{Agent as _, AgentKind, AgentOptions, by_kind};
use pentimento::base::CancelToken;
use pentimento::run::{Manifest, Outcome, Run, reader};
use serde_json::{Value, json};

use crate::agent::run_in;

const SOON: Duration = Duration::from_secs(30);

/// A Python program with what all of these need.
pub(crate) fn script(dir: &Path, name: &str, body: &str) -> PathBuf {
    let head = "import json, os, subprocess, sys, time\n\
        def say(**message): print(json.dumps(message), flush=True)\n\
        def hear(): return json.loads(sys.stdin.readline())\n";
    let path = dir.join(name);
    std::fs::write(&path, format!("{head}{body}\n")).unwrap();
    path
}

fn play_within(body: &str, timeout: Duration, cancel: &CancelToken) -> (Manifest, Run) {
    let dir = tempfile::tempdir().unwrap();
    let command = format!("python3 '{}'", script(dir.path(), "agent.py", body).display());
    let mut agent = Program::new(&command, timeout).unwrap();
    let out = dir.path().join("run");
    let manifest = run_in(&out, &mut agent, RunLimits::default(), cancel, &mut NoObserver);
    (manifest, reader::open(&out).unwrap())
}

fn play(body: &str) -> (Manifest, Run) {
    play_within(body, SOON, &CancelToken::new())
}

/// Why the run with this program fails.
fn failure(body: &str) -> String {
    match play(body).0.outcome {
        Outcome::Failed(why) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_program_is_asked_turn_by_turn_and_recorded() {
    let (manifest, run) = play(
        "hello = hear()\n\
         assert hello['protocol'] == 1 and hello['task'] == {'set': 's', 'id': 't'}\n\
         assert hello['instruction'] == 'Make marks.' and hello['main_frame'] == '1:1'\n\
         assert [tool['name'] for tool in hello['tools']] == ['mark', 'look', 'fail', 'crash']\n\
         calls = [{'name': 'mark', 'arguments': {'n': 7}}, {'id': 'eye', 'name': 'look'}, {'name': 'fail'}]\n\
         say(type='answer', thought='One', calls=calls, usage={'input_tokens': 5, 'output_tokens': 2})\n\
         turn = hear()\n\
         mark, look, fail = turn['outcomes']\n\
         assert turn['turn'] == 2 and (mark['id'], look['id']) == ('1', 'eye')\n\
         assert mark['structured'] == {'id': '1:1'} and 'failure' not in mark\n\
         assert fail['failure'] == {'class': 'refused', 'message': 'no'}\n\
         with open(look['picture']['path'], 'rb') as png: assert png.read(4) == b'\\x89PNG'\n\
         print('', flush=True)\n\
         say(type='done', thought='Enough.')",
    );
    assert_eq!(manifest.outcome, Outcome::Completed);
    assert_eq!((manifest.agent.kind.as_str(), manifest.agent.name.as_str()), ("exec", "agent"));
    assert_eq!((manifest.totals.input_tokens, manifest.totals.output_tokens), (5, 2));
    assert_eq!((run.turns.len(), run.steps.len()), (2, 3));
    assert_eq!((run.turns[0].thought.as_str(), run.turns[1].thought.as_str()), ("One", "Enough."));
}

#[test]
fn pictures_come_in_the_message_if_the_program_wishes() {
    let (manifest, _) = play(
        "hear(); say(type='pictures', form='base64'); hear()\n\
         say(type='answer', calls=[{'name': 'look'}])\n\
         picture = hear()['outcomes'][0]['picture']\n\
         assert picture['base64'].startswith('iVBORw0KGgo') and 'path' not in picture\n\
         say(type='pictures', form='path')\n\
         assert os.path.isfile(hear()['outcomes'][0]['picture']['path'])\n\
         say(type='done')",
    );
    assert_eq!(manifest.outcome, Outcome::Completed);
    let why = failure("while True: hear(); say(type='pictures', form='base64')");
    assert!(why.contains("again and again"), "{why}");
}

#[test]
fn each_way_to_fail_is_told_with_its_words() {
    for (body, words) in [
        (
            "hear(); print('lost', file=sys.stderr); sys.exit(3)",
            &["exit code 3", "stderr:\nlost"][..],
        ),
        ("sys.exit(0)", &["ended before it answered", "exit code 0"]),
        ("os.kill(os.getpid(), 15)", &["signal 15"]),
        ("hear(); print('Thinking…', flush=True); time.sleep(60)", &["no message", "Thinking"]),
        ("hear(); say(type='answer', call=[]); time.sleep(60)", &["unknown field `call`"]),
        ("hear(); say(type='shout'); time.sleep(60)", &["unknown variant `shout`"]),
        ("hear(); say(type='answer', calls=[{'name': 'mark', 'arguments': 3}])", &["no message"]),
        ("hear(); say(type='error', message='no key')", &["gave up: no key"]),
        ("hear(); say(type='answer', calls=[{'name': 'mark'}] * 1001)", &["1001 calls"]),
        ("hear(); os.close(1); time.sleep(60)", &["closed its stdout"]),
        (
            "hear(); sys.stdout.buffer.write(b'\\xff\\xfe\\n'); sys.stdout.flush(); time.sleep(60)",
            &["no message"],
        ),
        (
            "hear(); sys.stdout.write('[' * 100000 + '\\n'); sys.stdout.flush(); time.sleep(60)",
            &["no message"],
        ),
        (
            "hear(); os.close(0); say(type='answer', calls=[{'name': 'mark'}]); time.sleep(60)",
            &["closed its stdin"],
        ),
        (
            "hear(); w = sys.stdout.write\nfor _ in range(17): w('x' * (1 << 20))\nsys.stdout.flush(); time.sleep(60)",
            &["over the limit"],
        ),
    ] {
        let began = Instant::now();
        let why = failure(body);
        for words in words {
            assert!(why.contains(words), "{words:?} is not in {why:?}");
        }
        assert!(began.elapsed() < SOON, "{body}: what sleeps is ended");
    }
}

#[test]
fn only_the_last_of_a_long_complaint_is_kept() {
    let why =
        failure("for n in range(5000): print('line', n, 'x' * 3000, file=sys.stderr)\nsys.exit(1)");
    assert!(why.len() < 20 * 600 && why.contains("x\n"), "{} bytes", why.len());
}

#[test]
fn a_program_that_never_answers_is_ended_at_its_time_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let body = format!(
        "child = subprocess.Popen(['sleep', '600'])\n\
         open({:?}, 'w').write(str(child.pid))\n\
         print('thinking', file=sys.stderr, flush=True); time.sleep(600)",
        pid.display().to_string()
    );
    let began = Instant::now();
    let (manifest, _) = play_within(&body, Duration::from_secs(2), &CancelToken::new());
    let Outcome::Failed(why) = manifest.outcome else { panic!("{manifest:?}") };
    assert!(why.contains("within 2 seconds") && why.contains("thinking"), "{why}");
    assert!(began.elapsed() < SOON);
    assert_gone(&pid);
}

#[test]
fn a_stopped_run_ends_its_program_with_all_it_started() {
    let dir = tempfile::tempdir().unwrap();
    let pid = dir.path().join("pid");
    let body = format!(
        "hear(); say(type='answer', calls=[{{'name': 'mark'}}]); hear()\n\
         child = subprocess.Popen(['sleep', '600'])\n\
         open({:?}, 'w').write(str(child.pid)); time.sleep(600)",
        pid.display().to_string()
    );
    let cancel = CancelToken::new();
    let stopper = cancel_once_written(&pid, &cancel);
    let (manifest, run) = play_within(&body, Duration::from_mins(10), &cancel);
    stopper.join().unwrap();
    assert_eq!((manifest.outcome, run.turns.len()), (Outcome::Cancelled, 1));
    assert_gone(&pid);
}

/// Cancels as soon as there is something in a file.
pub(crate) fn cancel_once_written(file: &Path, cancel: &CancelToken) -> JoinHandle<()> {
    let (file, cancel) = (file.to_path_buf(), cancel.clone());
    let stopper = std::thread::Builder::new().name("stopper".to_owned());
    let stopper = stopper.spawn(move || {
        let began = Instant::now();
        while std::fs::read_to_string(&file).unwrap_or_default().is_empty() {
            assert!(began.elapsed() < SOON);
            std::thread::sleep(Duration::from_millis(5));
        }
        cancel.cancel();
    });
    stopper.unwrap()
}

/// The process of this number has ended, or is but a name that nobody has asked for yet.
pub(crate) fn assert_gone(pid: &Path) {
    let pid = std::fs::read_to_string(pid).unwrap();
    let began = Instant::now();
    loop {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        if status.is_empty() || status.contains("State:\tZ") {
            return;
        }
        assert!(began.elapsed() < SOON, "{status}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let mut agent = Program::new("/no/such/agent --fast", SOON).unwrap();
    assert_eq!(agent.identity().name, "agent");
    let manifest =
        run_in(dir.path(), &mut agent, RunLimits::default(), &CancelToken::new(), &mut NoObserver);
    let Outcome::Failed(why) = manifest.outcome else { panic!("{manifest:?}") };
    assert!(why.contains("cannot be started") && why.ends_with("/no/such/agent"), "{why}");
    assert!(by_kind(AgentKind::Exec, &AgentOptions::default()).is_err());
    let command = Some("agent 'open".to_owned());
    let error = by_kind(AgentKind::Exec, &AgentOptions { command, ..AgentOptions::default() })
        .err()
        .unwrap();
    assert!(error.to_string().contains("not closed"), "{error}");
}

#[test]
fn every_message_is_as_the_schema_says() {
    let validator = jsonschema::validator_for(&Message::json_schema()).unwrap();
    let hello = json!({"type": "hello", "protocol": 1, "task": {"set": "s", "id": "t"},
        "instruction": "x", "canvas_size": {"width": 3, "height": 4}, "main_frame": "1:1",
        "tools": [{"name": "mark", "description": "", "schema": {}, "category": "creation"}],
        "ground_truth": {"width": 3, "height": 4, "path": "/tmp/x.png"}});
    let turn = json!({"type": "turn", "turn": 2, "outcomes": [
        {"id": "1", "name": "mark", "text": "", "structured": {}},
        {"id": "2", "name": "look", "text": "", "failure": {"class": "refused", "message": ""},
         "picture": {"width": 1, "height": 1, "base64": "eA=="}}]});
    for told in [hello, turn] {
        validator.validate(&told).unwrap_or_else(|error| panic!("{error}: {told}"));
        let message: ToProgram = serde_json::from_value(told.clone()).unwrap();
        validator.validate(&serde_json::to_value(message).unwrap()).unwrap();
    }
    for said in [
        json!({"type": "answer", "thought": "", "calls": [{"name": "mark", "arguments": {"n": 1}}]}),
        json!({"type": "answer", "usage": {"input_tokens": 1, "output_tokens": 1, "cost_usd": 0.5}}),
        json!({"type": "done"}),
        json!({"type": "error", "message": "x"}),
        json!({"type": "pictures", "form": "base64"}),
    ] {
        validator.validate(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
        let message: FromProgram = serde_json::from_value(said).unwrap();
        validator.validate(&serde_json::to_value(message).unwrap()).unwrap();
    }
    for wrong in [json!({"type": "answer", "call": []}), json!({"thought": ""}), json!([])] {
        assert!(validator.validate(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn the_example_draws_a_card_on_a_task_of_the_samples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = tempfile::tempdir().unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .current_dir(root)
        .args(["run", "--tasks", "sample_runs", "--filter", "sign-in", "--out"])
        .arg(out.path())
        .args(["--agent", "exec:python3 sample_runs/agents/card.py"])
        .env("PENTIMENTO_WORKSPACE", "")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let dir = out.path().join("own-samples/sign-in/card-01");
    let run = reader::open(&dir).unwrap_or_else(|error| panic!("{error}: {said}"));
    assert_eq!(run.manifest.outcome, Outcome::Completed);
    assert_eq!(run.manifest.settings["command"], "python3 sample_runs/agents/card.py");
    assert_eq!((run.turns.len(), run.steps.len(), run.manifest.totals.failures), (4, 4, 0));
    assert!(run.turns[3].thought.contains("pixels"));
    let names: Vec<&Value> = run
        .steps
        .iter()
        .filter_map(|step| Some(&step.outcome.as_ref()?.structured.as_ref()?["id"]))
        .collect();
    assert!(names[0].is_string());
}
