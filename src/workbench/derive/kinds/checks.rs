//! Designs held against the queries they were made from, and edits against the checks of their tasks.

use crate::workbench::model::{
    CheckKey, EditCheckKey, Fetched, Inputs, InspectorTab, PictureKey, State, Urgency,
};

use super::kind::{DerivedKind, inputs_of_slot, scorable};

/// How many steps that nobody looks at are checked at a time.
const CHECKED_AT_ONCE: usize = 4;

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

impl DerivedKind for EditCheckKey {
    /// The step on the stage, then the others in their order: where a check came to pass, or ceased to,
    /// only all of them tell.
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let Some(now) = wanted_edit_check(state) else { return Vec::new() };
        let steps = 0..=state.last_step().min(MOST_CHECKED);
        let others = steps.map(|step| Self { step, ..now }).filter(|key| {
            *key != now
                && matches!(state.derived.edit_checks.get(key), None | Some(Fetched::Pending))
        });
        let others = others.take(CHECKED_AT_ONCE).map(|key| (key, Urgency::Curve));
        std::iter::once((now, Urgency::Stage)).chain(others).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &PictureKey::Step(self.run, self.step))
    }
}

/// Of a longer run, steps further on are checked when they are looked at.
pub(in crate::workbench) const MOST_CHECKED: u32 = 2_000;

/// The edit whose checks the inspector shows, while it shows them.
fn wanted_edit_check(state: &State) -> Option<EditCheckKey> {
    state.edit_check_key().filter(|_| state.inspector_tab() == InspectorTab::Step)
}
