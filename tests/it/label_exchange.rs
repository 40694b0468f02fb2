//! Answers out to other programs and in again, by the real program.

use serde_json::{Value, json};

use crate::label::{Place, text};

/// A project of two forms with four answers, among them what is hard to write down.
pub(crate) fn answered() -> Place {
    let place = Place::new(&["--form", "canvas-errors", "--form", "likert"]);
    let items = place.items();
    let marks = json!([{"option": "text_overlap", "severity": 2,
        "place": {"step": 3}, "note": "a \"title\" | <b>"}]);
    let mut lines = String::new();
    for (person, item, values) in [
        ("ada", 0, json!({"form": "canvas-errors", "has_errors": true, "errors": marks})),
        ("bo", 0, json!({"form": "canvas-errors", "has_errors": "no", "seconds": 4.5})),
        (
            "ada",
            1,
            json!({"form": "likert", "rating": 4, "reason": "so | so, \"…\"",
            "note": "[1] first", "unsure": true, "seconds": 2}),
        ),
        ("zoë & co", 1, json!({"form": "likert", "rating": 1})),
    ] {
        let mut line = values;
        line["person"] = person.into();
        line["item"] = items[item].clone().into();
        lines.extend([line.to_string().as_str(), "\n"]);
    }
    place.ok("import", &[&place.write("answers.jsonl", &lines)]);
    place
}

/// Every answer of a project, in an order of its own: marks are no cell of a table.
pub(crate) fn whole(place: &Place) -> Vec<Value> {
    let lines = place.ok("export", &["--format", "jsonl"]);
    let lines = lines
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut answers: Vec<Value> = lines
        .map(|it| json!([it["person"], it["item"], it["form"], it["answer"], it["millis"]]))
        .collect();
    answers.sort_by_key(ToString::to_string);
    answers
}

#[test]
fn answers_go_to_label_studio_and_prodigy_and_come_back_as_they_were() {
    let place = answered();
    let unnamed = place.run("export", &["--format", "prodigy"]);
    assert!(text(&unnamed.stderr).contains("say which form, by --form: canvas-errors, likert"));
    for (format, extension) in [("label-studio", "json"), ("prodigy", "jsonl")] {
        let other = Place::new(&["--form", "canvas-errors", "--form", "likert"]);
        for form in ["canvas-errors", "likert"] {
            let out = place.ok("export", &["--format", format, "--form", form]);
            assert!(!out.contains("scripted") && !out.contains("tracer"), "nobody's name: {out}");
            let file = other.write(&format!("{form}.{extension}"), &out);
            let taken = other.ok("import", &[&file, "--format", format]);
            assert!(taken.contains("2 answers"), "{taken}");
        }
        assert_eq!(whole(&other), whole(&place), "{format}");
        assert!(other.ok("verify", &[]).contains("every answer fits its form"));
    }
}

#[test]
fn files_are_as_label_studio_and_prodigy_document_them() {
    let place = answered();
    let items = place.items();
    // As Label Studio documents its JSON and tags.
    let tasks: Value = serde_json::from_str(
        &place.ok("export", &["--format", "label-studio", "--form", "likert"]),
    )
    .unwrap();
    assert_eq!(tasks.as_array().unwrap().len(), items.len());
    let task = tasks.as_array().unwrap().iter().find(|it| it["data"]["item"] == *items[1]).unwrap();
    let rating = &task["annotations"][0]["result"][0];
    assert_eq!((&rating["from_name"], &rating["to_name"]), (&"rating".into(), &"about".into()));
    assert_eq!((&rating["type"], &rating["value"]["rating"]), (&"rating".into(), &4.into()));
    let config =
        place.ok("export", &["--format", "label-studio-config", "--form", "canvas-errors"]);
    let xml = usvg::roxmltree::Document::parse(&config).unwrap();
    let named = |tag: &str| {
        let nodes = xml.descendants().filter(|node| node.has_tag_name(tag));
        nodes.filter_map(|node| Some(node.attribute("name")?.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(named("Choices"), ["has_errors", "unsure"]);
    assert_eq!(
        (named("TextArea"), named("Text")),
        (vec!["errors".into(), "note".into()], vec!["about".into()])
    );
    // As Prodigy documents its lines: hashes of 32 bits, the same for the same input.
    let out = place.ok("export", &["--format", "prodigy", "--form", "likert"]);
    let lines: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for line in &lines {
        for hash in ["_input_hash", "_task_hash"] {
            assert!(i32::try_from(line[hash].as_i64().unwrap()).is_ok());
        }
    }
    let answered: Vec<&Value> = lines.iter().filter(|it| it["answer"] == "accept").collect();
    assert_eq!(answered.len(), 3);
    assert_eq!(answered[0]["_input_hash"], answered[1]["_input_hash"]);
    assert_eq!(answered[0]["_task_hash"], answered[1]["_task_hash"]);
    assert_ne!(answered[0]["_task_hash"], answered[2]["_task_hash"]);
    assert_eq!(answered[0]["accept"], json!(["4"]));
}

#[test]
fn what_comes_from_another_program_and_is_odd_is_refused_whole() {
    let place = answered();
    let out = place.ok("export", &["--format", "prodigy", "--form", "likert"]);
    let odd = |name: &str, content: &str, format: &str, said: &str| {
        let file = place.write(name, content);
        let err = text(&place.run("import", &[&file, "--format", format]).stderr);
        assert!(err.contains(said), "{said}: {err}");
    };
    odd("a.json", "{\"id\": 1}", "label-studio", "not Label Studio's JSON");
    odd(
        "b.json",
        "[{\"id\": 7, \"data\": {\"item\": \"x\", \"form\": \"likert\"}, \"annotations\": [{\"completed_by\": 3}]}]",
        "label-studio",
        "task 1 (id 7) of",
    );
    odd(
        "c.jsonl",
        "{\"text\": \"a\", \"answer\": \"accept\"}",
        "prodigy",
        "its meta names no question",
    );
    let twice = out.lines().find(|line| line.contains("\"accept\":[")).unwrap();
    odd("d.jsonl", &format!("{twice}\n{twice}\n"), "prodigy", "answered rating of");
    assert_eq!(whole(&place).len(), 4, "nothing of it was taken in");
}
