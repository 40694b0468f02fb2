//! What one call changed on the canvas.

use crate::design::NodeId;
use crate::design::edit::Edit;

/// What one call changed: the design, and which frame is the screen.
///
/// A call that imports a design makes another frame the screen; undoing only what it did to the
/// design would leave the canvas without the screen it had.
#[derive(Clone, Debug, PartialEq)]
pub struct CanvasEdit {
    pub(super) design: Edit,
    pub(super) main_frame_before: NodeId,
    pub(super) main_frame_after: NodeId,
}

impl CanvasEdit {
    /// What takes this change back.
    #[must_use]
    pub fn inverse(&self) -> Self {
        Self {
            design: self.design.inverse(),
            main_frame_before: self.main_frame_after.clone(),
            main_frame_after: self.main_frame_before.clone(),
        }
    }

    /// What changed of the design.
    pub fn design(&self) -> &Edit {
        &self.design
    }

    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.design.is_empty() && self.main_frame_before == self.main_frame_after
    }
}
