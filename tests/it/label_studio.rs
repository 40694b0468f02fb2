//! Label Studio's own library as the judge: it reads what is written for it, and what it exports is read here.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use pentimento::label::form::builtin_form;

use crate::first_study;
use crate::label::{Place, text};
use crate::label_exchange::{answered, whole};
use crate::ranking;
use crate::tools;

/// The formats that it exports, as files of the judge.
const EXPORTS: [&str; 4] = ["json.json", "json_min.json", "csv.csv", "tsv.tsv"];

/// What Label Studio's library says of a config, and of tasks, which it exports into the folder; `None` where it is
/// not installed.
fn judged(dir: &Path, config: &str, tasks: Option<&str>) -> Option<Value> {
    let python = tools::path("label-studio-python/bin/python")?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/label_studio/judge.py");
    fs::write(dir.join("config.xml"), config).unwrap();
    let mut command = Command::new(python);
    command.args([script, "config.xml"]).env("HOME", dir).current_dir(dir);
    if let Some(tasks) = tasks {
        fs::write(dir.join("tasks.json"), tasks).unwrap();
        command.args(["tasks.json", "."]);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}

/// Forms about runs and pairs with questions of every kind that Label Studio has a control for.
const FORMS: [&str; 8] = [
    "pairwise-preference",
    "ndec",
    "canvas-errors",
    "likert",
    "psbench-errors",
    "image-edit-shortcomings",
    "free-text",
    "usefulness",
];

#[test]
fn label_studio_reads_the_config_of_every_form() {
    let mut line: Vec<&str> = Vec::new();
    for form in FORMS {
        line.extend(["--form", form]);
    }
    let place = Place::new(&line);
    for id in FORMS {
        let config = place.ok("export", &["--format", "label-studio-config", "--form", id]);
        let Some(found) = judged(place.dir.path(), &config, None) else { return };
        let form = builtin_form(id).unwrap();
        for question in &form.questions {
            let control = &found["controls"][&question.id];
            assert!(control.is_string(), "{id}: {}: {found}", question.id);
            assert_eq!(control, &found["outputs"][&question.id], "its two parsers: {id}");
            if control == "Choices" {
                let values = question.answer.values();
                assert_eq!(found["choices"][&question.id], json!(values), "{id}: {}", question.id);
            }
        }
        assert_eq!(
            (&found["controls"]["note"], &found["controls"]["unsure"]),
            (&json!("TextArea"), &json!("Choices"))
        );
    }
    // A config that is none is told as one: the judge can say no.
    let broken = place.dir.path().join("broken.xml");
    fs::write(&broken, "<View><Rating name=\"a\" toName=\"nobody\"/></View>").unwrap();
    let python = tools::path("label-studio-python/bin/python").unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/label_studio/judge.py");
    let said = Command::new(python).arg(script).arg(&broken).output().unwrap();
    assert!(!said.status.success(), "{}", text(&said.stdout));
}

#[test]
fn what_label_studio_exports_comes_back_as_it_was() {
    let place = answered();
    let wanted = whole(&place);
    for export in EXPORTS {
        let other = Place::new(&["--form", "canvas-errors", "--form", "likert"]);
        for form in ["canvas-errors", "likert"] {
            let config = place.ok("export", &["--format", "label-studio-config", "--form", form]);
            let tasks = place.ok("export", &["--format", "label-studio", "--form", form]);
            let dir = tempfile::tempdir().unwrap();
            let Some(found) = judged(dir.path(), &config, Some(&tasks)) else { return };
            assert_eq!((&found["annotations"], &found["wrong"]), (&json!(2), &json!([])), "{form}");
            let file = dir.path().join(export);
            let taken = other.ok("import", &[file.to_str().unwrap(), "--format", "label-studio"]);
            assert!(taken.contains("2 answers"), "{export}: {taken}");
        }
        assert_eq!(whole(&other), wanted, "{export}");
        assert!(other.ok("verify", &[]).contains("every answer fits its form"));
    }
}

#[test]
fn what_is_chosen_of_several_comes_back_from_every_export() {
    let form = ["--form", "image-edit-shortcomings"];
    let place = Place::new(&form);
    let items = place.items();
    let lines = [
        json!({"person": "ada", "item": items[0], "shortcomings": "quality|unnatural", "unsure": true}),
        json!({"person": "bo", "item": items[0], "shortcomings": "quality", "note": "{\"a\": [1, 2]}"}),
        json!({"person": "cy", "item": items[1], "shortcomings": "none", "note": "a\tb,\n\"c\"", "seconds": 1.25}),
    ];
    let lines = lines.map(|line| line.to_string()).join("\n");
    place.ok("import", &[&place.write("answers.jsonl", &lines)]);
    let config = place.ok("export", &["--format", "label-studio-config"]);
    let tasks = place.ok("export", &["--format", "label-studio"]);
    let dir = tempfile::tempdir().unwrap();
    let Some(found) = judged(dir.path(), &config, Some(&tasks)) else { return };
    assert_eq!((&found["annotations"], &found["wrong"]), (&json!(3), &json!([])));
    for export in EXPORTS {
        let other = Place::new(&form);
        let file = dir.path().join(export);
        other.ok("import", &[file.to_str().unwrap(), "--format", "label-studio"]);
        assert_eq!(whole(&other), whole(&place), "{export}");
    }
    // Whom Label Studio knows by a number is called the same, whatever it exports.
    let mut tasks: Value = serde_json::from_str(&tasks).unwrap();
    for task in tasks.as_array_mut().unwrap() {
        for annotation in task["annotations"].as_array_mut().unwrap() {
            annotation["completed_by"] = json!(7);
        }
        // One answer of one person an item.
        task["annotations"].as_array_mut().unwrap().truncate(1);
    }
    judged(dir.path(), &config, Some(&tasks.to_string())).unwrap();
    for export in EXPORTS {
        let other = Place::new(&form);
        let file = dir.path().join(export);
        other.ok("import", &[file.to_str().unwrap(), "--format", "label-studio"]);
        let answers = whole(&other);
        assert_eq!(answers.len(), 2, "{export}");
        assert!(answers.iter().all(|answer| answer[0] == "annotator 7"), "{export}: {answers:?}");
    }
}

#[test]
fn rankings_come_back_from_every_export() {
    let dir = ranking::answered();
    let wanted = ranking::all_answers(dir.path());
    let export = |format: &str| {
        first_study::label(dir.path(), &["export", "study.labels", "--format", format])
    };
    let (config, tasks) = (export("label-studio-config"), export("label-studio"));
    let out = tempfile::tempdir().unwrap();
    let Some(found) = judged(out.path(), &config, Some(&tasks)) else { return };
    assert_eq!((&found["annotations"], &found["wrong"]), (&json!(6), &json!([])));
    assert_eq!(found["controls"]["ranking"], "Ranker");
    let form = builtin_form("component-alignment").unwrap();
    for export in EXPORTS {
        let other = tempfile::tempdir().unwrap();
        ranking::study_of_queries(other.path(), form, 3);
        let file = out.path().join(export);
        let file = file.to_str().unwrap();
        let line = ["import", "study.labels", file, "--format", "label-studio"];
        first_study::label(other.path(), &line);
        assert_eq!(ranking::all_answers(other.path()), wanted, "{export}");
    }
}

#[test]
fn flat_exports_that_cannot_be_read_say_why_and_nothing_is_taken_in() {
    let place = Place::new(&["--form", "likert"]);
    let item = &place.items()[0];
    let odd = |name: &str, content: &str, said: &str| {
        let file = place.write(name, content);
        let err = text(&place.run("import", &[&file, "--format", "label-studio"]).stderr);
        assert!(err.contains(said), "{said}: {err}");
    };
    odd("a.csv", "a,b\n1,2\n", "it has no column `annotator`");
    odd("b.csv", "annotator,form,item\n\"\",likert,x\n", "there is no answer in");
    let rated = |who: &str| {
        format!(
            "[{{\"item\": \"{item}\", \"form\": \"likert\", \"id\": 4, \"rating\": [{{\"rating\": 3}}], \"annotator\": {who}}}]"
        )
    };
    odd("c.json", &rated("null"), "task 1 (id 4) of");
    odd("d.json", &rated("null"), "no person is named");
    odd("e.json", &rated("\"ada\"").replace(": 3}", ": 99}"), "task 1 (id 4) of");
    assert!(whole(&place).is_empty(), "nothing of it was taken in");
    let file = place.write("f.json", &rated("\"ada\""));
    assert!(place.ok("import", &[&file, "--format", "label-studio"]).contains("1 answers"));
    // Several texts of one note stand bare in a list.
    let noted =
        rated("\"bo\"").replace("\"annotator\"", "\"note\": [\"one\", \"two\"], \"annotator\"");
    let file = place.write("g.json", &noted);
    place.ok("import", &[&file, "--format", "label-studio"]);
    assert!(whole(&place).iter().any(|answer| answer.to_string().contains("one|two")));
}

#[test]
fn a_question_that_label_studio_has_a_column_for_is_refused_where_its_answers_are_lost() {
    let dir = tempfile::tempdir().unwrap();
    let mut form = serde_json::to_value(builtin_form("likert").unwrap()).unwrap();
    form["id"] = json!("renamed");
    form["questions"][0]["id"] = json!("lead_time");
    let file = dir.path().join("renamed.json");
    fs::write(&file, form.to_string()).unwrap();
    let place = Place::new(&["--form", file.to_str().unwrap()]);
    let item = &place.items()[0];
    let flat = json!([{"item": item, "form": "renamed", "lead_time": 3.5, "annotator": "ada"}]);
    let file = place.write("flat.json", &flat.to_string());
    let err = text(&place.run("import", &[&file, "--format", "label-studio"]).stderr);
    assert!(err.contains("what was answered to `lead_time` cannot be told"), "{err}");
    assert!(err.contains("export as JSON there"), "{err}");
}
