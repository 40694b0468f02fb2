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
    /// The number that was held against the threshold; of the task's own checks the share that holds. `None`: the
    /// design has nothing left that it could be of.
    pub value: Option<f64>,
}

impl SuccessFinding {
    /// Of a design without what the rule is about, such as one whose screen was deleted: that is no success, and no
    /// check that could not be made.
    pub const NOTHING_LEFT: Self = Self { success: false, value: None };
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
            // Where the ground truth has no frame either it is no fault of theirs, and there is no value.
            let has_frame = ComponentSimilarity::has_root_frame;
            if has_frame(input.truth) && !has_frame(input.now) {
                return Ok(SuccessFinding::NOTHING_LEFT);
            }
            let found = compare(input.truth, input.now, cancel);
            // The mean of the parts, as the published evaluator sums them up.
            let (parts, _) = found.map_err(SuccessError::Missing)?;
            let value = parts.mean();
            Ok(SuccessFinding { success: value >= at_least, value: Some(value) })
        }
        SuccessRule::Distance { at_most } => {
            let value = distance(input.now, input.truth, input.same);
            Ok(SuccessFinding { success: value <= at_most, value: Some(value) })
        }
        SuccessRule::TaskChecks => {
            let (checks, [before, after]) = input.checks.ok_or(SuccessError::NoChecks)?;
            let verdicts = checks.judge(before, after, cancel)?;
            let passed = verdicts.iter().filter(|verdict| verdict.passed).count();
            // All have to pass; how many did is told beside it.
            let value = passed as f64 / verdicts.len().max(1) as f64;
            Ok(SuccessFinding { success: passed == verdicts.len(), value: Some(value) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::{Node, NodeKind};

    #[test]
    fn a_design_whose_screen_was_deleted_does_not_pass_and_a_truth_without_one_says_nothing() {
        let mut frame = Node::new("1:1".into(), "Screen", NodeKind::Frame);
        frame.size = Size::new(400.0, 400.0);
        let (screen, nothing) = (Document::from_nodes([frame]).unwrap(), Document::default());
        let check = |truth, now| {
            let input = SuccessInput { now, truth, same: SameNodes::ByContent, checks: None };
            let variant = ComponentVariant::Canvas;
            let rule = SuccessRule::Components { variant, at_least: 0.95 };
            check_success(rule, &input, &CancelToken::default())
        };
        assert!(check(&screen, &screen).unwrap().value.is_some());
        assert_eq!(check(&screen, &nothing).unwrap(), SuccessFinding::NOTHING_LEFT);
        assert!(matches!(check(&nothing, &screen), Err(SuccessError::Missing(_))));
        assert!(matches!(check(&nothing, &nothing), Err(SuccessError::Missing(_))));
    }
}
