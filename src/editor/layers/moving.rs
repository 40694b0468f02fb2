//! Layers that are put elsewhere in the tree.

use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, NodeId};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Puts layers into a parent above so many of its children, in the order they had, each at its place on the page.
pub(super) fn move_to(
    editor: &mut Editor,
    nodes: &[NodeId],
    parent: Option<&NodeId>,
    index: usize,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let moved = in_order(editor.document(), nodes)?;
    if let Some(parent) = parent {
        let document = editor.document();
        document.node(parent)?;
        let mut around = document.ancestors(parent).map(|node| &node.id);
        if moved.contains(parent) || around.any(|id| moved.contains(id)) {
            let why = "a layer cannot be put into itself";
            return Err(EditorError::NotPossible(why.to_owned()));
        }
    }
    editor.edit("Move layer", &moved, context, |change| put(change, &moved, parent, index))?;
    Ok(())
}

/// The layers that lie in no other of them, the one at the back first.
fn in_order(document: &Document, nodes: &[NodeId]) -> Result<Vec<NodeId>, EditorError> {
    for id in nodes {
        if document.node(id)?.kind.is_file_or_page() {
            return Err(EditorError::NotPossible("a page cannot be moved".to_owned()));
        }
    }
    let topmost = |id: &NodeId| !document.ancestors(id).any(|around| nodes.contains(&around.id));
    let walk = document.iter_depth_first().map(|node| &node.id);
    Ok(walk.filter(|id| nodes.contains(id) && topmost(id)).cloned().collect())
}

fn put(
    change: &mut Transaction<'_>,
    moved: &[NodeId],
    parent: Option<&NodeId>,
    index: usize,
) -> Result<(), DocumentError> {
    // What is to lie above them; a group among it may go when its last child leaves it.
    let above: Vec<NodeId> = {
        let siblings = change.document().children_of(parent).iter().skip(index);
        siblings.filter(|id| !moved.contains(id)).cloned().collect()
    };
    for id in moved {
        let siblings = change.document().children_of(parent);
        let mut others = siblings.iter().filter(|sibling| *sibling != id);
        let place = others.position(|sibling| above.contains(sibling));
        change.reparent(id, parent, place)?;
    }
    Ok(())
}
