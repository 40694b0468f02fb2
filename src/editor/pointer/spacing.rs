//! Padding and gap of a frame with auto layout, by handles.

use super::drop_target::auto_layout_of;
use super::feedback::Reading;
use super::grips::{EditGrip, Side, in_node};
use super::input::{Pointer, PointerKeys};
use super::preview::{GestureOutcome, Preview, changed};
use crate::base::{Point, Vector};
use crate::design::{AutoLayout, Direction, Document, NodeId, Sides};
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;

/// A padding or the gap that is pulled.
#[derive(Clone, Debug)]
pub(in crate::editor) struct SpacingDrag {
    start: Document,
    node: NodeId,
    layout: AutoLayout,
    grip: EditGrip,
    /// In the node's own space.
    from: Point,
    pub(super) preview: Preview,
}

impl SpacingDrag {
    /// Takes hold of a padding or the gap of the only node.
    pub(super) fn begin(
        document: &Document,
        nodes: &[NodeId],
        grip: EditGrip,
        pointer: Pointer,
    ) -> Option<Self> {
        let [node] = nodes else { return None };
        let layout = auto_layout_of(document.get(node)?)?.clone();
        let from = in_node(document, node, pointer.at)?;
        let (start, node) = (document.clone(), node.clone());
        Some(Self { start, node, layout, grip, from, preview: Preview::default() })
    }

    /// Works out what it comes to with the pointer there: a padding alone, with Alt that across from it too, with Shift
    /// and Alt all four.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let Some(at) = in_node(&self.start, &self.node, pointer.at) else { return Ok(()) };
        let by = at.since(self.from);
        let mut layout = self.layout.clone();
        let reading = if let EditGrip::Padding(side) = self.grip {
            let padding = pulled_padding(side, side.extent(layout.padding), by);
            set_padding(&mut layout.padding, side, padding, pointer.keys);
            Reading::Padding(padding)
        } else {
            let by = match layout.direction {
                Direction::Horizontal => by.x,
                Direction::Vertical => by.y,
            };
            // Below nothing as well: then what is in it overlaps. A press alone rounds nothing.
            if by != 0.0 {
                layout.item_spacing = (layout.item_spacing + by).round();
            }
            Reading::Gap(layout.item_spacing)
        };
        let dragged = changed(&self.start, context, |change| {
            change.update(&self.node, |node| node.auto_layout = Some(Box::new(layout)))
        })?;
        self.preview = Preview::reading(dragged, Some(reading));
        Ok(())
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        let label = match self.grip {
            EditGrip::Padding(_) => "Padding",
            _ => "Gap",
        };
        GestureOutcome::edited(label, vec![self.node], self.preview)
    }
}

/// A padding that grows as its handle is pulled inwards.
fn pulled_padding(side: Side, old: f64, by: Vector) -> f64 {
    let inwards = match side {
        Side::Top => by.y,
        Side::Right => -by.x,
        Side::Bottom => -by.y,
        Side::Left => by.x,
    };
    // Whole numbers only once it is pulled: a press alone changes nothing.
    if inwards == 0.0 { old } else { (old + inwards).round().max(0.0) }
}

fn set_padding(padding: &mut Sides, side: Side, to: f64, keys: PointerKeys) {
    // Pulled nowhere it stays as it is, whatever keys are down.
    if to == side.extent(*padding) {
        return;
    }
    for each in Side::ALL {
        let is_set =
            each == side || (keys.alt && each == side.opposite()) || (keys.alt && keys.shift);
        if !is_set {
            continue;
        }
        match each {
            Side::Top => padding.top = to,
            Side::Right => padding.right = to,
            Side::Bottom => padding.bottom = to,
            Side::Left => padding.left = to,
        }
    }
}
