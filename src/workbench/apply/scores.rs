//! Scores that were computed.

use crate::evaluate::PrimaryMetric;
use crate::metric::{ScalarMap, Score, VariantSpec};
use crate::workbench::cache;
use crate::workbench::library::{LibraryRun, RunId, RunState};
use crate::workbench::protocol::{MapKey, VariantId};
use crate::workbench::scores::Variants;
use crate::workbench::state::{NoticeLevel, State};

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
    let shown = PrimaryMetric::of_run(&entry.manifest).variant();
    for (variant, score) in scores {
        entry.curves.put(&variant, step, score.clone());
        if variant == shown && is_newest(entry, step) {
            entry.last_score = Some(score);
        }
    }
    if let Some((variant, map)) = map {
        cache::put_map(state, MapKey { run, step, variant }, map);
    }
}

/// Takes in what is measured from now on. Scores that may be others now are forgotten, and so asked
/// for again: all but those of metrics that need no model.
pub(super) fn models_used(state: &mut State, result: Result<Vec<VariantSpec>, String>) {
    let variants = match result {
        Ok(variants) => variants,
        Err(why) => {
            state.tell(NoticeLevel::Error, format!("The models cannot be used: {why}"));
            state.models_problem = Some(why);
            return;
        }
    };
    let plain = Variants::default();
    for run in state.library.runs.values_mut() {
        run.curves.keep(|variant| plain.get(variant).is_some());
    }
    state.maps.retain(|key, _| plain.get(&key.variant).is_some());
    state.work.step_scored = None;
    state.variants = Variants::new(variants);
}

/// Whether the score of this step is the one the library shows: that of the last step, or, while
/// the run is live, of the last step scored.
fn is_newest(entry: &LibraryRun, step: u32) -> bool {
    let curve = entry.curves.of(PrimaryMetric::of_run(&entry.manifest).variant());
    let newest_scored = || curve.iter().rposition(Option::is_some);
    step == entry.steps || (entry.state == RunState::Live && newest_scored() == Some(step as usize))
}
