//! The worker with an environment and agents of our own: what happens when things go wrong.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pentimento::agent::batch::{AgentChoice, LaunchOptions};
use pentimento::agent::models::ModelChoice;
use pentimento::agent::runner::RunLimits;
use pentimento::agent::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};
use pentimento::base::{CancelToken, Pixels};
use pentimento::environment::Compat;
use pentimento::environment::{
    Environment, EnvironmentKind, FailureClass, Picture, PictureRequest, Snapshot, StartState,
    ToolCall, ToolOutcome, ToolSpec,
};
use pentimento::evaluate::PrimaryMetric;
use pentimento::metric::Score;
use pentimento::render::RenderError;
use pentimento::run::recorder::Recorder;
use pentimento::run::{
    AgentRef, Event as RunEvent, Manifest, Outcome, Run, RunOrigin, TaskRef, reader,
};
use pentimento::task::{Artifact, Task, TaskKind};
use pentimento::workbench::protocol::{LaunchPlan, LaunchRun};
use pentimento::workbench::{
    Derived, DerivedKey, Event, Inputs, JobId, JobOutcome, PictureKey, Request, RunId, RunInput,
    ScoreKey, ScorePurpose, ScoredStep, Urgency, VariantId,
};
use pentimento::worker::{Worker, WorkerConfig};
use serde_json::{Value, json};

use crate::batch::ModelServer;

/// How long anything may take before a test gives up. Not a measure of speed.
const PATIENCE: Duration = Duration::from_secs(30);

/// A canvas of one colour. `paint` sets it, `boom` panics, and a picture of red panics too.
#[derive(Debug)]
struct OneColour(u8);

impl Environment for OneColour {
    fn tools(&self) -> &[ToolSpec] {
        &[]
    }

    fn call(&mut self, call: &ToolCall, _cancel: &CancelToken) -> ToolOutcome {
        match call.name.as_str() {
            "paint" => {
                self.0 = call.arguments["grey"].as_u64().unwrap_or(0) as u8;
                ToolOutcome::success("painted", json!({}))
            }
            "boom" => panic!("the tool broke"),
            other => ToolOutcome::failure(other, FailureClass::UnknownTool, "no such tool"),
        }
    }

    fn picture(&self, request: &PictureRequest) -> Result<Picture, RenderError> {
        assert!(self.0 != 13, "the renderer broke");
        let side = (32.0 * request.scale).max(1.0) as u32;
        let pixels = Pixels::filled(side, side, [self.0, self.0, self.0, 255])?;
        Ok(Picture { pixels, diagnostics: Vec::new() })
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::new(self.0)
    }

    fn restore(&mut self, snapshot: &Snapshot) {
        self.0 = snapshot.get::<u8>().copied().unwrap_or(0);
    }

    fn document_json(&self) -> Value {
        json!({})
    }
}

fn paint(grey: u32) -> ToolCall {
    ToolCall { id: "1".into(), name: "paint".into(), arguments: json!({ "grey": grey % 256 }) }
}

/// Paints once a turn, `turns` times (0: for ever), thinking so long before each; notes when it is
/// asked, which is just after the turn before was recorded.
#[derive(Debug)]
struct Painter {
    turns: u32,
    thinks: Duration,
    asked: Arc<Mutex<Vec<Instant>>>,
}

impl Agent for Painter {
    fn identity(&self) -> AgentRef {
        AgentRef { kind: "painter".into(), name: "painter".into(), version: None }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        _: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        self.asked.lock().unwrap().push(Instant::now());
        cancel.check()?;
        std::thread::sleep(self.thinks);
        if self.turns > 0 && view.turn > self.turns {
            return Ok(AgentTurn::default());
        }
        let thought = format!("turn {}", view.turn);
        Ok(AgentTurn { thought, calls: vec![paint(view.turn)], ..AgentTurn::default() })
    }
}

/// Panics instead of answering.
#[derive(Debug)]
struct Panicker;

impl Agent for Panicker {
    fn identity(&self) -> AgentRef {
        AgentRef { kind: "panicker".into(), name: "panicker".into(), version: None }
    }

    fn next_turn(
        &mut self,
        _view: &AgentView<'_>,
        _: &mut dyn AgentLog,
        _cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        panic!("the agent broke")
    }
}

/// A worker over [`OneColour`] with these commands for agents: `painter-N` paints N turns (0: for ever), thinking
/// ten milliseconds before each.
fn worker(asked: &Arc<Mutex<Vec<Instant>>>) -> Worker {
    Worker::start(config(asked), || {}).unwrap()
}

