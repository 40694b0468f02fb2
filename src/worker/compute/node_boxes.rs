//! Where the nodes of a picture are.

use std::sync::Arc;

use crate::base::{Rect, Vector};
use crate::design::{Document, Node, NodeId};
use crate::environment::Environment;
use crate::workbench::protocol::NodeBox;

/// Most boxes given: beyond that nobody tells nodes apart by pointing.
const NODES: usize = 20_000;

/// The visible nodes of the environment's main frame in paint order, with their boxes in pixels of
/// its picture at this scale. Empty if its document is no design.
pub(in crate::worker) fn node_boxes(environment: &dyn Environment, scale: f64) -> Arc<[NodeBox]> {
    let (design, frame) = (environment.design(), environment.main_frame());
    design.zip(frame).map_or_else(Arc::default, |(design, frame)| boxes_in(&design, &frame, scale))
}

/// The same of a frame of a design.
pub(in crate::worker) fn boxes_in(
    document: &Document,
    frame: &NodeId,
    scale: f64,
) -> Arc<[NodeBox]> {
    let Ok(frame_box) = document.absolute_box(frame) else { return Arc::default() };
    let to_frame = Vector { x: -frame_box.x, y: -frame_box.y };
    let nodes = visible_below(document, frame).into_iter().take(NODES);
    let boxes = nodes.filter_map(|node| {
        let page_box = document.absolute_box(&node.id).ok()?;
        Some(node_box(node, scaled(page_box.translate(to_frame), scale)))
    });
    boxes.collect()
}

/// The node and what is visible below it, in paint order.
fn visible_below<'a>(document: &'a Document, top: &'a NodeId) -> Vec<&'a Node> {
    let (mut nodes, mut stack) = (Vec::new(), vec![top]);
    while let Some(id) = stack.pop() {
        // What is hidden hides all below it.
        let Some(node) = document.get(id).filter(|node| node.visible) else { continue };
        // The bottom child comes off the stack first, with all below it: that is paint order.
        stack.extend(node.children.iter().rev());
        nodes.push(&**node);
    }
    nodes
}

fn node_box(node: &Node, pixel_box: Rect) -> NodeBox {
    NodeBox {
        id: node.id.to_string(),
        name: node.name.clone(),
        kind: node.kind.type_name().to_owned(),
        pixel_box,
    }
}

fn scaled(rect: Rect, scale: f64) -> Rect {
    Rect::new(rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale)
}
