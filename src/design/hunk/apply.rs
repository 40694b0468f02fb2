//! Carrying hunks out.

use std::sync::Arc;

use super::field::{Field, corner, move_corner};
use super::{Hunk, HunkChange};
use crate::design::document::{Document, DocumentError};
use crate::design::edit::{Edit, Transaction};
use crate::design::measure::Measure;
use crate::design::node::Node;
use crate::design::node_id::NodeId;

/// What follows when hunks are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consequences {
    /// All that follows from a change by hand: what is in a frame follows its size, texts take the
    /// room of their letters, auto layout places its children.
    Settle,
    /// Nothing but the boxes of groups, which have none of their own.
    Leave,
}

/// Carries hunks out, all of them or none, in one edit.
///
/// # Errors
///
/// What the document refuses of one of them; nothing has changed then.
pub fn apply_hunks<'h>(
    document: &mut Document,
    hunks: impl IntoIterator<Item = &'h Hunk>,
    consequences: Consequences,
    measure: &dyn Measure,
) -> Result<Edit, DocumentError> {
    let mut change = Transaction::begin(document);
    for hunk in hunks {
        // An error drops the transaction, and with it what came before.
        hunk.apply(&mut change, consequences)?;
    }
    Ok(match consequences {
        Consequences::Settle => change.commit_with(measure),
        Consequences::Leave => change.commit(),
    })
}

impl Hunk {
    fn apply(
        &self,
        change: &mut Transaction<'_>,
        consequences: Consequences,
    ) -> Result<(), DocumentError> {
        let id = &self.node;
        match &self.change {
            HunkChange::Insert { nodes, parent, index } => {
                insert(change, nodes, parent.as_ref(), *index)
            }
            HunkChange::Remove => change.remove(id),
            HunkChange::Reparent { parent, index, transform } => {
                change.reparent(id, parent.as_ref(), Some(*index))?;
                // Taken over as it is wanted there, not worked out from the page.
                change.update(id, |node| node.transform = *transform)
            }
            HunkChange::Reorder { index } => {
                let parent = change.document().node(id)?.parent.clone();
                change.reparent(id, parent.as_ref(), Some(*index))
            }
            HunkChange::Set { field: Field::Size, like }
                if consequences == Consequences::Settle =>
            {
                let at = corner(change.document().node(id)?);
                change.resize(id, like.size)?;
                // Of a turned node it is not its own corner that stays, but that of its box.
                change.update(id, |node| move_corner(node, at))
            }
            HunkChange::Set { field, like } => change.update(id, |node| field.copy(like, node)),
        }
    }
}

fn insert(
    change: &mut Transaction<'_>,
    nodes: &[Arc<Node>],
    parent: Option<&NodeId>,
    index: usize,
) -> Result<(), DocumentError> {
    for (at, node) in nodes.iter().enumerate() {
        let (parent, index) =
            if at == 0 { (parent, Some(index)) } else { (node.parent.as_ref(), None) };
        change.insert(Node::clone(node), parent, index)?;
    }
    Ok(())
}
