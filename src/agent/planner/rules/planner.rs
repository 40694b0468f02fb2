//! The agent.

use serde_json::{Map, Value, json};

use crate::base::CancelToken;
use crate::graphictown::Query;
use crate::run::AgentRef;

use super::layout::Layout;
use super::steps;
use crate::agent::planner::document::PlanDocument;
use crate::agent::planner::{PlayedPlan, team};
use crate::agent::{Agent, AgentError, AgentKind, AgentLog, AgentTurn, AgentView};

/// Plans a design by rules and carries the plan out.
#[derive(Debug, Default)]
pub struct RulePlanner {
    /// The plan, once it is made.
    played: Option<PlayedPlan>,
}

impl RulePlanner {
    /// A planner at the beginning of its work.
    pub fn new() -> Self {
        Self::default()
    }

    fn plan(view: &AgentView<'_>, query: &Query, log: &mut dyn AgentLog) -> Map<String, Value> {
        let layout = Layout::of(query, view.input_pictures);
        layout.notes.iter().for_each(|note| log.note(note.clone()));
        let (photo, page) = steps::steps(&layout);
        let mut plan = PlanDocument::new(view);
        plan.set_outline(&layout.outline(query));
        plan.set_recruitment(steps::recruits(&photo));
        // The stages that a model would have gone through, each as it would have answered.
        let mut all = Vec::new();
        for part in [photo, page].into_iter().filter(|part| !part.is_empty()) {
            plan.push_workflow(described(&part));
            all.extend(part);
        }
        for (step, id) in all.iter_mut().zip(1..) {
            step["id"] = json!(id);
        }
        plan.set_combined(described(&all));
        plan.extend_final(Value::Array(all));
        match plan.to_json() {
            Value::Object(fields) => fields,
            _ => Map::new(),
        }
    }
}

/// Steps as experts plan them: without actions.
fn described(steps: &[Value]) -> Value {
    let numbered = steps.iter().zip(1..);
    numbered
        .map(|(step, id)| {
            json!({ "id": id, "expert": step["expert"], "description": step["description"] })
        })
        .collect()
}

impl Agent for RulePlanner {
    fn identity(&self) -> AgentRef {
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        let name = AgentKind::Rules.name();
        AgentRef { kind: name.to_owned(), name: name.to_owned(), version }
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        cancel.check()?;
        if team::experts(view.tools).is_empty() {
            return Err(AgentError::Needs("a team of experts"));
        }
        let query = view.query.ok_or(AgentError::Needs("the components of a design query"))?;
        let identity = self.identity();
        let played = self
            .played
            .get_or_insert_with(|| PlayedPlan::new(Self::plan(view, query, log), identity));
        played.next_turn(view, log, cancel)
    }
}
