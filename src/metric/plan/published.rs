//! What the released evaluator computes of a final workflow, digit for digit.
//!
//! It counts what it can: an unparsed text has as many steps as characters, so that `NOT RETRIEVED`
//! is delivered, and a plan whose experts it cannot read has the limit of three. `None` is its own
//! `None`: a number it could not compute, left out of means.
//!
//! All functions take the stage as [`evaluated`] reads it. Source: dayeonki/designbench,
//! `evaluation/evaluation_workflow.py`; GraphicBench, section 4.2.

use std::collections::BTreeSet;

use serde_json::Value;

use super::Difficulty;

/// The stage as the evaluator reads it: a text is mended and parsed, if it can be.
pub fn evaluated(stage: &Value) -> Value {
    super::clean::evaluated(stage)
}

/// By the number of different experts, whoever they are.
pub fn difficulty(workflow: &Value) -> Option<Difficulty> {
    let experts = values_of(workflow, "expert")?;
    Difficulty::of_expert_count(distinct(&experts)?)
}

/// Whether the workflow has fewer steps than the limit of its difficulty.
pub fn delivery(workflow: &Value) -> Option<bool> {
    let steps = match workflow {
        Value::Array(steps) => steps.len(),
        Value::Object(fields) => fields.len(),
        Value::String(text) => text.chars().count(),
        _ => return None,
    };
    let limit = difficulty(workflow).unwrap_or(Difficulty::Hard).most_steps();
    Some(steps < limit)
}

/// One less than the number of experts, over how often the expert changes; 1 if he never does.
pub fn expert_use_efficiency(workflow: &Value) -> Option<f64> {
    let experts = values_of(workflow, "expert")?;
    let changes = experts.iter().zip(experts.iter().skip(1)).filter(|(a, b)| a != b).count();
    let distinct = distinct(&experts)?;
    Some(if changes > 0 { (distinct as f64 - 1.0) / changes as f64 } else { 1.0 })
}

/// Different descriptions over steps (`step_redundancy`).
pub fn step_efficiency(workflow: &Value) -> Option<f64> {
    let descriptions = values_of(workflow, "description")?;
    let distinct = distinct(&descriptions)?;
    (!descriptions.is_empty()).then(|| distinct as f64 / descriptions.len() as f64)
}

/// The value of a key in every step; `None` where one is no object or lacks it.
fn values_of<'a>(workflow: &'a Value, key: &str) -> Option<Vec<&'a Value>> {
    match workflow {
        Value::Array(steps) => steps.iter().map(|step| step.as_object()?.get(key)).collect(),
        Value::Object(fields) if fields.is_empty() => Some(Vec::new()),
        Value::String(text) if text.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// How many are different; `None` for lists and objects, which Python cannot put into a set.
fn distinct(values: &[&Value]) -> Option<usize> {
    let can_be_told = values.iter().all(|value| !value.is_array() && !value.is_object());
    let texts: BTreeSet<String> = values.iter().map(ToString::to_string).collect();
    can_be_told.then_some(texts.len())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn plan(experts: &[&str]) -> Value {
        experts.iter().map(|expert| json!({"expert": expert, "description": "d"})).collect()
    }

    #[test]
    fn the_limit_itself_is_not_delivered() {
        assert_eq!(delivery(&plan(&["a"; 9])), Some(true));
        assert_eq!(delivery(&plan(&["a"; 10])), Some(false));
        assert_eq!(difficulty(&plan(&["a", "b", "a"])), Some(Difficulty::Medium));
        assert_eq!(difficulty(&plan(&["a", "b", "c", "d"])), None);
    }

    #[test]
    fn what_did_not_parse_counts_its_characters() {
        assert_eq!(delivery(&json!("NOT RETRIEVED")), Some(true));
        assert_eq!(delivery(&json!("x".repeat(30))), Some(false));
        assert_eq!(delivery(&Value::Null), None);
        assert_eq!(step_efficiency(&json!("NOT RETRIEVED")), None);
    }

    #[test]
    fn an_empty_plan_is_delivered_and_has_no_step_efficiency() {
        assert_eq!(delivery(&json!([])), Some(true));
        assert_eq!(expert_use_efficiency(&json!([])), Some(1.0));
        assert_eq!(step_efficiency(&json!([])), None);
    }

    #[test]
    fn coming_back_to_an_expert_costs() {
        assert_eq!(expert_use_efficiency(&plan(&["a", "b"])), Some(1.0));
        assert_eq!(expert_use_efficiency(&plan(&["a", "b", "a"])), Some(0.5));
        assert_eq!(step_efficiency(&plan(&["a", "b"])), Some(0.5));
    }
}
