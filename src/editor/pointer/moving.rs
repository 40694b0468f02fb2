//! Moving what is selected.

use super::drop_target::{Landing, landing_at};
use super::feedback::Feedback;
use super::grips::corners_of;
use super::input::{DragStart, Pointer, PointerKeys};
use super::preview::{GestureOutcome, Preview, changed};
use crate::base::{Affine, Axis, Point, Rect, Vector};
use crate::design::edit::Transaction;
use crate::design::gesture::{Drag, Dragged, Snapped, snap_move};
use crate::design::{Document, DocumentError, NodeId};
use crate::editor::arrange::LastDuplicate;
use crate::editor::context::EditorContext;
use crate::editor::error::EditorError;
use crate::editor::selection::Selection;

/// A move.
#[derive(Clone, Debug)]
pub(in crate::editor) struct Moving {
    start: DragStart,
    drag: Drag,
    others: Vec<Rect>,
    /// The whole design is moved: it is put into nothing.
    is_screen: bool,
    /// The selection if it turns out to be a click.
    on_click: Option<Selection>,
    /// What lies where it was put: the nodes, or copies of them.
    landed: Vec<NodeId>,
    /// Whether they are copies.
    copies: bool,
    /// Whether they lie in something else there.
    is_put: bool,
    pub(super) preview: Preview,
}

impl Moving {
    /// Takes hold of the nodes; `others` are the boxes that they may be drawn to.
    pub(super) fn begin(
        document: &Document,
        nodes: &[NodeId],
        from: Pointer,
        on_click: Option<Selection>,
        others: Vec<Rect>,
    ) -> Self {
        let drag = Drag::begin(document, nodes);
        let screen = document.main_frame().map(|screen| &screen.id);
        Self {
            start: DragStart::at(from.at),
            others,
            is_screen: drag.nodes().iter().any(|id| Some(id) == screen),
            landed: drag.nodes().to_vec(),
            drag,
            on_click,
            copies: false,
            is_put: false,
            preview: Preview::default(),
        }
    }

    /// Works out what it comes to with the pointer there.
    pub(super) fn go_to(
        &mut self,
        pointer: Pointer,
        context: &EditorContext<'_>,
    ) -> Result<(), EditorError> {
        let mut by = pointer.at.since(self.start.from);
        // Back where it was is nothing at all, whatever it could be rounded to.
        if !self.start.follow(pointer) || by == Vector::default() {
            self.preview = Preview::default();
            return Ok(());
        }
        let keys = pointer.keys;
        if keys.shift {
            // The way that goes further is the one that is meant.
            if by.x.abs() >= by.y.abs() { by.y = 0.0 } else { by.x = 0.0 }
        }
        let Some(bounds) = self.drag.bounds() else { return Ok(()) };
        let drop = self.landing(pointer);
        let is_placed = drop.as_ref().is_some_and(|drop| drop.place().is_some());
        // What auto layout is to place is drawn to no edge.
        let snapped = if keys.command || is_placed {
            Snapped::default()
        } else {
            let mut snapped = snap_move(bounds.translate(by), &self.others, pointer.zoom);
            if keys.shift {
                keep_axis(&mut snapped, by);
            }
            snapped
        };
        by = whole_or_snapped(by, bounds, &snapped, keys);
        let (dragged, landed) = self.put(by, drop.as_ref(), keys, context)?;
        let mut feedback = Feedback {
            guides: snapped.guides,
            gaps: snapped.gaps,
            drop: drop.as_ref().and_then(|drop| drop.shown(&dragged.document, &landed)),
            ..Feedback::default()
        };
        if is_placed {
            feedback.floating = self.floating(by);
        }
        (self.landed, self.copies, self.is_put) = (landed, keys.alt, drop.is_some());
        self.preview = Preview { dragged: Some(dragged), feedback };
        Ok(())
    }

    /// What it would lie in, where that is another frame, the page, or another place in a frame with auto layout.
    fn landing(&self, pointer: Pointer) -> Option<Landing> {
        if pointer.keys.space || self.is_screen {
            return None;
        }
        let (start, nodes) = (self.drag.start(), self.drag.nodes());
        // What is dragged stays on its page.
        let page = nodes.first().and_then(|id| start.page_of(id));
        let seen = page.map(|page| start.with_page_alone(&page.id));
        let drop = landing_at(seen.as_ref().unwrap_or(start), nodes, pointer.at)?;
        nodes.iter().any(|id| drop.takes(start, id, pointer.keys)).then_some(drop)
    }

