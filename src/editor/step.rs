//! What was done.

use crate::design::{Document, NodeId};

pub use crate::agent::assistant::Author;

/// One step of the work: what an act changed.
#[derive(Clone, Debug, PartialEq)]
pub struct EditStep {
    /// Its number, from 1; undoing is a step of its own.
    pub number: u64,
    /// What was done, in two or three words: "Move", "Fill".
    pub label: String,
    /// Who did it.
    pub author: Author,
    /// The nodes it was about.
    pub nodes: Vec<NodeId>,
    /// The design before.
    pub before: Document,
    /// The design after.
    pub after: Document,
}
