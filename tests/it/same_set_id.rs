//! Task sets that share an id: which of them a run is of is told by the place that it recorded.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{assert_fails, program, run, stderr, stdout};
use crate::files::copy_folder;

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

/// Two sets with a task of one id, which asks for another screen in each, and a run at each.
struct Namesakes {
    dir: TempDir,
}

impl Namesakes {
    /// The sets have these ids.
    fn new(ids: [&str; 2]) -> Self {
        let both = Self { dir: tempfile::tempdir().unwrap() };
        let dir = both.dir.path();
        let shipped = fs::read(samples().join("taskset.json")).unwrap();
        let shipped: Value = serde_json::from_slice(&shipped).unwrap();
        for (number, (id, name)) in (1..).zip(ids.into_iter().zip(["sign-in", "basket"])) {
            let set = dir.join(format!("X{number}"));
            fs::create_dir_all(&set).unwrap();
            copy_folder(&samples().join("replication"), &set.join("replication"));
            let tasks = shipped["tasks"].as_array().unwrap();
            let mut task = tasks.iter().find(|task| task["id"] == name).unwrap().clone();
            task["id"] = json!("gid6-27");
            let mut of = shipped.clone();
            (of["id"], of["tasks"]) = (json!(id), json!([task]));
            fs::write(set.join("taskset.json"), of.to_string()).unwrap();
            let from = samples().join("runs/own-samples").join(name).join("tracer-01");
            copy_folder(&from, &dir.join(format!("runs/rx{number}")));
            both.alter(number, |manifest| {
                manifest["task"] = json!({ "set": id, "id": "gid6-27" });
                manifest["settings"]["tasks"] = json!(format!("../../X{number}"));
                manifest["agent"]["name"] = json!(format!("model-{number}"));
            });
        }
        both
    }

    fn alter(&self, number: u32, change: impl FnOnce(&mut Value)) {
        let path = self.dir.path().join(format!("runs/rx{number}/run.json"));
        let mut manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        change(&mut manifest);
        fs::write(path, manifest.to_string()).unwrap();
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }

