//! Each class of error, by the step that makes it.

use proptest::prelude::*;
use serde_json::json;

use super::PlanErrorClass::{
    Format, GlobalDependency, Inconsistency, InvalidAction, InvalidExpert, InvalidParameters,
    LocalDependency,
};
use super::*;
use crate::metric::plan::plan_error::LONGEST;

fn step(expert: &str, action: &str, parameters: Value) -> Value {
    let mut step = json!({"expert": expert, "description": "", "skill": action});
    step["parameters"] = parameters;
    step
}

fn photo(action: &str, parameters: Value) -> Value {
    step("Photo Editor", action, parameters)
}

fn layout(action: &str, parameters: Value) -> Value {
    step("Layout Designer", action, parameters)
}

fn document() -> Value {
    json!({"docType": "poster"})
}

fn classes(steps: Value) -> Vec<(usize, PlanErrorClass)> {
    let errors = of_workflow(&Stage::read(steps), &["A red cat".to_owned()]);
    errors.iter().filter_map(|error| Some((error.step?, error.class))).collect()
}

#[test]
fn a_sound_plan_has_no_errors() {
    let cat = json!({"layerName": "cat", "fileName": "a_red_cat.png"});
    let moved = json!({"layerName": "cat", "posX": 1, "posY": "2.5"});
    let file = json!({"fileName": "cover", "format": "psd"});
    let imported = json!({"layerName": "cover", "fileName": "cover.psd"});
    let plan = json!([
        photo("CreateDocument", document()),
        photo("ImportObject", cat),
        photo("RepositionObject", moved),
        photo("SaveDocument", file),
        photo("CreateDocument", document()),
        layout("CreateDocument", document()),
        layout("ImportObject", imported),
        layout("CreateText", json!({"layerName": "title", "textString": "Cats"})),
        layout("ColorText", json!({"layerName": "title", "red": 1, "green": 2, "blue": 3})),
    ]);
    assert_eq!(classes(plan), []);
}

#[test]
fn what_is_no_step_is_a_format_error() {
    let found = of_workflow(&Stage::read(json!("NOT RETRIEVED")), &[]);
    assert_eq!((found[0].class, found[0].step), (Format, None));
    let plan = json!([photo("CreateDocument", document()), "and then", {"skill": "CreateText"}]);
    assert_eq!(classes(plan), [(2, Format), (3, Format)]);
}

#[test]
fn experts_actions_and_parameters_are_checked_in_this_order() {
    let plan = json!([
        photo("CreateDocument", document()),
        step("Text Editor", "NoSuch", json!({})),
        photo("NoSuch", json!({})),
        photo("DrawCircle", json!({})),
        photo("CreateText", json!({"layerName": "a"})),
        photo("CreateText", json!({"layerName": "b", "textString": "B", "size": 3})),
        photo("OpacityText", json!({"layerName": "b", "opacity": 101})),
    ]);
    let expected = [
        (2, InvalidExpert),
        (3, InvalidAction),
        (4, InvalidAction),
        (5, InvalidParameters),
        (6, InvalidParameters),
        (7, InvalidParameters),
    ];
    assert_eq!(classes(plan), expected);
}

#[test]
fn dependencies_are_local_within_an_expert_and_global_between_them() {
    let plan = json!([
        photo("CreateDocument", document()),
        photo("CreateText", json!({"layerName": "title", "textString": "Cats"})),
        photo("RemoveText", json!({"layerName": "nothing"})),
        layout("RemoveText", json!({"layerName": "title"})),
        layout("RemoveText", json!({"layerName": "title"})),
        layout("ImportObject", json!({"layerName": "cover", "fileName": "cover.psd"})),
        photo("SaveDocument", json!({"fileName": "cover", "format": "psd"})),
    ]);
    let expected =
        [(3, LocalDependency), (4, GlobalDependency), (5, GlobalDependency), (6, GlobalDependency)];
    assert_eq!(classes(plan.clone()), expected);
    let errors = of_workflow(&Stage::read(plan), &[]);
    assert_eq!(errors[2].maker, Some(Maker { expert: Expert::PhotoEditor, step: Some(2) }));
    assert_eq!(errors[3].maker, Some(Maker { expert: Expert::PhotoEditor, step: Some(7) }));
    assert!(errors[3].message.contains("step 7"), "{}", errors[3].message);
}

#[test]
fn what_contradicts_an_earlier_step_is_inconsistent() {
    let text = |says: &str| json!({"layerName": "title", "textString": says});
    let at = |name: &str| json!({"layerName": name, "posX": 10, "posY": 20});
    let plan = json!([
        photo("CreateDocument", document()),
        photo("CreateText", text("Cats")),
        photo("CreateText", text("Dogs")),
        photo("CreateText", json!({"layerName": "author", "textString": "Me"})),
        photo("RepositionText", at("title")),
        photo("RepositionText", at("author")),
        photo("CreateDocument", document()),
    ]);
    assert_eq!(classes(plan), [(3, Inconsistency), (6, Inconsistency), (7, Inconsistency)]);
}

#[test]
fn every_class_is_counted() {
    let counts = counts(&of_workflow(&Stage::read(json!(["?"])), &[]));
    assert_eq!(counts.len(), PlanErrorClass::ALL.len());
    assert_eq!(counts.get(&Format), Some(&1));
}

proptest! {
    #[test]
    fn no_plan_however_odd_breaks_the_check(
        steps in prop::collection::vec((0usize..50, "[a-c]", "[a-cA-C ]{0,9}", 0..3i32), 0..30),
    ) {
        let steps = steps.into_iter().map(|(action, layer, file, number)| {
            let expert = ["Photo Editor", "Layout Designer", "Vector Graphic Editor", "?"];
            let action = graphictown::all().get(action).map_or("?", |action| action.name.as_str());
            let given = json!({"layerName": layer, "fileName": file, "posX": number, "posY": 0});
            step(expert[file.len() % 4], action, given)
        });
        let plan: Value = steps.collect();
        let count = plan.as_array().map_or(0, Vec::len);
        prop_assert!(of_workflow(&Stage::read(plan), &[]).len() <= count.max(1));
    }
}

#[test]
fn what_a_message_quotes_is_cut() {
    let long = "ä".repeat(5_000);
    let step =
        json!({"expert": long, "description": "x", "skill": "CreateDocument", "parameters": {}});
    let wrong = of_workflow(&Stage::read(json!([step])), &[]);
    assert_eq!(wrong.len(), 1);
    for text in [&wrong[0].message, wrong[0].object.as_ref().unwrap()] {
        assert!(text.chars().count() == LONGEST + 1 && text.ends_with('…'), "{text}");
    }
}
