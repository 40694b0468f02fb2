//! Calls of the steps of a plan.

use serde_json::{Map, Value, json};

use crate::environment::ToolCall;
use crate::metric::plan::{PlanStep, Stage, StageItem};

/// A call for each item of a workflow, numbered after `before`: what is no step is a call too, which
/// fails and shows what stood there, so that step n of the run is item n of the plan.
pub(super) fn calls_of(workflow: &Stage, before: usize) -> Vec<ToolCall> {
    let numbered = workflow.items.iter().zip(before + 1..);
    numbered.map(|(item, number)| call(item, number)).collect()
}

/// The call of something that is no step.
pub(super) fn unreadable(value: &Value, number: usize) -> ToolCall {
    ToolCall { id: number.to_string(), name: String::new(), arguments: value.clone() }
}

fn call(item: &StageItem, number: usize) -> ToolCall {
    match item {
        StageItem::Unreadable(value) => unreadable(value, number),
        StageItem::Step(step) => ToolCall {
            id: number.to_string(),
            name: step.action.clone().unwrap_or_default(),
            arguments: arguments(step),
        },
    }
}

/// The expert first, and then the parameters in the plan's order, which is what counts where they
/// are taken by position.
fn arguments(step: &PlanStep) -> Value {
    let mut arguments = Map::new();
    if let Some(expert) = &step.expert {
        arguments.insert("expert".to_owned(), json!(expert));
    }
    for (name, value) in step.parameters.iter().flatten() {
        // A parameter of that name would take the expert's place.
        if name != "expert" {
            arguments.insert(name.clone(), value.clone());
        }
    }
    Value::Object(arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_a_call_and_what_is_no_step_is_one_too() {
        let step = json!({"expert": "Photo Editor", "skill": "CreateText",
            "parameters": {"layerName": "A", "expert": "?", "textString": "b"}});
        let stage = Stage::read(json!([step, "then?", {"description": "Hm"}]));
        let calls = calls_of(&stage, 4);
        assert_eq!(calls.len(), 3);
        assert_eq!((calls[0].id.as_str(), calls[0].name.as_str()), ("5", "CreateText"));
        assert_eq!(
            calls[0].arguments,
            json!({"expert": "Photo Editor", "layerName": "A", "textString": "b"})
        );
        assert_eq!((calls[1].name.as_str(), &calls[1].arguments), ("", &json!("then?")));
        assert_eq!((calls[2].name.as_str(), &calls[2].arguments), ("", &json!({})));
    }
}
