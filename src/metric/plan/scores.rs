//! All numbers of a plan, and their means over many.

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
        let evaluated = published::evaluated(&workflow.raw);
        let unread = || MissingScore::Undefined("the plan did not parse into steps".to_owned());
        let score =
            |value: Option<f64>| value.map_or_else(|| Score::Missing(unread()), Score::from_number);
        let yes_or_no = |yes: bool| if yes { 1.0 } else { 0.0 };
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

fn is_delivered(workflow: &Stage) -> bool {
    let expert = |name: Option<&str>| name.and_then(Expert::from_name);
    let experts: Option<BTreeSet<Expert>> =
        workflow.steps().map(|(_, step)| expert(step.expert.as_deref())).collect();
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
        let mean = |of: fn(&PlanScores) -> &Score| mean_of(plans.iter().map(of));
        let mut by_difficulty = [0; 4];
        for plan in plans {
            by_difficulty[plan.difficulty.map_or(3, |difficulty| difficulty as usize)] += 1;
        }
        Self {
            plans: plans.len(),
            delivery_published: mean(|plan| &plan.delivery_published),
            delivery_strict: mean(|plan| &plan.delivery_strict),
            step_efficiency: mean(|plan| &plan.step_efficiency),
            expert_use_efficiency: mean(|plan| &plan.expert_use_efficiency),
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
    let values: Vec<f64> = scores.filter_map(Score::value).collect();
    if values.is_empty() {
        return Score::Missing(MissingScore::Undefined("no plan has this number".to_owned()));
    }
    Score::from_number(values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
}
