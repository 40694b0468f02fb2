//! `pentimento assist`, run as people run it.

use std::path::Path;

use serde_json::Value;

use crate::cli::{assert_fails, program, run, stderr, stdout};

fn sample(name: &str) -> String {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample_runs/modification");
    samples.join(name).display().to_string()
}

fn json(arguments: &[&str]) -> Value {
    let output = program().arg("assist").args(arguments).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

#[test]
fn all_steps_lead_to_the_goal_and_then_there_is_none() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.json");
    let (base, goal) = (sample("quiz-progress-base.json"), sample("quiz-progress-target.json"));
    let out = out.to_str().unwrap();
    let made = json(&[&base, "--goal", &goal, "--all", "--apply", out]);
    assert_eq!((&made["knows_the_goal"], &made["distance_after"]), (&true.into(), &0.into()));
    let steps = made["steps"].as_array().unwrap();
    assert!(!steps.is_empty());
    for step in steps {
        assert!(!step["words"].as_str().unwrap().is_empty());
        assert!(!step["hunks"].as_array().unwrap().is_empty(), "{step}");
        assert!(!step["ghost"].as_array().unwrap().is_empty(), "{step}");
    }
    let after = run(["assist", out, "--goal", &goal]);
    let text = stdout(&after);
    assert!(text.contains("knows the answer") && text.contains("Nothing is different"), "{text}");
    // It is a design like any other, and looks like the goal.
    let [made, wanted] = [out, &goal].map(|design| {
        let picture = dir.path().join("picture.png");
        assert!(run(["render", design, picture.to_str().unwrap()]).status.success());
        std::fs::read(picture).unwrap()
    });
    assert!(made == wanted);
}

