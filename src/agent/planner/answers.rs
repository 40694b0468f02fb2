//! What a planner's answers come to.

use serde_json::{Value, json};

use super::team;
use crate::metric::plan::{Recruit, Stage, StageItem, published::evaluated};

/// What stands between the first opening and the last closing bracket, mended as the released
/// evaluator does; the text if that is no list.
fn list_in(text: &str) -> Value {
    // Models write words before and after the list, and fences of Markdown around it.
    let list = text.find('[').zip(text.rfind(']')).and_then(|(from, to)| text.get(from..=to));
    match list.map(|list| evaluated(&json!(list))) {
        Some(list @ Value::Array(_)) => list,
        _ => json!(text),
    }
}

/// A list of steps in an answer, as a value to keep; or what is wrong with it.
pub(super) fn steps(text: &str) -> Result<Value, String> {
    let list = list_in(text);
    let stage = Stage::read(list.clone());
    if stage.items.is_empty() {
        return Err("it is no JSON list of steps".to_owned());
    }
    if stage.items.iter().any(|item| matches!(item, StageItem::Unreadable(_))) {
        return Err("items of the list are no steps, which are objects".to_owned());
    }
    Ok(list)
}

/// The recruits in an answer, as a value to keep; or what is wrong with it.
pub(super) fn recruited(text: &str, known: &[&str]) -> Result<Value, String> {
    let value = list_in(text);
    let found = Recruit::read_list(&value);
    if found.is_empty() {
        return Err("it is no JSON list of objects with expert and task".to_owned());
    }
    // Nobody could carry out the part of an expert whom no tool belongs to.
    for Recruit { expert, .. } in &found {
        if team::named(known, expert).is_none() {
            return Err(format!("there is no expert {expert:?}; there are {}", known.join(", ")));
        }
    }
    Ok(value)
}

/// The steps of a workflow in groups of the same expert, in their order: the expert, and the places
/// of his steps. A step without an expert belongs to the one before.
pub(super) fn segments(workflow: &Stage) -> Vec<(String, Vec<usize>)> {
    let mut segments: Vec<(String, Vec<usize>)> = Vec::new();
    for (at, step) in workflow.steps() {
        let expert = step.expert.as_deref().map(str::trim).unwrap_or_default();
        match segments.last_mut() {
            Some((last, steps)) if expert.is_empty() || last == expert => steps.push(at),
            // The expert changes, or this is the first step, whose part may be nobody's.
            _ => segments.push((expert.to_owned(), vec![at])),
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    const KNOWN: [&str; 2] = ["Photo Editor", "Layout Designer"];

    #[test]
    fn steps_are_read_out_of_what_models_write_around_them() {
        let list = r#"[{"id": 1, "expert": "Photo Editor", "description": "Begin."}]"#;
        let fenced = format!("```json\n{list}\n```");
        let chatty = format!("Here it is: {list}, as asked.");
        for text in [list, &fenced, &chatty] {
            assert_eq!(steps(text).unwrap()[0]["description"], "Begin.", "{text}");
        }
        for text in ["", "First, begin.", "[]", "[1, 2]", "{\"id\": 1}"] {
            assert!(steps(text).is_err(), "{text}");
        }
    }

    #[test]
    fn recruits_must_be_known() {
        let recruit = |name: &str| format!("[{{\"expert\": \"{name}\", \"task\": \"It.\"}}]");
        assert!(recruited(&recruit("photo editor"), &KNOWN).is_ok());
        let error = recruited(&recruit("Copywriter"), &KNOWN).unwrap_err();
        assert!(error.contains("\"Copywriter\"; there are Photo Editor"), "{error}");
        assert!(recruited("none", &KNOWN).is_err());
    }

    #[test]
    fn a_workflow_falls_into_the_parts_of_its_experts() {
        let step = |expert: &str| json!({ "expert": expert, "description": "x" });
        let stage = Stage::read(json!([step("A"), step("A"), {"description": "?"}, step("B")]));
        let found = segments(&stage);
        assert_eq!(found, [("A".to_owned(), vec![0, 1, 2]), ("B".to_owned(), vec![3])]);
    }
}
