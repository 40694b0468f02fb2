//! `pentimento compare`, run as people run it, over runs of which it is known where they diverge.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::{assert_fails, program, run, stderr, stdout};

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/runs/own-samples").join(name)
}

fn tasks() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

fn compare(runs: &[&Path]) -> Value {
    let output = program().arg("compare").args(runs).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

/// The run with other calls, recorded in `out`.
fn branch(base: &Path, edits: &[&str], out: &Path) -> PathBuf {
    let mut made = program();
    made.arg("what-if").arg(base).args(edits).args(["--json", "--out"]).arg(out);
    let output = made.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let made: Value = serde_json::from_str(&stdout(&output)).unwrap();
    PathBuf::from(made["dir"].as_str().unwrap())
}

/// The first step of the run whose call has this name.
fn step_of(base: &Path, tool: &str) -> usize {
    let run = pentimento::run::reader::open(base).unwrap();
    let step = run.steps.iter().find(|step| step.call.as_ref().is_some_and(|it| it.name == tool));
    step.unwrap().number as usize
}

#[test]
fn a_call_that_is_left_out_is_where_two_runs_part_though_all_ids_behind_it_shift() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("trailhead-welcome/tracer-01");
    let left_out = step_of(&base, "create_rectangle");
    let other = branch(&base, &["--drop", &left_out.to_string()], out.path());
    let found = compare(&[&base, &other]);
    let rows = found["rows"].as_array().unwrap();
    assert_eq!(
        rows.len() as u64,
        found["runs"][0]["steps"].as_u64().unwrap(),
        "nothing else moved"
    );
    assert_eq!(found["divergence"]["row"], left_out);
    assert_eq!(found["divergence"]["kind"], "only_some");
    assert_eq!(found["divergence"]["steps"][0], left_out);
    assert_eq!(found["divergence"]["steps"][1], Value::Null);
    let known = rows.iter().filter(|row| row["same"]["tool"] == true).count();
    assert_eq!(known, rows.len() - 1, "every other call is known again");
    // But for those on the node that is not there.
    let same = rows.iter().filter(|row| row["same"]["call"] == true).count();
    assert!(same + 5 >= rows.len(), "{same} of {}", rows.len());
    let nodes = found["consensus"]["nodes"].as_array().unwrap();
    assert!(nodes.iter().any(|node| node["had_by"] == serde_json::json!([true, true])));
    let picture = &found["consensus"]["picture"];
    assert!(picture["had_by_all"].as_f64().unwrap() > 0.5, "{picture}");
}

#[test]
fn another_argument_is_named_with_both_values() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("quiz-progress/scripted-01");
    let other = branch(&base, &["--edit", "1={\"height\": 20}"], out.path());
    let found = compare(&[&base, &other]);
    let divergence = &found["divergence"];
    assert_eq!((&divergence["row"], &divergence["kind"]), (&1.into(), &"arguments".into()));
    assert_eq!(divergence["arguments"][0]["name"], "height");
    assert_eq!(divergence["arguments"][0]["values"][1], "20");
    let output = program().arg("compare").args([&base, &other]).arg("--rows").output().unwrap();
    let text = stdout(&output);
    assert!(text.contains("diverge for good in row 1"), "{text}");
    assert!(text.contains("height"), "{text}");
}

#[test]
fn a_run_beside_itself_made_again_ends_the_same() {
    let out = tempfile::tempdir().unwrap();
    let base = sample("quiz-progress/scripted-01");
    // Put in and taken out again, so that the run is another and its end is not.
    let other = branch(&base, &["--insert", "0=get_page_structure:{}"], out.path());
    let found = compare(&[&base, &other]);
    assert_eq!(found["divergence"], Value::Null);
    assert_eq!(found["rows"][0]["steps"][0], Value::Null);
    assert!(
        found["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| { row["looks"] == serde_json::json!([0, 0]) })
    );
}

#[test]
fn the_two_tracers_of_a_sample_part_somewhere_and_miss_the_same() {
    let found = compare(&[&sample("basket/tracer-01"), &sample("basket/tracer-02")]);
    assert!(found["rows"].as_array().unwrap().len() > 10);
    let agents: Vec<&Value> = found["runs"].as_array().unwrap().iter().collect();
    assert_eq!(agents.len(), 2);
    assert!(found["consensus"]["picture"]["had_by_all"].as_f64().is_some(), "{found}");
}

#[test]
fn what_cannot_be_compared_says_why() {
    let one = sample("basket/tracer-01").display().to_string();
    let other = sample("settings/tracer-01").display().to_string();
    assert_fails(&run(["compare", &one]), &["two to 6 runs"]);
    assert_fails(&run(["compare", &one, &other]), &["runs of one task", "basket", "settings"]);
    assert_fails(&run(["compare", &tasks().display().to_string()]), &["two to 6 runs"]);
    let share = run(["compare", &one, &one, "--threshold", "2"]);
    assert_eq!(share.status.code(), Some(2), "{}", stderr(&share));
}
