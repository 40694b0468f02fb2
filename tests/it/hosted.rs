//! Runs whose agent calls from elsewhere.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::{Receiver, bounded};
use pentimento::agent::hosted::{HostedPlace, HostedRun, HostedTask, NotMade};
use pentimento::agent::runner::RunSettings;
use pentimento::agent::{CpuPool, PictureSource, PreparedTask};
use pentimento::environment::{ToolCall, ToolOutcome};
use pentimento::run::{AgentRef, Outcome, TaskRef, reader};
use serde_json::{Map, json};

use crate::agent::task;
use crate::mock::Marks;

fn hosted(pause: Duration, max_calls: u32) -> Arc<HostedTask> {
    Arc::new(HostedTask {
        task: TaskRef { set: "s".into(), id: "t".into() },
        prepared: PreparedTask::new(
            &task(),
            &RunSettings::default(),
            &PictureSource::Nowhere,
            &Marks::open,
        )
        .unwrap(),
        open_environment: Box::new(Marks::open),
        pause,
        max_calls,
        cpu: CpuPool::default(),
    })
}

fn begin(dir: &Path, task: Arc<HostedTask>) -> HostedRun {
    let agent = AgentRef { kind: "client".into(), name: "client".into(), version: None };
    HostedRun::begin(task, HostedPlace { dir: dir.into(), agent, settings: Map::new() }).unwrap()
}

type Told = Receiver<Result<ToolOutcome, NotMade>>;

/// Asks for a call; what comes of it comes over the channel.
fn ask(run: &HostedRun, name: &str) -> Told {
    let (tell, told) = bounded(1);
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: json!({ "n": 3 }) };
    run.call(call, Box::new(move |outcome| tell.send(outcome).unwrap()));
    told
}

fn wait(told: &Told) -> Result<ToolOutcome, NotMade> {
    told.recv_timeout(Duration::from_secs(30)).expect("every call is answered")
}

const LONG: Duration = Duration::from_mins(10);

#[test]
fn calls_close_together_are_a_turn_and_a_pause_parts_turns() {
    let dir = tempfile::tempdir().unwrap();
    let run = begin(dir.path(), hosted(Duration::from_millis(400), 100));
    let told: Vec<Told> = (0..3).map(|_| ask(&run, "mark")).collect();
    assert!(told.iter().all(|told| wait(told).unwrap().failure.is_none()));
    std::thread::sleep(Duration::from_millis(1200));
    assert!(wait(&ask(&run, "look")).unwrap().image.is_some());
    let manifest = run.end(Outcome::Completed).join().unwrap().unwrap();
    let run = reader::open(dir.path()).unwrap();
    let counts: Vec<usize> = run.turns.iter().map(|turn| turn.step_count).collect();
    assert_eq!((counts, &run.manifest), (vec![3, 1], &manifest));
    assert!(run.turns.iter().all(|turn| turn.observation.is_some()));
    assert!(run.turns[1].seconds.unwrap() >= 1.0, "thinking is part of a turn");
    assert!(dir.path().join("final.json").is_file());
}

#[test]
fn a_turn_that_is_long_enough_ends_without_a_pause() {
    let dir = tempfile::tempdir().unwrap();
    let run = begin(dir.path(), hosted(LONG, 1000));
    for _ in 0..150 {
        wait(&ask(&run, "mark")).unwrap();
    }
    // The whole turns are on disk though nothing has ended.
    assert_eq!(reader::peek(dir.path()).unwrap().manifest.totals.turns, 1);
    run.end(Outcome::Completed).join().unwrap().unwrap();
    let counts: Vec<usize> =
        reader::open(dir.path()).unwrap().turns.iter().map(|turn| turn.step_count).collect();
    assert_eq!(counts, [100, 50]);
}

#[test]
fn a_tool_that_panics_fails_its_call_and_the_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let run = begin(dir.path(), hosted(LONG, 100));
    let told: Vec<Told> = ["mark", "crash", "mark", "look"].map(|name| ask(&run, name)).into();
    let failed: Vec<bool> = told.iter().map(|told| wait(told).unwrap().is_error()).collect();
    assert_eq!(failed, [false, true, false, false]);
    let manifest = run.end(Outcome::Completed).join().unwrap().unwrap();
    assert_eq!(manifest.outcome, Outcome::Completed);
    let run = reader::open(dir.path()).unwrap();
    assert_eq!((run.turns.len(), run.steps.len(), run.notes.len()), (1, 4, 0));
    let failure = run.steps[1].outcome.as_ref().unwrap().failure.as_ref().unwrap();
    assert!(failure.message.contains("the tool has a hole"), "{failure:?}");
}

#[test]
fn a_run_that_cannot_be_recorded_answers_every_call_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("mine.txt"), "mine").unwrap();
    let run = begin(dir.path(), hosted(LONG, 100));
    let why = wait(&ask(&run, "mark")).unwrap_err().to_string();
    assert!(why.contains("new or empty folder"), "{why}");
    assert!(run.end(Outcome::Completed).join().unwrap().is_err());
    assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_run_that_is_let_go_of_is_cancelled() {
    let dir = tempfile::tempdir().unwrap();
    let run = begin(dir.path(), hosted(LONG, 100));
    wait(&ask(&run, "mark")).unwrap();
    drop(run);
    let began = std::time::Instant::now();
    while reader::peek(dir.path()).unwrap().manifest.outcome == Outcome::Running {
        assert!(began.elapsed() < Duration::from_secs(30));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(reader::open(dir.path()).unwrap().manifest.outcome, Outcome::Cancelled);
}
