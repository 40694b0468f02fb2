//! How many plans could be executed.

use crate::metric::{MissingScore, Score};

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
        let count = |wanted: fn(&&PlanExecution) -> bool| plans.iter().filter(wanted).count();
        let all_steps: usize = plans.iter().map(|plan| plan.steps).sum();
        let failed: usize = plans.iter().map(|plan| plan.failed_steps.min(plan.steps)).sum();
        Self {
            any_file: share(count(|plan| plan.made_a_file), plans.len()),
            strict: share(
                count(|plan| plan.made_a_file && plan.failed_steps == 0 && plan.steps > 0),
                plans.len(),
            ),
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
