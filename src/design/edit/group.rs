//! GROUPs follow their children.
//!
//! The box of a GROUP is the box around the boxes of all its children, hidden ones included, along
//! the group's own axes (so it holds in every group with an area of the real files we have).
//! Children whose box is null in the file count for nothing, and stay at the group's origin.

use std::collections::BTreeSet;

use crate::base::{Affine, Rect, Size};
use crate::design::document::Document;
use crate::design::node::{Node, NodeId, NodeKind};

/// A box that differs by less than this many pixels is left alone: boxes in files are `f32`, and a
/// group must not drift because it was looked at.
pub(super) const TOLERANCE: f64 = 1e-3;

/// How a group, or a combined shape, must change to fit its children.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// From the new space of the group to its old one.
    pub(super) old_from_group: Affine,
    /// The inverse, which keeps the children where they are.
    pub(super) group_from_old: Affine,
    /// The new extent.
    pub(super) size: Size,
}

/// The GROUPs whose children may have changed, deepest first.
pub(super) fn touched_groups<'a>(
    document: &Document,
    touched: impl Iterator<Item = &'a NodeId>,
) -> Vec<NodeId> {
    let mut groups = BTreeSet::new();
    for node in touched.filter_map(|id| document.get(id)) {
        for candidate in std::iter::once(node).chain(document.ancestors(&node.id)) {
            if candidate.kind == NodeKind::Group {
                groups.insert((std::cmp::Reverse(document.depth(&candidate.id)), &candidate.id));
            }
        }
    }
    groups.into_iter().map(|(_, id)| id.clone()).collect()
}

/// What must change so that the group fits its children; `None` if nothing.
pub(super) fn fit(document: &Document, id: &NodeId) -> Option<Fit> {
    let group = document.get(id)?;
    if group.kind != NodeKind::Group {
        return None;
    }
    let children = group.children.iter().filter_map(|child| document.get(child));
    let children = children.filter(|child| child.has_box());
    let around = Rect::union_all(children.map(|child| child.transform.bounds_of(child.size)))?;
    fit_to(group, around)
}

/// What must change so that a node's box is `around`, a box in its own space, while its children
/// stay where they are; `None` if nothing.
pub(super) fn fit_to(node: &Node, around: Rect) -> Option<Fit> {
    let differs = |a: f64, b: f64| (a - b).abs() > TOLERANCE;
    let fits = !differs(around.x, 0.0)
        && !differs(around.y, 0.0)
        && !differs(around.width, node.size.width)
        && !differs(around.height, node.size.height);
    (!fits && around.is_finite()).then(|| Fit {
        old_from_group: Affine::translate(around.x, around.y),
        group_from_old: Affine::translate(-around.x, -around.y),
        size: around.size(),
    })
}