fn config(asked: &Arc<Mutex<Vec<Instant>>>) -> WorkerConfig {
    let asked = Arc::clone(asked);
    WorkerConfig {
        drawing_threads: 1,
        open_environment: Box::new(|_| Ok(Box::new(OneColour(255)))),
        open_agent: Box::new(move |_, options| {
            let command = options.command.as_deref().unwrap_or_default();
            match command.strip_prefix("painter-") {
                Some(turns) => Ok(Box::new(Painter {
                    turns: turns.parse().unwrap(),
                    thinks: Duration::from_millis(10),
                    asked: Arc::clone(&asked),
                })),
                None if command == "panicker" => Ok(Box::new(Panicker)),
                None if command == "fails to open" => panic!("the agent cannot be made"),
                None => Err(AgentError::Other(format!("no agent {command}"))),
            }
        }),
        ..WorkerConfig::default()
    }
}

fn task(dir: &Path) -> Arc<Task> {
    let truth = dir.join("truth.png");
    if !truth.exists() {
        Pixels::filled(32, 32, [200, 200, 200, 255]).unwrap().save_png(&truth).unwrap();
    }
    Arc::new(Task {
        id: "grey".into(),
        environment: EnvironmentKind::Canvas,
        kind: TaskKind::Replication,
        instruction: "Paint it grey.".into(),
        start: None,
        ground_truth: Some(Artifact { document: None, picture: Some(truth) }),
        canvas_size: None,
        reference_tools: Vec::new(),
        reference_plan: None,
        category: None,
        difficulty: None,
        tags: Vec::new(),
        checks: None,
        brief: None,
        given: Vec::new(),
    })
}

fn task_ref() -> TaskRef {
    TaskRef { set: "greys".into(), id: "grey".into() }
}

fn launch(dir: &Path, agent: &str, jobs: &[u64], at_once: u32) -> Request {
    let run = |job: &u64| LaunchRun {
        job: JobId(*job),
        run_id: RunId(*job as u32),
        task_ref: task_ref(),
        set_dir: dir.to_path_buf(),
        task: task(dir),
        agent: 0,
        repeat: 1,
    };
    let plan = LaunchPlan {
        agents: vec![AgentChoice::Kind {
            kind: AgentKind::Exec,
            script: None,
            command: Some(agent.to_owned()),
        }],
        options: LaunchOptions {
            limits: RunLimits { max_turns: 1000, ..RunLimits::default() },
            at_once,
            out_dir: dir.join("runs"),
            ..LaunchOptions::default()
        },
        experiment: None,
    };
    Request::Launch { runs: jobs.iter().map(run).collect(), plan: Box::new(plan) }
}

/// From now on all of the run of this job is told.
fn watch(worker: &Worker, job: u32) {
    worker.send(Request::Watch(vec![RunId(job)]));
}

/// Takes events until all these jobs have ended, and a little longer; gives every event.
fn until_ended(worker: &Worker, jobs: &[u64]) -> Vec<Event> {
    let mut open: Vec<u64> = jobs.to_vec();
    let mut events = Vec::new();
    while !open.is_empty() {
        let event = worker.event_within(PATIENCE).unwrap_or_else(|| panic!("{open:?} never ended"));
        if let Event::JobEnded(JobId(job), _) = &event {
            open.retain(|open| open != job);
        }
        events.push(event);
    }
    events.extend(std::iter::from_fn(|| worker.event_within(Duration::from_millis(150))));
    events
}

/// How each job ended; panics if one ended twice.
fn outcomes(events: &[Event]) -> BTreeMap<u64, JobOutcome> {
    let mut outcomes = BTreeMap::new();
    for event in events {
        if let Event::JobEnded(job, outcome) = event {
            let before = outcomes.insert(job.0, outcome.clone());
            assert_eq!(before, None, "job {job:?} ended twice");
        }
    }
    outcomes
}

#[test]
fn a_model_is_launched_and_its_growing_answers_are_told() {
    let (dir, server) = (tempfile::tempdir().unwrap(), ModelServer::start());
    let config = WorkerConfig { drawing_threads: 1, ..WorkerConfig::default() };
    let worker = Worker::start(config, || {}).unwrap();
    let mut request = launch(dir.path(), "model", &[1], 1);
    let Request::Launch { plan, .. } = &mut request else { unreachable!() };
    let name = format!("chat_completions:m@{}", server.address);
    plan.agents = vec![AgentChoice::Model(ModelChoice { name, ..ModelChoice::default() })];
    watch(&worker, 1);
    worker.send(request);
    let events = until_ended(&worker, &[1]);
    assert_eq!(outcomes(&events)[&1], JobOutcome::Done);
    let (run, live) = last_run(&events);
    assert!(!live && run.steps.len() == 3 && run.manifest.agent.name == "m", "{:?}", run.manifest);
    assert!(run.manifest.settings.contains_key("model"), "enough to repeat it");
    let said = |event: &Event| match event {
        Event::Answering { answering, .. } => Some(answering.turn),
        _ => None,
    };
    let turns: Vec<u32> = events.iter().filter_map(said).collect();
    assert_eq!((turns.first(), turns.last()), (Some(&1), Some(&4)), "{turns:?}");
}

