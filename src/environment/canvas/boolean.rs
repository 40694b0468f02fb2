//! `boolean_nodes`: several shapes as one.
//!
//! As Figma has it (help.figma.com, "Boolean operations"): the shapes become children of a
//! BOOLEAN_OPERATION in the parent of the first, at the place of the topmost of them, and keep their
//! place on the page and their order. It takes fill, stroke and effects of the topmost shape; of the
//! lowest where the others are subtracted from it. Frames and sections cannot be combined. What the
//! shapes combine to is the renderer's geometry.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::{Affine, Rect};
use crate::design::edit::Transaction;
use crate::design::{BooleanOp, DocumentError, Node, NodeId, NodeKind};

use super::creation::describe;
use super::error::ToolError;
use super::grouping::{Members, group_in};
use super::page::{Page, settle};
use super::reply::Reply;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BooleanNodes {
    node_ids: Vec<String>,
    operation: BooleanOp,
}

pub(super) fn boolean_nodes(page: &mut Page, arguments: &BooleanNodes) -> Result<Reply, ToolError> {
    let ids = arguments.node_ids.iter().map(String::as_str);
    let members = Members::find(page, "nodeIds", ids)?;
    for id in members.ids() {
        let node = page.node(id.as_str())?;
        if !can_combine(&node.kind) {
            return Err(ToolError::wrong_type(
                node,
                "only shapes, texts and groups of them combine",
            ));
        }
    }
    let order = members.in_paint_order(&page.document);
    let operation = arguments.operation;
    // Whose look it gets: see above.
    let model = if operation == BooleanOp::Subtract { order.first() } else { order.last() };
    let model = model.and_then(|id| page.document.get(id)).cloned();
    let mut change = Transaction::begin(&mut page.document);
    let mut node =
        Node::new(change.new_id(), operation.label(), NodeKind::BooleanOperation(operation));
    if let Some(model) = &model {
        node.fills.clone_from(&model.fills);
        node.stroke.clone_from(&model.stroke);
        node.effects.clone_from(&model.effects);
    }
    let combined = group_in(&mut change, node, &members, &order)?;
    // Until the shapes are combined their box stands for it; settling finds the right one.
    fit_to_children(&mut change, &combined)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let ids: Vec<&str> = order.iter().map(NodeId::as_str).collect();
    let mut reply = describe(page, &combined)?;
    reply.extend([
        ("type".to_owned(), Value::from("BOOLEAN_OPERATION")),
        ("booleanOperation".to_owned(), json!(operation)),
        ("containedIds".to_owned(), json!(ids)),
    ]);
    let text = format!(
        "Combined {} nodes as \"{}\" with ID: {combined} in {}",
        ids.len(),
        operation.label(),
        page.parent_id(&combined)
    );
    Ok(Reply::new(text, Value::Object(reply)))
}

fn can_combine(kind: &NodeKind) -> bool {
    matches!(
        kind,
        // What has an outline of its own, or groups of such; a frame is a box that other things lie in.
        NodeKind::Rectangle
            | NodeKind::Ellipse(_)
            | NodeKind::Line
            | NodeKind::Vector(_)
            | NodeKind::Text(_)
            | NodeKind::RegularPolygon { .. }
            | NodeKind::Star { .. }
            | NodeKind::BooleanOperation(_)
            | NodeKind::Group
    )
}

/// Gives the new node the box around its children, which stay where they are.
fn fit_to_children(change: &mut Transaction<'_>, id: &NodeId) -> Result<(), DocumentError> {
    let children = change.document().children_of(Some(id)).to_vec();
    let boxes = children.iter().filter_map(|child| change.document().get(child));
    // Along its own axes, which are the parent's: it is new and not turned.
    let around = Rect::union_all(boxes.map(|child| child.transform.bounds_of(child.size)));
    let Some(around) = around else { return Ok(()) };
    for child in &children {
        change.update(child, |child| {
            child.transform = Affine::translate(-around.x, -around.y).after(child.transform);
        })?;
    }
    change.update(id, |node| {
        // The children went back by as much, so that nothing moves on the page.
        node.transform = node.transform.after(Affine::translate(around.x, around.y));
        node.size = around.size();
    })
}
