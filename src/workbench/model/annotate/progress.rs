//! How far a person is.

use std::collections::BTreeSet;

/// A person of a project, and how much of theirs is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonProgress {
    /// Who.
    pub name: String,
    /// Units of theirs that are answered.
    pub answered: usize,
    /// Units of theirs.
    pub all: usize,
    /// Whether they no longer take part.
    pub has_withdrawn: bool,
}

/// How far a unit is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnitState {
    /// Whether an answer stands.
    pub is_answered: bool,
    /// Whether it was put off since.
    pub is_skipped: bool,
    /// Whether something is wrong with the item.
    pub is_flagged: bool,
    /// How often it was answered anew.
    pub revisions: u32,
    /// How long it was on the screen, where that was recorded.
    pub millis: Option<u64>,
}

/// How far a person is, unit by unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelProgress {
    /// In the order of the units.
    pub states: Vec<UnitState>,
    /// Those that lie on other desks.
    held: BTreeSet<usize>,
    answered: usize,
    skipped: usize,
    flagged: usize,
}

impl LabelProgress {
    /// Of units that are so far.
    pub(in crate::workbench) fn new(states: Vec<UnitState>) -> Self {
        let mut progress = Self { states, ..Self::default() };
        for at in 0..progress.states.len() {
            progress.count(progress.states[at], 1);
        }
        progress
    }

    fn count(&mut self, state: UnitState, by: isize) {
        let counts = [
            (&mut self.answered, state.is_answered),
            (&mut self.skipped, state.is_skipped),
            (&mut self.flagged, state.is_flagged),
        ];
        for (count, is_so) in counts {
            *count = if is_so { count.saturating_add_signed(by) } else { *count };
        }
    }

    /// A unit is so far now.
    pub(in crate::workbench) fn set(&mut self, at: usize, state: UnitState) {
        let Some(known) = self.states.get(at).copied() else { return };
        self.count(known, -1);
        self.count(state, 1);
        self.states[at] = state;
    }

    /// These lie on other desks now.
    pub(in crate::workbench) fn set_held(&mut self, held: BTreeSet<usize>) {
        self.held = held;
    }

    /// How many are answered.
    pub fn answered(&self) -> usize {
        self.answered
    }

    /// How many were put off.
    pub fn skipped(&self) -> usize {
        self.skipped
    }

    /// Of how many the item is flagged.
    pub fn flagged(&self) -> usize {
        self.flagged
    }

    /// How many there are.
    pub fn all(&self) -> usize {
        self.states.len()
    }

    /// The next unit to answer after this one: one that nobody answered or put off, from there on and then
    /// from the first; then those that were put off; then those that lie on other desks. `None`: all are answered.
    pub fn next(&self, after: Option<usize>) -> Option<usize> {
        let begin = after.map_or(0, |at| at + 1);
        let around = (begin..self.states.len()).chain(0..begin.min(self.states.len()));
        let open = around.filter(|at| !self.states[*at].is_answered && Some(*at) != after);
        // Of those that are as good the first.
        let next = open.min_by_key(|at| (self.held.contains(at), self.states[*at].is_skipped));
        next.or_else(|| after.filter(|at| self.states.get(*at).is_some_and(|it| !it.is_answered)))
    }

    /// How long an answer took, in milliseconds: the median of those that say so, and of how many.
    pub fn median_millis(&self) -> Option<(u64, usize)> {
        let mut millis: Vec<u64> = self
            .states
            .iter()
            .filter(|state| state.is_answered)
            .filter_map(|state| state.millis)
            .collect();
        let middle = millis.len() / 2;
        let count = millis.len();
        if count == 0 {
            return None;
        }
        let (_, median, _) = millis.select_nth_unstable(middle);
        Some((*median, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(text: &str) -> LabelProgress {
        let state =
            |c| UnitState { is_answered: c == 'a', is_skipped: c == 's', ..UnitState::default() };
        LabelProgress::new(text.chars().map(state).collect())
    }

    #[test]
    fn what_is_open_comes_first_then_what_was_put_off_and_then_nothing() {
        for (text, after, next) in [
            ("ooo", None, Some(0)),
            ("aoo", Some(0), Some(1)),
            ("oaa", Some(2), Some(0)),
            ("sao", Some(1), Some(2)),
            ("sas", Some(0), Some(2)),
            ("saa", Some(0), Some(0)),
            ("aaa", Some(0), None),
            ("", None, None),
        ] {
            assert_eq!(states(text).next(after), next, "{text} after {after:?}");
        }
    }

    #[test]
    fn what_lies_on_other_desks_comes_last() {
        let mut progress = states("osoa");
        progress.set_held([0, 2].into());
        assert_eq!(progress.next(None), Some(1), "what was put off comes before");
        assert_eq!(progress.next(Some(1)), Some(2), "nothing else is left");
        progress.set_held(BTreeSet::new());
        assert_eq!(progress.next(None), Some(0));
    }

    #[test]
    fn counts_follow_what_is_set() {
        let mut progress = states("aos");
        assert_eq!((progress.answered(), progress.skipped(), progress.all()), (1, 1, 3));
        let answered = UnitState { is_answered: true, millis: Some(4_000), ..UnitState::default() };
        progress.set(2, answered);
        assert_eq!((progress.answered(), progress.skipped()), (2, 0));
        assert_eq!(progress.median_millis(), Some((4_000, 1)));
        progress.set(9, answered);
        assert_eq!(progress.all(), 3);
    }
}