#[test]
fn a_model_that_there_is_not_fails_its_job_and_leaves_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let config = WorkerConfig { drawing_threads: 1, ..WorkerConfig::default() };
    let worker = Worker::start(config, || {}).unwrap();
    let mut request = launch(dir.path(), "model", &[1], 1);
    let Request::Launch { plan, .. } = &mut request else { unreachable!() };
    let nobody = ModelChoice { name: "nobody".into(), ..ModelChoice::default() };
    plan.agents = vec![AgentChoice::Model(nobody)];
    worker.send(request);
    let events = until_ended(&worker, &[1]);
    let JobOutcome::Failed(why) = &outcomes(&events)[&1] else { panic!("{events:?}") };
    assert!(why.contains("there is no model \"nobody\""), "{why}");
    assert!(!dir.path().join("runs").exists());
}

fn last_run(events: &[Event]) -> (Arc<Run>, bool) {
    let read = |event: &Event| match event {
        Event::RunRead { run, live, .. } => Some((Arc::clone(run), *live)),
        _ => None,
    };
    events.iter().rev().find_map(read).unwrap()
}

fn record(dir: &Path, turns: u32) -> Recorder {
    let agent = AgentRef { kind: "painter".into(), name: "painter".into(), version: None };
    let manifest = Manifest::new(task_ref(), agent, "2026-01-01T00:00:00Z");
    let mut recorder = Recorder::create(dir, manifest, None).unwrap();
    for turn in 1..=turns {
        record_turn(&mut recorder, turn);
    }
    recorder
}

fn record_turn(recorder: &mut Recorder, turn: u32) {
    use pentimento::environment::ToolCategory;
    for event in [
        RunEvent::Turn { turn, at: "2026-01-01T00:00:00Z".into() },
        RunEvent::Call { turn, step: turn, category: ToolCategory::Style, call: paint(turn) },
        RunEvent::Outcome {
            step: turn,
            text: "painted".into(),
            structured: None,
            image: None,
            failure: None,
            latency_ms: 0.0,
        },
        RunEvent::TurnEnd { turn, seconds: 0.0 },
    ] {
        recorder.record(event).unwrap();
    }
}

fn recorded(dir: &Path, turns: u32) -> Arc<Run> {
    record(dir, turns).finish(Outcome::Completed, "2026-01-01T00:00:01Z", None).unwrap();
    Arc::new(reader::open(dir).unwrap())
}

fn load(job: u64, dir: &Path) -> Request {
    let manifest = Box::new(reader::peek(dir).unwrap().manifest);
    Request::LoadRun { job: JobId(job), run: RunId(0), dir: dir.into(), manifest }
}

fn step_picture(job: u64, run: &Arc<Run>, step: u32) -> Request {
    let key = PictureKey::Step(RunId(0), step);
    let inputs =
        Inputs { task: None, run: Some(RunInput::Loaded(Arc::clone(run))), ..Inputs::default() };
    Request::Derive { job: JobId(job), key: key.into(), inputs, urgency: Urgency::Stage }
}

/// Scores these steps of the first run by SSIM, as the first job.
fn score(run: &Arc<Run>, task: &Arc<Task>, steps: Vec<u32>, purpose: ScorePurpose) -> Request {
    let urgency = purpose.urgency();
    let key = ScoreKey { run: RunId(0), steps, variants: ssim(), purpose };
    let run = Some(RunInput::Loaded(Arc::clone(run)));
    let inputs = Inputs { task: Some(Arc::clone(task)), run, ..Inputs::default() };
    Request::Derive { job: JobId(1), key: DerivedKey::Scores(key), inputs, urgency }
}

fn scored_step(event: &Event) -> Option<&ScoredStep> {
    match event {
        Event::Derived { result: Ok(Derived::Scores(scored)), .. } => Some(scored),
        _ => None,
    }
}

fn asked() -> Arc<Mutex<Vec<Instant>>> {
    Arc::default()
}

