//! All numbers of a plan, their means over many, and how many plans could be executed.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::graphictown::Expert;
use crate::metric::{MissingScore, Score};

use super::published::{self, Difficulty};
use super::reader::Stage;

/// The numbers of one plan, from its final workflow.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanScores {
    /// As the evaluator tells it: by the different experts, known or not.
    pub difficulty: Option<Difficulty>,
    /// 1 if delivered as published: fewer steps than the limit ([`published::delivery`]).
    pub delivery_published: Score,
    /// 1 if delivered: all of it parsed, every expert is known, there is a step, and no more than
    /// the limit.
    pub delivery_strict: Score,
    /// Different descriptions over steps, 0..=1.
    pub step_efficiency: Score,
    /// Fewest changes of the expert over changes, 0..=1.
    pub expert_use_efficiency: Score,
    /// Whether the released scripts leave a file of it ([`published::released_scripts`]).
    pub released_scripts: bool,
    /// Steps that can be read.
    pub steps: usize,
}

impl PlanScores {
    /// Measures a final workflow.
    pub fn of(workflow: &Stage) -> Self {
        // The raw stage and not its items: the published numbers count what no step can be read
        // from.
        let evaluated = published::evaluated(&workflow.raw);
        Self {
            difficulty: published::difficulty(&evaluated),
            delivery_published: score(published::delivery(&evaluated).map(yes_or_no)),
            delivery_strict: Score::Value(yes_or_no(is_delivered(workflow))),
            step_efficiency: score(published::step_efficiency(&evaluated)),
            expert_use_efficiency: score(published::expert_use_efficiency(&evaluated)),
            released_scripts: published::released_scripts(&workflow.raw),
            steps: workflow.steps().count(),
        }
    }

    /// Measures a final workflow as it stands in a file.
    pub fn of_value(workflow: Value) -> Self {
        Self::of(&Stage::read(workflow))
    }
}

fn score(value: Option<f64>) -> Score {
    let why = "the plan did not parse into steps";
    value
        .map_or_else(|| Score::Missing(MissingScore::Undefined(why.to_owned())), Score::from_number)
}

fn yes_or_no(yes: bool) -> f64 {
    if yes { 1.0 } else { 0.0 }
}

fn is_delivered(workflow: &Stage) -> bool {
    // `None` as soon as one expert is not known: the limit then is nobody's.
    let experts: Option<BTreeSet<Expert>> =
        workflow.steps().map(|(_, step)| Expert::from_name(step.expert.as_deref()?)).collect();
    let difficulty = experts.and_then(|experts| Difficulty::of_expert_count(experts.len()));
    let limit = difficulty.map(Difficulty::most_steps);
    workflow.is_whole() && limit.is_some_and(|most| workflow.items.len() <= most)
}

/// The means over many plans: a row of GraphicBench's Table 9 (without what a judge says).
#[derive(Clone, Debug, PartialEq)]
pub struct PlanSummary {
    /// How many plans.
    pub plans: usize,
    /// Mean over the plans that have it, as for all that follow; undefined if none has.
    pub delivery_published: Score,
    /// The share of delivered plans, strictly.
    pub delivery_strict: Score,
    /// Over the plans that parse.
    pub step_efficiency: Score,
    /// Over the plans that parse.
    pub expert_use_efficiency: Score,
    /// The share of plans of which the released scripts leave a file, over all of them.
    pub released_scripts: Score,
    /// How many plans are easy, medium, hard, and of no difficulty.
    pub by_difficulty: [usize; 4],
}

impl PlanSummary {
    /// Sums up plans.
    pub fn of(plans: &[PlanScores]) -> Self {
        let mut by_difficulty = [0; 4];
        for plan in plans {
            by_difficulty[plan.difficulty.map_or(3, |difficulty| difficulty as usize)] += 1;
        }
        Self {
            plans: plans.len(),
            delivery_published: mean_of(plans.iter().map(|plan| &plan.delivery_published)),
            delivery_strict: mean_of(plans.iter().map(|plan| &plan.delivery_strict)),
            step_efficiency: mean_of(plans.iter().map(|plan| &plan.step_efficiency)),
            expert_use_efficiency: mean_of(plans.iter().map(|plan| &plan.expert_use_efficiency)),
            released_scripts: released_scripts(plans),
            by_difficulty,
        }
    }
}

fn released_scripts(plans: &[PlanScores]) -> Score {
    if plans.is_empty() {
        return Score::Missing(MissingScore::Undefined("there are no plans".to_owned()));
    }
    let count = plans.iter().filter(|plan| plan.released_scripts).count();
    Score::from_number(count as f64 / plans.len() as f64)
}

