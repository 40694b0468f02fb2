//! What the assistant would do next: while somebody wants to hear it.

use crate::workbench::derive::views;
use crate::workbench::model::{Inputs, NextStepKey, State, Urgency};

use super::kind::{DerivedKind, inputs_of_branch};

impl DerivedKind for NextStepKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        views::next_step_key(state).map(|key| (key, Urgency::Table)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_branch(state, &self.branch)
    }
}
