//! Experiments by the real program: every cell on every task, repeated, gone on with, in tables.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pentimento::run::reader;
use serde_json::{Value, json};

use super::batch::{CALLS, ModelServer, run_dirs};

/// A place for an experiment: the server that models are behind, the files, the folder of runs.
struct Place {
    dir: tempfile::TempDir,
    server: ModelServer,
}

impl Place {
    fn new() -> Self {
        let (dir, server) = (tempfile::tempdir().unwrap(), ModelServer::start());
        let model = |name: &str| {
            json!({"provider": {"kind": "chat_completions", "base_url": server.address,
                "model": name, "attempts": 1, "prices": {"input": 1.0, "output": 10.0}}})
        };
        let models = json!({"models": {"one": model("one"), "two": model("two")}});
        std::fs::write(dir.path().join("models.json"), models.to_string()).unwrap();
        Self { dir, server }
    }

    fn out(&self) -> PathBuf {
        self.dir.path().join("runs")
    }

    /// Writes the experiment: two models, cold and warm, on one task, with these parts besides.
    fn write(&self, more: &Value) -> PathBuf {
        let tasks = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
        let mut experiment = json!({
            "format": "pentimento/experiment", "version": 1, "name": "warmth",
            "tasks": tasks, "filter": "sign-in", "models": ["one", "two"],
            "models_file": "models.json", "out": "runs", "repeats": 2,
            "settings": [
                {"name": "cold", "temperature": 0.0},
                {"name": "warm", "temperature": 1.0, "max_turns": 2},
            ],
        });
        let parts = experiment.as_object_mut().unwrap();
        parts.extend(more.as_object().unwrap().clone());
        let path = self.dir.path().join("experiment.json");
        std::fs::write(&path, experiment.to_string()).unwrap();
        path
    }

