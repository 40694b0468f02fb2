//! The loop and the agents that need nothing but their script.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Barrier};

use pentimento::agent::runner::{Attempt, NoObserver, Observer, RunLimits, run_task};
use pentimento::agent::scripted::Scripted;
use pentimento::agent::{
    Agent, AgentError, AgentKind, AgentLog, AgentOptions, AgentTurn, AgentView, CpuPool,
    PictureSource, ScriptError, by_kind,
};
use pentimento::base::CancelToken;
use pentimento::environment::{
    Environment, EnvironmentKind, FailureClass, Picture, PictureRequest, RenderError, Snapshot,
    StartError, StartState, ToolCall, ToolOutcome, ToolSpec,
};
use pentimento::run::builder::RunBuilder;
use pentimento::run::recorder::Durability;
use pentimento::run::{AgentRef, Event, Manifest, Outcome, Run, RunOrigin, StepOutcome, reader};
use pentimento::task::{Task, TaskKind};
use serde_json::{Map, Value, json};

use crate::mock::Marks;

pub(crate) fn task() -> Task {
    Task {
        id: "t".into(),
        environment: EnvironmentKind::Canvas,
        kind: TaskKind::Replication,
        instruction: "Make marks.".into(),
        start: None,
        ground_truth: None,
        canvas_size: None,
        reference_tools: Vec::new(),
        reference_plan: None,
        category: None,
        difficulty: None,
        tags: Vec::new(),
        checks: None,
        brief: None,
        given: Vec::new(),
    }
}

pub(crate) fn run_in(
    dir: &Path,
    agent: &mut dyn Agent,
    limits: RunLimits,
    cancel: &CancelToken,
    observer: &mut dyn Observer,
) -> Manifest {
    let attempt = Attempt {
        set: "s",
        task: &task(),
        limits,
        settings: Map::new(),
        dir,
        open_environment: &Marks::open,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &CpuPool::default(),
    };
    run_task(&attempt, agent, cancel, observer).unwrap()
}

fn run(agent: &mut dyn Agent, limits: RunLimits) -> (Manifest, Run) {
    let dir = tempfile::tempdir().unwrap();
    let manifest = run_in(dir.path(), agent, limits, &CancelToken::new(), &mut NoObserver);
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((&run.manifest, &run.torn), (&manifest, &None));
    (manifest, run)
}

fn script(dir: &Path, script: &Value) -> Result<Box<dyn Agent>, AgentError> {
    let path = dir.join("script.json");
    fs::write(&path, script.to_string()).unwrap();
    by_kind(AgentKind::Scripted, &AgentOptions { script: Some(path), ..AgentOptions::default() })
}

fn play(turns: &Value) -> (Manifest, Run) {
    let dir = tempfile::tempdir().unwrap();
    run(&mut *script(dir.path(), turns).unwrap(), RunLimits::default())
}

fn calls(name: &str, count: usize) -> AgentTurn {
    let call = |n| ToolCall { id: format!("{n}"), name: name.into(), arguments: json!({ "n": n }) };
    AgentTurn { calls: (0..count).map(call).collect(), ..AgentTurn::default() }
}

#[test]
fn a_script_is_played_and_recorded_turn_by_turn() {
    let (manifest, run) = play(&json!([
        { "thought": "One", "calls": [{ "name": "mark", "arguments": { "n": 5 } }, { "name": "look" }] },
        { "calls": [{ "name": "fail" }, { "name": "mark", "arguments": { "n": 6, "on": { "$ref": "1.1" } } }] }
    ]));
    assert_eq!((manifest.outcome, manifest.mode.as_str()), (Outcome::Completed, "script"));
    assert_eq!((run.turns.len(), run.steps.len(), manifest.totals.failures), (2, 4, 1));
    assert_eq!(run.turns[0].thought, "One");
    assert!(run.turns.iter().all(|turn| turn.observation.is_some()));
    assert!(run.steps[1].outcome.as_ref().unwrap().image.is_some());
    assert_eq!(run.steps[3].call.as_ref().unwrap().arguments, json!({ "n": 6, "on": "1:1" }));
}

#[test]
fn a_recorded_run_is_a_script() {
    let dir = tempfile::tempdir().unwrap();
    let mut first = Scripted::new(vec![calls("mark", 2), calls("look", 1)]);
    run_in(dir.path(), &mut first, RunLimits::default(), &CancelToken::new(), &mut NoObserver);
    let before = reader::open(dir.path()).unwrap();
    for path in [dir.path().to_path_buf(), dir.path().join("events.jsonl")] {
        let mut again = by_kind(
            AgentKind::Scripted,
            &AgentOptions { script: Some(path), ..AgentOptions::default() },
        )
        .unwrap();
        let (_, after) = run(&mut *again, RunLimits::default());
        let calls = |run: &Run| run.steps.iter().map(|s| s.call.clone()).collect::<Vec<_>>();
        assert_eq!(calls(&after), calls(&before));
    }
}

