//! What is drawn around nodes on the stage.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Rect, Size};
use crate::metric::MapKind;
use crate::workbench::model::{
    ChangeKind, Comparison, Fetched, LayerRow, LayerTree, LayerTreeKey, NodeHistory, NodeRef,
    NodeSide, PanePicture, StagePane, State,
};

/// How a node of the run stands to the ground truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BoxKind {
    /// It has a partner of its place and size.
    Matched,
    /// Its partner is elsewhere or of another size.
    Moved,
    /// Only the ground truth has it.
    Missing,
    /// Only the run has it.
    Extra,
}

/// A box around a node on the stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StageBox {
    /// Whose pictures it is drawn over.
    pub side: NodeSide,
    /// How the node stands.
    pub kind: BoxKind,
    /// Where, from the corner of the screen in canvas units.
    pub screen_box: Rect,
    /// Size of that screen.
    pub screen: Size,
}

/// A node outlined on the stage: the selected one, or that under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeOutline {
    /// Whose pictures it is drawn over.
    pub side: NodeSide,
    /// Where, from the corner of the screen in canvas units.
    pub screen_box: Rect,
    /// Size of that screen.
    pub screen: Size,
}

impl BoxKind {
    /// All kinds, in the order of the legend.
    pub const ALL: [Self; 4] = [Self::Matched, Self::Moved, Self::Missing, Self::Extra];

    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Matched => "matched",
            Self::Moved => "moved",
            Self::Missing => "missing",
            Self::Extra => "extra",
        }
    }

    /// Whether a little of its colour lies in its box: that tells what is missing from what is only framed by it.
    pub fn is_filled(self) -> bool {
        matches!(self, Self::Missing | Self::Extra)
    }

    /// Its colour on a picture in a file, whichever theme the window has: that of the light one.
    pub fn color_on_picture(self) -> [u8; 3] {
        match self {
            Self::Matched => [0x19, 0x7B, 0x4C],
            Self::Moved => [0x8F, 0x5D, 0x06],
            Self::Missing => [0xC2, 0x31, 0x40],
            Self::Extra => [0x7A, 0x4F, 0xD0],
        }
    }

    /// The same on a map, which is black in both themes: that of the dark one.
    pub fn color_on_map(self) -> [u8; 3] {
        match self {
            Self::Matched => [0x4C, 0xC3, 0x8A],
            Self::Moved => [0xE5, 0xB4, 0x54],
            Self::Missing => [0xF2, 0x73, 0x7D],
            Self::Extra => [0xB7, 0x94, 0xF6],
        }
    }

    fn of(row: &LayerRow) -> Self {
        if row.is_ghost {
            Self::Missing
        } else if row.partner.is_none() {
            Self::Extra
        } else if row
            .change_kinds
            .iter()
            .any(|kind| matches!(kind, ChangeKind::Moved | ChangeKind::Resized))
        {
            Self::Moved
        } else {
            Self::Matched
        }
    }
}

/// Whether a pane shows what is scored: the run, and of several documents the one worked in last. Over others no
/// boxes are drawn.
pub fn is_compared(state: &State, pane: StagePane) -> bool {
    let facts = pane.facts();
    match facts.picture {
        // Maps are of what is scored and of nothing else.
        PanePicture::Run => facts.is_map || state.shows_compared_document(),
        PanePicture::Slot(_) | PanePicture::Branch => false,
        PanePicture::Program(at) => {
            state.documents().is_some_and(|documents| documents.current() == Some(at))
        }
        PanePicture::GroundTruth => true,
    }
}

/// Whose nodes lie in a pane; the heat lies over the run.
pub fn side_in(state: &State, pane: StagePane) -> NodeSide {
    let facts = pane.facts();
    let is_truth = if facts.is_map {
        // That of the ground truth alone lies over it.
        state.heat_map() == MapKind::GroundTruth
    } else {
        facts.picture == PanePicture::GroundTruth
    };
    if is_truth { NodeSide::GroundTruth } else { NodeSide::Canvas }
}

