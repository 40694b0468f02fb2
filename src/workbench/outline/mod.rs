//! A design as the inspector lists it: its layers in order, each with how it differs from another
//! design. Made by the worker; [`views::nodes`](super::views::nodes) folds and filters it.

mod rows;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::base::{Rect, Size};
use crate::design::diff::{Change, Pairing};
use crate::design::{Document, Node, NodeId};

use super::protocol::PictureKey;

/// Which outline: of what, compared with what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutlineKey {
    /// Whose design; never a thumbnail.
    pub slot: PictureKey,
    /// Compared with what.
    pub against: Comparison,
}

/// What a design is compared with.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Comparison {
    /// Nothing.
    None,
    /// The same run one step earlier.
    Previous,
    /// The ground truth of the task.
    #[default]
    GroundTruth,
}

/// Which of the designs on the stage a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeSide {
    /// The run at the selected step, or the start state.
    Canvas,
    /// The run one step earlier.
    Before,
    /// The ground truth.
    GroundTruth,
}

/// A node of one of the designs on the stage.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeRef {
    /// Of which design.
    pub side: NodeSide,
    /// Its id there.
    pub id: NodeId,
}

/// How the nodes of two designs were paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedBy {
    /// The same id: two states of one document.
    Id,
    /// What they are and where: documents made apart.
    Content,
}

/// A design with how it differs from another.
#[derive(Clone, Debug)]
pub struct Outline {
    /// The design.
    pub design: Document,
    /// The design it is compared with, if any: the earlier step, or the ground truth.
    pub other: Option<Document>,
    /// How nodes were paired; `None` without a comparison.
    pub paired_by: Option<PairedBy>,
    /// Its nodes as design tools list layers: what is painted last comes first, parents before
    /// children. What only the other design has stands where it would be.
    pub rows: Vec<OutlineRow>,
    /// Rows by mark.
    pub counts: BTreeMap<Mark, usize>,
    /// Size of its screen, in canvas units.
    pub screen: Size,
    /// Size of the other design's screen.
    pub other_screen: Size,
}

/// One node of an outline.
#[derive(Clone, Debug)]
pub struct OutlineRow {
    /// Its id, in the other design if [`Self::is_ghost`].
    pub id: NodeId,
    /// Its name.
    pub name: String,
    /// Its Figma type.
    pub kind: String,
    /// How many rows it lies in.
    pub depth: u32,
    /// The row after the last one that lies in it.
    pub end: usize,
    /// Whether only the other design has it.
    pub is_ghost: bool,
    /// Whether it and all it lies in are visible.
    pub is_visible: bool,
    /// The node of the other design that is the same.
    pub partner: Option<NodeId>,
    /// How it differs from its partner.
    pub changes: Vec<Change>,
    /// The same in kinds, in order, each once.
    pub marks: Vec<Mark>,
    /// Its box from the corner of the screen, in canvas units; `None` for a node without one.
    pub screen_box: Option<Rect>,
    /// The box of its partner, from the corner of the other screen.
    pub partner_box: Option<Rect>,
    /// Which steps of the run made it.
    pub history: Option<NodeHistory>,
}

/// Which steps of a run made a node what it is; 0 is the start state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeHistory {
    /// The step that made it.
    pub made: u32,
    /// The last step that changed it, children aside; the same as `made` if none did.
    pub changed: u32,
}

/// A kind of difference between a node and its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Has no partner: added since, or more than the ground truth has.
    Added,
    /// Only in the other design: removed since, or missing.
    Removed,
    /// Elsewhere.
    Moved,
    /// Of another size.
    Resized,
    /// Turned or flipped otherwise.
    Turned,
    /// Looking otherwise.
    Restyled,
    /// With other words.
    Rewritten,
    /// Of another type.
    Retyped,
    /// In another parent.
    Reparented,
    /// At another place among its siblings.
    Reordered,
    /// With another name.
    Renamed,
}

impl Mark {
    /// All kinds, in order.
    pub const ALL: [Self; 11] = [
        Self::Added,
        Self::Removed,
        Self::Moved,
        Self::Resized,
        Self::Turned,
        Self::Restyled,
        Self::Rewritten,
        Self::Retyped,
        Self::Reparented,
        Self::Reordered,
        Self::Renamed,
    ];

