//! Runs with other calls: wanted while the inspector shows them.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{
    AblatedInput, AblationKey, BranchCurveKey, BranchKey, DerivedKey, EffectsKey, Fetched, Inputs,
    RunId, RunInput, ShapleyKey, State, Urgency,
};

use super::kind::{DerivedKind, inputs_of_branch};

impl DerivedKind for BranchKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        views::branch_key(state).map(|key| (key, Urgency::Ahead)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_branch(state, self)
    }
}

impl DerivedKind for BranchCurveKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = views::branch_curve_key(state).filter(|_| views::is_branch_edited(state));
        key.map(|key| (key, Urgency::Timeline)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_branch(state, &self.branch).filter(|inputs| inputs.task.is_some())
    }
}

impl DerivedKind for EffectsKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = views::asked_effects(state).filter(|key| {
            // What was begun goes on while something else is looked at.
            let is_begun = matches!(state.derived.effects.get(key), Some(Fetched::Pending));
            is_begun || views::shows_what_if(state)
        });
        key.map(|key| (key, Urgency::Curve)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        whole_run(state, self.run, self.steps)
    }
}

impl DerivedKind for ShapleyKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let key = views::asked_shapley(state).filter(|key| {
            let is_begun = matches!(state.derived.shapley.get(key), Some(Fetched::Pending));
            is_begun || views::shows_what_if(state)
        });
        key.map(|key| (key, Urgency::Curve)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        whole_run(state, self.run, self.steps)
    }
}

impl DerivedKind for AblationKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let keys = state.what_if.ablation.iter().cloned();
        // Of many runs, which takes minutes: behind all that somebody waits for.
        keys.map(|key| (key, Urgency::Library)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        // All of them: it is not asked for any more once one of its runs is closed.
        let runs = self.runs.iter().filter_map(|run| state.library.runs.get(run));
        let ablated = runs.map(|entry| AblatedInput {
            dir: entry.dir.clone(),
            task: state.library.shared_task(&entry.task).cloned(),
        });
        Some(Inputs { ablated: ablated.collect(), ..Inputs::default() })
    }
}

/// What making a value is called in the list of jobs; nothing of what comes and goes by the dozen. It names no run, as
/// the list may stand over a blind project.
pub(in crate::workbench) fn job_label(key: &DerivedKey) -> String {
    match key {
        DerivedKey::Effects(key) => format!("leaving out each {}", key.grouping.name()),
        DerivedKey::Shapley(key) => format!("Shapley values of each {}", key.grouping.name()),
        DerivedKey::Ablation(key) => format!("tools left out of {} runs", key.runs.len()),
        _ => String::new(),
    }
}

/// A run that was read, with its task; `None` while it is not read, or of a length that it has no more.
fn whole_run(state: &State, run: RunId, steps: u32) -> Option<Inputs> {
    let entry = state.library.runs.get(&run).filter(|entry| entry.steps == steps)?;
    let run = Some(RunInput::Loaded(Arc::clone(entry.loaded.as_ref()?)));
    let task = state.library.shared_task(&entry.task).cloned();
    Some(Inputs { task, run, ..Inputs::default() })
}
