//! What the published planner writes, one plan a line, and how the released evaluator tries to mend
//! what is a text.
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
        // Two spellings each, as files of plans do not agree.
        let id = first_of(fields, &["ID", "id"]);
        let recruitment = first_of(fields, &["recruitment_status"]);
        let workflows = first_of(fields, &["workflows"]);
        Self {
            id: if id.is_null() { String::new() } else { plain_text(&id) },
            query: text(fields, "user_query").unwrap_or_default(),
            design: first_of(fields, &["design_choices", "design_components"]),
            images: first_of(fields, &["images"]),
            has_recruitment: !recruitment.is_null(),
            recruits: Recruit::read_list(&evaluated(&recruitment)),
            workflows: list(&workflows).iter().cloned().map(Stage::read).collect(),
            combined: Stage::read(first_of(fields, &["combined_workflow"])),
            final_workflow: Stage::read(first_of(fields, &["final_workflow"])),
        }
    }
}

impl Recruit {
    /// The recruits in a list; what is no object in it is passed over.
    pub fn read_list(value: &Value) -> Vec<Self> {
        let recruits = list(value).iter().filter_map(Value::as_object).map(|fields| Self {
            expert: text(fields, "expert").unwrap_or_default(),
            task: text(fields, "task").unwrap_or_default(),
        });
        recruits.collect()
    }
}

impl Stage {
    /// Reads a stage as it stands in a file.
    pub fn read(raw: Value) -> Self {
        // Told before reading, as a mended text is a list afterwards like any other.
        let is_mended = raw.is_string();
        match evaluated(&raw) {
            Value::Array(list) => {
                let items: Vec<_> = list.into_iter().flat_map(StageItem::read).collect();
                // Asked of what was read: a text among the steps breaks the list even where steps
                // were found in it.
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
                // With the limits of anything read from a file: a text may hold another list of any
                // depth.
                let inside = crate::base::parse_json(mended(&text).as_bytes());
                let steps = match inside {
                    Ok(Value::Array(items)) => items,
                    Ok(Value::Object(fields)) => vec![Value::Object(fields)],
                    _ => Vec::new(),
                };
                let steps = steps.iter().filter_map(Value::as_object);
                let steps = steps.map(|fields| Self::Step(PlanStep::read(fields)));
                std::iter::once(Self::Unreadable(Value::String(text))).chain(steps).collect()
            }
            other => vec![Self::Unreadable(other)],
        }
    }
}

impl PlanStep {
    fn read(fields: &Map<String, Value>) -> Self {
        Self {
            expert: text(fields, "expert"),
            description: text(fields, "description"),
            // The released planner writes `skill` for what the papers call an action.
            action: text(fields, "skill").or_else(|| text(fields, "action")),
            parameters: fields.get("parameters").and_then(Value::as_object).cloned(),
        }
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(fields: &Map<String, Value>, key: &str) -> Option<String> {
    fields.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// What stands under the first of these keys that is there; null if none is.
fn first_of(fields: &Map<String, Value>, keys: &[&str]) -> Value {
    let mut found = keys.iter().filter_map(|key| fields.get(*key));
    found.find(|value| !value.is_null()).cloned().unwrap_or_default()
}

fn plain_text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A text as the released evaluator reads it: mended ([`mended`]) and parsed; the mended text where
/// that is no JSON. Anything else stays what it is.
///
/// Source: dayeonki/designbench, `evaluation/evaluation_workflow.py`.
pub(super) fn evaluated(stage: &Value) -> Value {
    let Value::String(text) = stage else { return stage.clone() };
    let text = mended(text);
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// Without commas before a closing bracket, and with double quotes around texts that follow a colon
/// in single ones.
///
/// Source: dayeonki/designbench, `evaluation/utils.py` (`clean_json_string`).
pub(super) fn mended(text: &str) -> String {
    with_double_quotes(&without_last_commas(text))
}

fn without_last_commas(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(',') {
        let (before, from_comma) = rest.split_at(at);
        let after = &from_comma[1..];
        mended.push_str(before);
        // Only before `]`: the released pattern does not look for `}`.
        let bracket = after.trim_start();
        if bracket.starts_with(']') {
            rest = bracket;
        } else {
            mended.push(',');
            rest = after;
        }
    }
    mended + rest
}

fn with_double_quotes(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(": '") {
        let (before, quoted) = rest.split_at(at + 3);
        match quoted.find('\'') {
            Some(end) if end > 0 => {
                mended.push_str(&before[..at + 2]);
                mended.extend(["\"", &quoted[..end], "\""]);
                rest = &quoted[end + 1..];
            }
            // An empty text stays; without another quote there is nothing more to mend.
            Some(_) => {
                mended.push_str(before);
                rest = quoted;
            }
            None => break,
        }
    }
    mended + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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

    #[test]
    fn commas_and_quotes_are_mended_as_published() {
        assert_eq!(mended("[1, 2, \n]"), "[1, 2]");
        assert_eq!(mended("[,,]"), "[,]");
        assert_eq!(mended("{\"a\": 'b', 'c': 'd'}"), "{\"a\": \"b\", 'c': \"d\"}");
        assert_eq!(mended("{\"a\": ''}"), "{\"a\": ''}");
        assert_eq!(mended("{\"a\": 'open"), "{\"a\": 'open");
    }

    #[test]
    fn what_cannot_be_mended_stays_a_text() {
        let stage = Value::from("NOT RETRIEVED");
        assert_eq!(evaluated(&stage), stage);
        assert_eq!(evaluated(&Value::from("[1,]")), serde_json::json!([1]));
    }
}