/// How the run on the stage differs from the ground truth, if that is known.
pub fn compared_layers(state: &State) -> Option<(LayerTreeKey, &Arc<LayerTree>)> {
    let key = LayerTreeKey { slot: state.compared_slot()?, against: Comparison::GroundTruth };
    let layers = state.ready_layers(&key)?;
    Some((key, layers))
}

/// The boxes of what is visible in either design, in paint order, and how many nodes of each kind
/// there are. Empty while nothing is known.
pub fn boxes(state: &State) -> (Vec<StageBox>, BTreeMap<BoxKind, usize>) {
    let (mut found, mut counts) = (Vec::new(), BTreeMap::new());
    let Some((_, layers)) = compared_layers(state) else { return (found, counts) };
    for row in layers.rows.iter().rev().filter(|row| row.is_visible) {
        let kind = BoxKind::of(row);
        let Some(screen_box) = row.screen_box else { continue };
        *counts.entry(kind).or_insert(0) += 1;
        let (own, other) = (NodeSide::Canvas, NodeSide::GroundTruth);
        if kind != BoxKind::Missing {
            found.push(StageBox { side: own, kind, screen_box, screen: layers.screen });
        }
        // On the ground truth's pane too, where it has the node.
        let there = if row.is_ghost { Some(screen_box) } else { row.partner_box };
        if let Some(screen_box) = there {
            found.push(StageBox { side: other, kind, screen_box, screen: layers.other_screen });
        }
    }
    (found, counts)
}

/// Where a node lies in each of the designs on the stage: itself, and its partner where that is
/// known. The ground truth's partner is looked for first.
pub fn outlined(state: &State, node: &NodeRef) -> Vec<NodeOutline> {
    let listed = super::nodes(state);
    let listed = listed.key.zip(listed.layers);
    let mut found: Vec<NodeOutline> = Vec::new();
    for (key, layers) in compared_layers(state).into_iter().chain(listed) {
        let Some(row) = layers.row_of(&key, node).and_then(|at| layers.rows.get(at)) else {
            continue;
        };
        for outline in both_sides(&key, layers, row) {
            if found.iter().all(|known| known.side != outline.side) {
                found.push(outline);
            }
        }
    }
    found
}

/// Which steps of the run on the stage made a node, as far as a tree of its layers is known.
pub fn history_of(state: &State, node: &NodeRef) -> Option<NodeHistory> {
    let (key, layers) = layers_with_history(state)?;
    layers.rows.get(layers.row_of(&key, node)?)?.history
}

/// A tree of the layers of the run on the stage, which says of each which steps made it.
pub(in crate::workbench) fn layers_with_history(
    state: &State,
) -> Option<(LayerTreeKey, &Arc<LayerTree>)> {
    // They all say the same of it: whichever is there will do.
    let mut key = LayerTreeKey { slot: state.run_slot()?, against: Comparison::GroundTruth };
    for against in [Comparison::GroundTruth, Comparison::Previous, Comparison::None] {
        key.against = against;
        if let Some(layers) = state.ready_layers(&key) {
            return Some((key, layers));
        }
    }
    None
}

/// Whether it is still being found out which steps made the nodes of the run on the stage.
pub fn is_history_due(state: &State) -> bool {
    let Some(slot) = state.run_slot().filter(|slot| state.why_no_document(slot).is_none()) else {
        return false;
    };
    let key = LayerTreeKey { slot, against: Comparison::None };
    let has_failed = matches!(state.derived.layer_trees.get(&key), Some(Fetched::Failed(_)));
    !has_failed && layers_with_history(state).is_none()
}

fn both_sides(key: &LayerTreeKey, layers: &LayerTree, row: &LayerRow) -> Vec<NodeOutline> {
    // A ghost lies on the other design's screen, which may be of another size.
    let own = if row.is_ghost { layers.other_screen } else { layers.screen };
    let sides = [
        (Some(key.node_of(row).side), row.screen_box, own),
        (key.other_side(), row.partner_box, layers.other_screen),
    ];
    let outlines = sides.into_iter().filter_map(|(side, screen_box, screen)| {
        Some(NodeOutline { side: side?, screen_box: screen_box?, screen })
    });
    outlines.collect()
}
