//! Carries out a plan that is there already.

use std::collections::VecDeque;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::base::CancelToken;
use crate::metric::plan::{PlanRow, Stage, StageItem};
use crate::run::{AgentRef, Outcome};

use super::calls;
use crate::agent::{Agent, AgentError, AgentLog, AgentTurn, AgentView};

/// A plan that somebody made, carried out step by step.
///
/// Each stretch of one expert's steps is a turn, whose thought is what the steps say they do. Step n
/// of the run is item n of the plan's final workflow, whether it could be read or not; a final
/// workflow that is a text is one step. The plan itself is kept with the run as it stands.
#[derive(Debug)]
pub struct PlayedPlan {
    identity: AgentRef,
    plan: Value,
    turns: VecDeque<AgentTurn>,
}

impl PlayedPlan {
    /// What runs call how it works.
    pub const MODE: &'static str = crate::agent::kind::PLAYED_PLAN_MODE;

    /// The plan, made by `identity`.
    pub fn new(plan: Map<String, Value>, identity: AgentRef) -> Self {
        let turns = turns(&PlanRow::read(&plan).final_workflow);
        Self { identity, plan: Value::Object(plan), turns }
    }
}

/// The stretches of the workflow; the last one ends the run.
fn turns(workflow: &Stage) -> VecDeque<AgentTurn> {
    let mut turns: VecDeque<AgentTurn> = VecDeque::new();
    let mut expert: Option<&str> = None;
    for (item, call) in workflow.items.iter().zip(calls::calls_of(workflow, 0)) {
        let (of, said) = match item {
            StageItem::Step(step) => (step.expert.as_deref(), step.description.as_deref()),
            StageItem::Unreadable(_) => (None, None),
        };
        // A step that names nobody belongs to whoever was at work.
        let hands_over = of.is_some() && expert.is_some() && of != expert;
        if turns.is_empty() || hands_over {
            turns.push_back(AgentTurn { goes_on: true, ..AgentTurn::default() });
        }
        expert = of.or(expert);
        if let Some(turn) = turns.back_mut() {
            if !turn.thought.is_empty() {
                turn.thought.push('\n');
            }
            let said = said.unwrap_or("(no description)");
            // Writing to a String cannot fail.
            write!(turn.thought, "{}. {said}", call.id).ok();
            turn.calls.push(call);
        }
    }
    // A plan that is no list was made all the same: one call, which fails and shows it.
    if turns.is_empty() && !workflow.raw.is_null() {
        let calls = vec![calls::unreadable(&workflow.raw, 1)];
        turns.push_back(AgentTurn { calls, goes_on: true, ..AgentTurn::default() });
    }
    turns
}

impl Agent for PlayedPlan {
    fn identity(&self) -> AgentRef {
        self.identity.clone()
    }

    fn mode(&self) -> Option<&'static str> {
        Some(Self::MODE)
    }

    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError> {
        cancel.check()?;
        if view.turn == 1 {
            log.plan(&self.plan);
        }
        let mut turn = self.turns.pop_front().unwrap_or_default();
        // The last one ends the run with its calls, so that no empty turn has to follow.
        if self.turns.is_empty() && !turn.calls.is_empty() {
            turn.ends = Some(Outcome::Completed);
        }
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn turns_of(workflow: &Value) -> Vec<(String, usize)> {
        let turns = turns(&Stage::read(workflow.clone()));
        turns.into_iter().map(|turn| (turn.thought, turn.calls.len())).collect()
    }

    #[test]
    fn a_turn_is_one_experts_stretch() {
        let step = |expert: &str, does: &str| json!({"expert": expert, "description": does});
        let workflow = json!([step("A", "Begin."), "??", step("A", "Save."), step("B", "Import.")]);
        assert_eq!(
            turns_of(&workflow),
            [
                ("1. Begin.\n2. (no description)\n3. Save.".to_owned(), 3),
                ("4. Import.".to_owned(), 1)
            ]
        );
    }

    #[test]
    fn a_plan_that_did_not_parse_is_one_step_and_none_is_none() {
        assert_eq!(turns_of(&json!("NOT RETRIEVED")), [(String::new(), 1)]);
        assert_eq!(turns_of(&Value::Null), []);
        assert_eq!(turns_of(&json!([])).len(), 1, "an empty list is not what was asked for");
    }
}
