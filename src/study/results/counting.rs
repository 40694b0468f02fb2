//! Attempts that count.

use crate::study::trial::Trial;

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
