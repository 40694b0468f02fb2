//! What the canvas is told, and tells the panels beside it.

use crate::design::NodeId;

/// Something that is done to the canvas and not to the design.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CanvasCommand {
    /// Show handles for the gradient of this fill of the selected node, or for none.
    EditGradient(Option<usize>),
    /// This node is under the pointer, on the canvas or in the tree.
    Hover(Option<NodeId>),
}
