//! What belongs to the canvas and others know of it.

/// What belongs to the canvas and others know of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CanvasDesk {
    /// The fill of the only selected node whose gradient is edited on the canvas, by its place.
    pub editing_gradient: Option<usize>,
}
