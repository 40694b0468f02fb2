//! A call that was made.

use std::sync::Arc;

use crate::design::Document;
use crate::environment::{Snapshot, ToolCall, ToolFailure, ToolOutcome};
use crate::run::PlannedCall;

use super::names::Names;

/// What came of a call, without its picture.
#[derive(Clone, Debug, PartialEq)]
pub struct OutcomeText {
    /// What an agent would have been told.
    pub text: String,
    /// Why it failed, if it did.
    pub failure: Option<ToolFailure>,
    /// Whether it showed a picture.
    pub has_picture: bool,
}

impl OutcomeText {
    pub(super) fn new(outcome: &ToolOutcome) -> Self {
        Self {
            text: outcome.text.clone(),
            failure: outcome.failure.clone(),
            has_picture: outcome.image.is_some(),
        }
    }
}

/// A call of a branch, made.
#[derive(Clone, Debug)]
pub struct BranchStep {
    /// What was planned.
    pub planned: PlannedCall,
    /// The call as it was made: nodes by the ids they have here.
    pub call: Arc<ToolCall>,
    /// What came of it.
    pub told: Arc<OutcomeText>,
    /// How long it took.
    pub latency_ms: f64,
    pub(super) names: Names,
    pub(super) design: Document,
    pub(super) snapshot: Snapshot,
}