#[test]
fn each_bad_script_is_named_with_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let error = |value| script(dir.path(), &value).err().unwrap().to_string();
    assert!(error(json!([{ "calls": [{}] }])).starts_with("turn 1, call 1: \"name\" is missing"));
    assert!(error(json!("x")).starts_with("the script: must be a list"));
    fs::write(dir.path().join("torn.json"), "[{\n  \"calls\": [").unwrap();
    let torn =
        AgentOptions { script: Some(dir.path().join("torn.json")), ..AgentOptions::default() };
    let error = by_kind(AgentKind::Scripted, &torn).err().unwrap();
    assert!(matches!(error, AgentError::Script(ScriptError::Json { .. })));
    assert!(error.to_string().contains("line 2 column 12"), "{error}");
    assert!(by_kind(AgentKind::Scripted, &AgentOptions::default()).is_err());
    assert_eq!(AgentKind::from_name("painter"), None);
}

#[test]
fn a_reference_to_nothing_fails_the_run_and_says_where() {
    for (target, fault) in [("1.2", "no such call"), ("2.1", "no such call"), ("x", "must be")] {
        let (manifest, run) = play(&json!([
            { "calls": [{ "name": "mark" }] },
            { "calls": [{ "name": "mark", "arguments": { "n": { "$ref": target } } }] }
        ]));
        let Outcome::Failed(why) = &manifest.outcome else { panic!("{manifest:?}") };
        assert!(why.starts_with("turn 2, call 1: ") && why.contains(fault), "{why}");
        assert_eq!((run.turns.len(), run.notes.last().unwrap()), (1, why));
    }
}

#[test]
fn a_tool_that_panics_is_tried_three_times_and_skipped_and_leaves_nothing_behind() {
    let turns = vec![calls("mark", 1), calls("crash", 2), calls("mark", 1)];
    let (manifest, run) = run(&mut Scripted::new(turns), RunLimits::default());
    assert_eq!((manifest.outcome, manifest.totals.failures), (Outcome::Completed, 2));
    let outcomes: Vec<&StepOutcome> =
        run.steps.iter().map(|step| step.outcome.as_ref().unwrap()).collect();
    let failure = outcomes[1].failure.as_ref().unwrap();
    assert_eq!(failure.class, FailureClass::BrokeDown);
    assert!(failure.message.starts_with("crash broke down: the tool has a hole"), "{failure:?}");
    assert!(failure.message.contains("tried 3 times"), "{failure:?}");
    // The next mark is the second: what the tool did before it broke down was taken back.
    assert_eq!(outcomes[3].structured, Some(json!({ "id": "1:2" })));
}

