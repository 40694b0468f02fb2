//! What a press took hold of.

use super::{Pointer, PointerKeys};
use crate::base::{Axis, Rect, Vector};
use crate::design::gesture::{
    Depth, Drag, Dragged, Guide, HitSettings, Snapped, enter, hit, hits, snap_candidates, snap_move,
};
use crate::design::{Document, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::selection::Selection;

/// A gesture under way.
#[derive(Clone, Debug)]
pub(in crate::editor) struct Held {
    from: Pointer,
    drag: Drag,
    others: Vec<Rect>,
    dragged: Option<Dragged>,
    guides: Vec<Guide>,
}

impl Held {
    /// Takes hold of what lies there; `None` of nothing.
    pub(super) fn take(editor: &mut Editor, pointer: Pointer) -> Option<Self> {
        let node = node_at(editor, pointer);
        let Some(node) = node else {
            editor.set_selection(Selection::default());
            return None;
        };
        if !editor.selection().nodes.contains(&node) {
            let entered = editor.selection().entered.clone();
            editor.set_selection(Selection { nodes: vec![node], entered });
        }
        let document = editor.document();
        let nodes = &editor.selection().nodes;
        let others = if editor.snaps() {
            snap_candidates(document, nodes, pointer.visible)
        } else {
            Vec::new()
        };
        Some(Self {
            from: pointer,
            drag: Drag::begin(document, nodes),
            others,
            dragged: None,
            guides: Vec::new(),
        })
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let mut by = pointer.at.since(self.from.at);
        if pointer.keys.shift {
            if by.x.abs() >= by.y.abs() { by.y = 0.0 } else { by.x = 0.0 }
        }
        let Some(bounds) = self.drag.bounds() else { return Ok(()) };
        let snapped = if pointer.keys.command {
            Snapped::default()
        } else {
            snap_move(bounds.translate(by), &self.others, pointer.zoom)
        };
        by = whole_or_snapped(by, bounds, &snapped);
        self.guides = snapped.guides;
        let dragged = if by == Vector::default() {
            None
        } else {
            Some(self.dragged_by(by, pointer.keys, context)?)
        };
        self.dragged = dragged;
        Ok(())
    }

    fn dragged_by(
        &self,
        by: Vector,
        keys: PointerKeys,
        context: &EditorContext<'_>,
    ) -> Result<Dragged, EditorError> {
        Ok(if keys.alt {
            self.drag.copied(by, context.measure)?
        } else {
            self.drag.moved(by, context.measure)?
        })
    }

    /// The design as it would be.
    pub(in crate::editor) fn document(&self) -> Option<&Document> {
        self.dragged.as_ref().map(|dragged| &dragged.document)
    }

    /// The lines that it is drawn to.
    pub(in crate::editor) fn guides(&self) -> &[Guide] {
        &self.guides
    }

    /// Makes it a step.
    pub(super) fn finish(self, editor: &mut Editor) {
        let nodes: Vec<NodeId> = self.drag.nodes().to_vec();
        if let Some(dragged) = self.dragged {
            editor.take_in("Move", &nodes, dragged.edit, None);
        }
    }
}

/// Where nothing is near, whole numbers, as people write them.
fn whole_or_snapped(by: Vector, bounds: Rect, snapped: &Snapped) -> Vector {
    let on_axis = |axis| snapped.guides.iter().any(|guide| guide.axis == axis);
    let x = if snapped.by.x != 0.0 || on_axis(Axis::Horizontal) {
        by.x + snapped.by.x
    } else {
        (bounds.x + by.x).round() - bounds.x
    };
    let y = if snapped.by.y != 0.0 || on_axis(Axis::Vertical) {
        by.y + snapped.by.y
    } else {
        (bounds.y + by.y).round() - bounds.y
    };
    Vector { x, y }
}

/// The node of the level that is clicked on; with Ctrl the deepest.
fn node_at(editor: &Editor, pointer: Pointer) -> Option<NodeId> {
    let document = editor.document();
    let depth = if pointer.keys.command { Depth::Deepest } else { Depth::Level };
    let entered = editor.selection().entered.as_ref();
    let settings = HitSettings::at_zoom(pointer.zoom);
    let found = hit(document, pointer.at, entered, depth, settings)?;
    // The screen itself is the ground.
    let is_ground = document.main_frame().is_some_and(|screen| screen.id == found);
    (!is_ground).then_some(found)
}

/// One level further in.
pub(super) fn enter_at(editor: &mut Editor, pointer: Pointer) {
    let document = editor.document();
    let deepest = hits(document, pointer.at, HitSettings::at_zoom(pointer.zoom)).into_iter().next();
    let selected = editor.selection().only().cloned();
    let further = selected.zip(deepest).and_then(|(selected, deepest)| {
        let further = enter(document, &selected, &deepest)?;
        let entered = document.get(&further).and_then(|node| node.parent.clone());
        Some(Selection { nodes: vec![further], entered })
    });
    if let Some(selection) = further {
        editor.set_selection(selection);
    }
}
