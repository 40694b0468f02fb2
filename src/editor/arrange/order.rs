//! In front and behind.

use super::members::chosen;
use crate::design::edit::Transaction;
use crate::design::{DocumentError, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Where nodes go among their siblings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OrderTo {
    /// Before all others.
    Front,
    /// Behind all others.
    Back,
    /// One step to the front.
    Forward,
    /// One step to the back.
    Backward,
}

impl OrderTo {
    fn label(self) -> &'static str {
        match self {
            Self::Front => "Bring to front",
            Self::Back => "Send to back",
            Self::Forward => "Bring forward",
            Self::Backward => "Send backward",
        }
    }
}

/// Puts what is selected there; among each other the nodes keep their order.
pub(super) fn order(
    editor: &mut Editor,
    to: OrderTo,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = chosen(editor)?;
    editor.edit(to.label(), &nodes, context, |change| reorder(change, &nodes, to))?;
    Ok(())
}

/// Puts nodes, given from the bottom up, to another place among their siblings.
fn reorder(
    change: &mut Transaction<'_>,
    nodes: &[NodeId],
    to: OrderTo,
) -> Result<(), DocumentError> {
    match to {
        OrderTo::Front => nodes.iter().try_for_each(|id| put(change, id, usize::MAX)),
        // From the last on: each goes behind those that were put there before it, and they end in their order.
        OrderTo::Back => nodes.iter().rev().try_for_each(|id| put(change, id, 0)),
        // The first of those that stand together steps first, so that the others do not pass it.
        OrderTo::Forward => nodes.iter().rev().try_for_each(|id| step(change, id, nodes, 1)),
        OrderTo::Backward => nodes.iter().try_for_each(|id| step(change, id, nodes, -1)),
    }
}

fn put(change: &mut Transaction<'_>, id: &NodeId, index: usize) -> Result<(), DocumentError> {
    let parent = change.document().node(id)?.parent.clone();
    change.reparent(id, parent.as_ref(), Some(index))
}

fn step(
    change: &mut Transaction<'_>,
    id: &NodeId,
    nodes: &[NodeId],
    by: isize,
) -> Result<(), DocumentError> {
    let parent = change.document().node(id)?.parent.clone();
    let siblings = change.document().children_of(parent.as_ref());
    let next = siblings.position(id).and_then(|at| at.checked_add_signed(by));
    // At the end, or beside another of them, it stays: a block that has arrived keeps its order.
    match next.and_then(|next| Some((next, siblings.get(next)?))) {
        Some((next, other)) if !nodes.contains(other) => {
            change.reparent(id, parent.as_ref(), Some(next))
        }
        _ => Ok(()),
    }
}
