//! Thousands of canvas runs in seconds: the program's own runner draws a few designs on the real canvas, each well and
//! less well, and every run is one of these records under the name of another model at another task.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};

use pentimento::agent::runner::{Attempt, NoObserver, RunLimits, run_task};
use pentimento::agent::scripted::Scripted;
use pentimento::agent::{AgentTurn, CpuPool, PictureSource};
use pentimento::base::CancelToken;
use pentimento::environment::{PictureRequest, ToolCall, open_environment};
use pentimento::run::folder::{IMAGES_DIR, MANIFEST_FILE};
use pentimento::run::recorder::Durability;
use pentimento::run::replay::Replay;
use pentimento::run::{AgentRef, Manifest, Outcome, TaskRef, Usage, images, reader};
use pentimento::task::{self, Task};

/// The id of the set.
const SET: &str = "made";
/// Of a screen, in canvas units.
const SIZE: [u32; 2] = [160, 280];
/// Designs that are drawn, and how well: the first attempt is the ground truth.
const DESIGNS: u32 = 12;
const ATTEMPTS: u32 = 5;
/// Of each run.
const TURNS: u32 = 8;
const CALLS: u32 = 5;
pub(super) const STEPS: u32 = TURNS * CALLS;
/// Each has a run at every task.
const MODELS: [&str; 5] =
    ["gpt-4.1", "gpt-4o", "gemini-2.5-pro", "gemini-2.5-flash", "claude-3-5-sonnet"];
const CATEGORIES: [&str; 4] = ["Profile", "Cart & checkout", "Settings", "Feed"];
const LEVELS: [&str; 3] = ["easy", "medium", "hard"];
/// Of a long run: how many nodes are made before they are changed in turn, and the calls of a turn.
const NODES: u32 = 120;
const CALLS_AT_ONCE: u32 = 20;

/// Writes a task set with so many runs into `dir`; gives the folder to open.
pub(crate) fn write_runs(dir: &Path, runs: u32) -> PathBuf {
    let root = dir.join("made");
    std::fs::create_dir_all(&root).unwrap();
    let mut records = Records::new(dir);
    write_tasks(&root, runs.div_ceil(MODELS.len() as u32), &mut records);
    for run in 0..runs {
        write_run(&root, run, &mut records);
    }
    root
}

/// Writes a run of so many steps beside those in a folder of [`write_runs`]; gives its folder.
pub(crate) fn write_long_run(dir: &Path, root: &Path, steps: u32) -> PathBuf {
    let folder = root.join("runs/gid0/long-01");
    let records = Records::new(dir);
    let mut manifest = records.record(&folder, long_script(steps));
    manifest.task = TaskRef { set: SET.to_owned(), id: "gid0".to_owned() };
    manifest.agent = agent("long");
    write_manifest(&folder, &manifest);
    folder
}

fn agent(model: &str) -> AgentRef {
    AgentRef { kind: "model".to_owned(), name: model.to_owned(), version: None }
}

fn write_manifest(folder: &Path, manifest: &Manifest) {
    let json = serde_json::to_vec_pretty(manifest).unwrap();
    std::fs::write(folder.join(MANIFEST_FILE), json).unwrap();
}

/// The same number for the same seed, below 2²⁴.
fn noise(seed: u32) -> u32 {
    let mixed = seed.wrapping_mul(2_654_435_761);
    (mixed ^ (mixed >> 15)).wrapping_mul(2_246_822_519) >> 8
}

