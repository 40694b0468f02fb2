//! Pressing, dragging, letting go, on the page.
//!
//! A press takes hold of something ([`Held`]): by [`grips`] a handle, by [`picking`] a node, else a corner of a
//! rectangle that selects ([`marquee`]); with a tool that draws, what [`drawing`] begins. Every move works out what it
//! would come to from the state at the press; letting go makes that one step, [`PointerAct::Cancel`] none.

mod contour;
mod distances;
mod drawing;
mod drop_target;
mod feedback;
mod gradient;
mod grips;
mod held;
mod input;
mod line_end;
mod marquee;
mod moving;
mod pen;
mod picking;
mod preview;
mod putting;
mod radius;
mod resizing;
mod scaling;
mod shape;
mod spacing;
mod taken;
#[cfg(test)]
mod tests;
mod turning;

pub use contour::{PlacedContours, PointAct};
pub use distances::distances_between;
pub use feedback::{DropTarget, Feedback, Reading};
pub use gradient::{GradientHandle, gradient_handles};
pub use grips::{EditGrip, GripSpot, LineEnd, Side, corners_of, grips, selection_corners};
pub use input::{Pointer, PointerAct, PointerKeys};
pub use picking::{name_area, named_frames};

pub(super) use contour::{begin_points, can_edit_points, delete_points, point_act};
pub(super) use drawing::shown_path;
pub(super) use held::Held;
pub(super) use pen::end_pen;

use super::context::EditorContext;
use super::edited::InPlace;
use super::editing::Editor;
use super::error::EditorError;
use super::selection::Selection;
use super::tool::Tool;
use crate::base::Rect;
use crate::design::NodeId;
use crate::design::gesture::{HitSettings, enter, hits, snap_candidates};
use taken::Taken;

/// Does it.
pub(super) fn pointer_act(
    editor: &mut Editor,
    act: PointerAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        PointerAct::Press(pointer) => {
            let held = match drawing::take(editor, pointer, context)? {
                Taken::NotDrawing => press(editor, pointer),
                Taken::Done => None,
                Taken::Held(drawing) => Some(Held::Drawing(drawing)),
            };
            editor.hold(held);
            Ok(())
        }
        PointerAct::PressGradient(pointer, fill) => {
            let nodes = &editor.selection().nodes;
            match Held::by_gradient(editor.document(), nodes, fill, pointer) {
                Some(held) => editor.hold(Some(held)),
                None => return pointer_act(editor, PointerAct::Press(pointer), context),
            }
            Ok(())
        }
        PointerAct::Move(pointer) => {
            let moved = editor.with_held(|held, _| held.go_to(pointer, context));
            select_what_is_drawn_around(editor);
            moved
        }
        PointerAct::Release(pointer) => {
            let moved = editor.with_held(|held, _| held.go_to(pointer, context));
            select_what_is_drawn_around(editor);
            let Some(held) = editor.let_go() else { return moved };
            moved?;
            held.finish(editor, context)
        }
        PointerAct::DoubleClick(pointer) => {
            if contour::double_click_points(editor, pointer, context)? {
                return Ok(());
            }
            enter_at(editor, pointer);
            Ok(())
        }
        PointerAct::Cancel => {
            give_up(editor);
            Ok(())
        }
    }
}

/// Gives up what is under way: nothing has happened, and what was selected before is.
pub(super) fn give_up(editor: &mut Editor) {
    let before = editor.let_go().and_then(|held| held.selection_before().cloned());
    if let Some(before) = before {
        editor.set_selection(before);
    }
}

/// What a button takes hold of that goes down there: a handle of what is selected, a node, a zone outside a corner of
/// the selection that turns it, or the corner of a rectangle that selects.
fn press(editor: &mut Editor, pointer: Pointer) -> Option<Held> {
    let nodes = editor.selection().nodes.clone();
    let grip = grips::grip_at(editor.document(), &nodes, pointer.at, pointer.zoom);
    let turns = matches!(grip, Some(EditGrip::Turn(_)));
    if let Some(grip) = grip.filter(|_| !turns) {
        let others = snap_targets(editor, &nodes, pointer);
        return Held::by_grip(editor, &nodes, grip, pointer, others);
    }
    let node = picking::node_at(&editor.on_page(), editor.selection(), pointer);
    // What lies around the selection is not in the way of turning it.
    let is_ground = node.as_ref().is_some_and(|node| {
        nodes.iter().any(|id| editor.document().ancestors(id).any(|around| around.id == *node))
    });
    if let Some(grip) = grip.filter(|_| is_ground || node.is_none()) {
        let others = snap_targets(editor, &nodes, pointer);
        return Held::by_grip(editor, &nodes, grip, pointer, others);
    }
    let Some(node) = node else {
        let before = editor.selection().clone();
        if !pointer.keys.shift {
            editor.set_selection(Selection::default());
        }
        return Some(Held::Marquee(marquee::Marquee::begin(&editor.on_page(), before, pointer)));
    };
    let picked = picking::pressed(editor.document(), editor.selection(), &node, pointer.keys);
    if let Some(now) = picked.now {
        editor.set_selection(now);
    }
    // What is locked stays where it is, whatever is dragged with it.
    let mut nodes = editor.selection().nodes.clone();
    nodes.retain(|id| !editor.document().is_locked(id));
    let others = snap_targets(editor, &nodes, pointer);
    let moving = moving::Moving::begin(editor.document(), &nodes, pointer, picked.on_click, others);
    Some(Held::Move(Box::new(moving)))
}

/// The boxes that what is dragged may be drawn to.
fn snap_targets(editor: &Editor, nodes: &[NodeId], pointer: Pointer) -> Vec<Rect> {
    if !editor.snaps() {
        return Vec::new();
    }
    snap_candidates(editor.document(), nodes, pointer.visible)
}

fn select_what_is_drawn_around(editor: &mut Editor) {
    if let Some(selection) = editor.held().and_then(Held::selecting).cloned() {
        editor.set_selection(selection);
    }
}

/// One level further in.
fn enter_at(editor: &mut Editor, pointer: Pointer) {
    let document = &editor.on_page();
    let deepest = hits(document, pointer.at, HitSettings::at_zoom(pointer.zoom)).into_iter().next();
    let selected = editor.selection().only().cloned();
    let further = selected.zip(deepest).and_then(|(selected, deepest)| {
        let further = enter(document, &selected, &deepest)?;
        Some(Selection::of_nodes(document, vec![further]))
    });
    if let Some(selection) = further {
        editor.set_selection(selection);
    }
}

impl Editor {
    /// What a click there would select.
    pub fn hovered(&self, pointer: Pointer) -> Option<NodeId> {
        picking::node_at(&self.on_page(), self.selection(), pointer)
    }

    /// All nodes that lie there, the topmost first, each with those around it up to the page behind it.
    pub fn lying_at(&self, pointer: Pointer) -> Vec<NodeId> {
        picking::lying_at(&self.on_page(), pointer)
    }

    /// What a button would take hold of that goes down there, among the handles of what is selected.
    pub fn grip_at(&self, pointer: Pointer) -> Option<EditGrip> {
        let has_grips =
            matches!(self.tool(), Tool::Move | Tool::Scale) && *self.in_place() == InPlace::Nothing;
        let nodes = self.selection().nodes.as_slice();
        let grip = grips::grip_at(self.document(), nodes, pointer.at, pointer.zoom);
        grip.filter(|_| has_grips)
    }
}