#[test]
fn without_apply_nothing_is_written_and_steps_are_numbered() {
    let (base, goal) = (sample("timer-shape-base.json"), sample("timer-shape-target.json"));
    let before = std::fs::read(&base).unwrap();
    let output = run(["assist", &base, "--goal", &goal, "--steps", "2"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(text.contains("\n1. ") && !text.contains("\n3. "), "{text}");
    assert!(text.contains("Distance to the goal then: "), "{text}");
    assert_eq!(std::fs::read(&base).unwrap(), before);
    let only = run(["assist", &base, "--goal", &goal, "--level", "what"]);
    assert!(!stdout(&only).contains('→'), "{}", stdout(&only));
}

#[test]
fn what_was_taken_is_logged_and_measured() {
    let dir = tempfile::tempdir().unwrap();
    let [log, out] = ["work.jsonl", "out.json"].map(|name| dir.path().join(name));
    let (log, out) = (log.to_str().unwrap(), out.to_str().unwrap());
    let (base, goal) = (sample("recipe-tip-base.json"), sample("recipe-tip-target.json"));
    // One step is taken, the next only shown.
    json(&[&base, "--goal", &goal, "--apply", out, "--log", log]);
    json(&[out, "--goal", &goal, "--log", log]);
    let acts: Vec<String> = std::fs::read_to_string(log)
        .unwrap()
        .lines()
        .map(|line| {
            let event: Value = serde_json::from_str(line).unwrap();
            event["act"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(acts[..2], ["task_began", "distance"]);
    assert_eq!(acts[2..6], ["request", "offered", "shown", "taken"]);
    assert_eq!(acts[acts.len() - 3..], ["request", "offered", "shown"]);
    let measures = run(["assist", "--measures", log, "--json"]);
    let measures: Value = serde_json::from_str(&stdout(&measures)).unwrap();
    assert_eq!((&measures["shown"], &measures["acceptance"]), (&2.into(), &0.5.into()));
    assert_eq!((&measures["kept"], &measures["edited_after"]), (&1.0.into(), &0.0.into()));
    assert_eq!(measures["over_reliance"], Value::Null, "nothing wrong was shown");
    let table = stdout(&run(["assist", "--measures", log]));
    assert!(table.contains("50.0 %") && table.contains("not recorded"), "{table}");
}

#[test]
fn some_changes_of_a_step_can_be_taken() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out.json");
    let out = out.to_str().unwrap();
    let (base, goal) = (sample("quiz-progress-base.json"), sample("quiz-progress-target.json"));
    let bad = run(["assist", &base, "--goal", &goal, "--apply", out, "--take", "99"]);
    assert_fails(&bad, &["no number 99"]);
    let none = run(["assist", &base, "--goal", &goal, "--apply", out, "--take", "0"]);
    assert_fails(&none, &["no number 0"]);
    assert!(!Path::new(out).exists());
    let taken = json(&[&base, "--goal", &goal, "--apply", out, "--take", "1"]);
    assert_eq!(taken["steps"].as_array().unwrap().len(), 1);
    assert!(Path::new(out).exists());
}

#[test]
fn without_a_goal_flaws_are_mended() {
    let dir = tempfile::tempdir().unwrap();
    let [design, out] = ["design.json", "out.json"].map(|name| dir.path().join(name));
    let (design, out) = (design.to_str().unwrap(), out.to_str().unwrap());
    write_cards(Path::new(design));
    let made = json(&[design, "--all", "--apply", out]);
    assert_eq!((&made["knows_the_goal"], &made["distance_after"]), (&false.into(), &Value::Null));
    assert_eq!((&made["brief"], &made["amiss_after"]), (&Value::Null, &0.into()));
    let [step] = made["steps"].as_array().unwrap().as_slice() else { panic!("{made}") };
    assert_eq!(step["hunks"][0]["node"], "1:4");
    assert_eq!(
        (&step["hunks"][0]["from"], &step["hunks"][0]["to"]),
        (&"143, 60".into(), &"140, 60".into())
    );
    assert!(step["why"].as_str().unwrap().starts_with("uneven gap: "), "{step}");
    assert_eq!(step["calls"][0]["name"], "move_node");
    assert_eq!(step["calls"][0]["arguments"]["x"], 140.0);
    let after = run(["assist", out]);
    assert!(stdout(&after).contains("Nothing is amiss"), "{}", stdout(&after));
}

/// A screen with five cards in a row, of which the third lies off by 3 px.
fn write_cards(design: &Path) {
    let cards = [("1:2", 20.0), ("1:3", 80.0), ("1:4", 143.0), ("1:5", 200.0), ("1:6", 260.0)];
    let cards = cards.map(|(id, x)| {
        format!(
            r#"{{"id": "{id}", "name": "Card {id}", "type": "RECTANGLE",
            "absoluteBoundingBox": {{"x": {x}, "y": 60, "width": 40, "height": 40}},
            "fills": [{{"type": "SOLID", "color": {{"r": 0.8, "g": 0.8, "b": 0.8, "a": 1}}}}]}}"#
        )
    });
    let cards = cards.join(", ");
    let text = format!(
        r#"{{"document": {{"id": "1:1", "name": "Screen", "type": "FRAME", "clipsContent": true,
        "absoluteBoundingBox": {{"x": 0, "y": 0, "width": 340, "height": 200}},
        "fills": [{{"type": "SOLID", "color": {{"r": 1, "g": 1, "b": 1, "a": 1}}}}],
        "children": [{cards}]}}}}"#
    );
    std::fs::write(design, text).unwrap();
}

#[test]
fn what_a_brief_asks_comes_before_what_is_amiss_anyway() {
    let dir = tempfile::tempdir().unwrap();
    let [design, out] = ["design.json", "out.json"].map(|name| dir.path().join(name));
    let (design, out) = (design.to_str().unwrap(), out.to_str().unwrap());
    write_cards(Path::new(design));
    let brief = "Background: navy blue";
    let text = stdout(&run(["assist", design, "--brief", brief]));
    assert!(text.contains("With a brief") && text.contains("asked in the brief"), "{text}");
    let made = json(&[design, "--brief", brief, "--all", "--apply", out]);
    let steps = made["steps"].as_array().unwrap();
    let reasons: Vec<&str> = steps.iter().map(|step| step["why"].as_str().unwrap()).collect();
    let [asked, gap] = reasons.as_slice() else { panic!("{made}") };
    assert!(asked.starts_with("asked in the brief: background"), "{asked}");
    assert!(gap.starts_with("uneven gap: "), "{gap}");
    assert_eq!(made["brief"]["words"], brief);
    assert_eq!(made["brief"]["unmet_after"], Value::Array(Vec::new()));
    assert_eq!(made["amiss_after"], 0);
    // Of a picture that is missing it is said that it stays so.
    let brief = "Background: navy blue\nPhoto: an old lighthouse";
    let text = stdout(&run(["assist", out, "--brief", brief]));
    assert!(text.contains("Nothing is amiss that can be mended"), "{text}");
    assert!(text.contains("Not met then: ") && text.contains("lighthouse"), "{text}");
}

