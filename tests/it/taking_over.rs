//! Runs that are gone on with, by a person or by an agent, in every environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use pentimento::agent::runner::{
    Attempt, NoObserver, RunLimits, START_RUN_SETTING, StartRun, run_task,
};
use pentimento::agent::scripted::Scripted;
use pentimento::agent::{
    Agent, AgentError, AgentLog, AgentTurn, AgentView, CpuPool, PictureSource, RunTaskError,
};
use pentimento::base::{CancelToken, Pixels};
use pentimento::environment::page::{PageEnvironment, PageError, PageRenderer, RENDER_PAGE};
use pentimento::environment::{
    Environment, EnvironmentKind, StartError, StartState, ToolCall, open_begun, open_environment,
};
use pentimento::export::{DemonstratedRun, DemonstrationOptions, demonstrations, preference};
use pentimento::run::folder::{self, EVENTS_FILE, FINAL_FILE, START_FILE};
use pentimento::run::recorder::Durability;
use pentimento::run::replay::{Replay, start_state};
use pentimento::run::{AgentRef, Manifest, Outcome, Run, TaskRef, reader};
use pentimento::task::{self, Task};
use serde_json::{Map, Value, json};

use crate::cli::{assert_fails, program, stderr, stdout};
use crate::what_if::sample_run;

/// The set of the tasks.
pub(crate) const SET: &str = "taking-over";

/// Draws a page as a flat colour: its length.
#[derive(Debug)]
struct Flat;

impl PageRenderer for Flat {
    fn name(&self) -> String {
        "flat".to_owned()
    }

    fn render(
        &self,
        html: &str,
        (width, height): (u32, u32),
        _cancel: &CancelToken,
    ) -> Result<Pixels, PageError> {
        Ok(Pixels::filled(width, height, [html.len() as u8, 0, 0, 255])?)
    }
}

/// Opens every environment, pages without a browser.
pub(crate) fn open_flat(start: &StartState) -> Result<Box<dyn Environment>, StartError> {
    open_begun(start, |start| {
        if start.environment == EnvironmentKind::Page {
            return Ok(Box::new(PageEnvironment::new(Arc::new(Flat), start.canvas_size)?));
        }
        open_environment(start)
    })
}

/// Writes a set with a task of the suite, one of a page and one of the canvas.
pub(crate) fn write_set(dir: &Path) {
    let task = |id: &str, kind: &str| {
        json!({
            "id": id, "environment": id, "kind": kind, "instruction": format!("A {id}"),
            "canvas_size": {"width": 120, "height": 90},
        })
    };
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": SET, "name": "Taking over",
        "tasks": [task("suite", "composition"), task("page", "replication"), task("canvas", "replication")],
    });
    std::fs::write(dir.join("taskset.json"), set.to_string()).unwrap();
}

const EXPERT: &str = "Vector Graphic Editor";

pub(crate) fn ground(red: u8) -> (&'static str, Value) {
    let arguments = json!({"expert": EXPERT, "red": red, "green": 251, "blue": 233});
    ("SetBackgroundColor", arguments)
}

/// Calls of the suite: a document, its ground, a band that is then moved.
pub(crate) fn suite_calls() -> Vec<(&'static str, Value)> {
    vec![
        ("CreateDocument", json!({"expert": EXPERT, "docType": "postcard"})),
        ground(255),
        (
            "DrawRectangle",
            json!({"expert": EXPERT, "layerName": "Band", "width": 300, "height": 80, "red": 20, "green": 20, "blue": 20}),
        ),
        move_band(250),
    ]
}

fn move_band(x: i32) -> (&'static str, Value) {
    let arguments = json!({"expert": EXPERT, "layerName": "Band", "posX": x, "posY": 200});
    ("RepositionDrawing", arguments)
}

pub(crate) fn page_calls() -> Vec<(&'static str, Value)> {
    ["<p>", "<p>one", "<p>one two"].map(|html| (RENDER_PAGE, json!({ "html": html }))).to_vec()
}

fn rectangle(name: &str, x: i32) -> (&'static str, Value) {
    let arguments = json!({"x": x, "y": 10, "width": 30, "height": 20, "name": name});
    ("create_rectangle", arguments)
}

/// An agent that makes each of the calls in a turn of its own.
fn scripted(calls: &[(&str, Value)]) -> Scripted {
    let turns = calls.iter().map(|(name, arguments)| AgentTurn {
        thought: "On with it.".to_owned(),
        calls: vec![ToolCall {
            id: "call-1".to_owned(),
            name: (*name).to_owned(),
            arguments: arguments.clone(),
        }],
        ..AgentTurn::default()
    });
    Scripted::new(turns.collect())
}

