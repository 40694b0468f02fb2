//! Task sets of every layout, good and bad.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use pentimento::base::{Pixels, Size};
use pentimento::run::{Outcome, RunOrigin, reader};
use pentimento::task::{self, Opened, Task, TaskError, TaskKind};
use serde_json::{Value, json};

use crate::shared;

fn write_picture(path: &Path, width: u32, height: u32) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    Pixels::filled(width, height, [200, 100, 50, 255]).unwrap().save_png(path).unwrap();
}

fn write_json(path: &Path, value: &Value) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, value.to_string()).unwrap();
}

fn set_of(tasks: &Value) -> Value {
    json!({"format": "pentimento/taskset", "version": 1, "id": "own", "name": "Own", "tasks": tasks})
}

fn open_set(tasks: &Value) -> (tempfile::TempDir, Opened) {
    let dir = tempfile::tempdir().unwrap();
    write_picture(&dir.path().join("a.png"), 20, 30);
    write_json(&dir.path().join("taskset.json"), &set_of(tasks));
    let opened = task::open(dir.path()).unwrap();
    (dir, opened)
}

fn ids(tasks: &[Arc<Task>]) -> Vec<&str> {
    tasks.iter().map(|task| task.id.as_str()).collect()
}

#[test]
fn a_run_beside_a_task_set_is_found_and_pictures_of_the_set_are_none() {
    let dir = tempfile::tempdir().unwrap();
    write_picture(&dir.path().join("pictures/a.png"), 20, 30);
    let tasks = json!([{"id": "a", "kind": "replication", "instruction": "Draw it.",
        "ground_truth": {"picture": "pictures/a.png"}, "canvas_size": {"width": 20, "height": 30}}]);
    write_json(&dir.path().join("taskset.json"), &set_of(&tasks));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples");
    let run = own.join("sign-in/tracer-01");
    for place in ["beside", "runs/own/a/tracer-01"] {
        fs::create_dir_all(dir.path().join(place)).unwrap();
        for file in ["run.json", "events.jsonl"] {
            fs::copy(run.join(file), dir.path().join(place).join(file)).unwrap();
        }
    }
    let opened = task::open(dir.path()).unwrap();
    let places = opened.runs.iter().map(|run| run.dir.strip_prefix(dir.path()).unwrap());
    assert_eq!(
        places.collect::<Vec<_>>(),
        [Path::new("runs/own/a/tracer-01"), Path::new("beside")]
    );
}

#[test]
fn the_published_samples_open_as_four_sets_with_their_runs() {
    let Some(path) = shared::path("data/canvas-samples") else { return };
    let opened = task::open(&path).unwrap();
    let sets: Vec<_> =
        opened.sets.iter().map(|(set, _)| (set.id.as_str(), set.tasks.len())).collect();
    let expected = [("replication", 5), ("task-1", 3), ("task-2", 3), ("task-3", 3)];
    let expected = expected.map(|(kind, tasks)| (format!("canvas-samples-{kind}"), tasks));
    assert_eq!(sets, expected.each_ref().map(|(id, tasks)| (id.as_str(), *tasks)));
    assert_eq!((opened.runs.len(), &opened.warnings), (69, &Vec::new()));
    assert!(opened.sets.iter().all(|(_, warnings)| warnings.is_empty()));
    for run in &opened.runs {
        assert_eq!(run.unreadable, None);
        let whole = reader::open(&run.dir).unwrap();
        assert_eq!(whole.steps.len(), run.steps.unwrap() as usize);
        let of = opened.sets.iter().find(|(set, _)| set.id == run.manifest.task.set).unwrap();
        assert!(ids(&of.0.tasks).contains(&run.manifest.task.id.as_str()));
    }
    let mut run_ids: Vec<_> = opened.runs.iter().map(|run| &run.manifest.id).collect();
    run_ids.sort();
    run_ids.dedup();
    assert_eq!(run_ids.len(), 69, "every run has an id of its own");
}

#[test]
fn a_sample_set_a_sample_task_and_a_sample_run_open_alone_under_the_same_names() {
    let Some(path) = shared::path("data/canvas-samples") else { return };
    let set = task::open(&path.join("replication")).unwrap();
    let one = task::open(&path.join("replication/gid6-27")).unwrap();
    let run = task::open(&path.join("replication/gid6-27/gpt-4.1")).unwrap();
    assert_eq!((set.sets[0].0.tasks.len(), set.runs.len()), (5, 24));
    assert_eq!((one.sets[0].0.tasks.len(), one.runs.len()), (1, 4));
    assert_eq!((run.sets.len(), run.runs.len()), (0, 1));
    assert_eq!(one.sets[0].0.id, set.sets[0].0.id);
    let same = set.runs.iter().find(|found| found.manifest.id == run.runs[0].manifest.id).unwrap();
    assert_eq!(same.manifest, run.runs[0].manifest);
    let whole = reader::open(&run.runs[0].dir).unwrap();
    assert!(matches!(whole.origin, RunOrigin::Pictures { .. }));
}