    /// The kind of a change.
    pub fn of(change: &Change) -> Self {
        match change {
            Change::Added => Self::Added,
            Change::Removed => Self::Removed,
            Change::Moved { .. } => Self::Moved,
            Change::Resized { .. } => Self::Resized,
            Change::Turned { .. } => Self::Turned,
            Change::Restyled { .. } => Self::Restyled,
            Change::Rewritten { .. } => Self::Rewritten,
            Change::Retyped { .. } => Self::Retyped,
            Change::Reparented { .. } => Self::Reparented,
            Change::Reordered { .. } => Self::Reordered,
            Change::Renamed { .. } => Self::Renamed,
        }
    }

    /// One word for it. What has no partner is `added` or `removed` between two steps, `extra` or
    /// `missing` against the ground truth.
    pub fn word(self, against: Comparison) -> &'static str {
        let is_truth = against == Comparison::GroundTruth;
        match self {
            Self::Added if is_truth => "extra",
            Self::Removed if is_truth => "missing",
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Resized => "resized",
            Self::Turned => "turned",
            Self::Restyled => "restyled",
            Self::Rewritten => "rewritten",
            Self::Retyped => "retyped",
            Self::Reparented => "re-parented",
            Self::Reordered => "reordered",
            Self::Renamed => "renamed",
        }
    }
}

impl OutlineKey {
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
    pub fn node_of(&self, row: &OutlineRow) -> NodeRef {
        let ghost = self.other_side().filter(|_| row.is_ghost);
        NodeRef { side: ghost.unwrap_or(self.side()), id: row.id.clone() }
    }

    /// The partner of a row's node.
    pub fn partner_of(&self, row: &OutlineRow) -> Option<NodeRef> {
        Some(NodeRef { side: self.other_side()?, id: row.partner.clone()? })
    }
}

impl Outline {
    /// The outline of a design; compared with another whose nodes are paired, that one the earlier.
    pub fn new(design: Document, compared: Option<(Document, Pairing, PairedBy)>) -> Self {
        let (other, pairing, paired_by) = match compared {
            Some((other, pairing, by)) => (Some(other), pairing, Some(by)),
            None => (None, Pairing::default(), None),
        };
        let rows = rows::rows(&design, other.as_ref(), &pairing, paired_by);
        let mut counts = BTreeMap::new();
        for mark in rows.iter().flat_map(|row| &row.marks) {
            *counts.entry(*mark).or_insert(0) += 1;
        }
        let screen = screen_size(&design);
        let other_screen = other.as_ref().map(screen_size).unwrap_or_default();
        Self { design, other, paired_by, rows, counts, screen, other_screen }
    }

    /// The row of a node, or of its partner. One pass over the rows.
    pub fn row_of(&self, key: &OutlineKey, node: &NodeRef) -> Option<usize> {
        let own = node.side == key.side();
        let other = key.other_side() == Some(node.side);
        self.rows.iter().position(|row| {
            let in_other = if row.is_ghost { Some(&row.id) } else { row.partner.as_ref() };
            let is_own = own && !row.is_ghost && row.id == node.id;
            is_own || (other && in_other == Some(&node.id))
        })
    }

    /// The rows a row lies in, the nearest first.
    pub fn ancestors(&self, row: usize) -> impl Iterator<Item = usize> {
        let mut depth = self.rows.get(row).map_or(0, |row| row.depth);
        let before = self.rows.iter().enumerate().take(row).rev();
        before.filter_map(move |(at, row)| {
            let is_above = row.depth < depth;
            depth = depth.min(row.depth);
            is_above.then_some(at)
        })
    }

    /// The node of a row in the design, and in the other one.
    pub fn nodes_of(&self, row: &OutlineRow) -> (Option<&Node>, Option<&Node>) {
        let other = |id: &NodeId| self.other.as_ref()?.get(id).map(AsRef::as_ref);
        if row.is_ghost {
            return (None, other(&row.id));
        }
        (self.design.get(&row.id).map(AsRef::as_ref), row.partner.as_ref().and_then(other))
    }

    /// How many rows have a partner.
    pub fn paired(&self) -> usize {
        self.rows.iter().filter(|row| row.partner.is_some()).count()
    }
}

fn screen_size(design: &Document) -> Size {
    design.main_frame().map(|frame| frame.size).unwrap_or_default()
}
