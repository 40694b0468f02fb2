//! What the packages lay out is what the program looks for.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use pentimento::base::shipped;
use serde_json::{Value, json};

/// Names the folder that the child below has to find everything in.
const PLACE_VARIABLE: &str = "PENTIMENTO_TEST_INSTALLED";

/// The program as a package installs it below a folder of its own, which lies where the test's binary
/// can be linked to.
fn installed() -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = dir.path().join("installed");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut build = Command::new(root.join("assets/package/build"));
    build.args(["--binary", env!("CARGO_BIN_EXE_pentimento"), "--layout"]).arg(&place);
    let output = build.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (dir, place)
}

#[test]
#[ignore = "the child of what_comes_with_the_program_is_found_where_the_packages_lay_it"]
fn finds_what_comes_with_it_beside_itself() {
    let place = std::env::var_os(PLACE_VARIABLE).expect("only the test below runs this");
    for name in [
        "sample_runs",
        "sample_runs/taskset.json",
        "sample_runs/labels/first-study.labels",
        "assets/models/all-MiniLM-L6-v2/model.onnx",
        "assets/models/all-MiniLM-L6-v2/tokenizer.json",
    ] {
        let found = shipped(name).unwrap();
        assert_eq!(found, Path::new(&place).join("usr/share/pentimento").join(name));
    }
}

#[test]
fn what_comes_with_the_program_is_found_where_the_packages_lay_it() {
    let (_dir, place) = installed();
    // A program beside the installed one, which is asked where it finds things.
    let asked = place.join("usr/bin/asked");
    fs::hard_link(std::env::current_exe().unwrap(), &asked).unwrap();
    let mut child = Command::new(&asked);
    child.args(["--exact", "packages::finds_what_comes_with_it_beside_itself", "--ignored"]);
    let output = child.env(PLACE_VARIABLE, &place).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
    // All of the samples, and nothing of the sources that nobody committed.
    let samples = place.join("usr/share/pentimento/sample_runs");
    assert!(samples.join("runs/own-samples/quiz-progress/scripted-01/run.json").is_file());
    assert!(!samples.join("runs/own-samples/quiz-progress/scripted-01/run.lock").exists());
}

#[test]
fn an_installed_program_goes_by_its_own_sentence_model() {
    let (dir, place) = installed();
    let captions = dir.path().join("captions.json");
    let pair = json!([{"case_id": "1", "gt_caption": "a red button", "gen_caption": "a red key"}]);
    fs::write(&captions, pair.to_string()).unwrap();
    let picture = place.join("usr/share/pentimento/sample_runs/replication/basket.png");
    let similarity = || {
        let mut metric = Command::new(place.join("usr/bin/pentimento"));
        metric.arg("metric").arg("--gt").arg(&picture).arg("--gen").arg(&picture);
        metric.args(["--case", "1", "--json", "--captions"]).arg(&captions);
        let output = metric.stdin(Stdio::null()).output().unwrap();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut scores = json["metrics"].as_array().unwrap().iter();
        scores.find(|score| score["id"] == "caption_similarity/minilm").cloned().unwrap()
    };
    assert!(similarity()["value"].as_f64().is_some_and(|value| value > 0.3), "{}", similarity());
    // Its own, and not that of the sources, which is whole.
    let model = place.join("usr/share/pentimento/assets/models/all-MiniLM-L6-v2/model.onnx");
    fs::write(&model, "no network").unwrap();
    let score = similarity();
    assert!(score["value"].is_null(), "{score}");
    assert!(score["message"].as_str().unwrap().contains(model.to_str().unwrap()), "{score}");
}

#[test]
fn nothing_is_laid_out_where_something_lies() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("mine"), "words").unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut build = Command::new(root.join("assets/package/build"));
    build.args(["--binary", env!("CARGO_BIN_EXE_pentimento"), "--layout"]).arg(dir.path());
    let output = build.output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("not empty"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}
