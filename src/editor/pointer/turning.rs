//! Turning what is selected.

use super::feedback::Reading;
use super::input::Pointer;
use super::preview::{GestureOutcome, Preview};
use crate::base::Point;
use crate::design::gesture::{Drag, Turning};
use crate::design::{Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// A turn about the middle.
#[derive(Clone, Debug)]
pub(in crate::editor) struct TurnDrag {
    from: Point,
    middle: Point,
    drag: Drag,
    pub(super) preview: Preview,
}

impl TurnDrag {
    /// Takes hold of the nodes; `None` where they have no box.
    pub(super) fn begin(document: &Document, nodes: &[NodeId], pointer: Pointer) -> Option<Self> {
        let drag = Drag::begin(document, nodes);
        let middle = match drag.nodes() {
            [only] => {
                let size = document.get(only)?.size;
                let page_from_node = document.absolute_transform(only).ok()?;
                page_from_node.apply(Point::new(size.width / 2.0, size.height / 2.0))
            }
            _ => drag.bounds()?.center(),
        };
        Some(Self { from: pointer.at, middle, drag, preview: Preview::default() })
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let [from, to] = [self.from, pointer.at].map(|at| {
            let off = at.since(self.middle);
            // y points down: counter-clockwise on the screen is positive.
            (-off.y).atan2(off.x).to_degrees()
        });
        let degrees = ((to - from) * 10.0).round() / 10.0;
        // The shorter way round: left of the middle the angle jumps from 180 to −180.
        let degrees = (degrees + 180.0).rem_euclid(360.0) - 180.0;
        let turning = if pointer.keys.shift { Turning::InSteps } else { Turning::Free };
        let dragged = self.drag.turned(degrees, turning, context.measure)?;
        // Of one node the angle that it comes to; several share none, so that it is how far they were turned.
        let shown = match self.drag.nodes() {
            [only] => dragged.document.absolute_transform(only)?.rotation_degrees(),
            _ if pointer.keys.shift => (degrees / 15.0).round() * 15.0,
            _ => degrees,
        };
        self.preview = Preview::reading(dragged, Some(Reading::Angle(shown)));
        Ok(())
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        GestureOutcome::edited("Rotate", self.drag.nodes().to_vec(), self.preview)
    }
}
