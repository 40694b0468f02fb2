//! Designs held against the queries they were made from.

use crate::workbench::model::{CheckKey, Inputs, InspectorTab, State, Urgency};

use super::kind::{DerivedKind, scorable};

impl DerivedKind for CheckKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        wanted_check(state).map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        scorable(state, self.run).filter(|_| self.step <= state.last_step())
    }
}

/// The check the inspector wants, while it shows one.
pub(super) fn wanted_check(state: &State) -> Option<CheckKey> {
    state.check_key().filter(|_| state.inspector_tab() == InspectorTab::Query)
}
