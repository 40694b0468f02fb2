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
//! only what contradicts for certain counts, so that its share is smaller.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::graphictown::{self, Action, Expert};

use super::PlanRow;
use super::plan_error::fault;
pub use super::plan_error::{Maker, PlanError, PlanErrorClass};
use super::reader::{PlanStep, Stage, StageItem};
use super::state::PlanState;

/// What is wrong with the final workflow of a plan.
pub fn of_row(row: &PlanRow) -> Vec<PlanError> {
    of_workflow(&row.final_workflow, &picture_names(&row.images))
}

/// What is wrong with a workflow. `pictures` are the files that the user gave: names and addresses.
pub fn of_workflow(workflow: &Stage, pictures: &[String]) -> Vec<PlanError> {
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
    let StageItem::Step(step) = item else {
        return Err(fault(PlanErrorClass::Format, at, None, "this item is no step"));
    };
    let (expert, action, parameters) = parts_of(at, step)?;
    let checked = check_parameters(at, action, parameters);
    let done = state.apply(at, expert, action, parameters);
    checked.and(done)
}

/// A step that is known to exist: whose it is, what is done, with what.
fn parts_of(
    at: usize,
    step: &PlanStep,
) -> Result<(Expert, &'static Action, &Map<String, Value>), PlanError> {
    use PlanErrorClass::{Format, InvalidAction, InvalidExpert};
    let lacks = |what: &str| fault(Format, at, None, format!("the step has no {what}"));
    let name = step.expert.as_deref().ok_or_else(|| lacks("expert"))?;
    let action_name = step.action.as_deref().ok_or_else(|| lacks("action"))?;
    let unknown = || fault(InvalidExpert, at, Some(name), format!("there is no expert {name:?}"));
    let expert = Expert::from_name(name).ok_or_else(unknown)?;
    let invalid = |message| fault(InvalidAction, at, Some(action_name), message);
    let action = graphictown::find(action_name)
        .ok_or_else(|| invalid(format!("there is no action {action_name:?}")))?;
    if !action.who_can().contains(&expert) {
        let others: Vec<&str> = action.who_can().iter().map(|expert| expert.name()).collect();
        let message =
            format!("the {} cannot {action_name}; {} can", expert.name(), others.join(", "));
        return Err(invalid(message));
    }
    let parameters = step.parameters.as_ref().ok_or_else(|| lacks("parameters"))?;
    Ok((expert, action, parameters))
}

fn check_parameters(
    at: usize,
    action: &Action,
    given: &Map<String, Value>,
) -> Result<(), PlanError> {
    let invalid = |object: &str, message| {
        Err(fault(PlanErrorClass::InvalidParameters, at, Some(object), message))
    };
    let takes = |name: &String| action.parameters.iter().any(|parameter| parameter.is_named(name));
    if let Some(name) = given.keys().find(|name| !takes(name)) {
        return invalid(name, format!("{} takes no {name:?}", action.name));
    }
    for parameter in &action.parameters {
        let value = given.iter().find(|(name, _)| parameter.is_named(name));
        let Some((_, value)) = value else {
            return invalid(&parameter.name, format!("{} lacks {}", action.name, parameter.name));
        };
        if let Some(message) = parameter.fault_of(value) {
            return invalid(&parameter.name, message);
        }
    }
    Ok(())
}

/// What the user's pictures may be called: what they show, and their addresses.
fn picture_names(images: &Value) -> Vec<String> {
    let names = |image: &Value| match image {
        Value::String(name) => vec![name.clone()],
        Value::Object(fields) => {
            fields.values().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    images.as_array().into_iter().flatten().flat_map(names).collect()
}

#[cfg(test)]
mod tests;
