//! What the published planner writes, one plan a line.
//!
//! Any stage may be a text that did not parse, or `NOT RETRIEVED`, and any item of a list may be a
//! text instead of a step. Nothing of that is an error here: it is what the papers study, so it is
//! kept as it stands, and read as far as it can be.

use serde_json::{Map, Value};

use crate::base::Limits;

/// One plan with all its stages.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanRow {
    /// `ID` (or `id`), as text; empty if there is none.
    pub id: String,
    /// What the user asked for.
    pub query: String,
    /// What that means for background, texts and images, as it stands; null if it is not there.
    pub design: Value,
    /// The pictures he gave, as they stand: what each shows and where it is.
    pub images: Value,
    /// Whether recruiting was a stage of it at all: those of people and those made at once have none.
    pub has_recruitment: bool,
    /// Who was recruited for what, as far as it can be read.
    pub recruits: Vec<Recruit>,
    /// Each expert's own workflow.
    pub workflows: Vec<Stage>,
    /// The workflows, merged.
    pub combined: Stage,
    /// With actions and parameters: what is executed.
    pub final_workflow: Stage,
}

/// An expert with his goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recruit {
    /// Who.
    pub expert: String,
    /// What for.
    pub task: String,
}

/// A workflow at one stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// As it stands in the file; null if it is not there.
    pub raw: Value,
    /// What it is.
    pub form: StageForm,
    /// The steps that can be read, and what stands between them.
    pub items: Vec<StageItem>,
}

/// What a stage is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageForm {
    /// A list of steps.
    List,
    /// A list of which some items are no steps.
    BrokenList,
    /// A text, mended and parsed.
    MendedText,
    /// A text that does not parse.
    Text,
    /// The words `NOT RETRIEVED`.
    NotRetrieved,
    /// Not there, or something else.
    Absent,
}

/// An item of a workflow.
#[derive(Clone, Debug, PartialEq)]
pub enum StageItem {
    /// A step.
    Step(PlanStep),
    /// Something else, as it stands.
    Unreadable(Value),
}

/// A step of a plan. What is missing or of the wrong type is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanStep {
    /// Who does it.
    pub expert: Option<String>,
    /// In words.
    pub description: Option<String>,
    /// Which action, at the final stage.
    pub action: Option<String>,
    /// With what, at the final stage.
    pub parameters: Option<Map<String, Value>>,
}

/// Why a line is no plan.
#[derive(Debug, thiserror::Error)]
pub enum PlanRowError {
    /// Not JSON.
    #[error("line {line} is not JSON: {source}")]
    Json {
        /// Which line, from 1.
        line: usize,
        /// What is wrong with it.
        source: crate::base::JsonLimitError,
    },
    /// JSON, but no object.
    #[error("line {line} is JSON, but no object with a plan's stages")]
    NotAnObject {
        /// Which line, from 1.
        line: usize,
    },
}

impl PlanRow {
    /// Reads a file of plans; a line that is none is an error of its own, empty lines are passed
    /// over.
    ///
    /// Source: dayeonki/designbench, `planning/results`.
    pub fn read_lines(text: &str) -> Vec<Result<Self, PlanRowError>> {
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.map(|(at, line)| Self::read_line(at + 1, line)).collect()
    }

    fn read_line(line: usize, text: &str) -> Result<Self, PlanRowError> {
        let value = crate::base::parse_json(text.as_bytes())
            .map_err(|source| PlanRowError::Json { line, source })?;
        match value {
            Value::Object(fields) => Ok(Self::from_fields(&fields)),
            _ => Err(PlanRowError::NotAnObject { line }),
        }
    }

    /// Reads a plan as it stands in a file of its own.
    pub fn read(plan: &Map<String, Value>) -> Self {
        Self::from_fields(plan)
    }

    fn from_fields(fields: &Map<String, Value>) -> Self {
        let get = |key: &str| fields.get(key).cloned().unwrap_or_default();
        let id = [get("ID"), get("id")].into_iter().find(|id| !id.is_null());
        Self {
            id: id.as_ref().map(plain_text).unwrap_or_default(),
            query: get("user_query").as_str().unwrap_or_default().to_owned(),
            design: [get("design_choices"), get("design_components")]
                .into_iter()
                .find(|design| !design.is_null())
                .unwrap_or_default(),
            images: get("images"),
            has_recruitment: !get("recruitment_status").is_null(),
            recruits: Recruit::read_list(&super::clean::evaluated(&get("recruitment_status"))),
            workflows: list(&get("workflows")).into_iter().map(Stage::read).collect(),
            combined: Stage::read(get("combined_workflow")),
            final_workflow: Stage::read(get("final_workflow")),
        }
    }
}