fn task_of(dir: &Path, id: &str) -> Arc<Task> {
    let opened = task::open(dir).unwrap();
    let (set, _) = &opened.sets[0];
    Arc::clone(set.tasks.iter().find(|task| task.id == id).unwrap())
}

/// Runs an agent on a task of the set, going on with a run if one is named.
fn run_agent(
    dir: &Path,
    id: &str,
    agent: &mut dyn Agent,
    start_run: Option<&StartRun>,
) -> Result<PathBuf, RunTaskError> {
    let reference = TaskRef { set: SET.to_owned(), id: id.to_owned() };
    let run_dir = folder::claim(&dir.join("runs"), &reference, "scripted").unwrap();
    let settings = start_run.map(|start_run| (START_RUN_SETTING.to_owned(), json!(start_run)));
    let attempt = Attempt {
        set: SET,
        task: &task_of(dir, id),
        limits: RunLimits::default(),
        settings: settings.into_iter().collect::<Map<_, _>>(),
        dir: &run_dir,
        open_environment: &open_flat,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &CpuPool::default(),
    };
    let made = run_task(&attempt, agent, &CancelToken::new(), &mut NoObserver);
    made.map(|manifest| {
        assert_eq!(manifest.outcome, Outcome::Completed);
        run_dir
    })
}

/// A run of these calls, one a turn.
pub(crate) fn recorded(dir: &Path, id: &str, calls: &[(&str, Value)]) -> PathBuf {
    run_agent(dir, id, &mut scripted(calls), None).unwrap()
}

/// The run, replayed to its end: it has to come out as it was recorded, and to what it ended with.
pub(crate) fn replayed(dir: &Path) -> Run {
    let run = Arc::new(reader::open(dir).unwrap());
    assert_eq!(run.torn, None);
    let mut replay = Replay::new(Arc::clone(&run), &open_flat).unwrap();
    let last = u32::try_from(run.steps.len()).unwrap();
    let end = replay.environment_at(last, &CancelToken::default()).unwrap().document_json();
    let written = std::fs::read(dir.join(FINAL_FILE)).unwrap();
    assert_eq!(end, serde_json::from_slice::<Value>(&written).unwrap());
    assert_eq!(replay.divergences().count(), 0);
    Arc::unwrap_or_clone(run)
}

fn start_run(dir: &Path, step: u32) -> StartRun {
    let run = reader::peek(dir).unwrap().manifest.id;
    StartRun { path: dir.to_path_buf(), run, step }
}

/// What these calls lead to from the start of a run.
fn made(run: &Run, calls: &[(&str, Value)]) -> Value {
    let mut environment = open_flat(&start_state(run).unwrap()).unwrap();
    for (name, arguments) in calls {
        let (id, name) = ("call-1".to_owned(), (*name).to_owned());
        let call = ToolCall { id, name, arguments: arguments.clone() };
        assert_eq!(environment.call(&call, &CancelToken::default()).failure, None, "{call:?}");
    }
    environment.document_json()
}

fn end_of(dir: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(dir.join(FINAL_FILE)).unwrap()).unwrap()
}

