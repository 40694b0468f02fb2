//! Figma's `absoluteRenderBounds`.

use crate::base::Rect;
use crate::design::{Document, NodeId};

use super::scene::{Scene, clips_children};

/// See [`super::render_bounds`].
pub(super) fn render_bounds(document: &Document, id: &NodeId) -> Option<Rect> {
    let node = document.get(id)?;
    let ancestors: Vec<_> = document.ancestors(id).collect();
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
