//! A run as the metrics of behaviour take it.

use crate::environment::FailureClass;
use crate::metric::behavior::{ScoredStep, ToolUse};

use super::model::{Run, Step};

/// The calls of each turn. A turn of pictures has none.
pub fn tool_uses(run: &Run) -> Vec<Vec<ToolUse<'_>>> {
    tool_uses_among(run, |_| true)
}

/// The same of some steps only, by their numbers.
pub fn tool_uses_among(run: &Run, is_meant: impl Fn(u32) -> bool) -> Vec<Vec<ToolUse<'_>>> {
    let turns = run.turns.iter().map(|turn| {
        let steps = run.steps_of(turn).filter(|step| is_meant(step.number));
        steps.filter_map(tool_use).collect()
    });
    turns.collect()
}

/// Each step with its score, for attribution. A step beyond `scores` has none.
pub fn scored_steps<'a>(run: &'a Run, scores: &[Option<f64>]) -> Vec<ScoredStep<'a>> {
    // A live run is longer than what was scored of it.
    let scores = scores.iter().copied().chain(std::iter::repeat(None));
    let steps = run.steps.iter().zip(scores);
    steps.map(|(step, score)| ScoredStep { call: tool_use(step), score }).collect()
}

/// What was called in a step; a call without an outcome, of a run that died, failed.
fn tool_use(step: &Step) -> Option<ToolUse<'_>> {
    let call = step.call.as_ref()?;
    let failure = step.outcome.as_ref().map(|outcome| outcome.failure.as_ref());
    // A name that no tool has says nothing of which tools were used: the call counts, as failed.
    let is_unknown = matches!(failure, Some(Some(why)) if why.class == FailureClass::UnknownTool);
    Some(ToolUse {
        tool: (!is_unknown).then_some(call.name.as_str()),
        category: step.category.label(),
        failed: !matches!(failure, Some(None)),
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde_json::json;

    use super::*;
    use crate::environment::{ToolCall, ToolCategory, ToolFailure};
    use crate::metric::behavior::{Attribution, Counts};
    use crate::run::{AgentRef, Manifest, RunOrigin, StepOutcome, TaskRef, Turn};

    fn step(number: u32, name: &str, failure: Option<FailureClass>) -> Step {
        let failure = failure.map(|class| ToolFailure { class, message: String::new() });
        let call = ToolCall { id: "c".to_owned(), name: name.to_owned(), arguments: json!({}) };
        Step {
            number,
            turn: 1,
            call: Some(call),
            category: ToolCategory::Creation,
            outcome: Some(StepOutcome {
                text: String::new(),
                structured: None,
                image: None,
                failure,
                latency_ms: 0.0,
            }),
        }
    }

    fn run() -> Run {
        let task = TaskRef { set: "s".to_owned(), id: "t".to_owned() };
        let agent = AgentRef { kind: "k".to_owned(), name: "n".to_owned(), version: None };
        Run {
            manifest: Manifest::new(task, agent, "2026-01-01T00:00:00Z"),
            origin: RunOrigin::Recorded { dir: PathBuf::new() },
            turns: vec![Turn {
                number: 1,
                thought: String::new(),
                first_step: 0,
                step_count: 2,
                usage: None,
                seconds: None,
                observation: None,
            }]
            .into(),
            steps: vec![step(1, "a", None), step(2, "b", Some(FailureClass::UnknownTool))].into(),
            notes: Vec::new(),
            torn: None,
            plan: None,
        }
    }

    #[test]
    fn a_tool_that_does_not_exist_is_a_failed_call_of_no_tool() {
        let run = run();
        let counts = Counts::of(&tool_uses(&run));
        assert_eq!((counts.calls, counts.failures, counts.tool_diversity()), (2, 1, 1));
        let found = Attribution::of(Some(0.0), &scored_steps(&run, &[Some(0.5)]));
        assert_eq!(found.by_step, [Some(0.5), None]);
    }
}
