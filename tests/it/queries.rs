//! The published queries of GraphicBench as task sets.

use std::collections::BTreeSet;
use std::sync::Arc;

use pentimento::environment::EnvironmentKind;
use pentimento::graphictown;
use pentimento::metric::constraint::{DesignType, WantedSize};
use pentimento::metric::plan::StageForm;
use pentimento::task::{self, Opened, Task, TaskError, TaskKind};
use serde_json::json;

use crate::shared;

fn published() -> Option<Opened> {
    let path = shared::path("data/graphicbench")?;
    Some(task::open(&path).unwrap())
}

fn set<'a>(opened: &'a Opened, id: &str) -> &'a [Arc<Task>] {
    &opened.sets.iter().find(|(set, _)| set.id == id).unwrap().0.tasks
}

fn warnings<'a>(opened: &'a Opened, id: &str) -> &'a [String] {
    &opened.sets.iter().find(|(set, _)| set.id == id).unwrap().1
}

#[test]
fn every_published_query_is_a_task_with_its_components() {
    let Some(opened) = published() else { return };
    let ids: Vec<_> = opened.sets.iter().map(|(set, _)| set.id.as_str()).collect();
    assert_eq!(ids, ["graphicbench-test", "graphicbench-train"]);
    assert_eq!((opened.runs.len(), &opened.warnings), (0, &Vec::new()));
    let (test, train) = (set(&opened, "graphicbench-test"), set(&opened, "graphicbench-train"));
    assert_eq!((test.len(), train.len()), (1059, 20));
    for task in test.iter().chain(train) {
        let brief = task.brief.as_ref().unwrap();
        assert_eq!(
            (&task.environment, task.kind),
            (&EnvironmentKind::Suite, TaskKind::Composition)
        );
        assert!(brief.query.design.is_some() && !task.instruction.is_empty(), "{}", task.id);
        assert!(brief.query.background.is_some(), "{}", task.id);
        assert!(!brief.query.texts.is_empty() && !brief.query.visuals.is_empty(), "{}", task.id);
        for text in &brief.query.texts {
            let whole = [&text.content, &text.color, &text.position].iter().all(|f| f.is_some());
            assert!(whole && text.size.is_some(), "{}: {text:?}", task.id);
        }
        assert!(brief.query.visuals.iter().all(|v| v.size.is_some() && v.position.is_some()));
        assert_eq!(task.canvas_size, brief.query.design.map(DesignType::page_size));
    }
    let texts: usize = test.iter().map(|t| t.brief.as_ref().unwrap().query.texts.len()).sum();
    let visuals: usize = test.iter().map(|t| t.brief.as_ref().unwrap().query.visuals.len()).sum();
    let images: usize = test.iter().map(|t| t.brief.as_ref().unwrap().query.images.len()).sum();
    assert_eq!((texts, visuals, images), (2166, 1233, 1233));
    let unique: BTreeSet<_> = test.iter().map(|task| &task.id).collect();
    assert_eq!(unique.len(), 1059);
}

#[test]
fn every_oddity_of_the_published_files_is_a_warning() {
    let Some(opened) = published() else { return };
    let of = |set: &str, words: &str| {
        warnings(&opened, set).iter().filter(|warning| warning.contains(words)).count()
    };
    assert_eq!(of("graphicbench-test", "not checked"), 6);
    assert_eq!(of("graphicbench-test", "bookcover-2: the questions with its number"), 1);
    assert_eq!(of("graphicbench-test", "428 queries are asked about twice"), 1);
    assert_eq!(warnings(&opened, "graphicbench-test").len(), 8);
    assert_eq!(of("graphicbench-train", "its design components are a text"), 7);
    assert_eq!(of("graphicbench-train", "differs between sides"), 6);
    assert_eq!(warnings(&opened, "graphicbench-train").len(), 13);
}

#[test]
fn every_query_has_its_published_questions() {
    let Some(opened) = published() else { return };
    let questions = |task: &Task| task.brief.as_ref().unwrap().questions.len();
    let test = set(&opened, "graphicbench-test");
    let without: Vec<_> = test.iter().filter(|task| questions(task) == 0).map(|t| &t.id).collect();
    assert!(without.is_empty(), "{without:?}");
    let moon = &test[0].brief.as_ref().unwrap().questions;
    assert!(moon.contains(&"Is the background a deep purple night sky?".to_owned()));
    assert!(set(&opened, "graphicbench-train").iter().all(|task| questions(task) == 0));
}

#[test]
fn questions_alone_are_a_set_of_their_queries() {
    let Some(path) = shared::path("data/graphicbench/questions") else { return };
    let opened = task::open(&path).unwrap();
    let tasks = set(&opened, "graphicbench-questions");
    assert_eq!(tasks.len(), 1058, "one query stands twice in the test set");
    assert!(tasks.iter().all(|task| !task.brief.as_ref().unwrap().questions.is_empty()));
    let one = task::open(&path.join("poster.jsonl")).unwrap();
    assert_eq!(one.sets[0].0.tasks.len(), 336);
}