#[test]
fn runs_end_once_each_and_are_told_turn_by_turn() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    watch(&worker, 3);
    worker.send(launch(dir.path(), "painter-3", &[1, 2, 3], 2));
    let events = until_ended(&worker, &[1, 2, 3]);
    assert!(outcomes(&events).values().all(|outcome| *outcome == JobOutcome::Done));
    let (run, live) = last_run(&events);
    assert_eq!((run.turns.len(), live), (3, false));
    assert_eq!(run.manifest.outcome, Outcome::Completed);
    let RunOrigin::Recorded { dir } = &run.origin else { panic!() };
    assert_eq!(reader::open(dir).unwrap().turns, run.turns, "the folder says the same");
    let started = events.iter().filter(|e| matches!(e, Event::RunStarted { .. })).count();
    assert_eq!(started, 3);
    let of_others = |event: &&Event| match event {
        Event::RunGrew { run_id, .. } | Event::RunEnded { run_id, .. } => run_id.0 != 3,
        Event::RunRead { run_id, .. } | Event::Answering { run_id, .. } => run_id.0 == 3,
        _ => true,
    };
    assert!(events.iter().all(|event| of_others(&event)), "all is told only of what is watched");
    let ended = events.iter().filter(|event| matches!(event, Event::RunEnded { .. })).count();
    assert_eq!(ended, 2);
}

#[test]
fn whatever_happens_every_job_ends_exactly_once() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 14);
    worker.send(Request::Open {
        job: JobId(1),
        paths: vec!["/no/such/place".into()],
        imports: "/no/imports".into(),
    });
    worker.send(step_picture(2, &run, 3));
    worker.send(step_picture(3, &run, 13)); // the picture of grey 13 panics
    worker.send(step_picture(4, &run, 99));
    let pixels = Pixels::filled(1, 1, [0; 4]).unwrap();
    let path = PathBuf::from("/no/such/place/picture.png");
    let (pixels, about) = (pixels.into(), String::new());
    worker.send(Request::SavePicture { job: JobId(5), pixels, about, path });
    worker.send(launch(dir.path(), "panicker", &[6], 1));
    worker.send(launch(dir.path(), "nobody", &[7], 1));
    worker.send(launch(dir.path(), "fails to open", &[8], 1));
    worker.send(launch(dir.path(), "painter-0", &[9, 10], 1));
    let events = {
        std::thread::sleep(Duration::from_millis(100));
        worker.send(Request::Cancel(JobId(9)));
        worker.send(Request::Cancel(JobId(10)));
        worker.send(Request::Cancel(JobId(10)));
        worker.send(Request::Cancel(JobId(999)));
        until_ended(&worker, &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    };
    let outcomes = outcomes(&events);
    let failed = |job: u64, says: &str| match &outcomes[&job] {
        JobOutcome::Failed(why) => assert!(why.contains(says), "{job}: {why}"),
        other => panic!("{job}: {other:?}"),
    };
    failed(1, "/no/such/place");
    assert_eq!(outcomes[&2], JobOutcome::Done);
    failed(3, "the renderer broke");
    assert_eq!(outcomes[&4], JobOutcome::Done, "no such step is an answer, not a failure");
    failed(5, "/no/such/place/picture.png");
    failed(6, "the agent broke");
    failed(7, "no agent nobody");
    failed(8, "the agent cannot be made");
    assert_eq!(outcomes[&9], JobOutcome::Cancelled);
    assert_eq!(outcomes[&10], JobOutcome::Cancelled);
    assert_eq!(outcomes.len(), 10);
    let answer = events.iter().find_map(|event| match event {
        Event::Derived { job: JobId(4), result } => Some(result.clone().map(|_| ())),
        _ => None,
    });
    assert!(answer.unwrap().unwrap_err().contains("no step 99"));
}

#[test]
fn a_run_that_another_program_begins_in_an_open_folder_is_told_of_once() {
    let dir = tempfile::tempdir().unwrap();
    recorded(&dir.path().join("s/t/first-01"), 1);
    let worker = worker(&Arc::default());
    worker.send(Request::Open {
        job: JobId(1),
        paths: vec![dir.path().to_path_buf()],
        imports: dir.path().to_path_buf(),
    });
    until_ended(&worker, &[1]);
    let live = dir.path().join("s/t/other-01");
    let recorder = record(&live, 1);
    let event = worker.event_within(PATIENCE).expect("the new run is noticed");
    let Event::Found { runs } = event else { panic!("{event:?}") };
    assert_eq!((runs.len(), &runs[0].dir, runs[0].live), (1, &live, true));
    assert_eq!(runs[0].manifest.agent.name, "painter");
    drop(recorder);
    assert!(worker.event_within(Duration::from_millis(1500)).is_none(), "each once");
}

