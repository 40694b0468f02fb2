//! `create_mask`: a group whose lowest child masks the others.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::design::edit::Transaction;
use crate::design::{Node, NodeId, NodeKind};

use super::creation::describe;
use super::error::ToolError;
use super::grouping::{Members, group_in};
use super::page::{Page, settle};
use super::reply::Reply;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateMask {
    mask_node_id: String,
    content_node_ids: Vec<String>,
    group_name: Option<String>,
}

/// Groups mask and contents in the mask's parent, the mask at the bottom, the contents in the order
/// they lay in.
pub(super) fn create_mask(page: &mut Page, arguments: &CreateMask) -> Result<Reply, ToolError> {
    let mask = page.node(&arguments.mask_node_id)?;
    if !can_mask(&mask.kind) {
        return Err(ToolError::wrong_type(mask, "it cannot be a mask; use a shape, text or frame"));
    }
    let mask = mask.id.clone();
    // Else the mask would count once, and a group of one node be refused in other words.
    if arguments.content_node_ids.iter().any(|id| id == mask.as_str()) {
        let message = format!("contentNodeIds: {mask} is the mask itself; leave it out");
        return Err(ToolError::BadArguments(message));
    }
    let ids = std::iter::once(mask.as_str());
    let ids = ids.chain(arguments.content_node_ids.iter().map(String::as_str));
    let members = Members::find(page, "contentNodeIds", ids)?;
    let contents: Vec<NodeId> = members.in_paint_order(&page.document);
    let contents = contents.into_iter().filter(|id| *id != mask);
    // A mask covers what is above it, so it goes to the bottom wherever it lay.
    let order: Vec<NodeId> = std::iter::once(mask.clone()).chain(contents).collect();
    let name = arguments.group_name.clone().filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Mask Group".to_owned());
    let mut change = Transaction::begin(&mut page.document);
    let group = Node::new(change.new_id(), name.clone(), NodeKind::Group);
    let group = group_in(&mut change, group, &members, &order)?;
    change.update(&mask, |node| node.is_mask = true)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let contents: Vec<&str> = order.iter().skip(1).map(NodeId::as_str).collect();
    let mut reply = describe(page, &group)?;
    reply.extend([
        ("groupId".to_owned(), Value::from(group.as_str())),
        ("maskNodeId".to_owned(), Value::from(mask.as_str())),
        ("contentNodeIds".to_owned(), json!(contents)),
    ]);
    let text = format!(
        "Masked {} nodes by {mask} in the group \"{name}\" with ID: {group} in {}",
        contents.len(),
        page.parent_id(&group)
    );
    Ok(Reply::new(text, Value::Object(reply)))
}

fn can_mask(kind: &NodeKind) -> bool {
    !matches!(kind, NodeKind::Canvas | NodeKind::Section | NodeKind::Slice | NodeKind::Other(_))
}
