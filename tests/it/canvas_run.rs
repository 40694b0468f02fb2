//! Runs of the real canvas, from the task to the last replayed step.

use std::sync::Arc;

use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::{AgentKind, AgentOptions, CpuPool, PictureSource, by_kind};
use pentimento::base::CancelToken;
use pentimento::environment::{PictureRequest, open_environment};
use pentimento::run::recorder::Durability;
use pentimento::run::replay::Replay;
use pentimento::run::{Outcome, folder, images, reader};
use pentimento::task::{self, Opened};
use serde_json::{Map, Value, json};

/// A task set with an empty start and one that starts from a design, and a script.
fn samples(script: &Value) -> (tempfile::TempDir, Opened) {
    let dir = tempfile::tempdir().unwrap();
    let design = json!({"document": {
        "id": "7:1", "name": "Card", "type": "FRAME", "clipsContent": true,
        "absoluteBoundingBox": {"x": 40, "y": 8, "width": 120, "height": 80},
        "fills": [{"type": "SOLID", "color": {"r": 0.5, "g": 0.5, "b": 1, "a": 1}}],
        "children": []
    }});
    let set = json!({"format": "pentimento/taskset", "version": 1, "id": "own", "name": "Own",
    "tasks": [
        {"id": "empty", "kind": "replication", "instruction": "Draw.",
         "canvas_size": {"width": 100, "height": 60}},
        {"id": "design", "kind": "attribute_update", "instruction": "Change.",
         "start": {"document": "design.json"}},
    ]});
    for (name, value) in [("design.json", &design), ("taskset.json", &set), ("script.json", script)]
    {
        std::fs::write(dir.path().join(name), value.to_string()).unwrap();
    }
    let opened = task::open(dir.path()).unwrap();
    assert_eq!(opened.sets[0].1, Vec::<String>::new());
    (dir, opened)
}

fn script() -> Value {
    let red = json!({"r": 1, "g": 0, "b": 0, "a": 1});
    json!([
        {"thought": "A box", "calls": [
            {"name": "create_rectangle", "arguments":
                {"x": 10, "y": 10, "width": 30, "height": 20, "name": "Box", "fillColor": red}},
            {"name": "paint_it_black", "arguments": {}}]},
        {"calls": [
            {"name": "move_node", "arguments": {"nodeId": {"$ref": "1.1"}, "x": 50, "y": 20}},
            {"name": "get_result_image", "arguments": {}}]}
    ])
}

#[test]
fn a_run_on_the_canvas_replays_to_the_pictures_it_recorded() {
    let (dir, opened) = samples(&script());
    let (set, _) = &opened.sets[0];
    for task in &set.tasks {
        let script = Some(dir.path().join("script.json"));
        let mut agent =
            by_kind(AgentKind::Scripted, &AgentOptions { script, ..AgentOptions::default() })
                .unwrap();
        let reference = pentimento::run::TaskRef { set: set.id.clone(), id: task.id.clone() };
        let run_dir = folder::claim(&dir.path().join("runs"), &reference, "scripted").unwrap();
        let attempt = Attempt {
            set: &set.id,
            task,
            limits: RunLimits::default(),
            settings: Map::new(),
            dir: &run_dir,
            open_environment: &open_environment,
            pictures: &PictureSource::Nowhere,
            durability: Durability::EveryTurn,
            cpu: &CpuPool::default(),
        };
        let cancel = CancelToken::new();
        let manifest = run_task(&attempt, &mut *agent, &cancel, &mut NoObserver).unwrap();
        assert_eq!((manifest.outcome, manifest.totals.failures), (Outcome::Completed, 1));

        let run = Arc::new(reader::open(&run_dir).unwrap());
        assert_eq!((run.turns.len(), run.steps.len(), &run.torn), (2, 4, &None));
        let mut replay = Replay::new(Arc::clone(&run), &open_environment).unwrap();
        for turn in run.turns.iter().rev() {
            let step = (turn.first_step + turn.step_count) as u32;
            let picture = replay.picture_at(step, &PictureRequest::default(), &cancel).unwrap();
            let recorded = images::load(&run_dir, turn.observation.as_ref().unwrap()).unwrap();
            assert!(picture.pixels == recorded, "{} turn {}", task.id, turn.number);
        }
        assert_eq!(replay.divergences().count(), 0);
        let last = replay.environment_at(4, &cancel).unwrap().document_json();
        let kept = std::fs::read(run_dir.join("final.json")).unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&kept).unwrap(), last);
    }
    let found = task::open(dir.path()).unwrap().runs;
    assert_eq!(found.iter().map(|run| run.steps).collect::<Vec<_>>(), [Some(4), Some(4)]);
}

