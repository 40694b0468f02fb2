//! Records that are dropped on the window or opened in it.

use std::time::{Duration, Instant};

use pentimento::workbench::{Event, JobId, JobOutcome, Request};
use pentimento::worker::{Worker, WorkerConfig};
use serde_json::json;

use super::{png, write, write_lines};

fn opened(
    worker: &Worker,
    paths: Vec<std::path::PathBuf>,
    imports: &std::path::Path,
) -> Vec<Event> {
    worker.send(Request::Open { job: JobId(1), paths, imports: imports.to_path_buf() });
    let (mut events, began) = (Vec::new(), Instant::now());
    while began.elapsed() < Duration::from_secs(30) {
        let Some(event) = worker.event_within(Duration::from_secs(1)) else { continue };
        let is_end = matches!(event, Event::JobEnded(JobId(1), _));
        events.push(event);
        if is_end {
            return events;
        }
    }
    panic!("the job does not end: {events:?}");
}

#[test]
fn what_another_program_recorded_is_imported_and_its_runs_are_listed() {
    let dir = tempfile::tempdir().unwrap();
    let task = dir.path().join("in/task");
    write_lines(
        &task.join("traj.jsonl"),
        &[
            json!({"step_num": 1, "action": "pyautogui.click(1, 2)", "screenshot_file": "step_1_a.png"}),
            json!({"step_num": 2, "action": "DONE", "screenshot_file": "missing.png"}),
        ],
    );
    write(&task.join("step_1_a.png"), png([1, 0, 0]));
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let runs = dir.path().join("runs");
    let events = opened(&worker, vec![dir.path().join("in")], &runs);
    let told = events.iter().find_map(|event| match event {
        Event::Imported { summary, left_out, .. } => Some((summary.clone(), left_out.clone())),
        _ => None,
    });
    let (summary, left_out) = told.expect("it is told what came in");
    assert!(summary.ends_with("1 run imported, 1 not whole"), "{summary}");
    assert!(left_out[0].contains("missing.png"), "{left_out:?}");
    let listed: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Opened { runs, .. } => Some(runs),
            _ => None,
        })
        .flatten()
        .collect();
    assert_eq!(listed.len(), 1);
    assert!(listed[0].dir.starts_with(&runs) && listed[0].manifest.imported.is_some());
    assert!(events.iter().any(|event| matches!(event, Event::Progress(..))));
    assert!(matches!(events.last(), Some(Event::JobEnded(_, JobOutcome::Done))), "{events:?}");
}

#[test]
fn a_folder_of_pictures_and_a_task_set_are_opened_where_they_lie() {
    let dir = tempfile::tempdir().unwrap();
    write(&dir.path().join("in/1.png"), png([1, 0, 0]));
    let worker = Worker::start(WorkerConfig::default(), || {}).unwrap();
    let runs = dir.path().join("runs");
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/sample_runs");
    let events = opened(&worker, vec![dir.path().join("in"), samples.into()], &runs);
    assert!(!events.iter().any(|event| matches!(event, Event::Imported { .. })), "{events:?}");
    assert!(!runs.exists());
}
