//! Tools that look for nodes in a subtree. What is hidden is skipped with all it holds, as in the
//! published plugin.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::design::{Node, NodeKind};

use super::compat::Quirk;
use super::error::ToolError;
use super::page::{PAGE_ID, PAGE_NAME, Page};
use super::reply::{Reply, naming, number};
use super::text::font_style_word;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetNodeInfoByTypes {
    node_id: String,
    types: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct GetTextNodeInfo {
    node_id: String,
}

/// A visible node of a subtree, with the names from its top down.
struct ScannedNode<'a> {
    node: &'a Node,
    path: Vec<&'a str>,
}

/// What is looked through: a node, or everything on the page.
struct Scope<'a> {
    name: &'a str,
    tops: Vec<&'a Node>,
}

impl<'a> Scope<'a> {
    fn of(page: &'a Page, id: &str) -> Result<Self, ToolError> {
        // A file may have a node of that id; then the node is meant.
        if id == PAGE_ID && page.node(id).is_err() {
            let tops = page.document.roots().iter().filter_map(|id| page.document.get(id));
            return Ok(Self { name: PAGE_NAME, tops: tops.map(AsRef::as_ref).collect() });
        }
        let top = page.node(id)?;
        Ok(Self { name: &top.name, tops: vec![top] })
    }
}

/// The visible nodes of a scope, its tops included, in paint order.
fn visible<'a>(page: &'a Page, scope: &Scope<'a>) -> Vec<ScannedNode<'a>> {
    let tops = scope.tops.iter().rev().map(|node| ScannedNode { node, path: Vec::new() });
    // The top of the stack is the next in paint order, so both are filled from the top down.
    let (mut found, mut stack) = (Vec::new(), tops.collect::<Vec<_>>());
    while let Some(ScannedNode { node, mut path }) = stack.pop() {
        if !node.visible {
            continue;
        }
        path.push(node.name.as_str());
        let children = node.children.iter().rev().filter_map(|id| page.document.get(id));
        stack.extend(children.map(|node| ScannedNode { node, path: path.clone() }));
        found.push(ScannedNode { node, path });
    }
    found
}

pub(super) fn get_node_info_by_types(
    page: &Page,
    arguments: &GetNodeInfoByTypes,
) -> Result<Reply, ToolError> {
    let scope = Scope::of(page, &arguments.node_id)?;
    if arguments.types.is_empty() {
        let message = "types: is empty; name at least one, such as \"TEXT\"";
        return Err(ToolError::BadArguments(message.to_owned()));
    }
    let mut matching = Vec::new();
    for ScannedNode { node, .. } in visible(page, &scope) {
        if arguments.types.iter().any(|name| is_called(&node.kind, name)) {
            matching.push(matching_node(page, node)?);
        }
    }
    let count = matching.len();
    let message = format!("Found {count} nodes of the types {}", arguments.types.join(", "));
    let structured = json!({
        "success": true, "message": message, "count": count, "matchingNodes": matching,
        "searchedTypes": arguments.types,
    });
    Ok(Reply::new(format!("{message} in \"{}\": {structured}", scope.name), structured))
}

/// Whether nodes of this kind go by this name: that of REST, or of the plugin's API.
fn is_called(kind: &NodeKind, name: &str) -> bool {
    kind.type_name() == name
        || (matches!(kind, NodeKind::RegularPolygon { .. }) && name == "POLYGON")
}

fn matching_node(page: &Page, node: &Node) -> Result<Value, ToolError> {
    let at = page.box_of(&node.id)?;
    let mut info = naming(node);
    info["bbox"] = json!({
        "x": number(at.x), "y": number(at.y),
        "width": number(at.width), "height": number(at.height),
    });
    Ok(info)
}

pub(super) fn get_text_node_info(
    page: &Page,
    arguments: &GetTextNodeInfo,
) -> Result<Reply, ToolError> {
    let scope = Scope::of(page, &arguments.node_id)?;
    let texts = visible(page, &scope).into_iter();
    // Hidden texts were passed over with what hides them.
    let texts = texts.filter_map(|found| text_info(page, &found).transpose());
    let texts: Vec<Value> = texts.collect::<Result<_, _>>()?;
    let count = texts.len();
    let message = format!("Found {count} texts in \"{}\"", scope.name);
    let structured = json!({
        "success": true, "message": message, "count": count, "textNodes": texts,
        "commandId": "cmd_get_text_node_info",
    });
    Ok(Reply::new(format!("{message}: {structured}"), structured))
}

/// What is told of a TEXT; `None` for other nodes.
fn text_info(page: &Page, found: &ScannedNode<'_>) -> Result<Option<Value>, ToolError> {
    let Some(text) = found.node.text() else { return Ok(None) };
    let (id, style) = (&found.node.id, &text.style);
    let at = page.box_of(id)?;
    let is_local = page.has(Quirk::TextInfoAnswersLocally);
    let corner = if is_local { page.local_corner(id)? } else { at.origin() };
    Ok(Some(json!({
        "id": id.as_str(), "name": found.node.name, "type": "TEXT",
        "characters": text.characters,
        "fontSize": number(style.font_size), "fontFamily": style.font_family,
        "fontStyle": font_style_word(style),
        "x": number(corner.x), "y": number(corner.y),
        "width": number(at.width), "height": number(at.height),
        "path": found.path.join(" > "), "depth": found.path.len().saturating_sub(1),
    })))
}