/// The mean of the scores that are there; undefined if there is none.
fn mean_of<'a>(scores: impl Iterator<Item = &'a Score>) -> Score {
    // As published: what could not be computed is left out of the mean, not counted as 0.
    let values: Vec<f64> = scores.filter_map(Score::value).collect();
    if values.is_empty() {
        return Score::Missing(MissingScore::Undefined("no plan has this number".to_owned()));
    }
    Score::from_number(values.iter().sum::<f64>() / values.len() as f64)
}

/// What the execution of one plan found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanExecution {
    /// Whether a file came out, whatever is in it.
    pub made_a_file: bool,
    /// Steps of the plan.
    pub steps: usize,
    /// Those that failed.
    pub failed_steps: usize,
}

/// Execution success over plans, each 0..=1 and undefined without plans.
#[derive(Clone, Debug, PartialEq)]
pub struct ExecutionSuccess {
    /// Plans of which a file came out, whatever failed on the way. The released evaluator counts
    /// files too (dayeonki/designbench, `evaluation/evaluation_execution.py`), but the released
    /// scripts write fewer than are written here: what they would count is
    /// [`published::released_scripts`](super::published::released_scripts).
    pub any_file: Score,
    /// Plans with steps of which none failed and a file came out.
    pub strict: Score,
    /// Steps that did not fail, over all steps of all plans.
    pub steps: Score,
}

impl ExecutionSuccess {
    /// Sums up executions.
    pub fn of(plans: &[PlanExecution]) -> Self {
        let with_a_file = plans.iter().filter(|plan| plan.made_a_file);
        // A plan without steps fails at nothing, and has done nothing either.
        let without_fault =
            with_a_file.clone().filter(|plan| plan.failed_steps == 0 && plan.steps > 0);
        let all_steps: usize = plans.iter().map(|plan| plan.steps).sum();
        // An execution may report more faults than steps; a step fails once.
        let failed: usize = plans.iter().map(|plan| plan.failed_steps.min(plan.steps)).sum();
        Self {
            any_file: share(with_a_file.count(), plans.len()),
            strict: share(without_fault.count(), plans.len()),
            steps: share(all_steps - failed, all_steps),
        }
    }
}

fn share(part: usize, whole: usize) -> Score {
    if whole == 0 {
        return Score::Missing(MissingScore::Undefined("nothing was executed".to_owned()));
    }
    Score::from_number(part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn plan(expert: &str, steps: usize) -> Value {
        (0..steps).map(|at| json!({"expert": expert, "description": at.to_string()})).collect()
    }

    #[test]
    fn strictly_the_limit_delivers_and_what_did_not_parse_does_not() {
        for (workflow, published, strict) in [
            (plan("Photo Editor", 10), 0.0, 1.0),
            (plan("Photo Editor", 11), 0.0, 0.0),
            (plan("Text Editor", 3), 1.0, 0.0),
            (json!("NOT RETRIEVED"), 1.0, 0.0),
            (json!([]), 1.0, 0.0),
        ] {
            let found = PlanScores::of_value(workflow.clone());
            assert_eq!(found.delivery_published, Score::Value(published), "{workflow}");
            assert_eq!(found.delivery_strict, Score::Value(strict), "{workflow}");
        }
    }

    #[test]
    fn what_is_missing_is_left_out_of_means() {
        let plans = [json!("?"), plan("Photo Editor", 2)].map(PlanScores::of_value);
        let summary = PlanSummary::of(&plans);
        assert_eq!(summary.step_efficiency, Score::Value(1.0));
        assert_eq!(summary.by_difficulty, [1, 0, 0, 1]);
        assert!(PlanSummary::of(&[]).delivery_published.value().is_none());
    }

    #[test]
    fn a_file_is_enough_and_strictly_no_step_may_fail() {
        let plan =
            |made_a_file, steps, failed_steps| PlanExecution { made_a_file, steps, failed_steps };
        let found = ExecutionSuccess::of(&[plan(true, 4, 0), plan(true, 4, 2), plan(false, 0, 0)]);
        assert_eq!(found.any_file, Score::Value(2.0 / 3.0));
        assert_eq!(found.strict, Score::Value(1.0 / 3.0));
        assert_eq!(found.steps, Score::Value(0.75));
        assert!(ExecutionSuccess::of(&[]).any_file.value().is_none());
    }
}
