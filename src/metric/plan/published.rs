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

use crate::graphictown::Expert;

/// How hard a plan is, by how many experts it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// One expert, at most 10 steps.
    Easy,
    /// Two experts, at most 20 steps.
    Medium,
    /// Three experts, at most 30 steps.
    Hard,
}

impl Difficulty {
    /// The difficulty of a plan with so many different experts; `None` but for 1 to 3.
    pub fn of_expert_count(experts: usize) -> Option<Self> {
        match experts {
            1 => Some(Self::Easy),
            2 => Some(Self::Medium),
            3 => Some(Self::Hard),
            _ => None,
        }
    }

    /// The limit of steps (GraphicBench, section 4.2).
    pub fn most_steps(self) -> usize {
        match self {
            Self::Easy => 10,
            Self::Medium => 20,
            Self::Hard => 30,
        }
    }

    /// One word.
    pub fn label(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

/// The stage as the evaluator reads it: a text is mended and parsed, if it can be.
pub fn evaluated(stage: &Value) -> Value {
    super::reader::evaluated(stage)
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
        // Python's `len` of a text that did not parse.
        Value::String(text) => text.chars().count(),
        _ => return None,
    };
    // A plan whose experts cannot be read has the limit of three, as published.
    let limit = difficulty(workflow).unwrap_or(Difficulty::Hard).most_steps();
    // `<` where the paper says "at most".
    Some(steps < limit)
}

/// One less than the number of experts, over how often the expert changes; 1 if he never does.
pub fn expert_use_efficiency(workflow: &Value) -> Option<f64> {
    let experts = values_of(workflow, "expert")?;
    // By neighbours; who comes back later changes again.
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

/// The types of document that the released scripts open.
const RELEASED_TYPES: [&str; 4] = ["postcard", "poster", "book cover", "business card"];
/// The formats in which the released script of the photo editor saves.
const RELEASED_FORMATS: [&str; 3] = ["psd", "png", "pdf"];

/// Whether the released scripts, run on the final workflow as it stands (`raw`, not [`evaluated`]),
/// leave a file that the released evaluator finds: the photo editor opens a document and later saves
/// one.
///
/// Nothing else can leave a file there: the script of the layout designer's export is missing, that
/// of the vector graphic editor's saving always throws, and the photo editor's takes no JPEG. A text
/// in place of a list, or of a step, cannot be run at all. A step on which the released executor
/// raises is passed over, and documents do not stay open for the next plan; both were chosen because
/// the counts then come out as printed. Values count by their place, as they are passed.
///
/// Source: dayeonki/designbench, `execution/scripts`, `execution/executor_darwin.py`,
/// `evaluation/evaluation_execution.py`.
pub fn released_scripts(raw: &Value) -> bool {
    let Some(steps) = raw.as_array() else { return false };
    if !steps.iter().all(Value::is_object) {
        return false;
    }
    let mut is_open = false;
    for (action, values) in steps.iter().filter_map(photo_editor_call) {
        match (action, values.as_slice()) {
            ("CreateDocument", [Value::String(name), ..])
                if RELEASED_TYPES.contains(&name.as_str()) =>
            {
                is_open = true;
            }
            ("CreateDocumentCustom", [width, height, ..])
                if is_number(width) && is_number(height) =>
            {
                is_open = true;
            }
            ("SaveDocument", [_, Value::String(format), ..])
                if is_open && RELEASED_FORMATS.contains(&format.as_str()) =>
            {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// The action of a step of the photo editor with its values by place; `None` for everybody else's, and
/// where the released executor raises.
fn photo_editor_call(step: &Value) -> Option<(&str, Vec<&Value>)> {
    let parameters = step.get("parameters")?.as_object()?;
    let values: Vec<&Value> = parameters.values().collect();
    // On these the released executor raises, and passes the step over.
    let raises = values.iter().any(|it| it.is_null() || it.is_array() || it.is_object());
    let is_own = step.get("expert")?.as_str()? == Expert::PhotoEditor.name();
    (is_own && !raises).then_some((step.get("skill")?.as_str()?, values))
}

/// Whether the executor passes a value on as a number, which it makes of texts too.
fn is_number(value: &Value) -> bool {
    match value {
        Value::Number(_) => true,
        Value::String(text) => text.trim().parse().is_ok_and(f64::is_finite),
        _ => false,
    }
}

/// The value of a key in every step; `None` where one is no object or lacks it.
fn values_of<'a>(workflow: &'a Value, key: &str) -> Option<Vec<&'a Value>> {
    match workflow {
        Value::Array(steps) => steps.iter().map(|step| step.as_object()?.get(key)).collect(),
        // Python iterates over keys and characters; of none there is nothing that could fail.
        Value::Object(fields) if fields.is_empty() => Some(Vec::new()),
        Value::String(text) if text.is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// How many are different; `None` for lists and objects, which Python cannot put into a set.
fn distinct(values: &[&Value]) -> Option<usize> {
    let can_be_told = values.iter().all(|value| !value.is_array() && !value.is_object());
    // Told apart as JSON, so that the text "1" is not the number 1.
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

    fn photo(action: &str, parameters: &Value) -> Value {
        json!({"expert": "Photo Editor", "skill": action, "parameters": parameters})
    }

    #[test]
    fn the_released_scripts_leave_a_file_where_the_photo_editor_opens_and_later_saves() {
        let open = photo("CreateDocument", &json!({"docType": "poster"}));
        let save =
            |format: &str| photo("SaveDocument", &json!({"fileName": "a", "format": format}));
        let sized =
            |width: Value| photo("CreateDocumentCustom", &json!({"width": width, "height": 2.5}));
        let export = json!({"expert": "Layout Designer", "skill": "ExportDocument",
                            "parameters": {"fileName": "a", "format": "pdf"}});
        let by_another = json!({"expert": "Graphic Designer", "skill": "SaveDocument",
                                "parameters": {"fileName": "a", "format": "psd"}});
        let odd = photo("SaveDocument", &json!({"fileName": null, "format": "psd"}));
        for (plan, leaves_a_file) in [
            (json!([open, save("psd")]), true),
            (json!([open, save("jpg"), save("pdf")]), true),
            (json!([sized(json!("600")), save("png")]), true),
            (json!([open, {"skill": "SaveDocument"}, save("png")]), true),
            (json!([open, save("jpg")]), false),
            (json!([open, save("PNG")]), false),
            (json!([save("psd"), open]), false),
            (json!([sized(json!("wide")), save("png")]), false),
            (json!([photo("CreateDocument", &json!({"docType": "flyer"})), save("png")]), false),
            (json!([open, export, by_another, odd]), false),
            (json!([open, "then save it", save("psd")]), false),
            (Value::String(json!([open, save("psd")]).to_string()), false),
            (json!([]), false),
            (Value::Null, false),
        ] {
            assert_eq!(released_scripts(&plan), leaves_a_file, "{plan}");
        }
    }

    #[test]
    fn values_count_by_their_place_whatever_they_are_called() {
        let open = photo("CreateDocumentCustom", &json!({"w": 3, "h": 4}));
        let save = photo("SaveDocument", &json!({"name": "a", "as": "psd"}));
        assert!(released_scripts(&json!([open, save])));
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
