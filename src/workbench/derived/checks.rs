//! Designs held against the queries they were made from.

use super::scores::scorable;
use super::{DerivedKind, Inputs, ResourceKey, Urgency};
use crate::metric::constraint::Findings;
use crate::workbench::library::RunId;
use crate::workbench::nodes::InspectorTab;
use crate::workbench::query::CheckKey;
use crate::workbench::state::State;

/// Most checks kept.
const CHECKS: usize = 256;

impl ResourceKey for CheckKey {
    type Value = Findings;
    const BUDGET: usize = CHECKS;

    fn cost(_: &Findings) -> usize {
        1
    }
}

impl DerivedKind for CheckKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        wanted_check(state).map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let has_step = self.step <= state.last_step();
        scorable(state, self.run).filter(|_| has_step)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.run == run
    }

    fn is_of_set(&self, _: &str) -> bool {
        false
    }
}

/// The check the inspector wants, while it shows one.
pub(super) fn wanted_check(state: &State) -> Option<CheckKey> {
    state.check_key().filter(|_| state.settings.inspector_tab == InspectorTab::Query)
}
