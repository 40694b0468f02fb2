//! What is kept of a plan: every stage, in the shape that the published planner writes.

use serde_json::{Map, Value, json};

use crate::metric::plan::Stage;

use super::query;
use crate::agent::AgentView;

/// A plan while it is made. A stage whose answer did not parse is kept as its text.
#[derive(Clone, Debug)]
pub(super) struct PlanDocument {
    fields: Map<String, Value>,
}

impl PlanDocument {
    /// A plan of which nothing is there but what it is for.
    pub(super) fn new(view: &AgentView<'_>) -> Self {
        let mut fields = Map::new();
        fields.insert("id".to_owned(), json!(view.task.id));
        fields.insert("user_query".to_owned(), json!(view.instruction));
        fields.insert("design_components".to_owned(), query::components_json(view));
        fields.insert("images".to_owned(), query::images_json(view));
        Self { fields }
    }

    /// What the user is to get, in words.
    pub(super) fn set_outline(&mut self, outline: &str) {
        self.fields.insert("design_outline".to_owned(), json!(outline));
    }

    /// Who was recruited for what.
    pub(super) fn set_recruitment(&mut self, recruits: Value) {
        self.fields.insert("recruitment_status".to_owned(), recruits);
    }

    /// One more expert's own workflow.
    pub(super) fn push_workflow(&mut self, workflow: Value) {
        let workflows = self.fields.entry("workflows").or_insert_with(|| json!([]));
        if let Value::Array(workflows) = workflows {
            workflows.push(workflow);
        }
    }

    /// The workflows, merged.
    pub(super) fn set_combined(&mut self, combined: Value) {
        self.fields.insert("combined_workflow".to_owned(), combined);
    }

    /// More of the steps with actions; gives the part back as it is read.
    pub(super) fn extend_final(&mut self, part: Value) -> Stage {
        // Each expert's part is appended: the published plans have one list for all.
        let workflow = self.fields.entry("final_workflow").or_insert_with(|| json!([]));
        let stage = Stage::read(part.clone());
        if let Value::Array(steps) = workflow {
            match part {
                Value::Array(part) => steps.extend(part),
                // What did not parse stands in the list as it is, where its steps would be.
                text => steps.push(text),
            }
        }
        stage
    }

    /// A stage as it stands, for a prompt.
    pub(super) fn text(&self, stage: &str) -> String {
        match self.fields.get(stage) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) => text.clone(),
            Some(value) => serde_json::to_string_pretty(value).unwrap_or_default(),
        }
    }

    /// All of it.
    pub(super) fn to_json(&self) -> Value {
        Value::Object(self.fields.clone())
    }
}
