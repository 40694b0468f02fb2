//! Which pixels of the run and what it is compared with differ: wanted where the stage shows it so.

use crate::workbench::model::{Inputs, PixelDifferenceKey, State, Urgency};

use super::kind::{DerivedKind, inputs_of_pictures};

impl DerivedKind for PixelDifferenceKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        state.pixel_difference_key().map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_pictures(state, [&self.against, &self.run])
    }
}