fn write_tasks(root: &Path, count: u32, records: &mut Records) {
    let tasks = (0..count).map(|task| {
        let truth = format!("truth-{}.png", task % DESIGNS);
        if task < DESIGNS {
            std::fs::copy(&records.get(task, 0).picture, root.join(&truth)).unwrap();
        }
        json!({
            "id": format!("gid{task}"), "kind": "replication",
            "instruction": "Build this screen in the main frame so that it looks like the picture.",
            "canvas_size": {"width": SIZE[0], "height": SIZE[1]},
            "ground_truth": {"picture": truth},
            "category": CATEGORIES[task as usize % CATEGORIES.len()],
            "difficulty": LEVELS[task as usize % LEVELS.len()],
            "tags": ["made"],
        })
    });
    let tasks: Vec<Value> = tasks.collect();
    let set =
        json!({"format": task::FORMAT, "version": 1, "id": SET, "name": "Made", "tasks": tasks});
    std::fs::write(root.join(task::FILE), set.to_string()).unwrap();
}

fn write_run(root: &Path, run: u32, records: &mut Records) {
    let (task, model) = (run / MODELS.len() as u32, MODELS[run as usize % MODELS.len()]);
    let chance = noise(run);
    let record = records.get(task % DESIGNS, chance % ATTEMPTS);
    let folder = root.join(format!("runs/gid{task}/{model}-01"));
    std::fs::create_dir_all(&folder).unwrap();
    link_all(&record.folder, &folder);
    let (day, hour) = (1 + run % 28, run / 28 % 24);
    let started = format!("2026-01-{day:02}T{hour:02}:{:02}:00Z", run / 672 % 60);
    let task = TaskRef { set: SET.to_owned(), id: format!("gid{task}") };
    // What names it is made as for any new run, all else is of the record.
    let mut manifest = Manifest {
        finished: record.manifest.finished.clone(),
        totals: record.manifest.totals.clone(),
        canvas_size: record.manifest.canvas_size,
        settings: record.manifest.settings.clone(),
        outcome: Outcome::Completed,
        ..Manifest::new(task, agent(model), started)
    };
    if run % 23 == 7 {
        manifest.outcome = Outcome::Failed("the endpoint answered 500".to_owned());
    } else if run % 31 == 5 {
        manifest.outcome = Outcome::LimitReached("50 turns".to_owned());
    }
    manifest.totals.input_tokens += u64::from(chance % 20_000);
    manifest.totals.cost_usd = Some(0.02 + f64::from(chance % 977) / 4_000.0);
    manifest.totals.seconds = 20.0 + f64::from(chance % 1_009) / 10.0;
    write_manifest(&folder, &manifest);
}

/// Puts all files of a record into another folder, but for its manifest. They are the same bytes, and are not written
/// again where the file system has links.
fn link_all(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let (name, path) = entry.map(|entry| (entry.file_name(), entry.path())).unwrap();
        if path.is_dir() {
            std::fs::create_dir_all(to.join(&name)).unwrap();
            link_all(&path, &to.join(&name));
        } else if !path.ends_with(MANIFEST_FILE)
            && std::fs::hard_link(&path, to.join(&name)).is_err()
        {
            std::fs::copy(&path, to.join(&name)).unwrap();
        }
    }
}

/// What was recorded once.
struct Record {
    folder: PathBuf,
    manifest: Manifest,
    /// What it came to.
    picture: PathBuf,
}

/// The records, each made when it is first asked for.
struct Records {
    dir: PathBuf,
    task: Arc<Task>,
    known: BTreeMap<(u32, u32), Record>,
}

impl Records {
    fn new(dir: &Path) -> Self {
        let dir = dir.join("records");
        std::fs::create_dir_all(&dir).unwrap();
        // Without a ground truth: a script looks at none.
        let set = json!({"format": task::FORMAT, "version": 1, "id": SET, "name": "Records", "tasks": [
            {"id": "empty", "kind": "replication", "instruction": "Draw.",
             "canvas_size": {"width": SIZE[0], "height": SIZE[1]}}
        ]});
        std::fs::write(dir.join(task::FILE), set.to_string()).unwrap();
        let opened = task::open(&dir).unwrap();
        let task = Arc::clone(&opened.sets[0].0.tasks[0]);
        Self { dir, task, known: BTreeMap::new() }
    }