#[test]
fn an_agent_goes_on_behind_a_step_in_every_environment() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let canvas = vec![rectangle("a", 10), rectangle("b", 50), rectangle("c", 80)];
    for (id, calls, step, next) in [
        ("suite", suite_calls(), 3, move_band(320)),
        ("page", page_calls(), 1, (RENDER_PAGE, json!({ "html": "<p>another" }))),
        ("canvas", canvas, 2, rectangle("d", 20)),
    ] {
        let parent_dir = recorded(dir.path(), id, &calls);
        let parent = reader::open(&parent_dir).unwrap();
        let from = start_run(&parent_dir, step);
        let mut agent = scripted(std::slice::from_ref(&next));
        let run_dir = run_agent(dir.path(), id, &mut agent, Some(&from)).unwrap();
        let run = replayed(&run_dir);
        // Its own steps begin with 1, on what the parent's had come to.
        assert_eq!(run.steps.iter().map(|step| step.number).collect::<Vec<_>>(), [1]);
        let kept = &calls[..step as usize];
        let all: Vec<_> = kept.iter().cloned().chain([next.clone()]).collect();
        assert_eq!(end_of(&run_dir), made(&parent, &all), "{id}");
        let of = run.manifest.parent.clone().unwrap();
        assert_eq!((of.run, of.step, of.edits), (from.run.clone(), step, Vec::new()));
        assert_eq!(run.manifest.settings[START_RUN_SETTING], json!(from));
        // It stands alone: without the parent it is replayed, and begun again as it was.
        std::fs::remove_dir_all(&parent_dir).unwrap();
        replayed(&run_dir);
        let again = StartRun::start_of(&run_dir, &run.manifest);
        let mut agent = scripted(std::slice::from_ref(&next));
        let again_dir = run_agent(dir.path(), id, &mut agent, Some(&again)).unwrap();
        assert_eq!(end_of(&again_dir), end_of(&run_dir));
        let again = replayed(&again_dir).manifest;
        assert_eq!(again.parent, run.manifest.parent, "{id}: made again it has the same parent");
        assert_eq!(again.settings[START_RUN_SETTING], json!(from));
        // Whoever goes on with it begins with the calls of both.
        let third = start_run(&run_dir, 1);
        let mut agent = scripted(&[next]);
        let third_dir = run_agent(dir.path(), id, &mut agent, Some(&third)).unwrap();
        let start = std::fs::read(third_dir.join(START_FILE)).unwrap();
        let start: Value = serde_json::from_slice(&start).unwrap();
        assert_eq!(start["calls"].as_array().unwrap().len(), kept.len() + 1, "{id}");
        replayed(&third_dir);
    }
}

/// Listens to what it is asked, and does nothing.
struct Listener {
    environment: Option<EnvironmentKind>,
    heard: String,
}

impl Agent for Listener {
    fn identity(&self) -> AgentRef {
        AgentRef { kind: "listener".to_owned(), name: "listener".to_owned(), version: None }
    }

    fn environment(&self) -> Option<EnvironmentKind> {
        self.environment.clone()
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _log: &mut dyn AgentLog,
        _cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        view.instruction.clone_into(&mut self.heard);
        Ok(AgentTurn::default())
    }
}

#[test]
fn the_agent_is_told_what_was_done_before_it() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let parent = recorded(dir.path(), "suite", &suite_calls());
    let mut listener = Listener { environment: None, heard: String::new() };
    run_agent(dir.path(), "suite", &mut listener, Some(&start_run(&parent, 2))).unwrap();
    let heard = &listener.heard;
    let told = ["A suite", "2 calls were made", "1. CreateDocument", "2. SetBackgroundColor"];
    for words in told {
        assert!(heard.contains(words), "{words:?} is missing in: {heard}");
    }
    assert!(!heard.contains("DrawRectangle"), "{heard}");
    let run = reader::open(&parent).unwrap();
    let outcome = run.steps.get(1).unwrap().outcome.as_ref().unwrap();
    assert!(heard.contains(&outcome.text), "{heard}");
    // At the start nothing was done.
    run_agent(dir.path(), "suite", &mut listener, Some(&start_run(&parent, 0))).unwrap();
    assert_eq!(listener.heard, "A suite");
    // What is long is told from its end.
    let long = "x".repeat(30_000);
    let pages = ["a", "b", "c"].map(|end| (RENDER_PAGE, json!({ "html": format!("{long}{end}") })));
    let parent = recorded(dir.path(), "page", &pages);
    run_agent(dir.path(), "page", &mut listener, Some(&start_run(&parent, 3))).unwrap();
    let heard = &listener.heard;
    assert!(heard.contains("xc\"") && heard.contains("2. render_page"), "the last is whole");
    assert!(!heard.contains("1. render_page") && heard.contains("the last of them"));
    assert!(heard.chars().count() < 50_000, "{}", heard.chars().count());
}