struct Broken(&'static str);

impl Agent for Broken {
    fn identity(&self) -> AgentRef {
        AgentRef { kind: "broken".into(), name: "broken".into(), version: None }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _: &mut dyn AgentLog,
        _: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        assert_eq!((view.main_frame, view.instruction), ("1:1", "Make marks."));
        match self.0 {
            "panic" => panic!("no idea"),
            "needs" => Err(AgentError::Needs("a picture")),
            _ => Ok(AgentTurn { thought: "Done.".into(), ..AgentTurn::default() }),
        }
    }
}

#[test]
fn an_agent_that_panics_or_refuses_fails_its_run() {
    for (how, words) in [("panic", "the agent broke down: no idea"), ("needs", "a picture")] {
        let (manifest, run) = run(&mut Broken(how), RunLimits::default());
        let Outcome::Failed(why) = manifest.outcome else { panic!("{manifest:?}") };
        assert!(why.contains(words), "{why}");
        assert_eq!((run.turns.len(), run.notes.len()), (0, 1));
    }
    let (manifest, run) = run(&mut Broken("last words"), RunLimits::default());
    assert_eq!((manifest.outcome, run.turns[0].thought.as_str()), (Outcome::Completed, "Done."));
}

#[test]
fn what_an_agent_was_not_given_is_said_once() {
    for (kind, words) in [
        (AgentKind::Model, "the agent needs a model, which was not given"),
        (AgentKind::Scripted, "the agent needs a script, which was not given"),
        (AgentKind::Exec, "the agent needs a command, which was not given"),
    ] {
        let Err(error) = by_kind(kind, &AgentOptions::default()) else { panic!("{kind}") };
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn limits_end_a_run_after_what_they_allow() {
    let turns = || Scripted::new(vec![calls("mark", 3); 10]);
    let limits = RunLimits { max_turns: 4, ..RunLimits::default() };
    let (manifest, run_of_turns) = run(&mut turns(), limits);
    assert_eq!(manifest.outcome, Outcome::LimitReached("4 turns".into()));
    assert_eq!(run_of_turns.turns.len(), 4);
    let (manifest, run_of_calls) =
        run(&mut turns(), RunLimits { max_calls: 7, ..RunLimits::default() });
    assert_eq!(manifest.outcome, Outcome::LimitReached("7 calls".into()));
    assert_eq!((run_of_calls.turns.len(), run_of_calls.steps.len()), (3, 7));
    let (manifest, _) =
        run(&mut turns(), RunLimits { max_seconds: Some(0.0), ..RunLimits::default() });
    assert_eq!(manifest.outcome, Outcome::LimitReached("0 seconds".into()));
}

/// Stops the run at its fifth call, and builds the run from what it hears.
struct Watcher {
    cancel: CancelToken,
    heard: Option<RunBuilder>,
}

impl Observer for Watcher {
    fn started(&mut self, manifest: &Manifest) {
        let origin = RunOrigin::Recorded { dir: "x".into() };
        self.heard = Some(RunBuilder::new(manifest.clone(), origin));
    }

    fn recorded(&mut self, manifest: &Manifest, event: &Event) {
        self.heard.as_mut().unwrap().push(event.clone()).unwrap();
        if manifest.totals.calls == 5 {
            self.cancel.cancel();
        }
    }
}

#[test]
fn a_cancelled_run_ends_between_calls_and_its_observer_heard_all_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let mut watcher = Watcher { cancel: CancelToken::new(), heard: None };
    let cancel = watcher.cancel.clone();
    let mut agent = Scripted::new(vec![calls("mark", 3); 10]);
    let manifest = run_in(dir.path(), &mut agent, RunLimits::default(), &cancel, &mut watcher);
    assert_eq!(manifest.outcome, Outcome::Cancelled);
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((run.turns.len(), run.steps.len()), (2, 5));
    let heard = watcher.heard.unwrap().into_run();
    assert_eq!((heard.turns, heard.steps), (run.turns, run.steps));
}

/// Marks whose calls wait until so many runs are in one at the same time, as for a program outside.
#[derive(Debug)]
struct Meeting(Box<dyn Environment>, Arc<Barrier>);

impl Environment for Meeting {
    fn tools(&self) -> &[ToolSpec] {
        self.0.tools()
    }

    fn call(&mut self, call: &ToolCall, cancel: &CancelToken) -> ToolOutcome {
        self.1.wait();
        self.0.call(call, cancel)
    }

    fn calls_wait(&self) -> bool {
        true
    }

    fn picture(&self, request: &PictureRequest) -> Result<Picture, RenderError> {
        self.0.picture(request)
    }

    fn snapshot(&self) -> Snapshot {
        self.0.snapshot()
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.0.restore(snapshot);
    }

    fn document_json(&self) -> Value {
        self.0.document_json()
    }
}

#[test]
fn calls_that_wait_for_a_program_outside_keep_no_other_run_waiting() {
    // More than there are shared threads on any machine: each of the runs waits for all the others.
    const RUNS: usize = 12;
    let (meeting, (done, told)) = (Arc::new(Barrier::new(RUNS)), crossbeam_channel::bounded(RUNS));
    for _ in 0..RUNS {
        let (meeting, done) = (Arc::clone(&meeting), done.clone());
        let run = move || {
            let open = move |start: &StartState| -> Result<Box<dyn Environment>, StartError> {
                Ok(Box::new(Meeting(Marks::open(start)?, Arc::clone(&meeting))))
            };
            let (dir, task) = (tempfile::tempdir().unwrap(), task());
            let attempt = Attempt {
                set: "s",
                task: &task,
                limits: RunLimits::default(),
                settings: Map::new(),
                dir: dir.path(),
                open_environment: &open,
                pictures: &PictureSource::Nowhere,
                durability: Durability::EveryTurn,
                cpu: &CpuPool::default(),
            };
            let mut agent = Scripted::new(vec![calls("mark", 2)]);
            let manifest =
                run_task(&attempt, &mut agent, &CancelToken::new(), &mut NoObserver).unwrap();
            done.send(manifest.outcome).unwrap();
        };
        std::thread::Builder::new().spawn(run).unwrap();
    }
    for _ in 0..RUNS {
        let ended = told.recv_timeout(std::time::Duration::from_mins(1));
        assert_eq!(ended.expect("a run waits for a shared thread"), Outcome::Completed);
    }
}
