//! Whether a task has succeeded, by its document at the end.

use super::distance::distance;
use super::plan::{ComponentVariant, SuccessRule};
use crate::base::{CancelToken, Cancelled, Pixels};
use crate::design::Document;
use crate::design::goal::SameNodes;
use crate::metric::MissingScore;
use crate::metric::component::ComponentSimilarity;
use crate::metric::transformation::Checks;

/// What the rule is held against.
#[derive(Clone, Copy, Debug)]
pub struct SuccessInput<'a> {
    /// The document at the end.
    pub now: &'a Document,
    /// What it should have become.
    pub truth: &'a Document,
    /// Whether their nodes are the same by id.
    pub same: SameNodes,
    /// The checks of the task, with the pictures at the start and at the end.
    pub checks: Option<(&'a Checks, [&'a Pixels; 2])>,
}

/// What a rule says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SuccessFinding {
    /// Whether it succeeded.
    pub success: bool,
    /// The number that was held against the threshold; of the task's own checks the share that holds.
    pub value: f64,
}

/// Why a rule says nothing.
#[derive(Debug, thiserror::Error)]
pub enum SuccessError {
    /// The similarity has no value.
    #[error("the component-wise similarity has no value: {0}")]
    Missing(MissingScore),
    /// The task has no checks.
    #[error("the task has no checks of its own")]
    NoChecks,
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Holds a document against a rule.
///
/// # Errors
///
/// [`SuccessError`].
pub fn check_success(
    rule: SuccessRule,
    input: &SuccessInput<'_>,
    cancel: &CancelToken,
) -> Result<SuccessFinding, SuccessError> {
    match rule {
        SuccessRule::Components { variant, at_least } => {
            let compare = match variant {
                ComponentVariant::Canvas => ComponentSimilarity::canvas,
                ComponentVariant::Strict => ComponentSimilarity::strict,
            };
            let found = compare(input.truth, input.now, cancel);
            // The mean of the parts, as the published evaluator sums them up.
            let (parts, _) = found.map_err(SuccessError::Missing)?;
            let value = parts.mean();
            Ok(SuccessFinding { success: value >= at_least, value })
        }
        SuccessRule::Distance { at_most } => {
            let value = distance(input.now, input.truth, input.same);
            Ok(SuccessFinding { success: value <= at_most, value })
        }
        SuccessRule::TaskChecks => {
            let (checks, [before, after]) = input.checks.ok_or(SuccessError::NoChecks)?;
            let verdicts = checks.judge(before, after, cancel)?;
            let passed = verdicts.iter().filter(|verdict| verdict.passed).count();
            // All have to pass; how many did is told beside it.
            let value = passed as f64 / verdicts.len().max(1) as f64;
            Ok(SuccessFinding { success: passed == verdicts.len(), value })
        }
    }
}
