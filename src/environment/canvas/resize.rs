//! `resize_node`: another size, and what that does to what is inside.

use serde::Deserialize;
use serde_json::json;

use crate::base::Size;
use crate::design::edit::Transaction;
use crate::design::{Direction, DocumentError, NodeId, NodeKind, Sizing};

use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::{Reply, number};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResizeNode {
    node_id: String,
    width: f64,
    height: f64,
}

pub(super) fn resize_node(page: &mut Page, arguments: &ResizeNode) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if matches!(node.kind, NodeKind::Canvas | NodeKind::Other(_)) {
        return Err(ToolError::wrong_type(node, "it has no size of its own"));
    }
    let id = node.id.clone();
    let mut change = Transaction::begin(&mut page.document);
    // First, or settling would give it the extent back that its words ask for.
    fix_sizing(&mut change, &id, Size::new(arguments.width, arguments.height))?;
    change.resize(&id, Size::new(arguments.width, arguments.height))?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let node = page.node(id.as_str())?;
    let (name, size) = (&node.name, node.size);
    let structured = json!({
        "id": id.as_str(), "name": name,
        "width": number(size.width), "height": number(size.height),
    });
    let text = format!("Resized \"{name}\" to {} × {}", size.width, size.height);
    Ok(Reply::new(text, structured))
}

/// What hugged its content or filled its parent, and is given another extent, is FIXED from now on,
/// as in Figma; a text no longer hugs at all. What says nothing of it in its fields does not begin to.
fn fix_sizing(change: &mut Transaction<'_>, id: &NodeId, to: Size) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let parent = node.parent.as_ref().and_then(|parent| change.document().get(parent));
    let along = parent.and_then(|parent| Some(parent.auto_layout.as_ref()?.direction));
    let is_text = node.text().is_some();
    let item = node.layout_item;
    // Each axis by itself: one may be given another extent while the other goes on hugging.
    let axes = [
        (Direction::Horizontal, item.horizontal, node.size.width != to.width),
        (Direction::Vertical, item.vertical, node.size.height != to.height),
    ];
    for (axis, given, is_other) in axes {
        let sizing = change.document().sizing(id, axis);
        // A text that is given any size is no longer its letters' to say, the same size included.
        let is_over =
            if is_text { given.is_some() && (is_other || sizing == Sizing::Hug) } else { is_other };
        if is_over && sizing != Sizing::Fixed {
            change.update(id, |node| node.set_sizing(axis, Sizing::Fixed, along))?;
        }
    }
    Ok(())
}
