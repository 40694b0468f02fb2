//! The list of nodes: the layers, folded and filtered; and the nodes outlined on the stage.
//!
//! [`nodes`] is the list, [`properties`] what the selected node is, [`boxes`] what is drawn around
//! the nodes on the stage.

mod boxes;
mod geometry;
mod look;
mod properties;
mod typography;

pub(in crate::workbench) use boxes::layers_with_history;
pub use boxes::{
    BoxKind, NodeOutline, StageBox, boxes, compared_layers, history_of, is_compared,
    is_history_due, outlined, side_in,
};
pub use properties::{Property, PropertyGroup, PropertyValue};

use std::sync::Arc;

use crate::design::{Node, NodeId};
use crate::workbench::derive::views::PaneStatus;
use crate::workbench::model::{
    ChangeKind, Comparison, Fetched, LayerRow, LayerTree, LayerTreeKey, NodeRef, NodeSide,
    NodesScope, PictureKey, ShownIn, State,
};

use properties::{PropertyList, merged};

/// The list of nodes.
#[derive(Debug)]
pub struct Nodes<'a> {
    /// Which layers is shown: the wanted one, or the last one while that is made.
    pub key: Option<LayerTreeKey>,
    /// The layers.
    pub layers: Option<&'a Arc<LayerTree>>,
    /// Whether it is what was asked for.
    pub status: PaneStatus<'a>,
    /// The rows to show, in order.
    pub rows: Vec<ShownRow>,
    /// The row of the selected node, shown or not.
    pub selected: Option<usize>,
    /// Whether something is left out by a filter.
    pub is_filtered: bool,
}

/// A row to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownRow {
    /// Its place in [`LayerTree::rows`].
    pub index: usize,
    /// Whether it is folded; `None` if there is nothing to fold.
    pub folded: Option<bool>,
    /// Whether it passes the filter itself, or only holds something that does.
    pub is_match: bool,
}

/// The list of nodes for what is selected. One pass over the layers.
pub fn nodes(state: &State) -> Nodes<'_> {
    let Some(slot) = state.nodes_slot() else { return nothing("nothing is selected") };
    if let Some(why) = state.why_no_document(&slot) {
        return nothing(why);
    }
    let wanted = LayerTreeKey { slot, against: state.nodes_comparison() };
    match state.derived.layer_trees.get(&wanted) {
        Some(Fetched::Ready(layers)) => listed(state, wanted, layers, PaneStatus::Current),
        Some(Fetched::Failed(why)) => Nodes { status: PaneStatus::Failed(why), ..nothing("") },
        Some(Fetched::Pending) | None => loading(state, &wanted),
    }
}

fn nothing(why: &str) -> Nodes<'_> {
    let status = PaneStatus::Nothing(why);
    Nodes { key: None, layers: None, status, rows: Vec::new(), selected: None, is_filtered: false }
}

/// What was shown last stays while the same design at another step, or compared otherwise, is made.
fn loading<'a>(state: &'a State, wanted: &LayerTreeKey) -> Nodes<'a> {
    let scope = NodesScope::of(&wanted.slot);
    let before = state.derived.layer_trees.shown(ShownIn::Main);
    let before = before.filter(|key| NodesScope::of(&key.slot) == scope);
    match before.and_then(|key| Some((key, state.ready_layers(key)?))) {
        Some((key, layers)) => listed(state, key.clone(), layers, PaneStatus::Loading),
        None => Nodes { status: PaneStatus::Loading, ..nothing("") },
    }
}

fn listed<'a>(
    state: &State,
    key: LayerTreeKey,
    layers: &'a Arc<LayerTree>,
    status: PaneStatus<'a>,
) -> Nodes<'a> {
    let filter = RowFilter::of(state);
    let rows = match &filter {
        None => unfolded(state, &key, layers),
        Some(filter) => filtered(layers, filter),
    };
    let selected = state.nodes.selected.as_ref().and_then(|node| layers.row_of(&key, node));
    let is_filtered = filter.is_some();
    Nodes { key: Some(key), layers: Some(layers), status, rows, selected, is_filtered }
}

/// Which rows are wanted.
struct RowFilter {
    words: String,
    only_changed: bool,
    only_change_kind: Option<ChangeKind>,
}