    fn get(&mut self, design: u32, attempt: u32) -> &Record {
        if !self.known.contains_key(&(design, attempt)) {
            let folder = self.dir.join(format!("{design}-{attempt}"));
            let manifest = self.record(&folder, script(design, attempt));
            let run = reader::open(&folder).unwrap();
            let last = run.turns.iter().rev().find_map(|turn| turn.observation.as_ref()).unwrap();
            let picture = folder.join(IMAGES_DIR).join(&last.file);
            self.known.insert((design, attempt), Record { folder, manifest, picture });
        }
        &self.known[&(design, attempt)]
    }

    /// Has the runner play a script into a folder.
    fn record(&self, folder: &Path, script: Vec<AgentTurn>) -> Manifest {
        let attempt = Attempt {
            set: SET,
            task: &self.task,
            limits: RunLimits { max_turns: u32::MAX, max_calls: u32::MAX, ..RunLimits::default() },
            settings: serde_json::Map::new(),
            dir: folder,
            open_environment: &open_environment,
            pictures: &PictureSource::Nowhere,
            // Without it no pictures are kept.
            durability: Durability::EveryTurn,
            cpu: &CpuPool::default(),
        };
        let mut agent = Scripted::new(script);
        let manifest =
            run_task(&attempt, &mut agent, &CancelToken::new(), &mut NoObserver).unwrap();
        assert_eq!(manifest.outcome, Outcome::Completed);
        manifest
    }
}

/// A design, drawn so well: the parts are made in every other turn, and changed in the turns between.
fn script(design: u32, attempt: u32) -> Vec<AgentTurn> {
    let turns = (1..=TURNS).map(|turn| AgentTurn {
        thought: "I go on with the next part of the screen. ".repeat(3),
        calls: (1..=CALLS).map(|at| call([design, attempt], turn, at)).collect(),
        usage: Some(Usage { input_tokens: 4_000, output_tokens: 300, cost_usd: Some(0.01) }),
        ..AgentTurn::default()
    });
    turns.collect()
}

fn call([design, attempt]: [u32; 2], turn: u32, at: u32) -> ToolCall {
    let part = design * 1_009 + turn * 31 + at;
    let chance = noise(part);
    let slip = if attempt == 0 { 0 } else { noise(part + attempt * 7_919) % 100 };
    // Later attempts put more parts elsewhere, and all but the first change a node now and then that is not there.
    let is_off = slip > 100 - 12 * attempt;
    let off = if is_off { f64::from(slip % 9) + 2.0 } else { 0.0 };
    let (x, y) = (f64::from(chance % 110) + off, f64::from(chance / 128 % 230) + off);
    let is_missing = turn.is_multiple_of(2) && slip > 94;
    let node =
        if is_missing { json!("9:999") } else { json!({"$ref": format!("{}.{at}", turn - 1)}) };
    let [r, g, b] = [0, 7, 14].map(|shift| f64::from((chance >> shift) % 100) / 100.0);
    let (name, arguments) = match (turn % 2, at) {
        (1, 1) => {
            ("create_frame", json!({"x": x, "y": y, "width": 44, "height": 30, "name": "Card"}))
        }
        (1, 3 | 5) => (
            "create_text",
            json!({"x": x, "y": y, "width": 60, "height": 14, "fontSize": 10, "name": "Title",
                "text": format!("Item {}", chance % 100)}),
        ),
        (1, _) => (
            "create_rectangle",
            json!({"x": x, "y": y, "width": 36, "height": 24, "name": "Box",
                "fillColor": {"r": r, "g": g, "b": b, "a": 1}}),
        ),
        (_, 1) => ("set_layout_mode", json!({"nodeId": node, "layoutMode": "VERTICAL"})),
        (_, 2) => ("set_fill_color", json!({"nodeId": node, "r": r, "g": g, "b": b, "a": 1})),
        (_, 3) => ("move_node", json!({"nodeId": node, "x": x, "y": y})),
        (_, 4) => ("set_corner_radius", json!({"nodeId": node, "radius": chance % 12})),
        _ => ("rename_node", json!({"nodeId": node, "newName": format!("Title {at}")})),
    };
    ToolCall { id: format!("call_{turn}_{at}"), name: name.to_owned(), arguments }
}

