//! Designs with their layers: what the inspector lists, and what boxes and partners are drawn by.

use super::checks::wanted_check;
use super::{DerivedKind, Inputs, ResourceKey, Urgency, inputs_of_slot};
use crate::workbench::library::RunId;
use crate::workbench::nodes::InspectorTab;
use crate::workbench::outline::{Comparison, Outline, OutlineKey};
use crate::workbench::state::State;

/// Most outlines kept; most of their nodes are shared.
const OUTLINES: usize = 48;

impl ResourceKey for OutlineKey {
    type Value = Outline;
    const BUDGET: usize = OUTLINES;

    fn cost(_: &Outline) -> usize {
        1
    }
}

impl DerivedKind for OutlineKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let mut keys: Vec<Self> = Vec::new();
        let shows_nodes = matches!(state.settings.inspector_tab, InspectorTab::Nodes)
            || wanted_check(state).is_some();
        if shows_nodes && let Some(slot) = state.nodes_slot() {
            keys.push(Self { slot, against: state.nodes_comparison() });
        }
        // How the run differs from the ground truth: to draw boxes, or to find the partner of the
        // selected node.
        let needs_partners = state.stage.boxes || state.nodes.selected.is_some();
        if needs_partners
            && state.why_no_truth_document().is_none()
            && let Some(slot) = state.compared_slot()
        {
            keys.push(Self { slot, against: Comparison::GroundTruth });
        }
        keys.sort();
        keys.dedup();
        keys.retain(|key| state.why_no_document(&key.slot).is_none());
        keys.into_iter().map(|key| (key, Urgency::Stage)).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &self.slot)
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.slot.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.slot.is_of_set(set)
    }
}
