//! What comes back to a labelling project from elsewhere: a packet's file, and answers that other programs wrote.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use pentimento::label::{Event, Findings, Form, WriterId};
use pentimento::metric::stats::BootstrapPlan;
use pentimento::store::labels::LabelFile;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::campaign;
use crate::first_study::{copied, label};

/// A project of two forms, and what one person's packet of it holds after an answer each.
struct Study {
    dir: tempfile::TempDir,
    answers: Vec<Value>,
}

impl Study {
    fn new() -> Self {
        let study = Self { dir: copied(), answers: Vec::new() };
        let dir = study.dir.path();
        let mut line = vec!["new", "study.labels", "runs/own-samples/now-playing", "--tasks", "."];
        line.extend(["--form", "canvas-errors", "--form", "likert", "--person", "bo"]);
        label(dir, &line);
        label(dir, &["pack", "study.labels", "--for", "bo", "--out", "for-bo.labels"]);
        let item = items(&study.packet())[0].clone();
        let marks = json!([{"option": "text_overlap", "severity": 2, "place": {"step": 1}}]);
        let answers = vec![
            json!({"person": "bo", "item": item, "form": "canvas-errors", "has_errors": true,
                "errors": marks, "note": "so | so", "unsure": true, "seconds": 4.5}),
            json!({"person": "bo", "item": item, "form": "likert", "rating": 4, "seconds": 2}),
        ];
        std::fs::write(dir.join("answers.jsonl"), lines(&answers)).unwrap();
        std::fs::copy(study.packet(), study.unanswered()).unwrap();
        label(dir, &["import", "for-bo.labels", "answers.jsonl"]);
        Self { answers, ..study }
    }

    /// The same answers in the three formats that are read, as JSON; tables and Prodigy's have one a line.
    fn exported(&self) -> Vec<Value> {
        let mut told = vec![json!({"format": "table", "answers": self.answers})];
        for form in ["canvas-errors", "likert"] {
            let export = |format: &str| {
                let line = ["export", "for-bo.labels", "--form", form, "--format", format];
                label(self.dir.path(), &line)
            };
            let tasks: Value = serde_json::from_str(&export("label-studio")).unwrap();
            told.push(json!({"format": "label-studio", "answers": tasks}));
            let lines = export("prodigy");
            let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
            told.push(json!({"format": "prodigy", "answers": lines.collect::<Vec<_>>()}));
        }
        told
    }

    /// The packet before anything was answered.
    fn unanswered(&self) -> PathBuf {
        self.dir.path().join("unanswered.labels")
    }

    fn project(&self) -> PathBuf {
        self.dir.path().join("study.labels")
    }

    fn packet(&self) -> PathBuf {
        self.dir.path().join("for-bo.labels")
    }
}

fn lines(values: &[Value]) -> String {
    let lines: Vec<String> = values.iter().map(|value| value.to_string() + "\n").collect();
    lines.concat()
}

fn items(project: &Path) -> Vec<String> {
    let file = Connection::open(project).unwrap();
    let mut query = file.prepare("SELECT id FROM item ORDER BY place").unwrap();
    query.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap()
}

/// What stands in a project's file, as JSON.
fn content_of(path: &Path) -> Value {
    let file = Connection::open(path).unwrap();
    let texts = |query: &str| -> Vec<Value> {
        let mut query = file.prepare(query).unwrap();
        let texts = query.query_map([], |row| row.get::<_, String>(0)).unwrap();
        texts.map(|text| serde_json::from_str(&text.unwrap()).unwrap()).collect()
    };
    json!({
        "project": texts("SELECT project FROM file")[0],
        "forms": texts("SELECT content FROM form ORDER BY hash"),
        "items": texts("SELECT content FROM item ORDER BY place"),
        "events": texts("SELECT content FROM event ORDER BY clock"),
    })
}

/// Puts other contents in their place. What has a key keeps it where that can still be read.
fn put(path: &Path, content: &Value) {
    let mut file = Connection::open(path).unwrap();
    let file = file.transaction().unwrap();
    let list = |name: &str| content[name].as_array().cloned().unwrap_or_default();
    file.execute("UPDATE file SET project = ?1", [content["project"].to_string()]).unwrap();
    file.execute_batch("DELETE FROM form; DELETE FROM item; DELETE FROM event").unwrap();
    for (at, form) in list("forms").iter().enumerate() {
        let read: Option<Form> = serde_json::from_value(form.clone()).ok();
        let hash = read.map_or_else(|| at.to_string(), |form| form.hash().to_hex());
        let row = (hash, form.to_string());
        file.execute("INSERT OR REPLACE INTO form VALUES (?1, ?2)", row).unwrap();
    }
    for (at, item) in list("items").iter().enumerate() {
        let id = item["id"].as_str().map_or_else(|| at.to_string(), str::to_owned);
        let row = (at, id, item.to_string());
        file.execute("INSERT OR REPLACE INTO item VALUES (?1, ?2, ?3)", row).unwrap();
    }
    for (at, event) in list("events").iter().enumerate() {
        let row = (9, at, at, event.to_string());
        file.execute("INSERT INTO event VALUES (?1, ?2, ?3, ?4)", row).unwrap();
    }
    file.commit().unwrap();
}

