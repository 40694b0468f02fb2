//! Tools that move, copy, delete, name and order nodes.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::base::Point;
use crate::design::NodeId;
use crate::design::edit::Transaction;

use super::compat::Quirk;
use super::creation::describe;
use super::error::ToolError;
use super::inspection::NodeIds;
use super::page::{Page, place, settle};
use super::reply::{Reply, naming, number};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct MoveNode {
    node_id: String,
    x: f64,
    y: f64,
    parent_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CloneNode {
    node_id: String,
    x: Option<f64>,
    y: Option<f64>,
    parent_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RenameNode {
    node_id: String,
    new_name: String,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ReorderNode {
    node_id: String,
    direction: Direction,
}

/// Where a node goes among its siblings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Direction {
    Top,
    Bottom,
    Forward,
    Backward,
}

pub(super) fn move_node(page: &mut Page, arguments: &MoveNode) -> Result<Reply, ToolError> {
    let id = page.node(&arguments.node_id)?.id.clone();
    let old = page.box_of(&id)?;
    let parent = arguments.parent_id.as_deref().filter(|_| !page.has(Quirk::ParentIsIgnored));
    let parent = parent.map(|id| page.container(id)).transpose()?;
    let mut change = Transaction::begin(&mut page.document);
    if let Some(parent) = parent {
        put_into(&mut change, &id, parent.as_ref())?;
    }
    // After it has its parent: the coordinates are the page's, whatever it lies in.
    place(&mut change, &id, Point::new(arguments.x, arguments.y))?;
    page.last_edit = Some(settle(change, &page.settings.render));
    // Asked for after the move: the parent may have changed, and auto layout have its say.
    let is_local = page.has(Quirk::MoveAnswersLocally);
    let new = if is_local { page.local_corner(&id)? } else { page.box_of(&id)?.origin() };
    let name = &page.node(id.as_str())?.name;
    let parent_id = page.parent_id(&id);
    let structured = json!({
        "name": name, "id": id.as_str(), "parentId": parent_id,
        "oldX": number(old.x), "oldY": number(old.y), "newX": number(new.x), "newY": number(new.y),
    });
    let text = format!("Moved \"{name}\" to ({}, {}) in {parent_id}", new.x, new.y);
    Ok(Reply::new(text, structured))
}

pub(super) fn clone_node(page: &mut Page, arguments: &CloneNode) -> Result<Reply, ToolError> {
    let id = page.node(&arguments.node_id)?.id.clone();
    let parent = arguments.parent_id.as_deref().filter(|_| !page.has(Quirk::ParentIsIgnored));
    let parent = parent.map(|id| page.container(id)).transpose()?;
    let is_placed = arguments.x.is_some() && arguments.y.is_some();
    // One coordinate is enough as documented; the other stays that of the original.
    let may_place = is_placed || !page.has(Quirk::CloneNeedsBothCoordinates);
    let at = page.box_of(&id)?;
    let mut change = Transaction::begin(&mut page.document);
    // With all it holds, before it is moved: the copy lies where the original does.
    let copy = change.duplicate(&id)?;
    if let Some(parent) = parent {
        put_into(&mut change, &copy, parent.as_ref())?;
    }
    let asked = Point::new(arguments.x.unwrap_or(at.x), arguments.y.unwrap_or(at.y));
    let corner = if may_place { asked } else { at.origin() };
    place(&mut change, &copy, corner)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let reply = describe(page, &copy)?;
    let name = &page.node(copy.as_str())?.name;
    let text = format!(
        "Cloned \"{name}\" with new ID: {copy} at ({}, {}) in {}",
        corner.x,
        corner.y,
        page.parent_id(&copy)
    );
    Ok(Reply::new(text, Value::Object(reply)))
}

/// Puts a node on top of another parent's children; where it lies there already, it stays.
fn put_into(
    change: &mut Transaction<'_>,
    id: &NodeId,
    parent: Option<&NodeId>,
) -> Result<(), ToolError> {
    // Moving it on top of its own siblings would change what it covers.
    let now = change.document().node(id)?.parent.clone();
    if now.as_ref() != parent {
        change.reparent(id, parent, None)?;
    }
    Ok(())
}

pub(super) fn delete_node(page: &mut Page, arguments: &NodeIds) -> Result<Reply, ToolError> {
    let ids = arguments.non_empty()?;
    let (mut deleted, mut missing, mut errors) = (Vec::new(), Vec::new(), Vec::new());
    let mut change = Transaction::begin(&mut page.document);
    for id in ids {
        // Also one that went with its parent just now: it is told as gone, not as an error of the call.
        let Some(node) = change.document().get(&NodeId::from(id.as_str())).cloned() else {
            missing.push(id.chars().take(80).collect::<String>());
            errors.push(json!({"id": id, "error": "Node not found"}));
            continue;
        };
        change.remove(&node.id)?;
        deleted.push(naming(&node));
    }
    // The transaction is dropped, and nothing has changed.
    if deleted.is_empty() {
        return Err(ToolError::UnknownNodes(missing));
    }
    page.last_edit = Some(settle(change, &page.settings.render));
    let summary = json!({"total": ids.len(), "deleted": deleted.len(), "errors": errors.len()});
    let mut text = format!("Deleted {} of {} nodes", deleted.len(), ids.len());
    let mut structured = Map::from_iter([("deleted".to_owned(), Value::Array(deleted))]);
    if !errors.is_empty() {
        text = format!("{text}; not found (or gone with their parent): {}", missing.join(", "));
        structured.insert("errors".to_owned(), Value::Array(errors));
    }
    structured.insert("summary".to_owned(), summary);
    Ok(Reply::new(text, Value::Object(structured)))
}

pub(super) fn rename_node(page: &mut Page, arguments: RenameNode) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    let (id, old_name) = (node.id.clone(), node.name.clone());
    let new_name = arguments.new_name;
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| node.name.clone_from(&new_name))?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let text = format!("Renamed \"{old_name}\" to \"{new_name}\"");
    let structured = json!({"id": id.as_str(), "oldName": old_name, "newName": new_name});
    Ok(Reply::new(text, structured))
}

pub(super) fn reorder_node(page: &mut Page, arguments: &ReorderNode) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    let (id, name, parent) = (node.id.clone(), node.name.clone(), node.parent.clone());
    // From the bottom up, so that forward is up.
    let siblings = page.document.children_of(parent.as_ref());
    let last = siblings.len().saturating_sub(1);
    let old = siblings.iter().position(|sibling| *sibling == id).unwrap_or(last);
    let new = match arguments.direction {
        Direction::Top => last,
        Direction::Bottom => 0,
        Direction::Forward => (old + 1).min(last),
        Direction::Backward => old.saturating_sub(1),
    };
    // Nothing to be undone where nothing moves.
    if new != old {
        let mut change = Transaction::begin(&mut page.document);
        change.reparent(&id, parent.as_ref(), Some(new))?;
        page.last_edit = Some(settle(change, &page.settings.render));
    }
    let structured = json!({
        "id": id.as_str(), "name": name, "parentId": page.parent_id(&id),
        "oldIndex": old, "newIndex": new,
    });
    let text =
        format!("\"{name}\" is now number {new} of {} from the bottom (was {old})", last + 1);
    Ok(Reply::new(text, structured))
}
