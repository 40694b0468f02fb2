//! Groups, frames, masks.

use super::members::{
    box_in, chosen, ids_around, members, remove_all, remove_emptied, select_made,
};
use crate::base::{Affine, Rect};
use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};
use crate::editor::context::EditorContext;
use crate::editor::editing::Editor;
use crate::editor::error::EditorError;

/// Makes a group of what is selected.
pub(super) fn group(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let members = members(editor)?;
    let mut made = Vec::new();
    editor.edit("Group", &members, context, |change| {
        let group = Node::new(change.new_id(), "Group", NodeKind::Group);
        made.push(wrap(change, group, &members)?);
        Ok(())
    })?;
    select_made(editor, made);
    Ok(())
}

/// Puts a frame around what is selected: without fill or edge, so that nothing looks otherwise.
pub(super) fn frame(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let members = members(editor)?;
    let mut made = Vec::new();
    editor.edit("Frame selection", &members, context, |change| {
        let mut frame = Node::new(change.new_id(), "Frame", NodeKind::Frame);
        put_around(&mut frame, change.document(), &members);
        made.push(wrap(change, frame, &members)?);
        Ok(())
    })?;
    select_made(editor, made);
    Ok(())
}

/// Groups what is selected with the lowest as mask of the others, or makes a single node a mask or none.
pub(super) fn mask(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let members = members(editor)?;
    let Some(lowest) = members.first().and_then(|id| editor.document().get(id)) else {
        return Ok(());
    };
    if matches!(lowest.kind, NodeKind::Section | NodeKind::Slice | NodeKind::Other(_)) {
        let why = format!("a {} cannot be a mask", lowest.kind.type_name());
        return Err(EditorError::NotPossible(why));
    }
    let (lowest, was_mask) = (lowest.id.clone(), lowest.is_mask);
    if members.len() == 1 {
        let label = if was_mask { "Remove mask" } else { "Use as mask" };
        editor.edit(label, &members, context, |change| {
            change.update(&lowest, |node| node.is_mask = !was_mask)
        })?;
        return Ok(());
    }
    let mut made = Vec::new();
    editor.edit("Use as mask", &members, context, |change| {
        let group = Node::new(change.new_id(), "Mask group", NodeKind::Group);
        made.push(wrap(change, group, &members)?);
        // A mask covers what is above it among its siblings: the lowest covers all others.
        change.update(&lowest, |node| node.is_mask = true)
    })?;
    select_made(editor, made);
    Ok(())
}

/// Takes groups, frames and combined shapes away from around what they hold, which stays where it is.
pub(super) fn ungroup(editor: &mut Editor, context: &EditorContext<'_>) -> Result<(), EditorError> {
    let document = editor.document();
    let screen = document.main_frame().map(|screen| screen.id.clone());
    let mut containers = chosen(editor)?;
    containers.retain(|id| Some(id) != screen.as_ref() && can_be_dissolved(document, id));
    if containers.is_empty() {
        let why = "only groups, frames and combined shapes that hold something can be ungrouped";
        return Err(EditorError::NotPossible(why.to_owned()));
    }
    let mut released = Vec::new();
    editor.edit("Ungroup", &containers, context, |change| {
        containers.iter().try_for_each(|id| dissolve(change, id, &mut released))
    })?;
    select_made(editor, released);
    Ok(())
}

fn can_be_dissolved(document: &Document, id: &NodeId) -> bool {
    document.get(id).is_some_and(|node| {
        let holds =
            matches!(node.kind, NodeKind::Group | NodeKind::Frame | NodeKind::BooleanOperation(_));
        holds && !node.children.is_empty()
    })
}

fn dissolve(
    change: &mut Transaction<'_>,
    container: &NodeId,
    released: &mut Vec<NodeId>,
) -> Result<(), DocumentError> {
    let node = change.document().node(container)?;
    let (parent, children) = (node.parent.clone(), node.children.clone());
    for child in &children {
        // Right below the container, which those before have pushed up.
        let below = change.document().children_of(parent.as_ref()).position(container);
        change.reparent(child, parent.as_ref(), below)?;
        released.push(child.clone());
    }
    // A GROUP went with its last child.
    if change.document().get(container).is_some() {
        change.remove(container)?;
    }
    Ok(())
}

/// Puts a new container where the topmost of the members lies, and the members into it, in this order. Nothing moves
/// on the page.
pub(in crate::editor) fn wrap(
    change: &mut Transaction<'_>,
    container: Node,
    members: &[NodeId],
) -> Result<NodeId, DocumentError> {
    let parent = parent_of_wrap(change.document(), members);
    let siblings = change.document().children_of(parent.as_ref());
    // Right in front of the topmost of them; where none of them is a sibling, in front of all.
    let topmost = siblings.iter().rev().position(|id| members.contains(id));
    let index = siblings.len() - topmost.unwrap_or(0);
    let id = container.id.clone();
    change.insert(container, parent.as_ref(), Some(index))?;
    for member in members {
        let around = ids_around(change.document(), member);
        change.reparent(member, Some(&id), None)?;
        remove_emptied(change, &around)?;
    }
    Ok(id)
}

/// What the topmost of the members lies in.
pub(super) fn parent_of_wrap(document: &Document, members: &[NodeId]) -> Option<NodeId> {
    let topmost = members.last().and_then(|id| document.get(id));
    topmost.and_then(|topmost| topmost.parent.clone())
}

/// Gives a container that is to go around these the box around them.
pub(in crate::editor) fn put_around(container: &mut Node, document: &Document, members: &[NodeId]) {
    let parent = parent_of_wrap(document, members);
    let boxes = members.iter().filter_map(|id| box_in(document, parent.as_ref(), id));
    if let Some(around) = Rect::union_all(boxes) {
        container.transform = Affine::translate(around.x, around.y);
        container.size = around.size();
    }
}

/// Puts a new node where the topmost of the members lies, in place of all of them.
pub(super) fn replace(
    change: &mut Transaction<'_>,
    node: Node,
    members: &[NodeId],
) -> Result<NodeId, DocumentError> {
    let parent = parent_of_wrap(change.document(), members);
    let topmost = members.last();
    let siblings = change.document().children_of(parent.as_ref());
    let above = topmost.and_then(|id| siblings.position(id)).map(|at| at + 1);
    let id = node.id.clone();
    // Before the members go, or its place would be another by then.
    change.insert(node, parent.as_ref(), above)?;
    remove_all(change, members)?;
    Ok(id)
}