#[test]
fn a_start_document_that_is_none_is_named() {
    let (dir, opened) = samples(&script());
    std::fs::write(dir.path().join("design.json"), "[]").unwrap();
    let mut agent = by_kind(
        AgentKind::Scripted,
        &AgentOptions { script: Some(dir.path().join("script.json")), ..AgentOptions::default() },
    )
    .unwrap();
    let attempt = Attempt {
        set: "own",
        task: &opened.sets[0].0.tasks[1],
        limits: RunLimits::default(),
        settings: Map::new(),
        dir: &dir.path().join("run"),
        open_environment: &open_environment,
        pictures: &PictureSource::Nowhere,
        durability: Durability::EveryTurn,
        cpu: &CpuPool::default(),
    };
    let error = run_task(&attempt, &mut *agent, &CancelToken::new(), &mut NoObserver).unwrap_err();
    assert!(error.to_string().starts_with("the start document cannot be used"), "{error}");
    assert!(!dir.path().join("run").exists(), "there is no run of a task that cannot begin");
}

#[test]
fn a_run_remembers_whose_behaviour_its_tools_followed_and_replays_with_it() {
    let line = json!({"startX": 0, "startY": 10, "endX": 40, "endY": 40, "name": "l"});
    let (dir, opened) = samples(&json!([{"calls": [{"name": "create_line", "arguments": line}]}]));
    let task = &opened.sets[0].0.tasks[0];
    let run = |name: &str, compat: Option<&str>| {
        let script = Some(dir.path().join("script.json"));
        let mut agent =
            by_kind(AgentKind::Scripted, &AgentOptions { script, ..AgentOptions::default() })
                .unwrap();
        let run_dir = dir.path().join(name);
        let compat = compat.map(|name| ("compat".to_owned(), json!(name)));
        let attempt = Attempt {
            set: "own",
            task,
            limits: RunLimits::default(),
            settings: compat.into_iter().collect(),
            dir: &run_dir,
            open_environment: &open_environment,
            pictures: &PictureSource::Nowhere,
            durability: Durability::EveryTurn,
            cpu: &CpuPool::default(),
        };
        run_task(&attempt, &mut *agent, &CancelToken::new(), &mut NoObserver)?;
        Ok::<_, pentimento::agent::runner::RunTaskError>(reader::open(&run_dir).unwrap())
    };
    let top_of_line = |run: pentimento::run::Run| {
        let mut replay = Replay::new(Arc::new(run), &open_environment).unwrap();
        let cancel = CancelToken::new();
        let document = replay.environment_at(1, &cancel).unwrap().document_json();
        assert_eq!(replay.divergences().count(), 0);
        document["document"]["children"][0]["absoluteBoundingBox"]["y"].as_f64().unwrap().round()
    };
    let documented = run("documented", None).unwrap();
    assert_eq!(documented.manifest.compat, None);
    assert_eq!(top_of_line(documented), 10.0);
    let published = run("published", Some("canvas-2026-01")).unwrap();
    assert_eq!(published.manifest.compat.as_deref(), Some("canvas-2026-01"));
    assert_eq!(top_of_line(published), -20.0);
    let error = run("unknown", Some("canvas-1999")).unwrap_err();
    assert!(error.to_string().contains("canvas-1999"), "{error}");
}
