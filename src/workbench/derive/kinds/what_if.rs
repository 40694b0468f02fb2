//! Runs with other calls: wanted while the inspector shows them.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{
    BranchCurveKey, BranchKey, EffectsKey, Inputs, RunId, RunInput, ShapleyKey, State, Urgency,
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
        views::effects_key(state).map(|key| (key, Urgency::Curve)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        whole_run(state, self.run)
    }
}

impl DerivedKind for ShapleyKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        views::shapley_key(state).map(|key| (key, Urgency::Curve)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        whole_run(state, self.run)
    }
}

/// A run that was read, with its task.
fn whole_run(state: &State, run: RunId) -> Option<Inputs> {
    let entry = state.library.runs.get(&run)?;
    let run = Some(RunInput::Loaded(Arc::clone(entry.loaded.as_ref()?)));
    let task = state.library.shared_task(&entry.task).cloned();
    Some(Inputs { task, run, ..Inputs::default() })
}
