//! What the pointer does, and what is held with it.

use crate::base::{Point, Rect};

/// How far a pointer goes before a press becomes a drag, in points of the screen.
const DRAG_STARTS: f64 = 4.0;

/// Where a button went down, and whether that has become a drag.
#[derive(Clone, Copy, Debug)]
pub(super) struct DragStart {
    /// On the page.
    pub(super) from: Point,
    /// Since the pointer was far enough away from there, however near it is now.
    pub(super) has_started: bool,
}

impl DragStart {
    /// A press that is no drag yet.
    pub(super) fn at(from: Point) -> Self {
        Self { from, has_started: false }
    }

    /// Follows the pointer; gives whether it drags.
    pub(super) fn follow(&mut self, pointer: Pointer) -> bool {
        let by = pointer.at.since(self.from);
        self.has_started |= by.x.hypot(by.y) * pointer.zoom >= DRAG_STARTS;
        self.has_started
    }
}

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
    /// Alt: copies, from the centre, one corner alone.
    pub alt: bool,
    /// Ctrl or the command key: deep, without snapping, without constraints.
    pub command: bool,
    /// Space: moves what is being drawn, keeps the parent.
    pub space: bool,
}

/// What the pointer does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerAct {
    /// The button goes down.
    Press(Pointer),
    /// The button goes down while the gradient of this fill of the only selected node is edited: its handles come
    /// before all else.
    PressGradient(Pointer, usize),
    /// It moves while the button is down.
    Move(Pointer),
    /// The button is let go.
    Release(Pointer),
    /// A second click at the same place: one level further in, or into the text.
    DoubleClick(Pointer),
    /// What is under way is given up.
    Cancel,
}