impl Recruit {
    /// The recruits in a list; what is no object in it is passed over.
    pub fn read_list(value: &Value) -> Vec<Self> {
        let recruit = |value: &Value| {
            let text =
                |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            value.is_object().then(|| Self { expert: text("expert"), task: text("task") })
        };
        list(value).iter().filter_map(recruit).collect()
    }
}

impl Stage {
    /// Reads a stage as it stands in a file.
    pub fn read(raw: Value) -> Self {
        let is_mended = raw.is_string();
        match super::clean::evaluated(&raw) {
            Value::Array(list) => {
                let items: Vec<_> = list.into_iter().flat_map(StageItem::read).collect();
                let is_whole = items.iter().all(|item| matches!(item, StageItem::Step(_)));
                let form = match (is_whole, is_mended) {
                    (false, _) => StageForm::BrokenList,
                    (true, true) => StageForm::MendedText,
                    (true, false) => StageForm::List,
                };
                Self { raw, form, items }
            }
            Value::String(text) if text.trim() == "NOT RETRIEVED" => {
                Self { raw, form: StageForm::NotRetrieved, items: Vec::new() }
            }
            _ if is_mended => Self { raw, form: StageForm::Text, items: Vec::new() },
            _ => Self { raw, form: StageForm::Absent, items: Vec::new() },
        }
    }

    /// The steps that can be read, each with its place in [`Self::items`].
    pub fn steps(&self) -> impl Iterator<Item = (usize, &PlanStep)> {
        self.items.iter().enumerate().filter_map(|(at, item)| match item {
            StageItem::Step(step) => Some((at, step)),
            StageItem::Unreadable(_) => None,
        })
    }

    /// Whether all of it is steps.
    pub fn is_whole(&self) -> bool {
        matches!(self.form, StageForm::List | StageForm::MendedText)
    }
}

impl StageItem {
    /// The item; a text that holds steps is these, with itself before them, as it does not belong.
    fn read(value: Value) -> Vec<Self> {
        match value {
            Value::Object(fields) => vec![Self::Step(PlanStep::read(&fields))],
            Value::String(text) if text.len() as u64 <= Limits::JSON_BYTES => {
                let inside = crate::base::parse_json(super::clean::mended(&text).as_bytes());
                let steps = match inside {
                    Ok(Value::Array(items)) => items,
                    Ok(Value::Object(fields)) => vec![Value::Object(fields)],
                    _ => Vec::new(),
                };
                let step = |value: &Value| Some(Self::Step(PlanStep::read(value.as_object()?)));
                let steps = steps.iter().filter_map(step);
                std::iter::once(Self::Unreadable(Value::String(text.clone())))
                    .chain(steps)
                    .collect()
            }
            other => vec![Self::Unreadable(other)],
        }
    }
}

impl PlanStep {
    fn read(fields: &Map<String, Value>) -> Self {
        let text = |key: &str| fields.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            expert: text("expert"),
            description: text("description"),
            action: text("skill").or_else(|| text("action")),
            parameters: fields.get("parameters").and_then(Value::as_object).cloned(),
        }
    }
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_broken_line_does_not_hide_the_others() {
        let rows = PlanRow::read_lines("{\"ID\": 3}\n\n[1]\n{\n{\"id\": \"x\"}\n");
        let ids: Vec<_> = rows.iter().map(|row| row.as_ref().ok().map(|r| r.id.as_str())).collect();
        assert_eq!(ids, [Some("3"), None, None, Some("x")]);
        assert!(rows[2].as_ref().unwrap_err().to_string().starts_with("line 4 is not JSON"));
    }

    #[test]
    fn stages_are_read_as_far_as_they_can_be() {
        let step = json!({"expert": "Photo Editor", "skill": "A", "parameters": {}});
        for (raw, form, steps) in [
            (json!([step]), StageForm::List, 1),
            (json!([step, "then?"]), StageForm::BrokenList, 1),
            (json!([format!("[{step}]")]), StageForm::BrokenList, 1),
            (json!(format!("[{step},]")), StageForm::MendedText, 1),
            (json!("1. Open it"), StageForm::Text, 0),
            (json!("NOT RETRIEVED"), StageForm::NotRetrieved, 0),
            (Value::Null, StageForm::Absent, 0),
            (json!({"a": 1}), StageForm::Absent, 0),
            (json!("{}"), StageForm::Text, 0),
        ] {
            let stage = Stage::read(raw.clone());
            assert_eq!((stage.form, stage.steps().count()), (form, steps), "{raw}");
            assert_eq!(stage.raw, raw);
        }
    }
}
