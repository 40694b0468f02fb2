//! What a file said of a node besides its own object.

use crate::base::{Affine, Size};

use super::child_list::ChildList;
use super::node_id::NodeId;

/// What was read of a node besides [`Node::source`](super::Node::source), so that what was not
/// changed is written back as it stood. Made by the [`figma`](super::figma) reader alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The id it got: the one in the file, or a fresh one where that was missing or taken.
    pub(super) id: NodeId,
    /// The node it lay in.
    pub(super) parent: Option<NodeId>,
    /// The nodes in it.
    pub(super) children: ChildList,
    /// Which key of the object `children` was, if it was there and a list.
    pub(super) children_at: Option<usize>,
    /// Where it lay.
    pub(super) placement: Placement,
}

/// Where a node lies, as read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    /// From the node's space to the page.
    pub(super) page_from_node: Affine,
    /// From the node's space to its parent's.
    pub(super) transform: Affine,
    /// Extent in its own space.
    pub(super) size: Size,
    /// Whether `relativeTransform` is relative to the parent even where that is a GROUP.
    pub(super) relative_to_parent: bool,
    /// Whether there was a box that could be read.
    pub(super) has_box: bool,
}

impl Placement {
    /// A placement without a box.
    pub(super) fn new(page_from_node: Affine, transform: Affine, size: Size) -> Self {
        Self { page_from_node, transform, size, relative_to_parent: false, has_box: false }
    }
}
