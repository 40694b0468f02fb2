//! Arrows: moving, resizing, another place in auto layout.

use super::members::unlocked;
use crate::base::{Affine, Axis, Vector};
use crate::design::edit::Transaction;
use crate::design::gesture::{BurstKey, BurstKind, Drag};
use crate::design::hunk::Field;
use crate::design::{Direction, Document, DocumentError, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::property::set_extent;

/// An arrow key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Up.
    Up,
    /// Down.
    Down,
}

impl Arrow {
    fn axis(self) -> Axis {
        match self {
            Self::Left | Self::Right => Axis::Horizontal,
            Self::Up | Self::Down => Axis::Vertical,
        }
    }

    fn sign(self) -> i8 {
        match self {
            Self::Left | Self::Up => -1,
            Self::Right | Self::Down => 1,
        }
    }

    fn burst(self) -> BurstKind {
        match self.axis() {
            Axis::Horizontal => BurstKind::Nudge(self.sign(), 0),
            Axis::Vertical => BurstKind::Nudge(0, self.sign()),
        }
    }

    fn vector(self, by: u16) -> Vector {
        self.axis().vector(f64::from(self.sign()) * f64::from(by))
    }
}

/// Moves what is selected; of what auto layout places each goes one place on, if the arrow points along it.
pub(super) fn nudge(
    editor: &mut Editor,
    arrow: Arrow,
    by: u16,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = unlocked(editor)?;
    if nodes.iter().all(|id| editor.document().is_placed(id)) {
        return go_on(editor, arrow, &nodes, context);
    }
    let drag = Drag::begin(editor.document(), &nodes);
    let moved = drag.moved(arrow.vector(by), context.measure)?;
    // Strokes of one key at the same nodes are one step to undo.
    let key = BurstKey { kind: arrow.burst(), nodes: nodes.clone(), field: Field::Place };
    editor.take_in("Move", &nodes, moved.edit, Some(key));
    Ok(())
}

fn go_on(
    editor: &mut Editor,
    arrow: Arrow,
    nodes: &[NodeId],
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let along = nodes.iter().filter(|id| is_along(editor.document(), id, arrow.axis()));
    let along: Vec<NodeId> = along.cloned().collect();
    // The first of those that stand together goes first, so that the others do not pass it.
    let mut first_to_last = along.clone();
    if arrow.sign() > 0 {
        first_to_last.reverse();
    }
    let key = BurstKey { kind: arrow.burst(), nodes: along.clone(), field: Field::Order };
    editor.edit_in_burst("Move", &along, Some(key), context, |change| {
        for id in &first_to_last {
            let next = next_in_layout(change.document(), id, arrow);
            // At the end, or beside another of them, it stays.
            if let Some((next, _)) = next.filter(|(_, other)| !along.contains(other)) {
                let parent = change.document().node(id)?.parent.clone();
                change.reparent(id, parent.as_ref(), Some(next))?;
            }
        }
        Ok(())
    })?;
    Ok(())
}

/// The next sibling that auto layout places, and where it is: what is hidden or absolute is passed, as nobody would see
/// that it alone was.
fn next_in_layout(document: &Document, id: &NodeId, arrow: Arrow) -> Option<(usize, NodeId)> {
    let siblings = document.children_of(document.get(id)?.parent.as_ref());
    let at = siblings.position(id)?;
    let flowing = siblings.iter().enumerate();
    let mut flowing =
        flowing.filter(|(_, other)| document.get(other).is_some_and(|other| other.flows()));
    let next = if arrow.sign() > 0 {
        flowing.find(|(other_at, _)| *other_at > at)
    } else {
        flowing.take_while(|(other_at, _)| *other_at < at).last()
    };
    next.map(|(at, other)| (at, other.clone()))
}

/// Whether the auto layout that places a node goes along the axis.
fn is_along(document: &Document, id: &NodeId, axis: Axis) -> bool {
    let parent = document.get(id).and_then(|node| document.get(node.parent.as_ref()?));
    let layout = parent.and_then(|parent| parent.auto_layout.as_deref());
    layout.is_some_and(|layout| layout.direction == Direction::from(axis))
}

/// Moves the right or the lower side of each selected node. A side that followed something else is fixed
/// then, and a text as wide as its letters breaks its lines there.
pub(super) fn resize(
    editor: &mut Editor,
    arrow: Arrow,
    by: u16,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = unlocked(editor)?;
    let key = BurstKey { kind: arrow.burst(), nodes: nodes.clone(), field: Field::Size };
    editor.edit_in_burst("Resize", &nodes, Some(key), context, |change| {
        nodes.iter().try_for_each(|id| resize_one(change, id, arrow.axis(), arrow.vector(by)))
    })?;
    Ok(())
}

fn resize_one(
    change: &mut Transaction<'_>,
    id: &NodeId,
    axis: Axis,
    by: Vector,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let (was, size) = (node.transform.bounds_of(node.size), node.size);
    let (old, by) = match axis {
        Axis::Horizontal => (size.width, by.x),
        Axis::Vertical => (size.height, by.y),
    };
    let to = grown(old, by);
    if to == old || !node.has_box() {
        return Ok(());
    }
    set_extent(change, id, axis, to)?;
    change.update(id, |node| {
        // Of a turned node the corner of its box stays, not its own.
        let off = was.origin().since(node.transform.bounds_of(node.size).origin());
        if off.x.abs() > 1e-9 || off.y.abs() > 1e-9 {
            let (e, f) = (node.transform.e + off.x, node.transform.f + off.y);
            node.transform = Affine { e, f, ..node.transform };
        }
    })
}

/// Another extent, which is not made less than 1.
fn grown(extent: f64, by: f64) -> f64 {
    // What is thinner already, as a line is, is not made thicker by the limit.
    (extent + by).max(extent.min(1.0))
}
