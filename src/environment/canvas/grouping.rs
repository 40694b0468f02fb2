//! Tools that make and dissolve groups.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::json;

use crate::design::edit::Transaction;
use crate::design::{Document, DocumentError, Node, NodeId, NodeKind};

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

/// Nodes that are to get one parent: at least two, each once, none within another.
#[derive(Debug)]
pub(super) struct Members(Vec<NodeId>);

impl Members {
    /// The nodes of these ids, in this order. `argument` names them in errors.
    pub(super) fn find<'a>(
        page: &Page,
        argument: &str,
        ids: impl Iterator<Item = &'a str>,
    ) -> Result<Self, ToolError> {
        let (mut members, mut seen): (Vec<NodeId>, _) = (Vec::new(), BTreeSet::new());
        for id in ids {
            let node = page.node(id)?;
            if node.kind.is_file_or_page() {
                return Err(ToolError::wrong_type(node, "it cannot be put into another node"));
            }
            // Named twice is no fault, and means it once.
            if seen.insert(&node.id) {
                members.push(node.id.clone());
            }
        }
        if members.len() < 2 {
            let message = format!("{argument}: name at least two different nodes");
            return Err(ToolError::BadArguments(message));
        }
        // A node and one inside it cannot both be children of the same group.
        for member in &members {
            let mut outer = page.document.ancestors(member).map(|node| &node.id);
            if let Some(outer) = outer.find(|id| seen.contains(id)) {
                return Err(ToolError::BadArguments(format!(
                    "{argument}: {member} lies inside {outer}; name only one of them"
                )));
            }
        }
        Ok(Self(members))
    }

    pub(super) fn ids(&self) -> &[NodeId] {
        &self.0
    }

    /// The members from the bottom up.
    pub(super) fn in_paint_order(&self, document: &Document) -> Vec<NodeId> {
        let mut placed: Vec<(Vec<usize>, &NodeId)> =
            self.0.iter().map(|id| (path_to(document, id), id)).collect();
        placed.sort();
        placed.into_iter().map(|(_, id)| id.clone()).collect()
    }
}

/// The places of a node and its ancestors among their siblings, from the page down.
fn path_to(document: &Document, id: &NodeId) -> Vec<usize> {
    let upwards = document.get(id).into_iter().chain(document.ancestors(id));
    let places = upwards.map(|node| {
        let siblings = document.children_of(node.parent.as_ref());
        siblings.position(&node.id).unwrap_or(siblings.len())
    });
    // From the page down, so that paths compare as the nodes are painted.
    let mut path: Vec<usize> = places.collect();
    path.reverse();
    path
}

/// Puts a new, empty container into the parent of the first member, above the topmost member that
/// lies there, and the members into it in this order. Nothing moves on the page.
pub(super) fn group_in(
    change: &mut Transaction<'_>,
    container: Node,
    members: &Members,
    order: &[NodeId],
) -> Result<NodeId, DocumentError> {
    // Figma's rule: the group goes where the first of them is, whatever the others lie in.
    let first = members.0.first().and_then(|id| change.document().get(id));
    let parent = first.and_then(|first| first.parent.clone());
    let siblings = change.document().children_of(parent.as_ref());
    let wanted: BTreeSet<&NodeId> = members.0.iter().collect();
    let topmost = siblings.iter().rev().position(|id| wanted.contains(id));
    let index = siblings.len() - topmost.unwrap_or(0);
    let id = container.id.clone();
    change.insert(container, parent.as_ref(), Some(index))?;
    for member in order {
        // Each on top of the one before, so that their order stays.
        change.reparent(member, Some(&id), None)?;
    }
    Ok(id)
}

pub(super) fn group_nodes(page: &mut Page, arguments: &GroupNodes) -> Result<Reply, ToolError> {
    let ids = arguments.node_ids.iter().map(String::as_str);
    let members = Members::find(page, "nodeIds", ids)?;
    let order = members.in_paint_order(&page.document);
    // An empty name is none.
    let name = arguments.group_name.clone().filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| "Group".to_owned());
    let mut change = Transaction::begin(&mut page.document);
    let node = Node::new(change.new_id(), name.clone(), NodeKind::Group);
    let group = group_in(&mut change, node, &members, &order)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let parent_id = page.parent_id(&group);
    let ids: Vec<&str> = members.ids().iter().map(NodeId::as_str).collect();
    let text = format!("Grouped {} nodes as \"{name}\" with ID: {group} in {parent_id}", ids.len());
    let structured = json!({
        "groupId": group.as_str(), "name": name, "parentId": parent_id, "containedIds": ids,
    });
    Ok(Reply::new(text, structured))
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
    // An emptied GROUP went with its last child; one that was empty before did not.
    if change.document().get(&group_id).is_some() {
        change.remove(&group_id)?;
    }
    page.last_edit = Some(settle(change, &page.settings.render));
    let ids: Vec<&str> = released.iter().map(NodeId::as_str).collect();
    let text = format!("Ungrouped \"{name}\": {} nodes are now in {parent_id}", ids.len());
    let structured = json!({
        "removedGroupId": group_id.as_str(), "parentId": parent_id, "releasedIds": ids,
    });
    Ok(Reply::new(text, structured))
}
