//! What was duplicated last.

use crate::base::Vector;
use crate::design::{Document, NodeId};

/// What was duplicated last, and the copies of it.
#[derive(Clone, Debug, Default)]
pub(in crate::editor) struct LastDuplicate {
    originals: Vec<NodeId>,
    /// One of each, in the same order.
    copies: Vec<NodeId>,
}

impl LastDuplicate {
    /// These, and a copy of each.
    pub(in crate::editor) fn new(originals: Vec<NodeId>, copies: Vec<NodeId>) -> Self {
        Self { originals, copies }
    }

    /// How far the copies were moved since from where the originals are; `None` of other nodes.
    pub(super) fn offset(&self, document: &Document, nodes: &[NodeId]) -> Option<Vector> {
        let is_same =
            nodes.len() == self.copies.len() && self.copies.iter().all(|copy| nodes.contains(copy));
        let (original, copy) = (self.originals.first()?, self.copies.first()?);
        let from = document.absolute_box(original).ok().filter(|_| is_same)?;
        Some(document.absolute_box(copy).ok()?.origin().since(from.origin()))
    }
}