#[test]
fn agents_get_the_samples_as_the_published_runner_gives_them() {
    let Some(path) = shared::path("data/canvas-samples") else { return };
    let opened = task::open(&path).unwrap();
    let task = |id: &str| {
        opened.sets.iter().flat_map(|(set, _)| &set.tasks).find(|task| task.id == id).unwrap()
    };
    let input = task("gid1-22").agent_input().unwrap();
    assert_eq!(input.canvas_size, Size::new(473.0, 1024.0));
    let picture = input.picture.unwrap();
    assert_eq!((picture.width(), picture.height()), (473, 1024));
    let input = task("gid23-7").agent_input().unwrap();
    assert_eq!(input.canvas_size, Size::new(375.0, 812.0), "the size of the start picture");
    assert_eq!(input.picture.unwrap().width(), 375);
    assert_eq!(task("gid23-7").kind, TaskKind::ModeChange);
}

#[test]
fn the_published_dataset_opens_with_instructions_and_reference_tools() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("dataset/benchmarks");
    let frame = json!({"document": {"type": "FRAME",
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 390, "height": 844}}});
    let replication = root.join("replication_gt");
    for id in ["gid6-27", "gid10-1"] {
        write_picture(&replication.join(format!("{id}.png")), 60, 2048);
        write_json(&replication.join(format!("{id}.json")), &frame);
        write_json(&replication.join(format!("{id}-meta.json")), &json!({}));
    }
    let task_2 = root.join("modification_gt/task-2");
    for (id, meta) in
        [("gid1", json!({"instruction": "Add a tab."})), ("gid2", json!({"message": "Add two."}))]
    {
        for state in ["base", "target"] {
            write_picture(&task_2.join(format!("{id}-{state}.png")), 60, 100);
            write_json(&task_2.join(format!("{id}-{state}.json")), &frame);
        }
        write_json(&task_2.join(format!("{id}-target-meta.json")), &meta);
    }
    let tools = "id,tools\r\ngid1,\"create_rectangle,create_text\"\r\n";
    fs::write(root.join("modification_gt/human-tool-path.csv"), tools).unwrap();

    let opened = task::open(&dir.path().join("dataset")).unwrap();
    assert_eq!(opened.warnings, Vec::<String>::new());
    let [(modification, _), (replication, _)] = &opened.sets[..] else { panic!("{opened:?}") };
    assert_eq!(
        (replication.id.as_str(), ids(&replication.tasks)),
        ("canvas-replication", vec!["gid6-27", "gid10-1"])
    );
    assert_eq!(replication.tasks[0].agent_input().unwrap().canvas_size, Size::new(30.0, 1024.0));
    let [one, two] = &modification.tasks[..] else { panic!("{modification:?}") };
    assert_eq!((one.instruction.as_str(), two.instruction.as_str()), ("Add a tab.", "Add two."));
    assert_eq!(one.reference_tools, ["create_rectangle", "create_text"]);
    assert_eq!((one.kind, two.reference_tools.len()), (TaskKind::ComponentInsertion, 0));
    let input = one.agent_input().unwrap();
    assert_eq!((input.canvas_size, input.start), (Size::new(390.0, 844.0), Some(frame)));
}

#[test]
fn a_set_of_ours_keeps_its_good_tasks_and_names_the_bad_ones() {
    let good = json!({"id": "good", "kind": "replication", "instruction": "Build it.",
        "ground_truth": {"picture": "a.png"}, "tags": ["x"], "future": 1});
    let (_dir, opened) = open_set(&json!([
        good, {"id": "no-kind", "instruction": ""}, 7,
        {"id": "good", "kind": "replication", "instruction": ""},
        {"id": "flat", "kind": "replication", "instruction": "", "canvas_size": {"width": 0, "height": 5}},
    ]));
    let (set, warnings) = &opened.sets[0];
    assert_eq!(ids(&set.tasks), ["good"]);
    assert_eq!(set.tasks[0].agent_input().unwrap().canvas_size, Size::new(20.0, 30.0));
    for (warning, fault) in warnings.iter().zip(["`kind`", "Task 3", "same id", "canvas_size"]) {
        assert!(warning.contains(fault), "{warnings:?}");
    }
    assert_eq!(warnings.len(), 4);
}

#[test]
fn no_path_of_a_task_leads_out_of_its_folder() {
    let outside = tempfile::NamedTempFile::new().unwrap();
    let absolute = outside.path().to_str().unwrap();
    for path in ["../secret.png", absolute, "x/../../secret.png", "..\\secret.png", "link.png"] {
        let dir = tempfile::tempdir().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path(), dir.path().join("link.png")).unwrap();
        let task = json!({"id": "t", "kind": "replication", "instruction": "",
            "ground_truth": {"picture": path}});
        write_json(&dir.path().join("taskset.json"), &set_of(&json!([task])));
        let opened = task::open(dir.path()).unwrap();
        let (set, warnings) = &opened.sets[0];
        assert_eq!(set.tasks[0].ground_truth, None, "{path}");
        assert!(warnings[0].starts_with("Task \"t\" has no ground truth picture"), "{warnings:?}");
    }
}