#[test]
fn a_panic_ends_its_job_and_nothing_else() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 14);
    for job in 0..8 {
        worker.send(step_picture(job, &run, 13));
    }
    worker.send(step_picture(8, &run, 14));
    let outcomes = outcomes(&until_ended(&worker, &(0..9).collect::<Vec<_>>()));
    assert!((0..8).all(|job| matches!(outcomes[&job], JobOutcome::Failed(_))));
    assert_eq!(outcomes[&8], JobOutcome::Done);
}

#[test]
fn a_stopped_run_keeps_its_whole_turns() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    watch(&worker, 1);
    worker.send(launch(dir.path(), "painter-0", &[1], 1));
    loop {
        match worker.event_within(PATIENCE).unwrap() {
            Event::RunRead { run, .. } if run.turns.len() >= 3 => break,
            _ => {}
        }
    }
    worker.send(Request::Cancel(JobId(1)));
    let events = until_ended(&worker, &[1]);
    let (run, live) = last_run(&events);
    assert_eq!((run.manifest.outcome.clone(), live), (Outcome::Cancelled, false));
    let read = reader::open(&dir.path().join("runs/greys/grey/painter-01")).unwrap();
    assert!(read.turns.len() >= 3 && read.torn.is_none());
    assert_eq!(read.manifest.outcome, Outcome::Cancelled);
}

#[test]
fn closing_in_the_middle_of_runs_loses_nothing_that_was_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    worker.send(launch(dir.path(), "painter-0", &[1, 2, 3], 2));
    let mut turns: BTreeMap<RunId, u32> = BTreeMap::new();
    while turns.values().filter(|turns| **turns >= 2).count() < 2 {
        if let Event::RunGrew { run_id, totals, .. } = worker.event_within(PATIENCE).unwrap() {
            turns.insert(run_id, totals.turns);
        }
    }
    let began = Instant::now();
    drop(worker);
    println!("closed after {:?}", began.elapsed());
    for run in ["painter-01", "painter-02"] {
        let read = reader::open(&dir.path().join("runs/greys/grey").join(run)).unwrap();
        assert_eq!(read.manifest.outcome, Outcome::Cancelled);
        assert!(read.turns.len() >= 2 && read.torn.is_none(), "{run}: {:?}", read.torn);
    }
    assert!(!dir.path().join("runs/greys/grey/painter-03").exists(), "the third never began");
}

fn ssim() -> Vec<VariantId> {
    vec![PrimaryMetric::Similarity.variant().into()]
}

#[test]
fn a_window_that_takes_nothing_never_holds_a_run_back() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 1500);
    // More scores than the mailbox holds, and nobody takes them out.
    let steps = (0..1500).filter(|step| step % 256 != 13).collect();
    worker.send(score(&run, &task(dir.path()), steps, ScorePurpose::Curve));
    watch(&worker, 2);
    worker.send(launch(dir.path(), "painter-30", &[2], 1));
    let folder = dir.path().join("runs/greys/grey/painter-01");
    let began = Instant::now();
    while reader::peek(&folder).map_or(true, |peek| peek.manifest.outcome == Outcome::Running) {
        assert!(began.elapsed() < PATIENCE, "the run waits for the window");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(reader::open(&folder).unwrap().turns.len(), 30);
    let events = until_ended(&worker, &[1, 2]);
    let told = events.iter().filter(|e| matches!(e, Event::RunRead { .. })).count();
    assert!(told <= 30, "newer states replace unread ones: {told}");
    assert_eq!(last_run(&events).0.turns.len(), 30);
    let scored = events.iter().filter(|e| scored_step(e).is_some()).count();
    assert_eq!(scored, 1500 - 6, "no score is lost");
}

#[test]
fn a_run_that_is_read_to_be_scored_says_that_part_of_it_is_lost() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    for (place, job, is_torn) in [("whole", 1, false), ("torn", 2, true)] {
        let folder = dir.path().join(place);
        let manifest = Box::new(recorded(&folder, 3).manifest.clone());
        let events = folder.join("events.jsonl");
        let lines = std::fs::read(&events).unwrap();
        let kept = if is_torn { lines.len() - 40 } else { lines.len() };
        std::fs::write(&events, &lines[..kept]).unwrap();
        let purpose = ScorePurpose::Last;
        let urgency = purpose.urgency();
        let key = ScoreKey { run: RunId(0), steps: Vec::new(), variants: ssim(), purpose };
        let run = Some(RunInput::Unread { dir: folder, manifest });
        let inputs = Inputs { task: Some(task(dir.path())), run, ..Inputs::default() };
        let key = DerivedKey::Scores(key);
        worker.send(Request::Derive { job: JobId(job), key, inputs, urgency });
        let told = until_ended(&worker, &[job]);
        let mut told = told.iter();
        let is_told = told.any(|it| matches!(it, Event::RunDamaged { run_id: RunId(0) }));
        assert_eq!(is_told, is_torn, "{place}");
    }
}

