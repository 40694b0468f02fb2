//! What belongs to the canvas and others know of it.

use crate::design::NodeId;

/// What belongs to the canvas and others know of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CanvasDesk {
    /// The fill of the only selected node whose gradient is edited on the canvas, by its place.
    pub editing_gradient: Option<usize>,
    /// The node under the pointer, on the canvas or in the tree.
    pub hovered: Option<NodeId>,
}
