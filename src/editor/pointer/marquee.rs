//! A rectangle that selects what it meets.

use std::collections::HashSet;

use super::input::{DRAG_STARTS, Pointer};
use super::preview::Preview;
use crate::base::{Point, Rect};
use crate::design::gesture::{Depth, marquee};
use crate::design::{Document, NodeId};
use crate::editor::selection::Selection;

/// A rectangle that is drawn.
#[derive(Clone, Debug)]
pub(in crate::editor) struct Marquee {
    document: Document,
    from: Point,
    has_started: bool,
    /// What was selected before.
    pub(super) before: Selection,
    /// What is selected now.
    pub(super) selection: Selection,
    pub(super) preview: Preview,
}

impl Marquee {
    /// Begins it; with Shift what was selected stays.
    pub(super) fn begin(document: &Document, before: Selection, pointer: Pointer) -> Self {
        let selection = if pointer.keys.shift { before.clone() } else { Selection::default() };
        let (document, from) = (document.clone(), pointer.at);
        Self { document, from, has_started: false, before, selection, preview: Preview::default() }
    }

    /// Selects what the rectangle to there meets.
    pub(super) fn go_to(&mut self, pointer: Pointer) {
        let by = pointer.at.since(self.from);
        self.has_started |= by.x.hypot(by.y) * pointer.zoom >= DRAG_STARTS;
        // A click draws nothing around anything.
        if !self.has_started {
            return;
        }
        let area = Rect::from_corners(self.from, pointer.at);
        self.preview.feedback.area = Some(area);
        let keys = pointer.keys;
        let depth = if keys.command { Depth::Deepest } else { Depth::Level };
        let entered = self.before.entered.as_ref();
        let met = marquee(&self.document, area, entered, depth);
        let mut nodes = if keys.shift { self.before.nodes.clone() } else { Vec::new() };
        let known: HashSet<NodeId> = nodes.iter().cloned().collect();
        nodes.extend(met.into_iter().filter(|id| !known.contains(id)));
        let entered = self.before.entered.clone().filter(|_| !nodes.is_empty());
        self.selection = Selection { nodes, entered };
    }
}
