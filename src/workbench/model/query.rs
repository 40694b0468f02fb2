//! How what was made stands to what was asked for: to the query a design was made from, with which
//! answers are looked at, and to the checks of an edit.

use crate::metric::constraint::{Aspect, Finding, Findings, Verdict};
use crate::metric::transformation;

use super::ids::RunId;
use super::values::ResourceKey;

/// Which check: of the design of a run after a step, 0 the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CheckKey {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: u32,
}

/// What the inspector's list of answers shows and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryPanel {
    /// The selected answer.
    pub selected: Option<FindingRef>,
    /// Only answers like this.
    pub only: Option<Verdict>,
}

/// An answer, whatever the step: what is asked stays the same, and what is found does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingRef {
    /// About which component.
    pub component: String,
    /// About what of it.
    pub aspect: Aspect,
    /// Which of several: a position may have more than one clause.
    pub nth: usize,
}

impl FindingRef {
    /// The answers of a check with what each is called.
    pub fn of_all(findings: &Findings) -> impl Iterator<Item = (Self, &Finding)> {
        findings.0.iter().enumerate().map(|(at, finding)| {
            // Counted and not numbered by its place: what is asked of others may come and go.
            let (component, aspect) = (&finding.component, finding.aspect);
            let before = findings.0.iter().take(at);
            let nth = before.filter(|it| (&it.component, it.aspect) == (component, aspect)).count();
            (Self { component: component.clone(), aspect, nth }, finding)
        })
    }
}

/// Most checks kept.
const CHECKS: usize = 256;

impl ResourceKey for CheckKey {
    type Value = Findings;
    const BUDGET: usize = CHECKS;

    fn cost(_: &Findings) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}

/// Which edit is held against the checks of its task: that of a run up to a step, 0 the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditCheckKey {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: u32,
}

/// Most verdicts kept: those of a few long runs, a handful of numbers a step.
const EDIT_CHECKS: usize = 16_384;

impl ResourceKey for EditCheckKey {
    type Value = Vec<transformation::Verdict>;
    const BUDGET: usize = EDIT_CHECKS;

    fn cost(verdicts: &Self::Value) -> usize {
        verdicts.len().max(1)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }
}
