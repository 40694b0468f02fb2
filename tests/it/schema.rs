//! The JSON Schemas in `assets/schema`: current, and true of what is written.
//!
//! Run with `UPDATE_SCHEMAS=1` to write them anew.

use std::fs;
use std::path::PathBuf;

use pentimento::agent::batch::Experiment;
use pentimento::agent::program::Message;
use pentimento::label::Form;
use pentimento::metric::transformation::Checks;
use pentimento::model::program::PairMessage;
use pentimento::run::{AgentRef, Event, ImageRef, Manifest, Outcome, TaskRef, Usage};
use pentimento::study::{StudyEvent, StudyPlan};
use pentimento::task::TaskSetFile;
use serde_json::{Value, json};

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/schema").join(name)
}

fn schemas() -> [(&'static str, Value); 10] {
    [
        ("run.schema.json", Manifest::json_schema()),
        ("event.schema.json", Event::json_schema()),
        ("taskset.schema.json", TaskSetFile::json_schema()),
        ("checks.schema.json", Checks::json_schema()),
        ("agent-protocol.schema.json", Message::json_schema()),
        ("metric-protocol.schema.json", PairMessage::json_schema()),
        ("experiment.schema.json", Experiment::json_schema()),
        ("form.schema.json", Form::json_schema()),
        ("study.schema.json", StudyPlan::json_schema()),
        ("study-event.schema.json", StudyEvent::json_schema()),
    ]
}

fn validate(schema: &Value, instance: &Value) -> Result<(), String> {
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.validate(instance).map_err(|error| format!("{error}: {instance}"))
}

#[test]
fn the_schemas_in_assets_are_those_of_the_types() {
    for (name, schema) in schemas() {
        let text = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if std::env::var_os("UPDATE_SCHEMAS").is_some() {
            fs::create_dir_all(file("")).unwrap();
            fs::write(file(name), &text).unwrap();
        }
        let kept = fs::read_to_string(file(name)).unwrap();
        assert_eq!(kept, text, "{name} is old: run the tests with UPDATE_SCHEMAS=1");
    }
}

#[test]
fn every_kind_of_event_is_as_its_schema_says() {
    let image = ImageRef { file: format!("{}.png", "0".repeat(32)), width: 1, height: 1 };
    let samples = [
        json!({"event": "turn", "turn": 1, "at": "2026-01-02T03:04:05Z"}),
        json!({"event": "thought", "turn": 1, "text": "…"}),
        json!({"event": "call", "turn": 1, "step": 1, "category": "style",
            "call": {"id": "a", "name": "set_opacity", "arguments": {"nodeId": "1:2"}}}),
        json!({"event": "outcome", "step": 1, "text": "", "latency_ms": 1.5,
            "failure": {"class": "unknown_node", "message": "no"}}),
        json!({"event": "observation", "turn": 1, "image": image}),
        json!({"event": "usage", "turn": 1, "usage": Usage::default()}),
        json!({"event": "note", "text": ""}),
        json!({"event": "error", "text": ""}),
        json!({"event": "human_action", "action": "drag", "detail": null}),
        json!({"event": "turn_end", "turn": 1, "seconds": 0.1}),
    ];
    let schema = Event::json_schema();
    for (sample, kind) in samples.iter().zip(Event::KINDS) {
        assert_eq!(sample["event"], kind);
        validate(&schema, sample).unwrap();
        let event: Event = serde_json::from_value(sample.clone()).unwrap();
        validate(&schema, &serde_json::to_value(event).unwrap()).unwrap();
    }
    assert_eq!(samples.len(), Event::KINDS.len());
    assert!(validate(&schema, &json!({"event": "turn"})).is_err());
    assert!(validate(&schema, &json!({"event": "dream"})).is_err());
}

#[test]
fn a_manifest_is_as_its_schema_says() {
    let task = TaskRef { set: "s".into(), id: "t".into() };
    let agent = AgentRef { kind: "tracer".into(), name: "tracer".into(), version: None };
    let mut manifest = Manifest::new(task, agent, "2026-01-02T03:04:05Z");
    for outcome in [Outcome::Running, Outcome::Failed("why".into()), Outcome::Cancelled] {
        manifest.outcome = outcome;
        validate(&Manifest::json_schema(), &serde_json::to_value(&manifest).unwrap()).unwrap();
    }
    assert!(validate(&Manifest::json_schema(), &json!({"format": "pentimento/run"})).is_err());
}

#[test]
fn a_task_set_is_as_its_schema_says() {
    let set = json!({
        "format": "pentimento/taskset", "version": 1, "id": "own", "name": "Own",
        "tasks": [{
            "id": "a", "kind": "mode_change", "instruction": "Make it dark.",
            "start": {"document": "a.json"}, "ground_truth": {"picture": "a.png"},
            "canvas_size": {"width": 375, "height": 812}
        }]
    });
    validate(&TaskSetFile::json_schema(), &set).unwrap();
    let mut bad = set;
    bad["tasks"][0]["kind"] = json!("paint");
    assert!(validate(&TaskSetFile::json_schema(), &bad).is_err());
}

#[test]
fn kept_studies_and_their_events_are_as_their_schemas_say() {
    let kept = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz");
    for name in ["within", "between"] {
        let text = fs::read(kept.join("study-plans").join(format!("{name}.json"))).unwrap();
        let mut plan: Value = serde_json::from_slice(&text).unwrap();
        validate(&StudyPlan::json_schema(), &plan).unwrap();
        assert_eq!(serde_json::from_value::<StudyPlan>(plan.clone()).unwrap().check(), Ok(()));
        plan["arrangement"] = json!("both");
        assert!(validate(&StudyPlan::json_schema(), &plan).is_err());
    }
    let lines = fs::read_to_string(kept.join("study-events/task.jsonl")).unwrap();
    assert!(lines.lines().count() > 10);
    for line in lines.lines() {
        validate(&StudyEvent::json_schema(), &serde_json::from_str(line).unwrap()).unwrap();
    }
    assert!(validate(&StudyEvent::json_schema(), &json!({"event": "dream"})).is_err());
}

#[test]
fn the_forms_of_the_program_are_as_their_schema_says() {
    let schema = Form::json_schema();
    let forms = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("assets/forms");
    let mut count = 0;
    for entry in fs::read_dir(forms).unwrap() {
        let path = entry.unwrap().path();
        let form: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        validate(&schema, &form).unwrap();
        assert_eq!(path.file_stem().unwrap().to_str(), form["id"].as_str());
        count += 1;
    }
    assert_eq!(
        count,
        pentimento::label::form::builtin_forms().len(),
        "each is part of the program"
    );
}
