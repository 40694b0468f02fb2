//! What the canvas is told by the panels beside it.

/// Something that is done to the canvas and not to the design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CanvasCommand {
    /// Show handles for the gradient of this fill of the selected node, or for none.
    EditGradient(Option<usize>),
}
