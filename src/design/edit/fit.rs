//! Boxes that follow what they hold: GROUPs, and combined shapes where someone can measure them.
//!
//! The box of a GROUP is the box around the boxes of all its children, hidden ones included, along
//! the group's own axes (so it holds in every group with an area of the real files we have).
//! Children whose box is null in the file count for nothing, and stay at the group's origin.
//!
//! The box of a BOOLEAN_OPERATION is that of the shape that results, which only the renderer knows
//! ([`Measure::combined_box`]).

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::check;
use super::transaction::Transaction;
use crate::base::{Affine, Rect};
use crate::design::document::Document;
use crate::design::measure::Measure;
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;

/// A box that differs by less than this many pixels is left alone: boxes in files are `f32`, and a
/// group must not drift because it was looked at.
const TOLERANCE: f64 = 1e-3;

impl Transaction<'_> {
    /// Fits every GROUP whose children may have changed, the innermost first.
    pub(super) fn fit_groups(&mut self) {
        let document = self.document();
        let mut groups = BTreeSet::new();
        for node in self.touched().keys().filter_map(|id| document.get(id)) {
            for candidate in std::iter::once(node).chain(document.ancestors(&node.id)) {
                if candidate.kind == NodeKind::Group {
                    // The innermost first, as the box of a group around it depends on its own.
                    groups.insert((Reverse(document.depth(&candidate.id)), candidate.id.clone()));
                }
            }
        }
        for (_, id) in groups {
            self.fit_box(&id, None);
        }
    }

    /// Fits every GROUP and combined shape that was touched, or had something in it touched, the
    /// innermost first.
    pub(in crate::design) fn fit_boxes(&mut self, measure: &dyn Measure) {
        let document = self.document();
        let mut boxes = BTreeSet::new();
        for (id, was) in self.touched() {
            let Some(node) = document.get(id) else { continue };
            // To combine shapes is dear: it is done again only where the shapes are others.
            let reshaped = was.as_deref().is_none_or(|was| is_other_shape(was, node));
            for candidate in std::iter::once(node).chain(document.ancestors(id)) {
                let follows = match candidate.kind {
                    NodeKind::Group => true,
                    NodeKind::BooleanOperation(_) => reshaped,
                    _ => false,
                };
                if follows {
                    boxes.insert((Reverse(document.depth(&candidate.id)), candidate.id.clone()));
                }
            }
        }
        for (_, id) in boxes {
            self.fit_box(&id, Some(measure));
        }
    }

    /// Fits the GROUPs and combined shapes right around a node, up to the first that is neither;
    /// gives the outermost, if there is one.
    pub(in crate::design) fn fit_around(
        &mut self,
        id: &NodeId,
        measure: &dyn Measure,
    ) -> Option<NodeId> {
        let around: Vec<NodeId> = self
            .document()
            .ancestors(id)
            // What has a size of its own ends it: nothing further out follows.
            .take_while(|node| matches!(node.kind, NodeKind::Group | NodeKind::BooleanOperation(_)))
            .map(|node| node.id.clone())
            .collect();
        for id in &around {
            self.fit_box(id, Some(measure));
        }
        around.last().cloned()
    }

    /// Fits one GROUP or, by `measure`, one combined shape; its children keep their place. A box that
    /// would be out of range stays as it is: its children lie too far apart.
    fn fit_box(&mut self, id: &NodeId, measure: Option<&dyn Measure>) {
        let document = self.document();
        let Some(group) = document.get(id) else { return };
        let around = box_around(document, group, measure);
        let Some(around) = around.filter(|around| !is_own_box(group, *around)) else { return };
        // The group's origin goes to the corner of the box, and its children go back by as much.
        let refitted = Node {
            transform: group.transform.after(Affine::translate(around.x, around.y)),
            size: around.size(),
            ..Node::clone(group)
        };
        let back = Affine::translate(-around.x, -around.y);
        let children = group.children.iter().filter_map(|child| document.get(child));
        let mut all: Vec<Node> = children
            .filter(|child| child.has_box())
            .map(|child| Node { transform: back.after(child.transform), ..Node::clone(child) })
            .collect();
        all.push(refitted);
        // All of them are checked before any is changed, so that the fit is done whole or not at all.
        if all.iter().any(|node| check::numbers(node).is_err()) {
            return;
        }
        for new in all {
            self.settle_node(&new.id, |node| {
                (node.transform, node.size) = (new.transform, new.size);
            });
        }
    }
}

/// Whether a box in a node's own space is the node's, but for rounding; or is none.
pub(super) fn is_own_box(node: &Node, around: Rect) -> bool {
    let off =
        [around.x, around.y, around.width - node.size.width, around.height - node.size.height];
    !around.is_finite() || !off.iter().any(|by| by.abs() > TOLERANCE)
}

/// The box, in its own space, that a GROUP or, by `measure`, a combined shape has by what it holds;
/// `None` for other nodes and where it holds nothing with a box.
pub(super) fn box_around(
    document: &Document,
    node: &Node,
    measure: Option<&dyn Measure>,
) -> Option<Rect> {
    match node.kind {
        NodeKind::Group => {
            let children = node.children.iter().filter_map(|child| document.get(child));
            let children = children.filter(|child| child.has_box());
            // Along the group's own axes, which may be turned: no detour over the page.
            Rect::union_all(children.map(|child| child.transform.bounds_of(child.size)))
        }
        NodeKind::BooleanOperation(_) if !node.children.is_empty() => {
            measure?.combined_box(document, &node.id)
        }
        _ => None,
    }
}

/// Whether the difference of these two, as a combined shape or as part of one, may change the
/// shape.
fn is_other_shape(was: &Node, now: &Node) -> bool {
    was.transform != now.transform
        || was.size != now.size
        || was.kind != now.kind
        || was.visible != now.visible
        || was.children != now.children
        || was.corner_radii != now.corner_radii
        || was.corner_smoothing != now.corner_smoothing
        || was.stroke != now.stroke
}
