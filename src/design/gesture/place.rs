//! Moving a node on the page, whatever it lies in.

use std::sync::Arc;

use crate::base::{Affine, Vector};
use crate::design::document::Document;
use crate::design::hunk::{Field, Hunk};
use crate::design::node::Node;
use crate::design::node_id::NodeId;

/// The hunk that moves a node by so much on its page. `None` of a node that is not there, has no box, or
/// is placed by auto layout: that one is put into another order instead.
pub(super) fn moved_on_page(document: &Document, id: &NodeId, by: Vector) -> Option<Hunk> {
    let node = document.get(id).filter(|node| node.has_box())?;
    let parent = node.parent.as_ref().and_then(|id| document.get(id));
    if document.is_placed(id) {
        return None;
    }
    let by = match parent {
        // The parent's own turn and scale are taken off; where it lies does not matter to a move.
        Some(parent) => without_place(document.absolute_transform(&parent.id).ok()?)
            .inverse()
            .map(|back| back.apply(crate::base::Point::new(by.x, by.y)))
            .map(|by| Vector { x: by.x, y: by.y })?,
        None => by,
    };
    let (e, f) = (node.transform.e + by.x, node.transform.f + by.y);
    let like = Arc::new(Node { transform: Affine { e, f, ..node.transform }, ..Node::clone(node) });
    Hunk::set(document, id, Field::Place, &like)
}

/// A map without its translation.
pub(super) fn without_place(map: Affine) -> Affine {
    Affine { e: 0.0, f: 0.0, ..map }
}

/// The nodes of a selection that are there and lie in no other of it, each once, the one at the back first, in whatever
/// order they were selected.
pub(super) fn topmost(document: &Document, selection: &[NodeId]) -> Vec<NodeId> {
    let mut topmost: Vec<NodeId> = Vec::new();
    for id in selection {
        let is_there = document.get(id).is_some_and(|node| node.has_box());
        let is_inside = document.ancestors(id).any(|around| selection.contains(&around.id));
        if is_there && !is_inside && !topmost.contains(id) {
            topmost.push(id.clone());
        }
    }
    topmost.sort_by_cached_key(|id| document.paint_path(id));
    topmost
}
