//! Scores that were computed.

use crate::metric::{ScalarMap, Score};
use crate::workbench::cache;
use crate::workbench::library::{LibraryRun, RunId, RunState};
use crate::workbench::state::State;

pub(super) fn scored(
    state: &mut State,
    run_id: RunId,
    step: u32,
    score: Score,
    map: Option<ScalarMap>,
) {
    let Some(entry) = state.library.runs.get_mut(&run_id) else { return };
    if entry.loaded.is_none() {
        entry.steps = entry.steps.max(step);
    }
    if let Some(place) = entry.curve.get_mut(step as usize) {
        *place = Some(score.clone());
    }
    if is_newest(entry, step) {
        entry.last_score = Some(score);
    }
    if let Some(map) = map {
        cache::put_map(state, (run_id, step), map);
    }
}

/// Whether the score of this step is the one the library shows: that of the last step, or, while
/// the run is live, of the last step scored.
fn is_newest(entry: &LibraryRun, step: u32) -> bool {
    let newest_scored = || entry.curve.iter().rposition(Option::is_some);
    step == entry.steps || (entry.state == RunState::Live && newest_scored() == Some(step as usize))
}
