//! Scores that were computed.

use crate::metric::{ScalarMap, Score};
use crate::workbench::cache;
use crate::workbench::library::{LibraryRun, RunId, RunState};
use crate::workbench::protocol::{LIBRARY_VARIANT, MapKey, VariantId};
use crate::workbench::state::State;

pub(super) fn scored(
    state: &mut State,
    (run, step): (RunId, u32),
    scores: Vec<(VariantId, Score)>,
    map: Option<(VariantId, ScalarMap)>,
) {
    let Some(entry) = state.library.runs.get_mut(&run) else { return };
    if entry.loaded.is_none() {
        entry.steps = entry.steps.max(step);
    }
    for (variant, score) in scores {
        entry.curves.put(&variant, step, score.clone());
        if variant == LIBRARY_VARIANT && is_newest(entry, step) {
            entry.last_score = Some(score);
        }
    }
    if let Some((variant, map)) = map {
        cache::put_map(state, MapKey { run, step, variant }, map);
    }
}

/// Whether the score of this step is the one the library shows: that of the last step, or, while
/// the run is live, of the last step scored.
fn is_newest(entry: &LibraryRun, step: u32) -> bool {
    let curve = entry.curves.of(LIBRARY_VARIANT);
    let newest_scored = || curve.iter().rposition(Option::is_some);
    step == entry.steps || (entry.state == RunState::Live && newest_scored() == Some(step as usize))
}
