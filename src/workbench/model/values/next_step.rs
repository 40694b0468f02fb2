//! What the assistant would do next on a branch.

use crate::agent::assistant::{GhostChange, HunkValue, Stage};
use crate::base::{Point, Rect};
use crate::design::NodeId;
use crate::run::PlannedCall;
use crate::workbench::model::ids::RunId;
use crate::workbench::model::what_if::BranchKey;

use super::resource::ResourceKey;

/// Most of them kept: they are small.
const KEPT: usize = 64;

/// What the assistant would do next, behind the last call of a branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NextStepKey {
    /// Of which branch.
    pub branch: BranchKey,
    /// Which of the ways on, from 0; behind the last comes the first again.
    pub way: u32,
}

/// How far a design is, and what the assistant would do next.
#[derive(Clone, Debug, PartialEq)]
pub struct NextStep {
    /// How far it is.
    pub standing: DesignStanding,
    /// The step; `None` if there is nothing left to do.
    pub step: Option<OfferedStep>,
}

/// How far a design is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DesignStanding {
    /// From the ground truth, which the assistant knows: 0 for one that does not differ in anything that counts.
    Distance(u32),
    /// Without a ground truth: how many things are amiss whatever it is to be.
    Flaws(u32),
}

impl DesignStanding {
    /// The number alone.
    pub fn count(self) -> u32 {
        match self {
            Self::Distance(count) | Self::Flaws(count) => count,
        }
    }
}

/// A step that can be taken as tool calls, or by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedStep {
    /// What to do, the control first.
    pub words: String,
    /// Why.
    pub why: String,
    /// When in the making of a design it comes.
    pub stage: Stage,
    /// What it changes, field by field.
    pub hunks: Vec<OfferedHunk>,
    /// The calls that do it, put in behind the last; none where no tools do.
    pub calls: Vec<PlannedCall>,
    /// The number of the first of them.
    pub first_inserted: u32,
    /// The nodes that would be others.
    pub ghost: Vec<GhostOutline>,
    /// The box of the screen on its page, which the picture shows from edge to edge.
    pub screen: Rect,
}

/// A change of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct OfferedHunk {
    /// Whether a node comes, goes or becomes another.
    pub change: GhostChange,
    /// The node's name.
    pub name: String,
    /// The field, with its value before and after.
    pub value: HunkValue,
}

/// A node that would be another, to be outlined.
#[derive(Clone, Debug, PartialEq)]
pub struct GhostOutline {
    /// Which.
    pub node: NodeId,
    /// What would become of it.
    pub change: GhostChange,
    /// Its name.
    pub name: String,
    /// The corners of its box before, on the page, clockwise from its own left top corner.
    pub before: Option<[Point; 4]>,
    /// The same as it would be.
    pub after: Option<[Point; 4]>,
}

impl ResourceKey for NextStepKey {
    type Value = NextStep;
    const BUDGET: usize = KEPT;

    fn cost(_: &NextStep) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.branch.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.branch.is_of_set(set)
    }
}