#[test]
fn a_brief_in_a_file_is_followed_to_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let [design, out, brief] =
        ["design.json", "out.json", "brief.txt"].map(|name| dir.path().join(name));
    let page = serde_json::json!({"document": {
        "id": "1:1", "name": "Screen", "type": "FRAME", "clipsContent": true,
        "absoluteBoundingBox": {"x": 0, "y": 0, "width": 393, "height": 852},
        "fills": [{"type": "SOLID", "color": {"r": 1, "g": 1, "b": 1, "a": 1}}], "children": [],
    }});
    std::fs::write(&design, page.to_string()).unwrap();
    let words = format!("{}\nMake it feel like summer", super::brief::WORDS);
    std::fs::write(&brief, &words).unwrap();
    let [design, out, brief] = [&design, &out, &brief].map(|path| path.to_str().unwrap());
    let made = json(&[design, "--brief-file", brief, "--all", "--apply", out]);
    assert_eq!(made["brief"]["words"], words);
    assert_eq!(made["brief"]["not_checked"], serde_json::json!(["make it feel like summer"]));
    assert_eq!(made["brief"]["unmet_after"], Value::Array(Vec::new()), "{made}");
    let written = std::fs::read_to_string(out).unwrap();
    assert!(written.contains("\"Blue Notes\"") && written.contains("\"7 May\""), "{written}");
    let text = stdout(&run(["assist", out, "--brief-file", brief]));
    assert!(text.contains("Not checked: make it feel like summer"), "{text}");
    assert!(!text.contains("Not met"), "{text}");
}

#[test]
fn a_brief_that_says_nothing_is_refused_with_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("brief.txt");
    let brief = file.to_str().unwrap();
    let base = sample("timer-shape-base.json");
    assert_fails(&run(["assist", &base, "--brief", "something nice"]), &["nothing was read"]);
    assert_fails(&run(["assist", &base, "--brief-file", brief]), &["the brief", "brief.txt"]);
    std::fs::write(&file, [0xff, 0xfe, 0]).unwrap();
    assert_fails(&run(["assist", &base, "--brief-file", brief]), &["not UTF-8"]);
    std::fs::write(&file, "x".repeat(4_001)).unwrap();
    assert_fails(&run(["assist", &base, "--brief-file", brief]), &["4001 characters", "4000"]);
    let both = ["assist", base.as_str(), "--brief", "\"A\"", "--goal", base.as_str()];
    assert_eq!(program().args(both).output().unwrap().status.code(), Some(2));
}

#[test]
fn wrong_files_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let [log, missing] = ["work.jsonl", "missing.json"].map(|name| dir.path().join(name));
    let (log, missing) = (log.to_str().unwrap(), missing.to_str().unwrap());
    assert_fails(&run(["assist", missing]), &["cannot open", "missing.json"]);
    let base = sample("timer-shape-base.json");
    assert_fails(&run(["assist", &base, "--goal", missing]), &["the goal", "missing.json"]);
    std::fs::write(log, "{\"at\": 1, \"act\": \"task_ended\"}\n{\"at\": 2}\n").unwrap();
    assert_fails(&run(["assist", "--measures", log]), &["line 2", "work.jsonl"]);
    std::fs::write(log, "").unwrap();
    assert_fails(&run(["assist", "--measures", log]), &["no events"]);
    // Nothing takes the place of what it is made from.
    let own = dir.path().join("own.json");
    std::fs::copy(&base, &own).unwrap();
    let own = own.to_str().unwrap();
    assert_fails(&run(["calls", own, own]), &["would replace the design"]);
    let applied = run(["assist", &base, "--goal", own, "--apply", own]);
    assert_fails(&applied, &["would replace the goal"]);
    assert!(std::fs::read(own).unwrap() == std::fs::read(&base).unwrap());
    for arguments in [vec!["assist"], vec!["assist", base.as_str(), "--take", "1"]] {
        let output = program().args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}
