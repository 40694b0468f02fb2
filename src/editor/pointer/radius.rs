//! Rounding corners by the dots inside them.

use super::feedback::Reading;
use super::grips::{in_node, radius_at};
use super::input::Pointer;
use super::preview::{GestureOutcome, Preview, changed};
use crate::base::Point;
use crate::design::gesture::Handle;
use crate::design::{CornerRadii, Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// A dot that is pulled.
#[derive(Clone, Debug)]
pub(in crate::editor) struct RadiusDrag {
    start: Document,
    node: NodeId,
    corner: Handle,
    /// In the node's own space.
    from: Point,
    pub(super) preview: Preview,
}

impl RadiusDrag {
    /// Takes hold of the dot of a corner of the only node.
    pub(super) fn begin(
        document: &Document,
        nodes: &[NodeId],
        corner: Handle,
        pointer: Pointer,
    ) -> Option<Self> {
        let [node] = nodes else { return None };
        let from = in_node(document, node, pointer.at)?;
        let (start, node) = (document.clone(), node.clone());
        Some(Self { start, node, corner, from, preview: Preview::default() })
    }

    /// Works out what it comes to with the pointer there: all four, with Alt the one alone.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let Some(at) = in_node(&self.start, &self.node, pointer.at) else { return Ok(()) };
        let node = self.start.node(&self.node)?;
        let off = at.since(self.from);
        // Inwards along both sides of the corner.
        let inwards = -(off.x * f64::from(self.corner.x) + off.y * f64::from(self.corner.y)) / 2.0;
        let old = node.corner_radii;
        // A larger one would meet that of the next corner.
        let most = node.size.width.min(node.size.height) / 2.0;
        let radius = (radius_at(old, self.corner) + inwards).round().clamp(0.0, most);
        // Pulled nowhere, corners that differ stay so.
        let radii = if inwards == 0.0 {
            old
        } else if pointer.keys.alt {
            with_radius(old, self.corner, radius)
        } else {
            CornerRadii::uniform(radius)
        };
        let dragged = changed(&self.start, context, |change| {
            change.update(&self.node, |node| node.corner_radii = radii)
        })?;
        let reading = Some(Reading::Radius(radius_at(radii, self.corner)));
        self.preview = Preview::reading(dragged, reading);
        Ok(())
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        GestureOutcome::edited("Corner radius", vec![self.node], self.preview)
    }
}

fn with_radius(mut radii: CornerRadii, corner: Handle, radius: f64) -> CornerRadii {
    match (corner.x > 0, corner.y > 0) {
        (false, false) => radii.top_left = radius,
        (true, false) => radii.top_right = radius,
        (true, true) => radii.bottom_right = radius,
        (false, true) => radii.bottom_left = radius,
    }
    radii
}
