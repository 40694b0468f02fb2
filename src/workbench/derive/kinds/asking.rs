//! What asking models for scores would cost: wanted while the dialog is open.

use crate::workbench::derive::asking::looked_at;
use crate::workbench::model::{AskEstimateKey, Inputs, Overlay, State, Urgency};

use super::kind::DerivedKind;

impl DerivedKind for AskEstimateKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        if state.overlay != Some(Overlay::Ask) {
            return Vec::new();
        }
        state.ask_estimate_key().map(|key| (key, Urgency::Table)).into_iter().collect()
    }

    /// Of many pictures some stand for all: each has to be drawn.
    fn inputs(&self, state: &State) -> Option<Inputs> {
        let asked = state.asked_inputs(looked_at(&self.runs));
        Some(Inputs { asked, ..Inputs::default() })
    }
}