#[test]
fn a_worker_whose_mailbox_is_full_can_be_closed() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 1500);
    let steps = (0..1500).filter(|step| step % 256 != 13).collect();
    worker.send(score(&run, &task(dir.path()), steps, ScorePurpose::Curve));
    std::thread::sleep(Duration::from_millis(300));
    drop(worker);
}

#[test]
fn scores_say_how_near_the_step_is_to_the_ground_truth() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 3);
    let purpose = ScorePurpose::Stage { map: PrimaryMetric::Similarity.variant().into() };
    worker.send(score(&run, &task(dir.path()), vec![3, 0], purpose));
    let events = until_ended(&worker, &[1]);
    let scored: Vec<(u32, Score, bool)> = events
        .iter()
        .filter_map(scored_step)
        .map(|scored| (scored.step, scored.scores[0].1.clone(), !scored.maps.is_empty()))
        .collect();
    assert_eq!(scored.iter().map(|(step, ..)| *step).collect::<Vec<_>>(), [3, 0], "in order");
    assert!(scored.iter().all(|(_, score, has_map)| score.value().is_some() && *has_map));
    // Step 0 is white, step 3 nearly black, the ground truth a light grey.
    assert!(scored[1].1.value() > scored[0].1.value());
}

#[test]
fn a_task_without_ground_truth_gives_the_reason_for_every_step() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 3);
    let task = Arc::new(Task { ground_truth: None, ..(*task(dir.path())).clone() });
    worker.send(score(&run, &task, vec![1, 2], ScorePurpose::Curve));
    let events = until_ended(&worker, &[1]);
    let reasons = events
        .iter()
        .filter_map(scored_step)
        .filter(|scored| matches!(scored.scores[..], [(_, Score::Missing(_))]))
        .count();
    assert_eq!(reasons, 2);
}

#[test]
fn a_ground_truth_that_is_only_a_document_is_read_and_drawn_once_for_all_steps() {
    let dir = tempfile::tempdir().unwrap();
    let run = recorded(&dir.path().join("recorded"), 5);
    let document = dir.path().join("truth.json");
    std::fs::write(&document, "{}").unwrap();
    let truth = Artifact { document: Some(document), picture: None };
    let task = Arc::new(Task { ground_truth: Some(truth), ..(*task(dir.path())).clone() });
    let opened = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&opened);
    let open_environment = move |start: &StartState| {
        // The run starts with an empty canvas: only the ground truth has a document.
        counted.fetch_add(usize::from(start.document.is_some()), Ordering::Relaxed);
        Ok(Box::new(OneColour(255)) as Box<dyn Environment>)
    };
    let config = WorkerConfig { open_environment: Box::new(open_environment), ..config(&asked()) };
    let worker = Worker::start(config, || {}).unwrap();
    let mut counts = Vec::new();
    for step in 0..=5 {
        let key = PictureKey::Step(RunId(0), step);
        let run = Some(RunInput::Loaded(Arc::clone(&run)));
        let inputs = Inputs { task: Some(Arc::clone(&task)), run, ..Inputs::default() };
        let (job, urgency) = (JobId(u64::from(step)), Urgency::Stage);
        worker.send(Request::Derive { job, key: key.into(), inputs, urgency });
        // One after the other: two threads that ask at once may both draw it.
        let events = until_ended(&worker, &[job.0]);
        assert!(events.iter().any(|it| matches!(it, Event::Derived { result: Ok(_), .. })));
        counts.push(opened.load(Ordering::Relaxed));
    }
    assert!(counts[0] > 0, "the first step asks how large it is");
    assert_eq!(counts, [counts[0]; 6], "no later step opens it again");
}

#[test]
fn a_folder_that_vanishes_while_its_run_is_open_is_told_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("recorded");
    recorded(&folder, 2);
    let worker = worker(&asked());
    worker.send(load(1, &folder));
    until_ended(&worker, &[1]);
    std::fs::remove_dir_all(&folder).unwrap();
    let message = loop {
        let event = worker.event_within(PATIENCE).unwrap();
        if let Event::RunLost { run_id: RunId(0), message } = event {
            break message;
        }
    };
    assert!(message.contains(&folder.display().to_string()), "{message}");
    assert!(worker.event_within(Duration::from_millis(1500)).is_none(), "told once");
}

