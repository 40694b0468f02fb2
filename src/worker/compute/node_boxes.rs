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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::base::{CancelToken, Size};
    use crate::environment::ToolCall;
    use crate::environment::canvas::{CanvasEnvironment, CanvasSettings, DefaultParent, Start};

    fn call(canvas: &mut CanvasEnvironment, name: &str, arguments: serde_json::Value) -> NodeId {
        let call = ToolCall { id: "call".to_owned(), name: name.to_owned(), arguments };
        let outcome = canvas.call(&call, &CancelToken::new());
        assert!(!outcome.is_error(), "{}", outcome.text);
        NodeId::from(outcome.structured.unwrap()["id"].as_str().unwrap())
    }

    #[test]
    fn the_boxes_are_those_of_the_screen_also_when_another_frame_comes_before_it() {
        let settings =
            CanvasSettings { default_parent: DefaultParent::Page, ..CanvasSettings::default() };
        let start = Start::Blank(Size::new(200.0, 100.0));
        let mut canvas = CanvasEnvironment::new(start, settings).unwrap();
        let screen = canvas.main_frame().unwrap();
        let place = json!({ "x": 500, "y": 50, "width": 40, "height": 40, "name": "Beside" });
        let beside = call(&mut canvas, "create_frame", place);
        let backwards = json!({ "nodeId": beside.as_str(), "direction": "BOTTOM" });
        call(&mut canvas, "reorder_node", backwards);
        let design = canvas.design().unwrap();
        let first = design.iter_depth_first().find(|node| node.has_box());
        assert_eq!(first.map(|node| &node.id), Some(&beside), "the other frame comes first now");
        let boxes = node_boxes(&canvas, 2.0);
        let found: Vec<(&str, Rect)> =
            boxes.iter().map(|node| (node.id.as_str(), node.pixel_box)).collect();
        assert_eq!(found, [(screen.as_str(), Rect::new(0.0, 0.0, 400.0, 200.0))]);
    }
}
