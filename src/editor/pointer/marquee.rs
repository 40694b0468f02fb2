//! A rectangle that selects what it meets.

use std::collections::HashSet;

use super::input::{DragStart, Pointer};
use super::preview::Preview;
use crate::base::Rect;
use crate::design::gesture::{Depth, marquee};
use crate::design::{Document, NodeId};
use crate::editor::selection::Selection;

/// A rectangle that is drawn.
#[derive(Clone, Debug)]
pub(in crate::editor) struct Marquee {
    document: Document,
    start: DragStart,
    /// The container whose children it selects; `None`: those of the top frames.
    entered: Option<NodeId>,
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
        // Who begins beside what was worked in last is done with it.
        let entered = before.entered.clone();
        let entered = entered
            .filter(|id| document.absolute_box(id).is_ok_and(|bounds| bounds.contains(from)));
        let (start, preview) = (DragStart::at(from), Preview::default());
        Self { document, start, entered, before, selection, preview }
    }

    /// Selects what the rectangle to there meets.
    pub(super) fn go_to(&mut self, pointer: Pointer) {
        // A click draws nothing around anything.
        if !self.start.follow(pointer) {
            return;
        }
        let area = Rect::from_corners(self.start.from, pointer.at);
        self.preview.feedback.area = Some(area);
        let keys = pointer.keys;
        let depth = if keys.command { Depth::Deepest } else { Depth::Level };
        let met = marquee(&self.document, area, self.entered.as_ref(), depth);
        let mut nodes = if keys.shift { self.before.nodes.clone() } else { Vec::new() };
        let known: HashSet<NodeId> = nodes.iter().cloned().collect();
        nodes.extend(met.into_iter().filter(|id| !known.contains(id)));
        // What stays selected stays where it was entered.
        let stays = keys.shift && !self.before.nodes.is_empty();
        let entered = if stays { &self.before.entered } else { &self.entered };
        let entered = entered.clone().filter(|_| !nodes.is_empty());
        self.selection = Selection { nodes, entered };
    }
}
