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

/// What tools brought over many runs; `None` if that is not asked for, or of another task set than the selected one.
pub fn ablation(state: &State) -> Option<AblationView<'_>> {
    let key = state.what_if.ablation.as_ref()?;
    // All of them are of one set.
    let first = state.library.runs.get(key.runs.first()?)?;
    let selected = state.selection.task.as_ref()?;
    if selected.set != first.task.set {
        return None;
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest, TaskRef};
    use crate::workbench::model::LibraryRun;

    #[test]
    fn what_tools_brought_is_shown_under_tasks_of_its_own_set_alone() {
        let mut state = State::default();
        let manifest = Manifest::new(TaskRef::new("screens", "login"), AgentRef::by_hand(), "");
        let run = LibraryRun::new(manifest, "/runs/a".into(), RunState::Finished);
        state.library.runs.insert(RunId(1), run);
        let key = AblationKey { runs: vec![RunId(1)], variant: "ssim/uniform7".to_owned() };
        state.what_if.ablation = Some(key);
        for (set, is_shown) in [("screens", true), ("icons", false)] {
            state.selection.task = Some(TaskRef::new(set, "basket"));
            assert_eq!(ablation(&state).is_some(), is_shown, "{set}");
        }
    }
}
