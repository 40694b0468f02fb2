//! Outlines that a file gives for combined shapes, dropped once they are no longer true.
//!
//! `fillGeometry` and `strokeGeometry` of a BOOLEAN_OPERATION say what its children combine to. They
//! hold as long as the children's shapes do; after that the outline is computed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::design::document::Document;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;

/// The keys of a file's outlines.
const OUTLINES: [&str; 2] = ["fillGeometry", "strokeGeometry"];

/// The BOOLEAN_OPERATIONs whose outlines no longer hold: those that were there `before` the changes
/// and of which a shape below, or how they combine, changed since.
pub(super) fn with_stale_outline(
    document: &Document,
    before: &BTreeMap<NodeId, Option<Arc<Node>>>,
) -> BTreeSet<NodeId> {
    let mut stale = BTreeSet::new();
    for (id, was) in before {
        let now = document.get(id);
        if !has_other_shape(was.as_deref(), now.map(Arc::as_ref)) {
            continue;
        }
        // What was removed is named in the children of its old parent, which changed as well.
        for node in now.into_iter().chain(document.ancestors(id)) {
            let is_combined = matches!(node.kind, NodeKind::BooleanOperation(_));
            // One that was put in since has an outline that is true of it as it came.
            let was_there = before.get(&node.id).is_none_or(Option::is_some);
            let has_outline = OUTLINES.iter().any(|key| node.source.contains_key(*key));
            // A shape that only moves covers other parts of its parent, and the same of itself.
            let is_other = node.id != *id || combines_otherwise(was.as_deref(), node);
            if is_combined && was_there && has_outline && is_other {
                stale.insert(node.id.clone());
            }
        }
    }
    stale
}

/// Takes the outlines of the file from a node.
pub(super) fn drop_outline(node: &mut Node) {
    let source = Arc::make_mut(&mut node.source);
    for key in OUTLINES {
        source.shift_remove(key);
    }
}

/// Whether what a node covers in its parent may differ.
fn has_other_shape(was: Option<&Node>, now: Option<&Node>) -> bool {
    // Colours and names shape nothing; an outline of the file stays true of them.
    let (Some(was), Some(now)) = (was, now) else { return was.is_some() != now.is_some() };
    was.kind != now.kind
        || was.parent != now.parent
        || was.children != now.children
        || was.visible != now.visible
        || was.transform != now.transform
        || was.size != now.size
        || was.corner_radii != now.corner_radii
        || was.corner_smoothing != now.corner_smoothing
        || was.clips_content != now.clips_content
}

/// Whether the node itself, wherever it lies, combines its children otherwise than it did.
fn combines_otherwise(was: Option<&Node>, now: &Node) -> bool {
    was.is_none_or(|was| {
        // Its own corners are rounded after its shapes are combined.
        was.kind != now.kind || was.children != now.children || was.corner_radii != now.corner_radii
    })
}
