//! Pressing, dragging, letting go, on the page.
//!
//! A press takes hold of something ([`Held`]); every move works out what it would come to from the state at the press;
//! letting go makes that one step, [`PointerAct::Cancel`] none.

mod contour;
mod drawing;
mod held;
mod pen;

pub use contour::{PlacedContours, PointAct, PointEditing};
pub use pen::PenPath;

pub(super) use contour::{begin_points, can_edit_points, delete_points, point_act};
pub(super) use held::Held;
pub(super) use pen::{end_pen, shown_path};

use drawing::Taken;

use super::context::EditorContext;
use super::editing::Editor;
use super::error::EditorError;
use crate::base::{Point, Rect};

/// Where the pointer is, and what is held with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// On the page.
    pub at: Point,
    /// Points of the screen a unit of the page.
    pub zoom: f64,
    /// The part of the page that is seen.
    pub visible: Rect,
    /// The keys that are down.
    pub keys: PointerKeys,
}

/// Keys that are held with the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PointerKeys {
    /// Shift: one axis, the same ratio, steps of 15 degrees, adds to the selection.
    pub shift: bool,
    /// Alt: copies, from the centre.
    pub alt: bool,
    /// Ctrl or the command key: deep, without snapping.
    pub command: bool,
    /// Space: moves what is being drawn, keeps the parent.
    pub space: bool,
}

/// What the pointer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerAct {
    /// The button goes down.
    Press(Pointer),
    /// It moves while the button is down.
    Move(Pointer),
    /// The button is let go.
    Release(Pointer),
    /// A second click at the same place: one level further in, or into the text.
    DoubleClick(Pointer),
    /// What is under way is given up.
    Cancel,
}

/// Does it.
pub(super) fn pointer_act(
    editor: &mut Editor,
    act: PointerAct,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    match act {
        PointerAct::Press(pointer) => {
            match drawing::take(editor, pointer, context)? {
                Taken::NotDrawing => {}
                Taken::Done => return Ok(()),
                Taken::Held(drawing) => {
                    editor.hold(Some(Held::Drawing(drawing)));
                    return Ok(());
                }
            }
            let held = Held::take(editor, pointer);
            editor.hold(held);
            Ok(())
        }
        PointerAct::Move(pointer) => editor.with_held(|held, _| held.go_to(pointer, context)),
        PointerAct::Release(pointer) => {
            let moved = editor.with_held(|held, _| held.go_to(pointer, context));
            let Some(held) = editor.let_go() else { return moved };
            moved?;
            held.finish(editor, context)
        }
        PointerAct::DoubleClick(pointer) => {
            if contour::double_click_points(editor, pointer, context)? {
                return Ok(());
            }
            held::enter_at(editor, pointer);
            Ok(())
        }
        PointerAct::Cancel => {
            editor.let_go();
            Ok(())
        }
    }
}
