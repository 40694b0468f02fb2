//! Which picture that was handed out a node shows.

use crate::base::Rect;

use super::node_id::NodeId;

/// A picture that was handed out to be used, where a design shows it: told by whoever made the
/// design, so that nobody has to guess from the names of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownPicture {
    /// The node that shows it.
    pub node: NodeId,
    /// What it is called where it was handed out.
    pub name: String,
    /// Which part of the node's box it takes, as shares of the box: all of it, or less where the node
    /// is a picture of several things. Beyond 0..=1 where it is cut off.
    pub part: Rect,
}

impl ShownPicture {
    /// All of a node's box.
    pub const ALL: Rect = Rect { x: 0.0, y: 0.0, width: 1.0, height: 1.0 };
}