#[test]
fn a_run_of_another_process_is_followed_turn_by_turn() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("foreign");
    let mut recorder = record(&folder, 1);
    let worker = worker(&asked());
    worker.send(load(1, &folder));
    let (run, live) = last_run(&until_ended(&worker, &[1]));
    assert_eq!((run.turns.len(), live), (1, true));
    let mut slowest = Duration::ZERO;
    for turn in 2..=6 {
        record_turn(&mut recorder, turn);
        let recorded = Instant::now();
        wait_for_turns(&worker, turn as usize);
        slowest = slowest.max(recorded.elapsed());
    }
    println!("a turn of another process was seen after at most {slowest:?}");
    recorder.finish(Outcome::Completed, "2026-01-01T00:00:01Z", None).unwrap();
    loop {
        let event = worker.event_within(PATIENCE).unwrap();
        if let Event::RunRead { run, live: false, .. } = event {
            assert_eq!(run.manifest.outcome, Outcome::Completed);
            break;
        }
    }
}

fn wait_for_turns(worker: &Worker, turns: usize) {
    loop {
        match worker.event_within(PATIENCE).expect("the turn never came") {
            Event::RunRead { run, .. } if run.turns.len() >= turns => return,
            _ => {}
        }
    }
}

#[test]
fn a_launched_run_has_the_tools_that_were_chosen_and_remembers_which() {
    let dir = tempfile::tempdir().unwrap();
    let (opened, asked) = (Arc::new(Mutex::new(Vec::new())), asked());
    let noted = Arc::clone(&opened);
    let config = WorkerConfig {
        open_environment: Box::new(move |start| {
            noted.lock().unwrap().push(start.compat.clone());
            Ok(Box::new(OneColour(255)))
        }),
        ..config(&asked)
    };
    let worker = Worker::start(config, || {}).unwrap();
    let published = Some("canvas-2026-01".to_owned());
    for (job, compat, name) in [(1, Compat::Canvas202601, published), (2, Compat::Documented, None)]
    {
        opened.lock().unwrap().clear();
        let mut request = launch(dir.path(), "painter-1", &[job], 1);
        let Request::Launch { plan, .. } = &mut request else { unreachable!() };
        plan.options.compat = compat;
        worker.send(request);
        let events = until_ended(&worker, &[job]);
        let dirs = events.iter().filter_map(|event| match event {
            Event::RunStarted { dir, .. } => Some(dir.clone()),
            _ => None,
        });
        let runs: Vec<Run> = dirs.map(|dir| reader::open(&dir).unwrap()).collect();
        assert_eq!(runs.len(), 1);
        assert_eq!(runs[0].manifest.compat, name);
        let setting = runs[0].manifest.settings.get("compat").and_then(Value::as_str);
        assert_eq!(setting, name.as_deref());
        assert!(opened.lock().unwrap().contains(&name), "the agent's tools are the chosen ones");
    }
}

#[test]
fn a_launched_run_is_seen_growing() {
    let dir = tempfile::tempdir().unwrap();
    let asked = asked();
    let worker = worker(&asked);
    watch(&worker, 1);
    worker.send(launch(dir.path(), "painter-10", &[1], 1));
    let mut seen = Vec::new();
    for turns in 1..=10 {
        wait_for_turns(&worker, turns);
        seen.push(Instant::now());
    }
    until_ended(&worker, &[1]);
    // The agent was asked for turn n + 1 right after turn n was recorded.
    let asked = asked.lock().unwrap();
    let late = |n: usize| seen[n].saturating_duration_since(asked[n + 1]);
    let slowest = (0..10).map(late).max().unwrap();
    println!("a turn was seen at most {slowest:?} after it was recorded");
}

#[test]
fn work_that_was_given_up_before_it_began_ends_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let run = recorded(&dir.path().join("recorded"), 12);
    let jobs: Vec<u64> = (0..200).collect();
    for job in &jobs {
        worker.send(step_picture(*job, &run, *job as u32 % 12));
    }
    for job in &jobs[..199] {
        worker.send(Request::Cancel(JobId(*job)));
    }
    let outcomes = outcomes(&until_ended(&worker, &jobs));
    assert_eq!(outcomes[&199], JobOutcome::Done);
    let cancelled = outcomes.values().filter(|o| **o == JobOutcome::Cancelled).count();
    println!("{cancelled} of 199 were given up before they were drawn");
    assert_eq!(outcomes.len(), 200);
}

/// Takes events until the job's run is held, or goes on.
fn until_held(worker: &Worker, wanted: u64, held: bool) {
    loop {
        match worker.event_within(PATIENCE).expect("it was never so") {
            Event::RunPaused { job, is_paused } if job.0 == wanted && is_paused == held => return,
            _ => {}
        }
    }
}

