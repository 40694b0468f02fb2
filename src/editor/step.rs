//! What was done.

use crate::design::gesture::Pushed;
use crate::design::{Document, NodeId};

pub use crate::agent::assistant::Author;

/// One step of the work: what an act changed.
#[derive(Clone, Debug, PartialEq)]
pub struct EditStep {
    /// Its number, from 1; undoing is a step of its own.
    pub number: u64,
    /// What was done, in two or three words: "Move", "Fill".
    pub label: String,
    /// What it is to a burst.
    pub burst: BurstPart,
    /// Who did it. What is undone the person takes back; what is done again is whose it was.
    pub author: Author,
    /// The nodes it was about.
    pub nodes: Vec<NodeId>,
    /// The design before.
    pub before: Document,
    /// The design after.
    pub after: Document,
}

/// What a step is to a burst of nudging, typing or scrubbing, all of which is taken back at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurstPart {
    /// Part of none.
    Alone,
    /// It begins one.
    First,
    /// More of the one that the step before is part of.
    More,
}

impl BurstPart {
    /// What a step is that the history took in like this, with the key of a burst or without.
    pub(super) fn of(pushed: Pushed, has_key: bool) -> Self {
        match pushed {
            Pushed::Grown | Pushed::TakenBack => Self::More,
            Pushed::Step if has_key => Self::First,
            Pushed::Step | Pushed::Nothing => Self::Alone,
        }
    }
}
