//! Where the loss is, while the inspector shows it.

use std::sync::Arc;

use crate::workbench::model::{HeatScale, Inputs, InspectorTab, LossKey, MapInput, State, Urgency};

use super::kind::DerivedKind;

impl DerivedKind for LossKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let is_seen = state.shows_step() && state.inspector_tab() == InspectorTab::Step;
        let key = state.loss_key().filter(|_| is_seen);
        // After the map itself, and what else is on the stage.
        key.map(|key| (key, Urgency::Table)).into_iter().collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        let map = Arc::clone(state.derived.maps.ready(&self.map)?);
        let scale = HeatScale::of_map(state.variants.get(&self.map.variant)?, self.map.kind);
        Some(Inputs { map: Some(MapInput { map, scale }), ..Inputs::default() })
    }
}