    /// What the runs of these numbers score with the sets of these named, and what was said.
    fn scores(&self, runs: &[u32], sets: &[u32]) -> (Vec<Option<f64>>, String) {
        let mut command = program();
        command.args(["score", "--only", "ssim/uniform7", "--json", "--no-cache"]);
        command.args(runs.iter().map(|number| self.path(&format!("runs/rx{number}"))));
        for number in sets {
            command.args(["--tasks", &self.path(&format!("X{number}"))]);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let scored = found["runs"].as_array().unwrap().iter();
        (scored.map(|run| run["scores"][0]["value"].as_f64()).collect(), stderr(&output))
    }
}

#[test]
fn each_run_is_scored_by_the_set_whose_place_it_recorded() {
    let both = Namesakes::new(["setX", "setX"]);
    let alone = [both.scores(&[1], &[1]).0[0], both.scores(&[2], &[2]).0[0]];
    assert!(alone[0].is_some() && alone[0] != alone[1], "{alone:?}");
    assert_ne!(both.scores(&[2], &[1]).0[0], alone[1], "the sets ask for different screens");
    for sets in [&[1, 2][..], &[2, 1], &[]] {
        assert_eq!(both.scores(&[1, 2], sets).0, alone, "{sets:?}");
    }
    assert_eq!(both.scores(&[2, 1], &[1, 2]).0, [alone[1], alone[0]]);
}

#[test]
fn a_run_that_does_not_say_of_which_set_it_is_is_scored_by_none_unless_they_ask_the_same() {
    let both = Namesakes::new(["setX", "setX"]);
    let alone = both.scores(&[2], &[2]).0;
    both.alter(2, |manifest| manifest["settings"]["tasks"] = Value::Null);
    let (scores, said) = both.scores(&[2], &[1, 2]);
    assert_eq!(scores, [None]);
    for words in [&both.path("X1"), &both.path("X2"), "gid6-27", "--tasks"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let table = both.path("runs/rx2");
    let [first, second] = [both.path("X1"), both.path("X2")];
    let columns = ["--columns", "task,ssim/uniform7", "--format", "csv"];
    let mut command = program();
    command.args(["report", "table", &table, "--tasks", &first, "--tasks", &second]).args(columns);
    let said = stderr(&command.output().unwrap());
    assert!(said.contains(&first) && said.contains("were not found"), "{said}");
    // A copy is as good as what it was copied from.
    fs::remove_dir_all(both.dir.path().join("X1")).unwrap();
    copy_folder(&both.dir.path().join("X2"), &both.dir.path().join("X1"));
    assert_eq!(both.scores(&[2], &[1, 2]).0, alone);
}

#[test]
fn runs_at_tasks_of_two_sets_of_one_id_are_not_compared_as_at_one() {
    let both = Namesakes::new(["setX", "setX"]);
    let [first, second] = [both.path("runs/rx1"), both.path("runs/rx2")];
    let refused = run(["compare", &first, &second]);
    assert_fails(&refused, &["is not the same in the two sets", "X1", "X2"]);
    let by = ["--by", "model", "--metric", "turns", "--json"];
    let output = program().args(["compare", &first, &second]).args(by).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let tasks = found["tasks"].as_array().unwrap();
    assert_eq!(tasks.len(), 2, "{found}");
    let mut places: Vec<&str> = tasks.iter().map(|task| task["place"].as_str().unwrap()).collect();
    places.sort_unstable();
    assert!(places[0].ends_with("X1") && places[1].ends_with("X2"), "{places:?}");
    assert!(tasks.iter().all(|task| task["difference"].is_null()), "{found}");
}

#[test]
fn a_table_finds_the_tasks_that_score_finds_and_says_what_it_does_not() {
    let both = Namesakes::new(["setX", "setX"]);
    let mut alone = [both.scores(&[1], &[1]).0[0], both.scores(&[2], &[2]).0[0]];
    alone.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let [first, second] = [both.path("runs/rx1"), both.path("runs/rx2")];
    let table = |more: &[&str]| {
        let mut command = program();
        command.args(["report", "table", &first, &second, "--columns", "task,ssim/uniform7"]);
        let output = command.args(["--format", "csv"]).args(more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        let text = stdout(&output);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let place = heads.iter().position(|head| head.to_lowercase().contains("ssim"));
        let place = place.unwrap_or_else(|| panic!("{heads:?}"));
        let rows = reader.records().map(|row| row.unwrap()[place].parse::<f64>().ok());
        let mut scores: Vec<Option<f64>> = rows.collect();
        scores.sort_by(|a, b| a.partial_cmp(b).unwrap());
        (scores, stderr(&output))
    };
    let (scores, said) = table(&[]);
    assert_eq!(scores.len(), 2);
    for (in_table, score) in scores.iter().zip(alone) {
        assert!((in_table.unwrap() - score.unwrap()).abs() < 1e-3, "{scores:?} {alone:?}");
    }
    assert!(!said.contains("not found"), "{said}");
    // A filter by a score asks for it, too.
    let low = alone.iter().flatten().copied().fold(f64::INFINITY, f64::min);
    let filter = format!("--filter=ssim/uniform7>{}", low + 1e-4);
    assert_eq!(table(&[&filter]).0.len(), 1);
    both.alter(2, |manifest| manifest["settings"]["tasks"] = json!("../../nowhere"));
    fs::rename(both.dir.path().join("X1"), both.dir.path().join("moved")).unwrap();
    let (scores, said) = table(&[]);
    assert_eq!(scores, [None, None]);
    assert!(said.contains("The tasks of 2 runs were not found"), "{said}");
}

#[test]
fn a_grid_has_a_row_for_every_task_of_an_id_and_names_them_apart() {
    for (ids, names) in [
        (["setX", "setX"], ["setX/gid6-27 (1)", "setX/gid6-27 (2)"]),
        (["setX", "setY"], ["setX/gid6-27", "setY/gid6-27"]),
    ] {
        let both = Namesakes::new(ids);
        let (runs, out) = (both.path("runs"), both.path("grid.tex"));
        let grid = |only: &str| {
            let output = run(["export", "grid", &runs, "--only-task", only, "--out", &out]);
            assert!(output.status.success(), "{}", stderr(&output));
            fs::read_to_string(&out).unwrap()
        };
        let text = grid("gid6-27");
        assert!(names.into_iter().all(|name| text.contains(name)), "{names:?}: {text}");
        assert!(text.contains("grid-pictures/2-1.png"), "{text}");
        let text = grid(&format!("{}/gid6-27", ids[1]));
        assert_eq!(text.contains("grid-pictures/2-1.png"), ids[1] == "setX", "{text}");
        let none = run(["export", "grid", &runs, "--only-task", "setZ/gid6-27", "--out", &out]);
        assert_fails(&none, &["setZ/gid6-27"]);
    }
}
