//! What the list of nodes shows, and selecting in it.

use std::sync::Arc;

use crate::workbench::derive::views;
use crate::workbench::model::{Comparison, LayerTree, LayerTreeKey, NodeRef, NodesScope, State};
use crate::workbench::protocol::NodesCommand;

use super::library::toggle;
use super::select::moved;

/// The order in which a key goes through the comparisons.
const COMPARISONS: [Comparison; 3] =
    [Comparison::None, Comparison::Previous, Comparison::GroundTruth];

pub(super) fn nodes(state: &mut State, command: NodesCommand) {
    match command {
        NodesCommand::Select(node) => select(state, node),
        NodesCommand::SelectBy(by) => select_by(state, by),
        NodesCommand::FoldSelected => fold_selected(state),
        NodesCommand::UnfoldSelected => unfold_selected(state),
        NodesCommand::ToggleFolded(id) => {
            let Some(scope) = state.nodes_slot().as_ref().map(NodesScope::of) else { return };
            toggle(state.nodes.folded.entry(scope).or_default(), id);
        }
        NodesCommand::FoldAll(fold) => fold_all(state, fold),
        NodesCommand::Compare(against) => state.settings.comparison = against,
        NodesCommand::NextComparison => next_comparison(state),
        NodesCommand::ListProgram(program) => state.nodes.program = program,
        NodesCommand::ListGroundTruth(list) => state.nodes.of_ground_truth = list,
        NodesCommand::ToggleOnlyChanged => state.nodes.only_changed = !state.nodes.only_changed,
        NodesCommand::ToggleChangeKind(kind) => {
            let again = state.nodes.only_change_kind == Some(kind);
            state.nodes.only_change_kind = (!again).then_some(kind);
        }
        NodesCommand::SetFilter(filter) => state.nodes.filter = filter,
    }
}

/// Selects a node. An answer about a query that was selected was about another.
pub(super) fn select(state: &mut State, node: Option<NodeRef>) {
    state.query.selected = None;
    state.nodes.selected = node;
    let Some((key, layers)) = listed(state) else { return };
    let Some(node) = &state.nodes.selected else { return };
    let Some(row) = layers.row_of(&key, node) else { return };
    // What is selected is seen, whatever was folded over it.
    let Some(folded) = state.nodes.folded.get_mut(&NodesScope::of(&key.slot)) else { return };
    for above in layers.ancestors(row) {
        if let Some(row) = layers.rows.get(above) {
            folded.remove(&row.id);
        }
    }
}

/// What the list shows now.
fn listed(state: &State) -> Option<(LayerTreeKey, Arc<LayerTree>)> {
    let view = views::nodes(state);
    Some((view.key?, Arc::clone(view.layers?)))
}

/// The selected row of the list, if it is in it.
fn selected_row(state: &State) -> Option<(LayerTreeKey, Arc<LayerTree>, usize)> {
    let (key, layers) = listed(state)?;
    let row = layers.row_of(&key, state.nodes.selected.as_ref()?)?;
    Some((key, layers, row))
}

fn select_by(state: &mut State, by: i32) {
    let view = views::nodes(state);
    let (Some(key), Some(layers)) = (&view.key, view.layers) else { return };
    let at = view.selected.and_then(|row| view.rows.iter().position(|shown| shown.index == row));
    let shown = moved(at, by, view.rows.len()).and_then(|to| view.rows.get(to));
    if let Some(row) = shown.and_then(|shown| layers.rows.get(shown.index)) {
        state.nodes.selected = Some(key.node_of(row));
    }
}

fn fold_selected(state: &mut State) {
    let Some((key, layers, at)) = selected_row(state) else { return };
    let Some(row) = layers.rows.get(at) else { return };
    let folded = state.nodes.folded.entry(NodesScope::of(&key.slot)).or_default();
    let holds_something = row.end > at + 1;
    if holds_something && folded.insert(row.id.clone()) {
        return;
    }
    // Nothing to fold: as in other trees, the same key goes up.
    let above = layers.ancestors(at).next().and_then(|above| layers.rows.get(above));
    if let Some(above) = above {
        state.nodes.selected = Some(key.node_of(above));
    }
}

fn unfold_selected(state: &mut State) {
    let Some((key, layers, at)) = selected_row(state) else { return };
    let Some(row) = layers.rows.get(at) else { return };
    let folded = state.nodes.folded.get_mut(&NodesScope::of(&key.slot));
    let was_folded = folded.is_some_and(|folded| folded.remove(&row.id));
    let first = layers.rows.get(at + 1).filter(|_| row.end > at + 1);
    if let Some(first) = first.filter(|_| !was_folded) {
        state.nodes.selected = Some(key.node_of(first));
    }
}

/// Unfolding forgets what was folded; folding leaves the top rows open, or nothing would be seen.
fn fold_all(state: &mut State, fold: bool) {
    let Some((key, layers)) = listed(state) else { return };
    let scope = NodesScope::of(&key.slot);
    let rows = layers.rows.iter().enumerate();
    let holding = rows.filter(|(at, row)| fold && row.depth > 0 && row.end > at + 1);
    let folded = holding.map(|(_, row)| row.id.clone()).collect();
    state.nodes.folded.insert(scope, folded);
}

fn next_comparison(state: &mut State) {
    let now = state.nodes_comparison();
    let at = COMPARISONS.iter().position(|against| *against == now).unwrap_or(0);
    // What there is nothing to compare with is passed over; at least the present one is found again.
    let later = COMPARISONS.iter().cycle().skip(at + 1).take(COMPARISONS.len());
    if let Some(next) = later.copied().find(|against| state.can_compare(*against)) {
        state.settings.comparison = next;
    }
}
