//! Tools that make and dissolve groups.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::design::edit::Transaction;
use crate::design::{Node, NodeId, NodeKind};

use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::Reply;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GroupNodes {
    node_ids: Vec<String>,
    group_name: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UngroupNodes {
    group_id: String,
}

pub(super) fn group_nodes(page: &mut Page, arguments: &GroupNodes) -> Result<Reply, ToolError> {
    let members = members(page, &arguments.node_ids)?;
    let first = members.first().ok_or_else(|| ToolError::unknown(""))?;
    let parent = page.document.node(first)?.parent.clone();
    let ordered: Vec<NodeId> = {
        let wanted: BTreeSet<&NodeId> = members.iter().collect();
        let nodes = page.document.iter_depth_first();
        nodes.filter(|node| wanted.contains(&node.id)).map(|node| node.id.clone()).collect()
    };
    let siblings = page.document.children_of(parent.as_ref());
    let topmost = siblings.iter().rposition(|id| members.contains(id));
    let index = topmost.map_or(siblings.len(), |at| at + 1);
    let name = arguments.group_name.clone().filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Group".to_owned());
    let mut change = Transaction::begin(&mut page.document);
    let group = change.new_id();
    let node = Node::new(group.clone(), name.clone(), NodeKind::Group);
    change.insert(node, parent.as_ref(), Some(index))?;
    for member in &ordered {
        change.reparent(member, Some(&group), None)?;
    }
    settle(change);
    let parent_id = page.parent_id(&group);
    let ids: Vec<&str> = members.iter().map(NodeId::as_str).collect();
    let text = format!("Grouped {} nodes as \"{name}\" with ID: {group} in {parent_id}", ids.len());
    let structured = json!({
        "groupId": group.as_str(), "name": name, "parentId": parent_id, "containedIds": ids,
    });
    Ok(Reply::new(text, structured))
}

/// The nodes to group, without repetitions: at least two, none within another.
fn members(page: &Page, ids: &[String]) -> Result<Vec<NodeId>, ToolError> {
    let mut members: Vec<NodeId> = Vec::new();
    let mut seen = BTreeSet::new();
    for id in ids {
        let node = page.node(id)?;
        if seen.insert(&node.id) {
            members.push(node.id.clone());
        }
    }
    if members.len() < 2 {
        let message = "nodeIds: name at least two different nodes";
        return Err(ToolError::BadArguments(message.to_owned()));
    }
    for member in &members {
        let mut outer = page.document.ancestors(member).map(|node| &node.id);
        if let Some(outer) = outer.find(|id| seen.contains(id)) {
            return Err(ToolError::BadArguments(format!(
                "nodeIds: {member} lies inside {outer}; name only one of them"
            )));
        }
    }
    Ok(members)
}

pub(super) fn ungroup_nodes(page: &mut Page, arguments: &UngroupNodes) -> Result<Reply, ToolError> {
    let group = page.node(&arguments.group_id)?;
    if group.kind != NodeKind::Group {
        return Err(ToolError::wrong_type(group, "only a GROUP can be ungrouped"));
    }
    let (group_id, name, parent) = (group.id.clone(), group.name.clone(), group.parent.clone());
    let released = group.children.clone();
    let parent_id = page.parent_id(&group_id);
    let mut change = Transaction::begin(&mut page.document);
    for child in &released {
        // Each child goes right below the group, which the ones before it have pushed up.
        let siblings = change.document().children_of(parent.as_ref());
        let below = siblings.iter().position(|id| *id == group_id);
        change.reparent(child, parent.as_ref(), below)?;
    }
    if change.document().get(&group_id).is_some() {
        change.remove(&group_id)?;
    }
    settle(change);
    let ids: Vec<&str> = released.iter().map(NodeId::as_str).collect();
    let text = format!("Ungrouped \"{name}\": {} nodes are now in {parent_id}", ids.len());
    let structured = json!({
        "removedGroupId": group_id.as_str(), "parentId": parent_id, "releasedIds": ids,
    });
    Ok(Reply::new(text, structured))
}