/// What a project goes through when it is opened and reported; `None` if it is refused.
fn read_whole(file: &LabelFile) -> Option<Vec<Event>> {
    let (forms, items, ledger) = (file.forms().ok()?, file.items().ok()?, file.ledger().ok()?);
    let plan = BootstrapPlan { resamples: 20, ..BootstrapPlan::default() };
    for form in &forms {
        drop(Findings::of(form, &items, &ledger, &plan, None));
    }
    Some(ledger.in_order().into_iter().cloned().collect())
}

/// A packet's content, or its file where something else than JSON is in its place.
fn use_packet(study: &Study, input: &[u8]) {
    let dir = tempfile::tempdir().unwrap();
    let (packet, project) = (dir.path().join("packet.labels"), dir.path().join("study.labels"));
    match serde_json::from_slice::<Value>(input) {
        Ok(content) => {
            std::fs::copy(study.packet(), &packet).unwrap();
            put(&packet, &content);
        }
        Err(_) => std::fs::write(&packet, input).unwrap(),
    }
    std::fs::copy(study.project(), &project).unwrap();
    let Ok(other) = LabelFile::open(&packet, WriterId(2)) else { return };
    let Some(events) = read_whole(&other) else { return };
    let lead = LabelFile::open(&project, WriterId(3)).unwrap();
    let before = read_whole(&lead).unwrap();
    let given = other.project();
    let merged = match &given.packet {
        Some(packet) => lead.merge_packet(&given.id, packet, events),
        None => lead.merge(given, &events),
    };
    // Whatever came in, the project can be read: all of it was taken, or nothing.
    let after = read_whole(&lead).unwrap();
    assert!(merged.is_ok() || after == before, "{merged:?}");
}

#[test]
fn label_packets() {
    let study = Study::new();
    let corpus = [content_of(&study.packet())];
    let file = std::fs::read(study.packet()).unwrap();
    campaign(
        "label-packets",
        |mutator| {
            if mutator.chance(0.2) {
                mutator.text(std::slice::from_ref(&file))
            } else {
                mutator.json(&corpus)
            }
        },
        |input| use_packet(&study, input),
    );
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pentimento"));
    command.env("PENTIMENTO_WORKSPACE", "").arg("label").args(arguments).output().unwrap()
}

/// Whether the answers were taken in.
fn use_answers(study: &Study, input: &[u8]) -> bool {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let (project, file) = (path("study.labels"), path("answers.jsonl"));
    std::fs::copy(study.unanswered(), &project).unwrap();
    let (format, content) = match serde_json::from_slice::<Value>(input) {
        Ok(told) => {
            let format = told["format"].as_str().unwrap_or("table").to_owned();
            let content = match (&*format, told["answers"].as_array()) {
                ("label-studio", _) | (_, None) => told["answers"].to_string(),
                (_, Some(answers)) => lines(answers),
            };
            (format, content.into_bytes())
        }
        Err(_) => ("table".to_owned(), input.to_vec()),
    };
    let known = ["label-studio", "prodigy", "table"].into_iter().find(|known| *known == format);
    std::fs::write(&file, content).unwrap();
    let taken = run(&["import", &project, &file, "--format", known.unwrap_or("table")]);
    let said = String::from_utf8_lossy(&taken.stderr).into_owned();
    assert!(matches!(taken.status.code(), Some(0 | 1)) && !said.contains("panicked"), "{said}");
    if taken.status.success() {
        let verified = run(&["verify", &project]);
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    }
    taken.status.success()
}

#[test]
fn label_answers() {
    let study = Study::new();
    let corpus = study.exported();
    for told in &corpus {
        let taken = use_answers(&study, told.to_string().as_bytes());
        assert!(taken, "what is changed is taken as it is: {told}");
    }
    campaign(
        "label-answers",
        |mutator| mutator.json(&corpus),
        |input| {
            use_answers(&study, input);
        },
    );
}
