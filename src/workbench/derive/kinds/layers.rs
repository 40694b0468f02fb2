//! Designs with their layers: what the inspector lists, and what boxes and partners are drawn by.

use crate::workbench::derive::views;
use crate::workbench::model::{
    Comparison, Inputs, InspectorTab, LayerTreeKey, State, Urgency, Workspace,
};

use super::checks::wanted_check;
use super::kind::{DerivedKind, inputs_of_slot};

impl DerivedKind for LayerTreeKey {
    fn wanted(state: &State) -> Vec<(Self, Urgency)> {
        let mut keys = Vec::new();
        if state.workspace == Workspace::Annotate {
            let runs = 0..u8::try_from(views::evidence_steps(state).len()).unwrap_or(u8::MAX);
            keys.extend(runs.filter_map(|run| views::evidence_layers_key(state, run)));
        }
        // Beside an item only what windows of their own show.
        if state.workspace != Workspace::Annotate || state.shows_step() {
            keys.extend(keys_of_step(state));
        }
        let of_calls = key_of_calls(state).filter(|key| !keys.contains(key));
        let keys = keys.into_iter().map(|key| (key, Urgency::Stage));
        // After what is seen: whoever scrubs is not kept from that.
        keys.chain(of_calls.map(|key| (key, Urgency::Table))).collect()
    }

    fn inputs(&self, state: &State) -> Option<Inputs> {
        inputs_of_slot(state, &self.slot)
    }
}

/// Of the run as it is on the stage, once it is drawn: whoever points at a node is told which call changed it last.
fn key_of_calls(state: &State) -> Option<LayerTreeKey> {
    if !state.shows_step() {
        return None;
    }
    if let Some((known, _)) = views::layers_with_history(state) {
        return Some(known);
    }
    let slot = state.selection.run.and(state.run_slot())?;
    let picture = state.ready_picture(&slot)?;
    let has_nodes = !picture.nodes.is_empty() && state.why_no_document(&slot).is_none();
    has_nodes.then_some(LayerTreeKey { slot, against: Comparison::None })
}

/// Of the selected step, for the list of nodes and for what is drawn on the stage.
fn keys_of_step(state: &State) -> Vec<LayerTreeKey> {
    let mut keys: Vec<LayerTreeKey> = Vec::new();
    let shows_nodes =
        matches!(state.inspector_tab(), InspectorTab::Nodes) || wanted_check(state).is_some();
    if shows_nodes && let Some(slot) = state.nodes_slot() {
        keys.push(LayerTreeKey { slot, against: state.nodes_comparison() });
    }
    // How the run differs from the ground truth: to draw boxes, or to find the partner of the
    // selected node.
    let needs_partners = state.stage.boxes || state.nodes.selected.is_some();
    if needs_partners
        && state.why_no_truth_document().is_none()
        && let Some(slot) = state.compared_slot()
    {
        keys.push(LayerTreeKey { slot, against: Comparison::GroundTruth });
    }
    // The list may compare with the ground truth as well: then both are one.
    keys.sort();
    keys.dedup();
    keys.retain(|key| state.why_no_document(&key.slot).is_none());
    keys
}