#[test]
fn a_paused_run_asks_its_agent_nothing_until_it_is_resumed() {
    let (dir, asked) = (tempfile::tempdir().unwrap(), asked());
    let worker = worker(&asked);
    watch(&worker, 1);
    worker.send(launch(dir.path(), "painter-12", &[1], 1));
    wait_for_turns(&worker, 3);
    worker.send(Request::Pause(JobId(1)));
    until_held(&worker, 1, true);
    let folder = dir.path().join("runs/greys/grey/painter-01");
    let whole = reader::open(&folder).unwrap();
    let times = asked.lock().unwrap().len();
    assert_eq!((whole.turns.len(), whole.torn), (times, None), "the turn it was at is recorded");
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(asked.lock().unwrap().len(), times, "it is not asked while it is paused");
    worker.send(Request::Resume(JobId(1)));
    let events = until_ended(&worker, &[1]);
    assert_eq!(outcomes(&events)[&1], JobOutcome::Done);
    let (run, _) = last_run(&events);
    assert_eq!(run.turns.len(), 12);
    let seconds: f64 = run.turns.iter().filter_map(|turn| turn.seconds).sum();
    let wall = asked.lock().unwrap().first().unwrap().elapsed().as_secs_f64();
    assert!(wall - seconds > 0.35, "the pause counts for no turn: {wall} {seconds}");
}

#[test]
fn stopping_a_paused_run_ends_it_as_stopped() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    worker.send(launch(dir.path(), "painter-0", &[1], 1));
    worker.send(Request::Pause(JobId(1)));
    until_held(&worker, 1, true);
    worker.send(Request::Cancel(JobId(1)));
    assert_eq!(outcomes(&until_ended(&worker, &[1]))[&1], JobOutcome::Cancelled);
}

#[test]
fn a_limit_of_seconds_does_not_run_while_a_run_is_paused() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    let mut request = launch(dir.path(), "painter-5", &[1], 1);
    let Request::Launch { plan, .. } = &mut request else { unreachable!() };
    plan.options.limits.max_seconds = Some(2.0);
    watch(&worker, 1);
    worker.send(request);
    wait_for_turns(&worker, 1);
    worker.send(Request::Pause(JobId(1)));
    until_held(&worker, 1, true);
    std::thread::sleep(Duration::from_millis(2200));
    worker.send(Request::Resume(JobId(1)));
    let (run, _) = last_run(&until_ended(&worker, &[1]));
    assert_eq!((run.manifest.outcome.clone(), run.turns.len()), (Outcome::Completed, 5));
}

#[test]
fn a_paused_run_that_waits_is_passed_over_and_begins_when_it_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    worker.send(launch(dir.path(), "painter-40", &[1, 2, 3], 1));
    worker.send(Request::Pause(JobId(2)));
    let events = until_ended(&worker, &[1, 3]);
    let held = |event: &Event| matches!(event, Event::RunPaused { job: JobId(2), is_paused: true });
    assert!(events.iter().any(held), "it is told at once, though it never began");
    let began = |event: &Event| matches!(event, Event::RunStarted { run_id: RunId(2), .. });
    assert!(!events.iter().any(began));
    worker.send(Request::Resume(JobId(2)));
    assert_eq!(outcomes(&until_ended(&worker, &[2]))[&2], JobOutcome::Done);
}

#[test]
fn a_run_that_waits_is_stopped_at_once_whatever_the_others_do() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    worker.send(launch(dir.path(), "painter-0", &[1, 2], 1));
    worker.send(Request::Cancel(JobId(2)));
    let ended = loop {
        if let Event::JobEnded(job, outcome) = worker.event_within(PATIENCE).unwrap() {
            break (job, outcome);
        }
    };
    assert_eq!(ended, (JobId(2), JobOutcome::Cancelled), "the other one is still at work");
    worker.send(Request::Cancel(JobId(1)));
    until_ended(&worker, &[1]);
}

#[test]
fn who_looks_at_a_run_late_gets_all_of_it() {
    let dir = tempfile::tempdir().unwrap();
    let worker = worker(&asked());
    worker.send(launch(dir.path(), "painter-0", &[1], 1));
    while !matches!(worker.event_within(PATIENCE).unwrap(), Event::RunGrew { steps: 3.., .. }) {}
    worker.send(Request::Pause(JobId(1)));
    until_held(&worker, 1, true);
    watch(&worker, 1);
    let run = loop {
        if let Event::RunRead { run, live: true, .. } = worker.event_within(PATIENCE).unwrap() {
            break run;
        }
    };
    let RunOrigin::Recorded { dir } = &run.origin else { panic!() };
    assert_eq!(run.turns, reader::open(dir).unwrap().turns);
    worker.send(Request::Cancel(JobId(1)));
    until_ended(&worker, &[1]);
}
