//! The checks of an edit's task at every step: judged by the worker, wanted by the state.

use std::sync::Arc;
use std::time::Duration;

use pentimento::metric::transformation::{Bounds, Check, Checks, Verdict};
use pentimento::run::reader;
use pentimento::task::Task;
use pentimento::workbench::views::{self, PaneStatus};
use pentimento::workbench::{
    Command, Derived, DerivedKey, EditCheckKey, Event, Inputs, InspectorTab, JobId, JobOutcome,
    PlaybackCommand, Request, RunId, RunInput, State, Urgency, apply, handle,
};
use pentimento::worker::{Worker, WorkerConfig};
use serde_json::json;

use super::cli;
use super::workbench::{load, opened};

const PATIENCE: Duration = Duration::from_mins(1);

/// A white frame of 60 × 40 with a red card, to be turned blue.
const START: &str = r#"{"document": {"id": "1:1", "name": "Screen", "type": "FRAME",
    "absoluteBoundingBox": {"x": 0, "y": 0, "width": 60, "height": 40}, "clipsContent": true,
    "fills": [{"type": "SOLID", "color": {"r": 1, "g": 1, "b": 1, "a": 1}}],
    "children": [{"id": "1:2", "name": "Card", "type": "RECTANGLE",
        "absoluteBoundingBox": {"x": 10, "y": 10, "width": 20, "height": 10},
        "fills": [{"type": "SOLID", "color": {"r": 1, "g": 0, "b": 0, "a": 1}}]}]}}"#;

#[test]
fn the_worker_judges_every_step_of_a_run_beside_its_start() {
    let dir = tempfile::tempdir().unwrap();
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "edits", "name": "Edits",
        "tasks": [{
            "id": "blue", "kind": "attribute_update", "instruction": "Make the card blue.",
            "start": {"document": "start.json"},
            "checks": [
                {"check": "tint", "color": "blue", "rise": {"min": 0.5},
                    "region": {"x": 12, "y": 12, "width": 16, "height": 6}},
                {"check": "unchanged", "except": {"x": 10, "y": 10, "width": 20, "height": 10}},
                {"check": "crop", "region": {"x": 0, "y": 0, "width": 600, "height": 4}},
            ],
        }],
    });
    let call = |color: [u8; 3]| {
        let [r, g, b] = color;
        let arguments = json!({"nodeId": "1:2", "r": r, "g": g, "b": b, "a": 1});
        json!({"name": "set_fill_color", "arguments": arguments})
    };
    let turns = json!([{"thought": "Green, blue.", "calls": [call([0, 1, 0]), call([0, 0, 1])]}]);
    std::fs::create_dir(dir.path().join("set")).unwrap();
    for (name, text) in [
        ("set/start.json", START.to_owned()),
        ("set/taskset.json", set.to_string()),
        ("calls.json", turns.to_string()),
    ] {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let run = |name: &str| dir.path().join(name);
    let made = cli::program()
        .args(["run", "--agent", "scripted", "--tasks"])
        .arg(run("set"))
        .arg("--calls")
        .arg(run("calls.json"))
        .arg("--out")
        .arg(run("runs"))
        .output()
        .unwrap();
    assert!(made.status.success(), "{made:?}");
    let opened = pentimento::task::open(&run("set")).unwrap();
    let task: Arc<Task> = Arc::clone(&opened.sets[0].0.tasks[0]);
    let folder = run("runs/edits/blue/scripted-01");
    let run = Arc::new(reader::open(&folder).unwrap());
    assert_eq!(run.steps.len(), 2);
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    // Backwards, as people step too.
    let judged: Vec<Vec<Verdict>> =
        [2, 1, 0].map(|step| judge(&worker, &task, &run, step).unwrap()).into();
    let passed = |at: usize| judged.iter().map(|of| of[at].passed).collect::<Vec<_>>();
    assert_eq!(passed(0), [true, false, false], "{judged:?}");
    assert_eq!(passed(1), [true, true, true], "{judged:?}");
    let crop = &judged[0][2];
    assert!(!crop.passed && crop.measured.is_none() && !crop.why.is_empty(), "{crop:?}");
    assert_eq!(judged[0][0].wanted, Bounds::at_least(0.5));
    assert!(judged[0][0].measured.is_some_and(|rise| rise > 0.9), "{judged:?}");
    let without = Arc::new(Task { checks: None, ..Task::clone(&task) });
    assert!(judge(&worker, &without, &run, 1).unwrap_err().contains("no checks"));
}