/// A long run: it makes its nodes, and then changes one after the other.
fn long_script(steps: u32) -> Vec<AgentTurn> {
    let firsts = (0..steps).step_by(CALLS_AT_ONCE as usize);
    let turns = firsts.map(|first| AgentTurn {
        thought: "One more round.".to_owned(),
        calls: (first..(first + CALLS_AT_ONCE).min(steps)).map(long_call).collect(),
        ..AgentTurn::default()
    });
    turns.collect()
}

fn long_call(step: u32) -> ToolCall {
    let chance = noise(step);
    let (x, y) = (f64::from(chance % 130), f64::from(chance / 128 % 250));
    let node = step % NODES;
    let node_id =
        json!({"$ref": format!("{}.{}", node / CALLS_AT_ONCE + 1, node % CALLS_AT_ONCE + 1)});
    let [r, g, b] = [0, 7, 14].map(|shift| f64::from((chance >> shift) % 100) / 100.0);
    let (name, arguments) = if step < NODES {
        let fill = json!({"r": r, "g": g, "b": b, "a": 1});
        let arguments =
            json!({"x": x, "y": y, "width": 20, "height": 14, "name": "Box", "fillColor": fill});
        ("create_rectangle", arguments)
    } else {
        match step / NODES % 3 {
            0 => ("move_node", json!({"nodeId": node_id, "x": x, "y": y})),
            1 => ("set_fill_color", json!({"nodeId": node_id, "r": r, "g": g, "b": b, "a": 1})),
            _ => ("set_corner_radius", json!({"nodeId": node_id, "radius": chance % 7})),
        }
    };
    ToolCall { id: format!("call_{step}"), name: name.to_owned(), arguments }
}

#[test]
fn generated_runs_are_whole_runs_that_differ() {
    let dir = tempfile::tempdir().unwrap();
    let root = write_runs(dir.path(), 60);
    let long = write_long_run(dir.path(), &root, 300);
    let opened = task::open(&root).unwrap();
    let (set, warnings) = &opened.sets[0];
    assert_eq!((opened.runs.len(), set.tasks.len()), (61, 12));
    assert_eq!((&opened.warnings, warnings), (&Vec::new(), &Vec::new()));
    let (mut models, mut outcomes, mut ends) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut failures = 0;
    for (at, found) in opened.runs.iter().enumerate() {
        let run = Arc::new(reader::open(&found.dir).unwrap());
        let steps = if found.dir == long { 300 } else { STEPS };
        assert_eq!(
            (run.steps.len(), &run.torn),
            (steps as usize, &None),
            "{}",
            found.dir.display()
        );
        models.insert(found.manifest.agent.name.clone());
        outcomes.insert(found.manifest.outcome.word());
        failures += found.manifest.totals.failures;
        let last = run.turns.iter().rev().find_map(|turn| turn.observation.clone()).unwrap();
        // The canvas goes through them as it did when they were recorded.
        if at % 12 == 0 || found.dir == long {
            let mut replay = Replay::new(Arc::clone(&run), &open_environment).unwrap();
            let request = PictureRequest::default();
            let picture = replay.picture_at(steps, &request, &CancelToken::new()).unwrap();
            assert!(picture.pixels == images::load(&found.dir, &last).unwrap());
            assert_eq!(replay.divergences().count(), 0);
        }
        ends.insert(last.file);
    }
    assert_eq!((models.len(), outcomes.len()), (6, 3), "{models:?}, {outcomes:?}");
    assert!(ends.len() > 24, "they come to {} pictures", ends.len());
    assert!((10..400).contains(&failures), "{failures} calls failed");
}
