//! Which pixels of the run and what it is compared with differ: wanted where the stage shows it so.

use crate::workbench::model::{Inputs, PixelDifferenceKey, State, Urgency};

use super::kind::DerivedKind;

impl DerivedKind for PixelDifferenceKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        state.pixel_difference_key().map(|key| (key, Urgency::Stage)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let against = state.ready_picture(&self.against)?.pixels.clone();
        let run = state.ready_picture(&self.run)?.pixels.clone();
        Some(Inputs { pictures: Some([against, run]), ..Inputs::default() })
    }
}