    fn put(
        &self,
        by: Vector,
        drop: Option<&Landing>,
        keys: PointerKeys,
        context: &EditorContext<'_>,
    ) -> Result<(Dragged, Vec<NodeId>), EditorError> {
        let nodes = self.drag.nodes();
        if drop.is_none() && !keys.alt {
            return Ok((self.drag.moved(by, context.measure)?, nodes.to_vec()));
        }
        let mut landed = Vec::new();
        let start = self.drag.start();
        let dragged = changed(start, context, |change| {
            for id in nodes {
                let node = if keys.alt { change.duplicate(id)? } else { id.clone() };
                let at = change.document().absolute_transform(&node)?;
                let (e, f) = (at.e + by.x, at.f + by.y);
                change.set_absolute_transform(&node, Affine { e, f, ..at })?;
                if let Some(drop) = drop.filter(|drop| drop.takes(start, id, keys)) {
                    put_into(change, &node, drop)?;
                }
                landed.push(node);
            }
            Ok(())
        })?;
        Ok((dragged, landed))
    }

    fn floating(&self, by: Vector) -> Vec<[Point; 4]> {
        let boxes = self.drag.nodes().iter().filter_map(|id| corners_of(self.drag.start(), id));
        boxes.map(|corners| corners.map(|at| Point::new(at.x + by.x, at.y + by.y))).collect()
    }

    /// What it came to.
    pub(super) fn finish(self) -> GestureOutcome {
        if !self.start.has_started {
            return GestureOutcome { select: self.on_click, ..GestureOutcome::default() };
        }
        let dragged = self.preview.dragged.as_ref().filter(|_| self.copies || self.is_put);
        let select = dragged.map(|it| Selection::of_nodes(&it.document, self.landed.clone()));
        let label = if self.copies { "Duplicate" } else { "Move" };
        let originals = self.drag.nodes().to_vec();
        let duplicated = dragged
            .filter(|_| self.copies)
            .map(|_| LastDuplicate::new(originals, self.landed.clone()));
        GestureOutcome {
            select,
            duplicated,
            ..GestureOutcome::edited(label, self.landed, self.preview)
        }
    }
}

fn put_into(
    change: &mut Transaction<'_>,
    node: &NodeId,
    drop: &Landing,
) -> Result<(), DocumentError> {
    let index = drop.place().and_then(|place| {
        let before = place.before.as_ref()?;
        let children = change.document().children_of(Some(drop.parent())).iter();
        // Counted without the node itself, which may lie before that place.
        children.filter(|id| *id != node).position(|id| id == before)
    });
    change.reparent(node, Some(drop.parent()), index)
}

/// Along the axis that Shift holds nothing draws.
fn keep_axis(snapped: &mut Snapped, by: Vector) {
    let held = if by.x == 0.0 { Axis::Horizontal } else { Axis::Vertical };
    let offset = match held {
        Axis::Horizontal => &mut snapped.by.x,
        Axis::Vertical => &mut snapped.by.y,
    };
    if *offset != 0.0 {
        *offset = 0.0;
        snapped.guides.retain(|guide| guide.axis != held);
        snapped.gaps.retain(|gap| gap.axis != held);
    }
}

/// Where nothing is near, whole numbers, as people write them.
fn whole_or_snapped(by: Vector, bounds: Rect, snapped: &Snapped, keys: PointerKeys) -> Vector {
    let on_axis = |axis| {
        snapped.guides.iter().any(|guide| guide.axis == axis)
            || snapped.gaps.iter().any(|gap| gap.axis == axis)
    };
    let one = |axis, by: f64, drawn: f64, at: f64| {
        if keys.shift && by == 0.0 {
            0.0
        } else if drawn != 0.0 || on_axis(axis) {
            // Drawn by nothing it is on the line already: rounding would take it off.
            by + drawn
        } else {
            (at + by).round() - at
        }
    };
    Vector {
        x: one(Axis::Horizontal, by.x, snapped.by.x, bounds.x),
        y: one(Axis::Vertical, by.y, snapped.by.y, bounds.y),
    }
}
