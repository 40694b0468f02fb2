//! How the edit up to the selected step stands to the checks of its task.

use std::ops::Range;

use crate::metric::transformation::Verdict;
use crate::workbench::derive::kinds::MOST_CHECKED;
use crate::workbench::model::{EditCheckKey, Fetched, ShownIn, State};

use super::stage::PaneStatus;

/// How the edit up to the selected step stands to the checks of its task.
#[derive(Debug)]
pub struct EditChecks<'a> {
    /// A row a check, in their order; none while nothing is known, as the status says.
    pub rows: Vec<EditCheckRow<'a>>,
    /// Whether the rows are of the selected step.
    pub status: PaneStatus<'a>,
    /// How many steps are judged, of all with the start.
    pub judged: (usize, usize),
}

/// A check.
#[derive(Debug)]
pub struct EditCheckRow<'a> {
    /// What was found at the step.
    pub verdict: &'a Verdict,
    /// Where it passes and where not, in stretches from the start on; `None`: not judged yet, or cannot
    /// be.
    pub stretches: Vec<(Range<u32>, Option<bool>)>,
}

impl EditChecks<'_> {
    /// How many checks pass.
    pub fn passed(&self) -> usize {
        self.rows.iter().filter(|row| row.verdict.passed).count()
    }
}

/// The checks at the selected step; `None` if the task has none.
pub fn edit_checks(state: &State) -> Option<EditChecks<'_>> {
    let key = state.edit_check_key()?;
    let values = &state.derived.edit_checks;
    let (shown, status) = match values.get(&key) {
        Some(Fetched::Ready(_)) => (Some(key), PaneStatus::Current),
        Some(Fetched::Failed(why)) => (None, PaneStatus::Failed(why)),
        // What stood there stays while the next is judged.
        Some(Fetched::Pending) | None => {
            let before = values.shown(ShownIn::Main).copied();
            (before.filter(|before| before.run == key.run), PaneStatus::Loading)
        }
    };
    let verdicts = shown.and_then(|shown| values.ready(&shown));
    // As many as are ever judged without being looked at.
    let steps = state.last_step().min(MOST_CHECKED) + 1;
    let known: Vec<Option<&Vec<Verdict>>> = (0..steps)
        .map(|step| values.ready(&EditCheckKey { step, ..key }).map(|verdicts| &**verdicts))
        .collect();
    let rows = verdicts.into_iter().flat_map(|verdicts| verdicts.iter().enumerate());
    let rows = rows.map(|(nth, verdict)| {
        let passed = known.iter().map(|of_step| of_step.and_then(|it| Some(it.get(nth)?.passed)));
        EditCheckRow { verdict, stretches: stretches(passed) }
    });
    let judged = known.iter().flatten().count();
    Some(EditChecks { rows: rows.collect(), status, judged: (judged, known.len()) })
}

/// Neighbours that are alike, as one.
fn stretches(all: impl Iterator<Item = Option<bool>>) -> Vec<(Range<u32>, Option<bool>)> {
    let mut stretches: Vec<(Range<u32>, Option<bool>)> = Vec::new();
    for (step, passed) in (0..).zip(all) {
        match stretches.last_mut() {
            Some((range, before)) if *before == passed => range.end = step + 1,
            _ => stretches.push((step..step + 1, passed)),
        }
    }
    stretches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_that_are_alike_are_one_stretch() {
        let (yes, no) = (Some(true), Some(false));
        assert_eq!(
            stretches([no, no, yes, None, None, yes].into_iter()),
            [(0..2, no), (2..3, yes), (3..5, None), (5..6, yes)]
        );
        assert_eq!(stretches(std::iter::empty()), []);
    }
}
