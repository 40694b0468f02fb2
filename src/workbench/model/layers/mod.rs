//! A design as the inspector lists it: its layers in order, each with how it differs from another
//! design. Made by the worker; [`views::nodes`](crate::workbench::views::nodes) folds and filters it.

mod key;
mod rows;

pub use key::{Comparison, LayerTreeKey, NodeRef, NodeSide};
pub use rows::{ChangeKind, LayerRow, NodeHistory, PairedBy};

use std::collections::BTreeMap;

use crate::base::Size;
use crate::design::diff::Pairing;
use crate::design::{Document, Node};

use super::ids::RunId;
use super::values::{PictureKey, ResourceKey};

/// A design with how it differs from another.
#[derive(Clone, Debug)]
pub struct LayerTree {
    /// The design.
    pub design: Document,
    /// The design it is compared with, if any: the earlier step, or the ground truth.
    pub other: Option<Document>,
    /// How nodes were paired; `None` without a comparison.
    pub paired_by: Option<PairedBy>,
    /// Its nodes as design tools list layers: what is painted last comes first, parents before
    /// children. What only the other design has stands where it would be.
    pub rows: Vec<LayerRow>,
    /// How many rows differ in each way.
    pub counts: BTreeMap<ChangeKind, usize>,
    /// Size of its screen, in canvas units.
    pub screen: Size,
    /// Size of the other design's screen.
    pub other_screen: Size,
}

/// Most trees kept; most of their nodes are shared.
const LAYER_TREES: usize = 48;

impl ResourceKey for LayerTreeKey {
    type Value = LayerTree;
    const BUDGET: usize = LAYER_TREES;

    fn cost(_: &LayerTree) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.slot.is_of_run(run)
    }

    fn is_of_set(&self, set: &str) -> bool {
        self.slot.is_of_set(set)
    }
}

impl LayerTreeKey {
    /// Which design the rows belong to that are not ghosts.
    pub fn side(&self) -> NodeSide {
        match self.slot {
            PictureKey::GroundTruth(_) => NodeSide::GroundTruth,
            _ => NodeSide::Canvas,
        }
    }

    /// Which design the other one is.
    pub fn other_side(&self) -> Option<NodeSide> {
        match self.against {
            Comparison::None => None,
            Comparison::Previous => Some(NodeSide::Before),
            Comparison::GroundTruth => Some(NodeSide::GroundTruth),
        }
    }

    /// The node of a row.
    pub fn node_of(&self, row: &LayerRow) -> NodeRef {
        let ghost = self.other_side().filter(|_| row.is_ghost);
        NodeRef { side: ghost.unwrap_or(self.side()), id: row.id.clone() }
    }
}

impl LayerTree {
    /// The layers of a design; compared with another whose nodes are paired, that one the earlier.
    pub fn new(design: Document, compared: Option<(Document, Pairing, PairedBy)>) -> Self {
        let (other, pairing, paired_by) = match compared {
            Some((other, pairing, by)) => (Some(other), pairing, Some(by)),
            None => (None, Pairing::default(), None),
        };
        let rows = rows::rows(&design, other.as_ref(), &pairing, paired_by);
        let mut counts = BTreeMap::new();
        for kind in rows.iter().flat_map(|row| &row.change_kinds) {
            *counts.entry(*kind).or_insert(0) += 1;
        }
        let screen = screen_size(&design);
        let other_screen = other.as_ref().map(screen_size).unwrap_or_default();
        Self { design, other, paired_by, rows, counts, screen, other_screen }
    }

    /// The row of a node, or of its partner. One pass over the rows.
    pub fn row_of(&self, key: &LayerTreeKey, node: &NodeRef) -> Option<usize> {
        let own = node.side == key.side();
        let other = key.other_side() == Some(node.side);
        self.rows.iter().position(|row| {
            // A ghost is the other design's own node; of any other row its partner is.
            let in_other = if row.is_ghost { Some(&row.id) } else { row.partner.as_ref() };
            let is_own = own && !row.is_ghost && row.id == node.id;
            is_own || (other && in_other == Some(&node.id))
        })
    }

    /// The rows a row lies in, the nearest first.
    pub fn ancestors(&self, row: usize) -> impl Iterator<Item = usize> {
        // Upwards from the row: whatever lies less deep than all before it holds them.
        let mut depth = self.rows.get(row).map_or(0, |row| row.depth);
        let before = self.rows.iter().enumerate().take(row).rev();
        before.filter_map(move |(at, row)| {
            let is_above = row.depth < depth;
            depth = depth.min(row.depth);
            is_above.then_some(at)
        })
    }

    /// The node of a row in the design, and in the other one.
    pub fn nodes_of(&self, row: &LayerRow) -> (Option<&Node>, Option<&Node>) {
        let (own, other) = if row.is_ghost {
            (None, Some(&row.id))
        } else {
            (self.design.get(&row.id), row.partner.as_ref())
        };
        let other = other.and_then(|id| self.other.as_ref()?.get(id));
        (own.map(AsRef::as_ref), other.map(AsRef::as_ref))
    }

    /// How many rows have a partner.
    pub fn paired(&self) -> usize {
        self.rows.iter().filter(|row| row.partner.is_some()).count()
    }
}

fn screen_size(design: &Document) -> Size {
    design.main_frame().map(|frame| frame.size).unwrap_or_default()
}