#[test]
fn a_file_of_queries_opens_alone_under_the_same_names() {
    let Some(path) = shared::path("data/graphicbench/train.jsonl") else { return };
    let Some(whole) = published() else { return };
    let alone = task::open(&path).unwrap();
    assert_eq!(set(&alone, "graphicbench-train"), set(&whole, "graphicbench-train"));
    // What planners made of the queries is no task set.
    let plans = path.with_file_name("plans").join("qwen7b/poster.jsonl");
    assert!(matches!(task::open(&plans), Err(TaskError::Nothing(_))));
}

#[test]
fn every_reference_plan_is_steps_of_known_actions() {
    let Some(opened) = published() else { return };
    let mut steps = 0;
    for task in set(&opened, "graphicbench-train") {
        let plan = task.reference_plan.as_ref().unwrap();
        assert_eq!(plan.form, StageForm::List, "{}", task.id);
        assert!(plan.steps().all(|(_, step)| step.expert.is_some() && step.parameters.is_some()));
        let unknown = task.reference_tools.iter().find(|name| graphictown::find(name).is_none());
        assert_eq!(unknown, None, "{}", task.id);
        assert!(task.reference_tools.len() >= 8, "{}", task.id);
        steps += plan.steps().count();
    }
    assert_eq!(steps, 502);
}

#[test]
fn the_broken_rows_of_the_training_set_say_what_their_authors_meant() {
    let Some(opened) = published() else { return };
    let query = |id: &str| {
        let task = set(&opened, "graphicbench-train").iter().find(|task| task.id == id).unwrap();
        &task.brief.as_ref().unwrap().query
    };
    let words = |size: &Option<WantedSize>| match size {
        Some(WantedSize::Words(words)) => words.clone(),
        other => panic!("{other:?}"),
    };
    // A comma for a colon, and a key without its second quote.
    let taxi = query("businesscard-8");
    assert_eq!(taxi.texts[2].position.as_deref(), Some("center, below the taxi illustration"));
    assert_eq!(words(&taxi.visuals[0].size), "cover bottom half of the document");
    // Brackets that are not closed, and a quote in a text.
    let coffee = query("businesscard-10");
    assert_eq!(coffee.texts[0].content.as_deref(), Some("Coffee n' Chill"));
    assert_eq!(
        words(&coffee.visuals[0].size),
        "front: medium; back: very large, covering the bottom right half of the document"
    );
    assert_eq!(query("businesscard-9").visuals.len(), 1);
    // Texts and a key without their second and first quote.
    let car = query("poster-16");
    let colors: Vec<_> = car.texts.iter().map(|text| text.color.as_deref().unwrap()).collect();
    assert_eq!(colors, ["dark blue", "black", "dark blue"]);
    assert_eq!(car.texts[2].position.as_deref(), Some("top left corner"));
    assert_eq!(query("poster-19").visuals[1].name, "geometric_shape");
    let jellyfish = query("poster-18").texts[1].content.as_deref().unwrap();
    assert!(jellyfish.contains("all the world's oceans") && jellyfish.ends_with("ecosystems."));
}

#[test]
fn bad_lines_are_warnings_and_the_others_stay_tasks() {
    let dir = tempfile::tempdir().unwrap();
    let good = json!({"id": 7, "type": "poster", "user_query": "A poster", "design_components": {
        "background_color": "red", "text": {}, "visual": {}}, "images": []});
    let mut deep = "[".repeat(2000);
    deep.push('\n');
    let tangled = json!({"id": [], "type": 3, "user_query": "B", "design_components": "{'a: {'"});
    let lines = [
        good.to_string(),
        "{".to_owned(),
        deep,
        "[1]".to_owned(),
        json!({"user_query": 5, "design_components": {}}).to_string(),
        good.to_string(),
        tangled.to_string(),
        json!({"id": "x", "user_query": "", "design_components": null}).to_string(),
    ];
    std::fs::write(dir.path().join("graphicbench_own.jsonl"), lines.join("\n")).unwrap();
    let opened = task::open(dir.path()).unwrap();
    let tasks = set(&opened, "graphicbench-own");
    let ids: Vec<_> = tasks.iter().map(|task| task.id.as_str()).collect();
    assert_eq!(ids, ["poster-7", "poster-7-2", "design-unnumbered", "design-x"]);
    let said = warnings(&opened, "graphicbench-own").join("\n");
    for words in [
        "Line 2 of graphicbench_own.jsonl is no task: not valid JSON",
        "is no task: JSON nests deeper",
        "Line 5 of graphicbench_own.jsonl is no task: it has no user query",
        "poster-7 too: this is poster-7-2",
        "design-unnumbered (line 8 of graphicbench_own.jsonl): its type is \"\"",
        "its design components are a text, mended",
        "it has no design components",
    ] {
        assert!(said.contains(words), "{words}:\n{said}");
    }
}
