//! What tools brought over many runs.

use crate::workbench::model::{
    Ablation, AblationKey, DerivedKey, Fetched, Progress, RunId, RunState, State,
};

use super::library::run_order;
use super::what_if::{progress, variant};

/// What is asked for of many runs, and how far it is.
#[derive(Debug)]
pub struct AblationView<'a> {
    /// Of which runs, by which variant.
    pub key: &'a AblationKey,
    /// What was found, or why nothing was; `None` before it is begun.
    pub found: Option<&'a Fetched<Ablation>>,
    /// How far it is, while it is under way.
    pub progress: Option<&'a Progress>,
}

/// What tools brought over many runs; `None` if that is not asked for.
pub fn ablation(state: &State) -> Option<AblationView<'_>> {
    let key = state.what_if.ablation.as_ref()?;
    let found = state.derived.ablations.get(key);
    let progress = progress(state, Some(DerivedKey::Ablation(key.clone())));
    Some(AblationView { key, found, progress })
}

/// The runs that tools are left out of together: those of the selected task's set that are listed and are over.
fn ablatable_runs(state: &State) -> Vec<RunId> {
    let Some(task) = &state.selection.task else { return Vec::new() };
    let mut runs = run_order(state);
    runs.retain(|run| {
        state.library.runs.get(run).is_some_and(|entry| {
            let is_over = !matches!(entry.state, RunState::Live | RunState::Unreadable(_));
            is_over && entry.task.set == task.set
        })
    });
    runs
}

/// What tools brought over the runs that are listed now; `None` where none of them can be made again.
pub(in crate::workbench) fn ablation_of_listed(state: &State) -> Option<AblationKey> {
    let runs = ablatable_runs(state);
    let variant = variant(state)?;
    (!runs.is_empty()).then_some(AblationKey { runs, variant })
}