impl RowFilter {
    /// The filter, unless everything passes. Kinds of difference count only where something is
    /// compared.
    fn of(state: &State) -> Option<Self> {
        let nodes = &state.nodes;
        let compares = state.nodes_comparison() != Comparison::None;
        let filter = Self {
            words: nodes.filter.trim().to_lowercase(),
            only_changed: nodes.only_changed && compares,
            only_change_kind: nodes.only_change_kind.filter(|_| compares),
        };
        let is_open =
            filter.words.is_empty() && !filter.only_changed && filter.only_change_kind.is_none();
        (!is_open).then_some(filter)
    }

    fn passes(&self, row: &LayerRow) -> bool {
        let differs = !self.only_changed || !row.change_kinds.is_empty();
        let is_wanted = self.only_change_kind.is_none_or(|kind| row.change_kinds.contains(&kind));
        // The words last: only they take work, and nearly every row is asked in every frame.
        differs
            && is_wanted
            && (self.words.is_empty()
                || row.id.as_str() == self.words
                || row.name.to_lowercase().contains(&self.words))
    }
}

fn unfolded(state: &State, key: &LayerTreeKey, layers: &LayerTree) -> Vec<ShownRow> {
    let folded = state.nodes.folded.get(&NodesScope::of(&key.slot));
    let (mut rows, mut at) = (Vec::with_capacity(layers.rows.len()), 0);
    while let Some(row) = layers.rows.get(at) {
        let holds_something = row.end > at + 1;
        let is_folded = holds_something && folded.is_some_and(|folded| folded.contains(&row.id));
        let fold = holds_something.then_some(is_folded);
        rows.push(ShownRow { index: at, folded: fold, is_match: true });
        // Forward in any case, so that a wrong end cannot hold the window.
        at = if is_folded { row.end.max(at + 1) } else { at + 1 };
    }
    rows
}

/// What passes, below what it lies in.
fn filtered(layers: &LayerTree, filter: &RowFilter) -> Vec<ShownRow> {
    let mut rows = Vec::new();
    // From the end: a row above is shown if one below it, that is not beside it, was.
    let mut wanted_depth = 0;
    for (index, row) in layers.rows.iter().enumerate().rev() {
        let is_match = filter.passes(row);
        let holds_match = wanted_depth > row.depth;
        if is_match || holds_match {
            let folded = holds_match.then_some(false);
            rows.push(ShownRow { index, folded, is_match });
            wanted_depth = row.depth;
        }
    }
    rows.reverse();
    rows
}

/// What an export writes: the design of the selected node and the node, or else the listed design.
pub fn export_target(state: &State) -> Option<(PictureKey, Option<NodeId>)> {
    let Some(NodeRef { side, id }) = &state.nodes.selected else {
        return Some((state.nodes_slot()?, None));
    };
    let slot = match (side, state.run_slot()?) {
        (NodeSide::GroundTruth, _) => state.ground_truth_key()?,
        (NodeSide::Before, PictureKey::Step(run, step)) => {
            PictureKey::Step(run, step.saturating_sub(1))
        }
        (NodeSide::Before, PictureKey::Document(run, step, program)) => {
            PictureKey::Document(run, step.saturating_sub(1), program)
        }
        (NodeSide::Before | NodeSide::Canvas, slot) => slot,
    };
    Some((slot, Some(id.clone())))
}

/// The properties of a row's node, with those of its partner where there is one. Only what a
/// property panel would show: what has the default of every node is left out, unless it differs.
pub fn properties(layers: &LayerTree, row: &LayerRow) -> Vec<PropertyGroup> {
    let (now, before) = layers.nodes_of(row);
    // Of what only the other design has, the properties are those it has there.
    let (now, before) = if row.is_ghost { (before, None) } else { (now, before) };
    let Some(now) = now else { return Vec::new() };
    let now = properties_of(now);
    if let Some(before) = before {
        return merged(now, properties_of(before));
    }
    let mut groups = merged(now, PropertyList::default());
    // There is nothing it could differ from.
    for property in groups.iter_mut().flat_map(|group| &mut group.properties) {
        property.differs = false;
    }
    groups
}

fn properties_of(node: &Node) -> PropertyList {
    let mut list = PropertyList::default();
    geometry::place(&mut list, node);
    geometry::auto_layout(&mut list, node);
    look::layer(&mut list, node);
    look::paints(&mut list, node);
    look::effects(&mut list, node);
    typography::text(&mut list, node);
    geometry::constraints(&mut list, node);
    list
}
