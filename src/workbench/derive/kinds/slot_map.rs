//! Where the run differs from a picture beside it: wanted where the two are compared.

use crate::workbench::derive::views;
use crate::workbench::model::{Inputs, SlotMapKey, StagePane, State, Urgency};

use super::kind::{DerivedKind, inputs_of_pictures};

impl DerivedKind for SlotMapKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_shown =
            state.stage.heat_opacity > 0.0 || views::panes(state).contains(&StagePane::Heat);
        if !is_shown || !state.shows_step() {
            return Vec::new();
        }
        let key = state.heat_key().and_then(Self::of);
        key.map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let [against, run] = self.pictures()?;
        inputs_of_pictures(state, [&against, &run])
    }
}
