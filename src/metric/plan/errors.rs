//! What is wrong with a plan, step by step, and by whose doing.
//!
//! A plan is gone through without executing it ([`PlanState`] keeps what there is: documents, layers,
//! saved files). A step has one error at most, the first of:
//!
//! | class | when |
//! |---|---|
//! | format | an item of the list is no step, or a step lacks expert, action or parameters; without a step where nothing parses |
//! | invalid expert | none of the three |
//! | invalid action | not in the table, or not this expert's |
//! | invalid parameters | a key missing or too much, a value of the wrong type or out of range |
//! | dependency | a layer, file or document that is not there (yet): *global* where another expert has or makes it, or should have handed it over; else *local* |
//! | inconsistency | a step that contradicts an earlier one: a second document over an unsaved first, other words for a text, two elements in the same place |
//!
//! A step with invalid parameters makes its layer or file all the same, so that one mistake is
//! counted once.
//!
//! The papers' classes: GraphicBench, section 6, and GraphicWeaver, section 6.2. Their classifier is
//! not public; GraphicBench has no inconsistency, GraphicWeaver no format, and takes action and
//! parameters together. Inconsistency there is judged by a model against the whole design; here
//! only what contradicts for certain counts (`inconsistency/certain`), so that its share is smaller. What can be read
//! in words is [`words`](super::words)'s, what a model says
//! [`judging`](crate::metric::judging)'s; both come on top, by [`with_inconsistencies`].

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::graphictown::{self, Action, Expert};

use super::PlanRow;
use super::reader::{PlanStep, Stage, StageItem};
pub use super::state::{Maker, PlanError, PlanErrorClass};
use super::state::{PlanState, fault};

/// What is wrong with the final workflow of a plan.
pub fn of_row(row: &PlanRow) -> Vec<PlanError> {
    of_workflow(&row.final_workflow, &picture_names(&row.images))
}

/// What is wrong with a workflow. `pictures` are the files that the user gave: names and addresses.
pub fn of_workflow(workflow: &Stage, pictures: &[String]) -> Vec<PlanError> {
    // One error for the whole: of steps that are not there nothing more can be said.
    if workflow.items.is_empty() {
        return vec![PlanError {
            class: PlanErrorClass::Format,
            step: None,
            message: "the workflow is no list with a step in it".to_owned(),
            object: None,
            maker: None,
        }];
    }
    let mut state = PlanState::of(workflow, pictures);
    let items = workflow.items.iter().enumerate();
    items.filter_map(|(at, item)| check(at + 1, item, &mut state).err()).collect()
}

/// An inconsistency that was found otherwise, with its evidence; what it quotes may be cut.
pub fn inconsistency(step: usize, evidence: &str) -> PlanError {
    fault(PlanErrorClass::Inconsistency, step, None, evidence)
}

/// Errors with inconsistencies that were found otherwise, of the steps that have no error yet: a step has one at
/// most.
pub fn with_inconsistencies(
    mut errors: Vec<PlanError>,
    more: impl IntoIterator<Item = PlanError>,
) -> Vec<PlanError> {
    for error in more {
        if errors.iter().all(|known| known.step != error.step) {
            errors.push(error);
        }
    }
    errors.sort_by_key(|error| error.step);
    errors
}

/// How many errors there are of each class; every class is there.
pub fn counts<'a>(
    errors: impl IntoIterator<Item = &'a PlanError>,
) -> BTreeMap<PlanErrorClass, usize> {
    let mut counts: BTreeMap<_, _> =
        PlanErrorClass::ALL.into_iter().map(|class| (class, 0)).collect();
    for error in errors {
        *counts.entry(error.class).or_default() += 1;
    }
    counts
}

fn check(at: usize, item: &StageItem, state: &mut PlanState) -> Result<(), PlanError> {
    // It keeps its number, so that the steps after it are called what the file calls them.
    let StageItem::Step(step) = item else {
        return Err(fault(PlanErrorClass::Format, at, None, "this item is no step"));
    };
    let (expert, action, parameters) = parts_of(at, step)?;
    let checked = check_parameters(at, action, parameters);
    // Applied even where a parameter is wrong, so that what needs the layer later is not at fault
    // as well.
    let done = state.apply(at, expert, action, parameters);
    checked.and(done)
}