#[test]
fn what_cannot_be_gone_on_with_is_refused_before_there_is_a_run() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let parent = recorded(dir.path(), "suite", &suite_calls());
    let good = start_run(&parent, 2);
    let refused = |id: &str, from: &StartRun| {
        let error = run_agent(dir.path(), id, &mut scripted(&[]), Some(from));
        error.unwrap_err().to_string()
    };
    let gone = StartRun { path: dir.path().join("gone"), ..good.clone() };
    assert!(refused("suite", &gone).contains("cannot be read"), "{}", refused("suite", &gone));
    let other = StartRun { run: "another-1".to_owned(), ..good.clone() };
    assert!(refused("suite", &other).contains("not another-1"));
    let late = StartRun { step: 5, ..good.clone() };
    assert!(refused("suite", &late).contains("no step 5; its last is 4"));
    assert!(refused("page", &good).contains("it is of the task suite, not of page"));
    let mut listener = Listener { environment: Some(EnvironmentKind::Page), heard: String::new() };
    let error = run_agent(dir.path(), "suite", &mut listener, Some(&good)).unwrap_err();
    assert!(error.to_string().contains("the agent works in page"), "{error}");
    // One whose answers were changed afterwards: up to the step before it is as it was.
    let events = std::fs::read_to_string(parent.join(EVENTS_FILE)).unwrap();
    let second = reader::open(&parent).unwrap();
    let second = &second.steps.get(1).unwrap().outcome.as_ref().unwrap().text;
    let text = |words: &str| format!("\"text\":{}", json!(words));
    assert!(events.contains(&text(second)));
    let changed = events.replace(&text(second), &text("Not so."));
    std::fs::write(parent.join(EVENTS_FILE), changed).unwrap();
    assert!(refused("suite", &good).contains("step 2 comes out differently"));
    run_agent(dir.path(), "suite", &mut scripted(&[]), Some(&start_run(&parent, 1))).unwrap();
    // Calls at the start that nobody can read are an error, and no other start.
    let run_dir = run_agent(dir.path(), "suite", &mut scripted(&[]), Some(&start_run(&parent, 1)));
    let run_dir = run_dir.unwrap();
    let start = std::fs::read_to_string(run_dir.join(START_FILE)).unwrap();
    std::fs::write(run_dir.join(START_FILE), start.replace("\"calls\"", "\"cals\"")).unwrap();
    let run = Arc::new(reader::open(&run_dir).unwrap());
    let error = Replay::new(run, &open_flat).unwrap_err().to_string();
    assert!(error.contains("the calls that the run begins with cannot be read"), "{error}");
}

/// `pentimento run --continue` with the scripted agent.
fn go_on(said: &str, calls: &Value, dir: &Path, more: &[&str]) -> Output {
    let script = dir.join("script.json");
    std::fs::write(&script, calls.to_string()).unwrap();
    let mut command: Command = program();
    command.args(["run", "--continue", said, "--agent", "scripted", "--calls"]).arg(script);
    command.arg("--out").arg(dir.join("more")).args(more);
    command.output().unwrap()
}

/// The only run that went to the folder.
fn only_run(dir: &Path, task: &TaskRef) -> PathBuf {
    let parent = dir.join("more").join(&task.set).join(&task.id);
    let runs: Vec<_> = std::fs::read_dir(parent).unwrap().map(|run| run.unwrap().path()).collect();
    assert_eq!(runs.len(), 1, "{runs:?}");
    runs[0].clone()
}

#[test]
fn the_command_goes_on_with_a_run_of_the_suite_and_of_the_canvas() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let suite = recorded(dir.path(), "suite", &suite_calls());
    let (name, arguments) = move_band(320);
    let said = format!("{}@3", suite.display());
    let tasks = dir.path().display().to_string();
    let calls = json!([{"name": name, "arguments": arguments}]);
    let output = go_on(&said, &calls, dir.path(), &["--tasks", &tasks]);
    assert!(output.status.success(), "{}", stderr(&output));
    let reference = TaskRef { set: SET.to_owned(), id: "suite".to_owned() };
    let run_dir = only_run(dir.path(), &reference);
    let run = replayed(&run_dir);
    assert_eq!(run.steps.get(0).unwrap().outcome.as_ref().unwrap().failure, None);
    assert_eq!(run.manifest.parent.as_ref().unwrap().step, 3);
    // Made again when the parent is gone.
    std::fs::remove_dir_all(&suite).unwrap();
    let mut command = program();
    command.args(["run", "--tasks", &tasks, "--again"]).arg(&run_dir);
    let output = command.arg("--out").arg(dir.path().join("third")).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let again = dir.path().join("third").join(SET).join("suite/scripted-01");
    assert_eq!(
        (end_of(&again), replayed(&again).manifest.parent),
        (end_of(&run_dir), run.manifest.parent)
    );

    // Without a step it is behind the last.
    let parent_dir = sample_run("quiz-progress/scripted-01");
    let parent: Manifest = reader::peek(&parent_dir).unwrap().manifest;
    let calls = json!([{"name": "get_page_structure", "arguments": {}}]);
    let output = go_on(&parent_dir.display().to_string(), &calls, dir.path(), &[]);
    assert!(output.status.success(), "{}", stderr(&output));
    let run_dir = only_run(dir.path(), &parent.task);
    let run = replayed(&run_dir);
    let parent_run = Arc::new(reader::open(&parent_dir).unwrap());
    let mut replay = Replay::new(parent_run, &open_flat).unwrap();
    let last = replay.environment_at(parent.totals.calls, &CancelToken::default()).unwrap();
    assert_eq!(end_of(&run_dir), last.document_json());
    assert_eq!(run.manifest.parent.unwrap().step, parent.totals.calls);
}

