//! Attempts that count, and what stands for one observation.

use crate::study::trial::Trial;

/// What stands for one observation: what is resampled, and what tests exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A person, with all they did.
    Person,
    /// A run of an agent.
    Run,
}

impl Unit {
    /// As tables and files say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Run => "run",
        }
    }
}

/// An attempt that counts, with the places of what it is of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counting<'a> {
    /// Whose: a place in the list of participants.
    pub(super) person: usize,
    /// Under which condition: a place in the plan.
    pub(super) condition: usize,
    /// At which task: a place in the plan.
    pub(super) task: usize,
    /// What it came to.
    pub(super) trial: &'a Trial,
}