fn judge(
    worker: &Worker,
    task: &Arc<Task>,
    run: &Arc<pentimento::run::Run>,
    step: u32,
) -> Result<Vec<Verdict>, String> {
    let key = EditCheckKey { run: RunId(0), step };
    let run = Some(RunInput::Loaded(Arc::clone(run)));
    let inputs = Inputs { task: Some(Arc::clone(task)), run, ..Inputs::default() };
    let (job, urgency) = (JobId(u64::from(step)), Urgency::Stage);
    worker.send(Request::Derive { job, key: key.into(), inputs, urgency });
    loop {
        if let Event::Derived { result, .. } = worker.event_within(PATIENCE).unwrap() {
            return result.map(|value| match value {
                Derived::EditCheck(verdicts) => Vec::clone(&verdicts),
                other => panic!("{other:?}"),
            });
        }
    }
}

/// A run of ten steps on the stage whose task has two checks, and what is asked for then.
fn checked() -> (State, Vec<Request>) {
    let (mut state, _) = opened();
    let set = Arc::make_mut(&mut state.library.sets[0].set);
    let task = set.tasks.iter_mut().find(|task| task.id == "login").map(Arc::make_mut).unwrap();
    let flip = Check::Invert { tolerance: 0.2 };
    let kept = Check::Unchanged { difference: 1.0, region: None, except: None };
    task.checks = Some(Checks::new(vec![flip, kept]).unwrap());
    let requests = load(&mut state, 0, 10, false);
    (state, requests)
}

fn asked(requests: &[Request]) -> Vec<(JobId, u32, Urgency)> {
    let of = |request: &Request| match request {
        Request::Derive { job, key: DerivedKey::EditCheck(key), urgency, .. } => {
            Some((*job, key.step, *urgency))
        }
        _ => None,
    };
    requests.iter().filter_map(of).collect()
}

fn verdict(check: &'static str, passed: bool) -> Verdict {
    let wanted = Bounds::at_least(0.8);
    Verdict { check, passed, measured: None, wanted, why: "so it is".to_owned() }
}

/// Answers what is asked until nothing more is; the inversion passes from step 4 on.
fn answer_all(state: &mut State, mut open: Vec<(JobId, u32, Urgency)>) -> Vec<u32> {
    let mut answered = Vec::new();
    while !open.is_empty() {
        let (job, step, _) = open.remove(0);
        // Whatever was given up meanwhile is asked for again.
        if !state.jobs.is_active(job) {
            continue;
        }
        let verdicts = vec![verdict("invert", step >= 4), verdict("unchanged", true)];
        let result = Ok(Arc::new(verdicts).into());
        answered.push(step);
        open.extend(asked(&apply(state, Event::Derived { job, result })));
        open.extend(asked(&apply(state, Event::JobEnded(job, JobOutcome::Done))));
    }
    answered
}

#[test]
fn the_step_on_the_stage_is_judged_first_and_then_all_others() {
    let (mut state, mut requests) = checked();
    let first = asked(&requests);
    assert_eq!(first[0].1, 10, "the last step is on the stage: {first:?}");
    assert!(first.iter().skip(1).all(|(_, _, urgency)| *urgency == Urgency::Curve));
    requests.extend(handle(&mut state, Command::Playback(PlaybackCommand::Step(7))));
    let before = views::edit_checks(&state).unwrap();
    assert!(before.rows.is_empty() && before.status == PaneStatus::Loading);
    let mut answered = answer_all(&mut state, asked(&requests));
    answered.sort_unstable();
    assert_eq!(answered, (0..=10).collect::<Vec<u32>>());
    let now = views::edit_checks(&state).unwrap();
    assert_eq!((now.passed(), now.judged, &now.status), (2, (11, 11), &PaneStatus::Current));
    assert_eq!(now.rows[0].stretches, [(0..4, Some(false)), (4..11, Some(true))]);
    assert_eq!(now.rows[1].stretches, [(0..11, Some(true))]);
}

#[test]
fn nothing_is_judged_that_nobody_looks_at_or_that_has_no_checks() {
    let (mut state, _) = checked();
    drop(handle(&mut state, Command::ShowInspector(InspectorTab::Nodes)));
    let requests = handle(&mut state, Command::Playback(PlaybackCommand::Step(3)));
    assert_eq!(asked(&requests), []);
    let (mut without, _) = opened();
    load(&mut without, 0, 10, false);
    let requests = handle(&mut without, Command::Playback(PlaybackCommand::Step(3)));
    assert_eq!(asked(&requests), []);
    assert!(views::edit_checks(&without).is_none());
}
