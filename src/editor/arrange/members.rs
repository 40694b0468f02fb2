//! What an act is about: the selected nodes, from the bottom up.

use crate::base::Rect;
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, NodeId, NodeKind};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;
use crate::editor::selecting::select;
use crate::editor::selection::SelectAct;

/// The selected nodes that lie in no other selected one, from the bottom up; never none, and no page.
pub(in crate::editor) fn chosen(editor: &Editor) -> Result<Vec<NodeId>, EditorError> {
    let document = editor.document();
    let mut nodes = editor.topmost_selected();
    nodes.retain(|id| document.get(id).is_some_and(|node| !node.kind.is_file_or_page()));
    if nodes.is_empty() {
        return Err(EditorError::NotPossible("nothing is selected".to_owned()));
    }
    // By paths and not among siblings, as what is selected may lie in several frames.
    nodes.sort_by_cached_key(|id| document.paint_path(id));
    Ok(nodes)
}

/// The selected nodes without what is locked, which neither arrows nor alignment move, and which stays where others
/// are deleted.
pub(super) fn unlocked(editor: &Editor) -> Result<Vec<NodeId>, EditorError> {
    let mut nodes = chosen(editor)?;
    nodes.retain(|id| !editor.document().is_locked(id));
    if nodes.is_empty() {
        return Err(EditorError::not_possible("what is selected is locked"));
    }
    Ok(nodes)
}

/// The selected nodes as what is put into something else, which the screen itself cannot be.
pub(super) fn members(editor: &Editor) -> Result<Vec<NodeId>, EditorError> {
    let members = chosen(editor)?;
    let screen = editor.document().main_frame();
    if screen.is_some_and(|screen| members.contains(&screen.id)) {
        let why = "the screen itself cannot be put into something else";
        return Err(EditorError::NotPossible(why.to_owned()));
    }
    Ok(members)
}

/// Takes what is selected out, but what is locked.
pub(in crate::editor) fn delete(
    editor: &mut Editor,
    label: &str,
    context: &EditorContext<'_>,
) -> Result<(), EditorError> {
    let nodes = unlocked(editor)?;
    editor.edit(label, &nodes, context, |change| remove_all(change, &nodes))?;
    Ok(())
}

/// Takes nodes out, none of which lies in another, with the groups and combined shapes they leave empty.
pub(super) fn remove_all(
    change: &mut Transaction<'_>,
    nodes: &[NodeId],
) -> Result<(), DocumentError> {
    for id in nodes {
        let around = ids_around(change.document(), id);
        change.remove(id)?;
        remove_emptied(change, &around)?;
    }
    Ok(())
}

/// What a node lies in, from the inside out.
pub(super) fn ids_around(document: &Document, id: &NodeId) -> Vec<NodeId> {
    document.ancestors(id).map(|node| node.id.clone()).collect()
}

/// Takes out those that only held something and hold nothing any more, from the inside out.
pub(super) fn remove_emptied(
    change: &mut Transaction<'_>,
    around: &[NodeId],
) -> Result<(), DocumentError> {
    for id in around {
        // One that is gone went with its last child.
        let Some(node) = change.document().get(id) else { continue };
        let only_holds = matches!(node.kind, NodeKind::Group | NodeKind::BooleanOperation(_));
        if !only_holds || !node.children.is_empty() {
            break;
        }
        change.remove(id)?;
    }
    Ok(())
}

/// The box of a node along the axes of this parent, which need not be its own; `None` of a node without a place.
pub(super) fn box_in(document: &Document, parent: Option<&NodeId>, id: &NodeId) -> Option<Rect> {
    let node = document.get(id).filter(|node| node.has_box())?;
    if node.parent.as_ref() == parent {
        return Some(node.transform.bounds_of(node.size));
    }
    // By way of the page, as the two may lie anywhere in it.
    let page_from_node = document.absolute_transform(id).ok()?;
    let parent_from_node = match parent {
        Some(parent) => document.absolute_transform(parent).ok()?.inverse()?.after(page_from_node),
        None => page_from_node,
    };
    Some(parent_from_node.bounds_of(node.size))
}

/// Selects nodes that an act made.
pub(in crate::editor) fn select_made(editor: &mut Editor, nodes: Vec<NodeId>) {
    select(editor, SelectAct::Only(nodes));
}