#[test]
fn a_task_without_a_ground_truth_gets_the_fallback_canvas() {
    let (_dir, opened) = open_set(&json!([{"id": "t", "kind": "replication", "instruction": "",
        "ground_truth": {"picture": "not-there.png"}}]));
    let task = &opened.sets[0].0.tasks[0];
    let input = task.agent_input().unwrap();
    assert_eq!((input.canvas_size, input.picture), (Size::new(393.0, 852.0), None));
    assert!(opened.sets[0].1[0].contains("is not there"), "{:?}", opened.sets[0].1);
}

#[test]
fn a_picture_that_is_none_is_an_error_that_names_it() {
    let (dir, opened) = open_set(&json!([{"id": "t", "kind": "replication", "instruction": "",
        "ground_truth": {"picture": "a.png"}}]));
    fs::write(dir.path().join("a.png"), b"\x89PNG\r\n\x1a\n nothing").unwrap();
    let error = opened.sets[0].0.tasks[0].agent_input().unwrap_err();
    assert!(matches!(error, TaskError::Picture { .. }), "{error}");
    assert!(error.to_string().contains("a.png"), "{error}");
}

#[test]
fn each_bad_set_is_named_with_its_fault() {
    let with = |key: &str, value: Value| {
        let mut set = set_of(&json!([]));
        set[key] = value;
        set.to_string()
    };
    let cases = [
        (String::new(), "not valid JSON"),
        ("[".repeat(5000), "nests deeper"),
        ("{}".into(), "its format is missing"),
        (with("version", json!(2)), "written by a newer version (2 > 1): update Pentimento"),
        (with("version", json!(-1)), "version must be"),
        (with("tasks", json!({})), "invalid type"),
        (with("id", json!(" ")), "needs an id"),
    ];
    for (text, fault) in cases {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("taskset.json"), &text).unwrap();
        let error = task::open(dir.path()).unwrap_err().to_string();
        assert!(error.contains(fault) && error.contains("taskset.json"), "{text}\n{error}");
    }
}

#[test]
fn a_path_with_nothing_to_open_says_what_would_be() {
    let dir = tempfile::tempdir().unwrap();
    assert!(matches!(task::open(&dir.path().join("gone")), Err(TaskError::Missing(_))));
    assert!(matches!(task::open(dir.path()), Err(TaskError::Nothing(_))));
    fs::write(dir.path().join("x.txt"), "").unwrap();
    assert!(matches!(task::open(&dir.path().join("x.txt")), Err(TaskError::Nothing(_))));
}

#[test]
fn one_broken_folder_does_not_hide_the_others() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("broken")).unwrap();
    fs::write(dir.path().join("broken/taskset.json"), "{").unwrap();
    fs::create_dir(dir.path().join("new")).unwrap();
    fs::write(dir.path().join("new/run.json"), "{\"format\": \"pentimento/run\", \"version\": 9}")
        .unwrap();
    write_json(&dir.path().join("own/taskset.json"), &set_of(&json!([])));
    write_picture(&dir.path().join("shots/1.png"), 2, 2);
    let opened = task::open(dir.path()).unwrap();
    assert_eq!((opened.sets.len(), opened.runs.len(), opened.warnings.len()), (1, 2, 1));
    assert!(opened.warnings[0].contains("broken"), "{:?}", opened.warnings);
    let why = opened.runs[0].unreadable.as_ref().unwrap();
    assert!(why.contains("newer version (9 > 2)"), "{why}");
    assert!(matches!(opened.runs[0].manifest.outcome, Outcome::Failed(_)));
    assert_eq!(opened.runs[1].steps, Some(1));
}

#[cfg(unix)]
#[test]
fn links_in_a_circle_are_walked_once() {
    let dir = tempfile::tempdir().unwrap();
    write_picture(&dir.path().join("shots/1.png"), 2, 2);
    std::os::unix::fs::symlink(dir.path(), dir.path().join("again")).unwrap();
    std::os::unix::fs::symlink("loop", dir.path().join("loop")).unwrap();
    assert_eq!(task::open(dir.path()).unwrap().runs.len(), 1);
}

#[test]
fn sets_of_the_same_id_are_not_mixed() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["a", "b"] {
        write_json(&dir.path().join(folder).join("taskset.json"), &set_of(&json!([])));
    }
    let opened = task::open(dir.path()).unwrap();
    assert_eq!(opened.sets.len(), 1);
    assert!(opened.warnings[0].contains("has the same id, \"own\""), "{:?}", opened.warnings);
}