/// A step that is known to exist: whose it is, what is done, with what.
fn parts_of(
    at: usize,
    step: &PlanStep,
) -> Result<(Expert, &'static Action, &Map<String, Value>), PlanError> {
    // In the order of the classes: a step without an expert has a fault of form, whatever its action.
    let name = step.expert.as_deref().ok_or_else(|| lacks(at, "expert"))?;
    let action_name = step.action.as_deref().ok_or_else(|| lacks(at, "action"))?;
    let Some(expert) = Expert::from_name(name) else {
        let message = format!("there is no expert {name:?}");
        return Err(fault(PlanErrorClass::InvalidExpert, at, Some(name), message));
    };
    let Some(action) = graphictown::find(action_name) else {
        let message = format!("there is no action {action_name:?}");
        return Err(fault(PlanErrorClass::InvalidAction, at, Some(action_name), message));
    };
    if !action.who_can().contains(&expert) {
        // Who could have done it is the evidence beside the fault.
        let others: Vec<&str> = action.who_can().iter().map(|expert| expert.name()).collect();
        let message =
            format!("the {} cannot {action_name}; {} can", expert.name(), others.join(", "));
        return Err(fault(PlanErrorClass::InvalidAction, at, Some(action_name), message));
    }
    let parameters = step.parameters.as_ref().ok_or_else(|| lacks(at, "parameters"))?;
    Ok((expert, action, parameters))
}

fn lacks(at: usize, what: &str) -> PlanError {
    fault(PlanErrorClass::Format, at, None, format!("the step has no {what}"))
}

fn check_parameters(
    at: usize,
    action: &Action,
    given: &Map<String, Value>,
) -> Result<(), PlanError> {
    const CLASS: PlanErrorClass = PlanErrorClass::InvalidParameters;
    for name in given.keys() {
        if !action.parameters.iter().any(|parameter| parameter.is_named(name)) {
            let message = format!("{} takes no {name:?}", action.name);
            return Err(fault(CLASS, at, Some(name), message));
        }
    }
    for parameter in &action.parameters {
        // A parameter may go by more than one name.
        let value = given.iter().find(|(name, _)| parameter.is_named(name));
        let message = match value {
            None => Some(format!("{} lacks {}", action.name, parameter.name)),
            Some((_, value)) => parameter.fault_of(value),
        };
        if let Some(message) = message {
            return Err(fault(CLASS, at, Some(&parameter.name), message));
        }
    }
    Ok(())
}

/// What the user's pictures may be called: what they show, and their addresses.
fn picture_names(images: &Value) -> Vec<String> {
    let mut names = Vec::new();
    for image in images.as_array().into_iter().flatten() {
        match image {
            Value::String(name) => names.push(name.clone()),
            Value::Object(fields) => {
                names.extend(fields.values().filter_map(Value::as_str).map(str::to_owned));
            }
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::PlanErrorClass::{
        Format, GlobalDependency, Inconsistency, InvalidAction, InvalidExpert, InvalidParameters,
        LocalDependency,
    };
    use super::*;
    use crate::metric::plan::state::LONGEST;

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
        let plan =
            json!([photo("CreateDocument", document()), "and then", {"skill": "CreateText"}]);
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
        let expected = [
            (3, LocalDependency),
            (4, GlobalDependency),
            (5, GlobalDependency),
            (6, GlobalDependency),
        ];
        assert_eq!(classes(plan.clone()), expected);
        let errors = of_workflow(&Stage::read(plan), &[]);
        assert_eq!(errors[2].maker, Some(Maker { expert: Expert::PhotoEditor, step: Some(2) }));
        assert_eq!(errors[3].maker, Some(Maker { expert: Expert::PhotoEditor, step: Some(7) }));
        assert!(errors[3].message.contains("step 7"), "{}", errors[3].message);
    }

    #[test]
    fn what_contradicts_an_earlier_step_is_inconsistent() {
        fn text(says: &str) -> Value {
            json!({"layerName": "title", "textString": says})
        }
        fn at(name: &str) -> Value {
            json!({"layerName": name, "posX": 10, "posY": 20})
        }
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
        let step = json!({"expert": long, "description": "x", "skill": "CreateDocument", "parameters": {}});
        let wrong = of_workflow(&Stage::read(json!([step])), &[]);
        assert_eq!(wrong.len(), 1);
        for text in [&wrong[0].message, wrong[0].object.as_ref().unwrap()] {
            assert!(text.chars().count() == LONGEST + 1 && text.ends_with('…'), "{text}");
        }
    }
}
