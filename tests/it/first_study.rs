//! The labelling project among the samples: made again from its tables, it comes to what is written beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::files::copy_folder;

const METRICS: &str = "ssim/uniform7,component_similarity/canvas";

pub(crate) fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs")
}

/// What `pentimento label` prints, run in a folder.
pub(crate) fn label(dir: &Path, line: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    let workspace = dir.join("workspace");
    command.env("PENTIMENTO_WORKSPACE", workspace).current_dir(dir).arg("label").args(line);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{line:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A copy of the samples: a project that is opened is written to.
pub(crate) fn copied() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for part in ["labels", "runs", "modification", "replication", "taskset.json"] {
        let from = samples().join(part);
        if from.is_dir() {
            copy_folder(&from, &dir.path().join(part));
        } else {
            fs::copy(from, dir.path().join(part)).unwrap();
        }
    }
    dir
}

fn finals(report: &str) -> Vec<Value> {
    let report: Value = serde_json::from_str(report).unwrap();
    let forms = report["forms"].as_array().unwrap().iter();
    forms.map(|form| form["final_answers"].clone()).collect()
}

#[test]
fn made_again_from_its_tables_it_comes_to_the_same() {
    let dir = copied();
    let dir = dir.path();
    let project = "labels/first-study.labels";
    let said = label(dir, &["verify", project]);
    assert!(said.contains("every answer fits its form"), "{said}");
    let report = ["report", project, "--metrics", "--only", METRICS];
    let written = fs::read_to_string(dir.join("labels/first-study.txt")).unwrap();
    assert_eq!(label(dir, &report), written, "what is written beside it is not what it comes to");
    let before = finals(&label(dir, &["report", project, "--json"]));

    fs::remove_file(dir.join(project)).unwrap();
    let forms = ["--form", "pairwise-preference", "--form", "ndec", "--form", "canvas-errors"];
    let people = ["--person", "careful", "--person", "hurried", "--person", "lenient"];
    let mut line = vec!["new", project, "runs", "labels/runs", "--tasks", "."];
    line.extend(forms.into_iter().chain(people));
    line.extend(["--name", "First study (scripted annotators)"]);
    label(dir, &line);
    let mut tables: Vec<PathBuf> = fs::read_dir(dir.join("labels/answers"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    tables.sort();
    assert_eq!(tables.len(), 6);
    for table in &tables {
        label(dir, &["import", project, table.to_str().unwrap()]);
    }
    let mut settle = vec!["settle", project, "--item", "f6df05f79faf1573"];
    settle.extend(["--form", "pairwise-preference", "--question", "preference"]);
    settle.extend(["--value", "first", "--as", "lead"]);
    settle.extend(["--note", "The switch of the other one has two colours."]);
    label(dir, &settle);
    assert_eq!(label(dir, &report), written);
    assert_eq!(finals(&label(dir, &["report", project, "--json"])), before);
}

#[test]
fn its_figures_are_one_page_that_needs_nothing_else() {
    let dir = copied();
    let dir = dir.path();
    let project = "labels/first-study.labels";
    label(dir, &["report", project, "--metrics", "--only", METRICS, "--out", "study.html"]);
    let page = fs::read_to_string(dir.join("study.html")).unwrap();
    for none in ["<script", "http:", "https:", "<link", "url(", "@import", "onload"] {
        assert!(!page.contains(none), "{none}");
    }
    // Its numbers are those of the report, not of the drawing.
    let report = label(dir, &["report", project, "--metrics", "--only", METRICS, "--json"]);
    let report: Value = serde_json::from_str(&report).unwrap();
    for form in report["forms"].as_array().unwrap() {
        assert!(page.contains(form["form"].as_str().unwrap()));
        for question in form["questions"].as_array().unwrap() {
            if let Some(alpha) = question["alpha"].as_f64() {
                let alpha = format!("{alpha:.2}").replace('-', "−");
                assert!(page.contains(&alpha), "{question}");
            }
        }
    }
    assert!(page.contains("24a213cb7669d864"), "the disagreement is listed");
    // Well-formed: what is opened is closed.
    for tag in ["svg", "figure", "article", "table", "tbody", "figcaption", "text", "title"] {
        let opened =
            page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}
