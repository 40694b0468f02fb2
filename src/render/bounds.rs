//! Figma's `absoluteRenderBounds`.

use std::sync::Arc;

use crate::base::Rect;
use crate::design::{Document, Node, NodeId};

use super::scene::{Scene, clips_children};

/// See [`super::render_bounds`].
pub(super) fn render_bounds(document: &Document, id: &NodeId) -> Option<Rect> {
    let node = document.get(id)?;
    let ancestors = ancestors(document, node);
    let is_visible = node.visible && ancestors.iter().all(|ancestor| ancestor.visible);
    if !is_visible {
        return None;
    }
    let mut bounds = Scene::of_node(document, node).ok()?.bounds()?;
    for ancestor in ancestors.iter().filter(|ancestor| clips_children(ancestor)) {
        bounds = bounds.intersection(document.absolute_box(&ancestor.id).ok()?)?;
    }
    Some(bounds)
}

fn ancestors<'d>(document: &'d Document, node: &Node) -> Vec<&'d Arc<Node>> {
    let parent_of = |node: &Node| document.get(node.parent.as_ref()?);
    std::iter::successors(parent_of(node), |node| parent_of(node)).collect()
}
