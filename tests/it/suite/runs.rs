//! Runs of the suite, from the task set to the last replayed step.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::{AgentKind, AgentOptions, CpuPool, PictureSource, by_kind};
use pentimento::base::CancelToken;
use pentimento::environment::{EnvironmentKind, PictureRequest, open_environment};
use pentimento::run::recorder::Durability;
use pentimento::run::replay::Replay;
use pentimento::run::{Outcome, TaskRef, folder, images, reader};
use pentimento::task;
use serde_json::{Map, Value, json};

use super::plans::samples;

/// Runs a sample task with its script.
fn run(name: &str, out: &Path, settings: Map<String, Value>) -> PathBuf {
    let opened = task::open(&samples()).unwrap();
    let (set, warnings) = &opened.sets[0];
    assert_eq!(*warnings, Vec::<String>::new());
    let task = set.tasks.iter().find(|task| task.id == name).unwrap();
    assert!(task.given.iter().all(|given| given.file.as_ref().is_some_and(|file| file.is_file())));
    let script = Some(samples().join(format!("scripts/{name}.json")));
    let mut agent =
        by_kind(AgentKind::Scripted, &AgentOptions { script, ..AgentOptions::default() }).unwrap();
    let reference = TaskRef { set: set.id.clone(), id: task.id.clone() };
    let dir = folder::claim(out, &reference, "scripted").unwrap();
    let attempt = Attempt {
        set: &set.id,
        task,
        limits: RunLimits::default(),
        settings,
        dir: &dir,
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &CpuPool::default(),
    };
    let manifest = run_task(&attempt, &mut *agent, &CancelToken::new(), &mut NoObserver).unwrap();
    assert_eq!((manifest.outcome, manifest.totals.failures), (Outcome::Completed, 0), "{name}");
    assert_eq!(manifest.environment, EnvironmentKind::Suite);
    dir
}

#[test]
fn the_sample_tasks_run_by_their_scripts_and_replay_to_what_was_recorded() {
    let out = tempfile::tempdir().unwrap();
    for name in ["book-cover", "business-card", "postcard", "poster"] {
        let dir = run(name, out.path(), Map::new());
        let run = Arc::new(reader::open(&dir).unwrap());
        let steps = run.steps.len() as u32;
        assert!(steps > 15 && run.torn.is_none(), "{name}: {steps}");
        let cancel = CancelToken::new();
        let mut replay = Replay::new(Arc::clone(&run), &open_environment).unwrap();
        for turn in run.turns.iter().rev() {
            let step = (turn.first_step + turn.step_count) as u32;
            let picture = replay.picture_at(step, &PictureRequest::default(), &cancel).unwrap();
            let recorded = images::load(&dir, turn.observation.as_ref().unwrap()).unwrap();
            assert!(picture.pixels == recorded, "{name} turn {}", turn.number);
        }
        assert_eq!(replay.divergences().count(), 0, "{name}");
        let last = replay.environment_at(steps, &cancel).unwrap().document_json();
        let kept = std::fs::read(dir.join("final.json")).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), last, "{name}");
    }
}

#[test]
fn a_run_needs_nothing_but_its_folder_and_remembers_how_values_were_taken() {
    let out = tempfile::tempdir().unwrap();
    let settings = [("compat".to_owned(), json!("graphicbench"))].into_iter().collect();
    let dir = run("postcard", out.path(), settings);
    let start: Value =
        serde_json::from_slice(&std::fs::read(dir.join("start.json")).unwrap()).unwrap();
    assert_eq!(start["format"], "pentimento/suite");
    assert_eq!(start["given"][0]["name"], "floral_background");
    let run = reader::open(&dir).unwrap();
    assert_eq!(run.manifest.compat.as_deref(), Some("graphicbench"));
    let mut replay = Replay::new(Arc::new(run), &open_environment).unwrap();
    let shown = replay.picture_at(2, &PictureRequest::default(), &CancelToken::new()).unwrap();
    assert!(shown.diagnostics.is_empty(), "{:?}", shown.diagnostics);
}

#[test]
fn a_compat_of_another_environment_is_refused_by_name() {
    let opened = task::open(&samples()).unwrap();
    let start = pentimento::environment::StartState {
        environment: EnvironmentKind::Suite,
        canvas_size: pentimento::environment::FALLBACK_CANVAS,
        document: None,
        pictures: None,
        given: opened.sets[0].0.tasks[0].given.clone(),
        compat: Some("canvas-2026-01".to_owned()),
        hands: pentimento::environment::canvas::HandTools::default(),
        fonts: pentimento::environment::FontSource::default(),
    };
    let error = open_environment(&start).unwrap_err().to_string();
    assert!(error.contains("canvas-2026-01") && error.contains("graphicbench"), "{error}");
}
