//! Figma's `absoluteRenderBounds`.

use std::collections::BTreeMap;

use crate::base::Rect;
use crate::design::{Document, NodeId};

use super::combined::ShapeCache;
use super::{Scene, SceneNode};

/// See [`render_bounds`](crate::render::render_bounds).
pub(crate) fn render_bounds(cache: &ShapeCache, document: &Document, id: &NodeId) -> Option<Rect> {
    let node = document.get(id)?;
    let ancestors: Vec<_> = document.ancestors(id).collect();
    let is_visible = node.visible && ancestors.iter().all(|ancestor| ancestor.visible);
    if !is_visible {
        return None;
    }
    let mut bounds = Scene::of_node(cache, document, node).ok()?.bounds()?;
    // Clips of ancestors that are not in the scene of the node itself.
    for ancestor in ancestors.iter().filter(|ancestor| ancestor.clips()) {
        bounds = bounds.intersection(document.absolute_box(&ancestor.id).ok()?)?;
    }
    Some(bounds)
}

/// See [`all_render_bounds`](crate::render::all_render_bounds).
pub(crate) fn all_render_bounds(cache: &ShapeCache, document: &Document) -> BTreeMap<NodeId, Rect> {
    let mut all = BTreeMap::new();
    for root in &Scene::of_page(cache, document).roots {
        gather(root, None, &mut all);
    }
    all
}

/// Goes down as deep as the document, which is bounded.
fn gather(node: &SceneNode<'_>, clip: Option<Rect>, all: &mut BTreeMap<NodeId, Rect>) {
    let Some(bounds) = node.bounds else { return };
    let seen = match clip {
        Some(clip) => bounds.intersection(clip),
        None => Some(bounds),
    };
    let Some(seen) = seen else { return };
    all.insert(node.node.id.clone(), seen);
    let own = node.node.clips().then(|| node.page_from_node.bounds_of(node.node.size));
    let inner = match (clip, own) {
        (Some(outer), Some(own)) => outer.intersection(own),
        (outer, own) => own.or(outer),
    };
    // A clip that lies wholly outside of another shows no child.
    if own.is_none() || inner.is_some() {
        for child in &node.children {
            gather(child, inner, all);
        }
    }
}