    fn run(&self, more: &Value, arguments: &[&str]) -> Output {
        let file = self.write(more);
        let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
        command.env("PENTIMENTO_WORKSPACE", "").env("NO_PROXY", "127.0.0.1");
        command.args(["run", "--experiment"]).arg(file).args(["--jobs", "4"]).args(arguments);
        command.output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What each run was told: its model, temperature and repeat, sorted.
fn told(out: &Path) -> Vec<(String, f64, u64)> {
    let mut told: Vec<(String, f64, u64)> = run_dirs(out)
        .iter()
        .map(|dir| {
            let manifest = reader::peek(dir).unwrap().manifest;
            let settings = serde_json::to_value(&manifest.settings).unwrap();
            assert_eq!(settings["experiment"]["name"], "warmth");
            let temperature = settings["model"]["temperature"].as_f64().unwrap();
            let repeat = settings["experiment"]["repeat"].as_u64().unwrap();
            (manifest.agent.name, temperature, repeat)
        })
        .collect();
    told.sort_by(|a, b| a.partial_cmp(b).unwrap());
    told
}

#[test]
fn every_cell_is_run_as_often_as_it_is_repeated_and_gone_on_with() {
    let place = Place::new();
    let output = place.run(&json!({}), &[]);
    let err = text(&output.stderr);
    assert!(output.status.success(), "{err}");
    assert!(err.contains("warmth: 1 tasks × 4 cells × 2 repeats: 8 runs"), "{err}");
    let names: Vec<(String, f64, u64)> = ["one", "two"]
        .into_iter()
        .flat_map(|name| {
            [(0.0, 1), (0.0, 2), (1.0, 1), (1.0, 2)].map(|(t, r)| (name.to_owned(), t, r))
        })
        .collect();
    assert_eq!(told(&place.out()), names);
    // A cell of at most two turns is asked twice, the others until they make no call.
    let asked = place.server.arrived();
    assert_eq!(asked, 4 * (CALLS + 1) + 4 * 2);
    let table = text(&output.stdout);
    assert!(table.contains("one · cold") && table.contains("two · warm: mean"), "{table}");
    assert!(place.out().join("experiment.json").exists(), "the file stands beside its runs");

    // Again: everything is there. With a repeat more: only that is made.
    let again = place.run(&json!({}), &[]);
    assert!(again.status.success() && text(&again.stderr).contains("(was there)"));
    assert_eq!(place.server.arrived(), asked, "nothing is asked twice");
    let more = place.run(&json!({"repeats": 3}), &[]);
    assert!(more.status.success(), "{}", text(&more.stderr));
    assert_eq!(told(&place.out()).len(), 12);
    assert_eq!(place.server.arrived(), asked + 2 * (CALLS + 1) + 2 * 2);
    let other = place.run(&json!({"name": "another"}), &[]);
    let err = text(&other.stderr);
    assert!(!other.status.success() && err.contains("the experiment there is \"warmth\""), "{err}");

    // Rows by model and temperature; three repeats each.
    let runs = place.out();
    let tables = Command::new(env!("CARGO_BIN_EXE_pentimento"))
        .env("PENTIMENTO_WORKSPACE", "")
        .args(["report", "tables", "--only", "repeats", "--format", "csv", "--success", "ssim>=0"])
        .args(["--tasks", "sample_runs"])
        .arg(&runs)
        .output()
        .unwrap();
    assert!(tables.status.success(), "{}", text(&tables.stderr));
    let table = text(&tables.stdout);
    let rows: Vec<&str> = table.lines().filter(|line| line.contains("SSIM")).collect();
    assert_eq!(rows.len(), 4, "{table}");
    assert!(
        rows.iter().all(|row| row.contains(",3,") && row.contains("1.000,1.000,1.000")),
        "{table}"
    );
}

#[test]
fn an_estimate_asks_nothing_and_what_is_wrong_names_its_place() {
    let place = Place::new();
    let output = place.run(&json!({}), &["--dry-run"]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{err}");
    assert!(out.contains("one · cold") && out.contains("two · warm") && out.contains('$'), "{out}");
    assert_eq!(place.server.arrived(), 0);
    assert!(!place.out().exists(), "nothing is made");
    let output = place.run(&json!({"models": ["one", "three"]}), &[]);
    assert!(!output.status.success() && text(&output.stderr).contains("three"));
    let output = place.run(&json!({"modes": ["dream"]}), &[]);
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("modes[0]: there is no mode"), "{err}");
    let output = place.run(&json!({}), &["--models", "one"]);
    assert_eq!(output.status.code(), Some(2), "a model is said in one place");
}

#[test]
fn agents_without_a_model_are_cells_too() {
    let place = Place::new();
    let more = json!({"agents": ["tracer"], "models": [], "settings": [], "repeats": 2});
    let output = place.run(&more, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(run_dirs(&place.out()).len(), 2);
}

#[test]
fn only_the_named_tasks_of_several_places_are_done_each_once() {
    let place = Place::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs");
    let more = |only: Value| {
        json!({"tasks": [root.join("taskset.json"), root], "filter": null, "only": only,
            "models": ["one"], "settings": [], "repeats": 1})
    };
    let name = task_name("sign-in");
    let output = place.run(&more(json!([name])), &[]);
    let err = text(&output.stderr);
    assert!(output.status.success() && err.contains("1 tasks × 1 cells × 1 repeats"), "{err}");
    assert_eq!(run_dirs(&place.out()).len(), 1);
    let output = place.run(&more(json!([name, "own-samples/no-such-task"])), &["--dry-run"]);
    let err = text(&output.stderr);
    assert!(!output.status.success() && err.contains("no task own-samples/no-such-task"), "{err}");
    let output = place.run(&json!({"tasks": []}), &["--dry-run"]);
    assert!(text(&output.stderr).contains("tasks: say which tasks"));
}

/// The sample whose id begins so, as `SET/TASK`.
fn task_name(id: &str) -> String {
    let opened = pentimento::task::open(Path::new("sample_runs/taskset.json")).unwrap();
    let (set, _) = &opened.sets[0];
    let task = set.tasks.iter().find(|task| task.id.starts_with(id)).unwrap();
    format!("{}/{}", set.id, task.id)
}