#[test]
fn the_command_refuses_what_cannot_be_gone_on_with_and_makes_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let suite = recorded(dir.path(), "suite", &suite_calls()).display().to_string();
    let tasks = dir.path().display().to_string();
    for (said, words) in [
        (format!("{suite}@9"), "no step 9"),
        (format!("{suite}@last"), "must be a number"),
        (format!("{suite}-gone@1"), "gone"),
    ] {
        let output = go_on(&said, &json!([]), dir.path(), &["--tasks", &tasks]);
        assert_fails(&output, &[words]);
        assert!(!dir.path().join("more").exists(), "{said}");
    }
    let output =
        go_on(&suite, &json!([]), dir.path(), &["--tasks", &tasks, "--compat", "graphicbench"]);
    assert_fails(&output, &["made with compat documented, not graphicbench"]);
}

/// A run of the suite that a person went on with is kept by the command line as by the window.
#[test]
fn the_command_keeps_what_was_done_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    write_set(dir.path());
    let suite = recorded(dir.path(), "suite", &suite_calls());
    let by_hand = |more: &[&str]| {
        let mut command = program();
        command.args(["what-if", "--by-hand", "--from", "2"]).args(more);
        command.arg("--tasks").arg(dir.path()).arg("--out").arg(dir.path().join("more"));
        command.arg(&suite).output().unwrap()
    };
    assert_fails(&by_hand(&[]), &["nothing is done by hand"]);
    let (name, arguments) = ground(40);
    let output = by_hand(&["--insert", &format!("2={name}:{arguments}")]);
    assert!(output.status.success(), "{}", stderr(&output));
    let reference = TaskRef { set: SET.to_owned(), id: "suite".to_owned() };
    assert_by_hand(&only_run(dir.path(), &reference), &suite, 2);
}

/// The run is what a person did behind a step of its parent: it replays, and is a demonstration and preferred.
pub(crate) fn assert_by_hand(run_dir: &Path, parent_dir: &Path, step: u32) {
    let (run, parent) = (replayed(run_dir), reader::open(parent_dir).unwrap());
    let agent = &run.manifest.agent;
    assert_eq!((agent.kind.as_str(), run.manifest.mode.as_str()), ("by_hand", "by_hand"));
    let of = run.manifest.parent.as_ref().unwrap();
    assert_eq!((&of.run, of.step), (&parent.manifest.id, step));
    // Each call that was put in is a turn with a person in it.
    let events = std::fs::read_to_string(run_dir.join(EVENTS_FILE)).unwrap();
    let events = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let people: Vec<Value> = events.filter(|event| event["event"] == "human_action").collect();
    let own = run.steps.len() - step as usize;
    assert!(own > 0);
    assert_eq!(people.len(), own, "{people:?}");
    for (number, event) in (1..).zip(&people) {
        let detail = &event["detail"];
        assert_eq!((&event["action"], &detail["by"]), (&json!("edit"), &json!("person")));
        assert_eq!((&detail["step"], &detail["steps"]), (&json!(number), &json!(1)));
    }
    let [own_run, its] =
        [run, parent].map(|run| DemonstratedRun { run: Arc::new(run), task: None });
    let (options, cancel) = (DemonstrationOptions::default(), CancelToken::default());
    let lines = demonstrations(&own_run, options, &open_flat, &cancel).unwrap();
    assert_eq!(lines.len(), 1);
    let opening = lines[0]["messages"][1]["content"].as_str().unwrap();
    assert!(opening.contains("What is there now:"), "{opening}");
    let system = lines[0]["messages"][0]["content"].as_str().unwrap();
    assert!(!system.contains("pixels"), "{system}");
    let tools = lines[0]["tools"].as_array().unwrap();
    assert!(!tools.is_empty() && tools.iter().all(|tool| tool["type"] == "function"));
    let pair = preference(&own_run, &its, options, &open_flat, &cancel).unwrap().unwrap();
    assert_eq!(pair["step"], json!(step));
    let calls = |messages: &Value| {
        let messages = messages.as_array().unwrap().iter();
        messages.filter_map(|it| it["tool_calls"].as_array()).map(Vec::len).sum::<usize>()
    };
    assert_eq!(calls(&pair["chosen"]), own);
    assert_eq!(calls(&pair["rejected"]), its.run.steps.len() - step as usize);
}
