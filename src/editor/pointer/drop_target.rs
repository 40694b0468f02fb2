//! What something would lie in when it is let go.

use super::feedback::DropTarget;
use super::input::PointerKeys;
use crate::base::{Affine, Axis, Point, Rect};
use crate::design::gesture::can_be_hit;
use crate::design::{AutoLayout, Direction, Document, Node, NodeId, NodeKind};

/// What something that is dragged would lie in.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Landing {
    /// A frame.
    Frame {
        frame: NodeId,
        /// In one with auto layout: where between its children.
        place: Option<InsertionPlace>,
    },
    /// The page, beside all frames.
    Page(NodeId),
}

/// A place between the children of a frame with auto layout.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InsertionPlace {
    /// The child that it comes before; `None`: behind the last.
    pub(super) before: Option<NodeId>,
}

/// The topmost frame under a point of a page, without what is dragged; else the page, if the design has pages.
pub(super) fn landing_at(document: &Document, dragged: &[NodeId], point: Point) -> Option<Landing> {
    let found = frame_at(document, None, dragged, point);
    let Some(frame) = found.and_then(|id| document.get(&id)) else {
        return document.page().map(|page| Landing::Page(page.id.clone()));
    };
    let place = auto_layout_of(frame).and_then(|layout| {
        let page_from_frame = document.absolute_transform(&frame.id).ok()?;
        let point = page_from_frame.inverse()?.apply(point);
        Some(InsertionPlace { before: child_behind(document, frame, layout, dragged, point) })
    });
    Some(Landing::Frame { frame: frame.id.clone(), place })
}

impl Landing {
    /// The frame or the page.
    pub(super) fn parent(&self) -> &NodeId {
        match self {
            Self::Frame { frame, .. } => frame,
            Self::Page(page) => page,
        }
    }

    /// The place between the children of a frame with auto layout.
    pub(super) fn place(&self) -> Option<&InsertionPlace> {
        match self {
            Self::Frame { place, .. } => place.as_ref(),
            Self::Page(_) => None,
        }
    }

    /// Whether a node, or with Alt its copy, would be put into it, or elsewhere among its children.
    pub(super) fn takes(&self, document: &Document, id: &NodeId, keys: PointerKeys) -> bool {
        let Some(node) = document.get(id) else { return false };
        if node.parent.as_ref() == Some(self.parent()) {
            return self.place().is_some() && !node.layout_item.is_absolute;
        }
        // What an instance holds stays in it, though copies of it leave it; and what lies in a group of the frame stays
        // in its group.
        let mut around = document.ancestors(id);
        if !keys.alt && around.any(|around| around.kind == NodeKind::Instance) {
            return false;
        }
        let home = document.ancestors(id).find(|around| around.kind.is_some_frame());
        match self {
            Self::Frame { frame, .. } => home.is_none_or(|home| home.id != *frame),
            Self::Page(_) => home.is_some(),
        }
    }

    /// What is shown of it, in the design as it would be with these nodes in it; nothing of a page.
    pub(super) fn shown(&self, document: &Document, landed: &[NodeId]) -> Option<DropTarget> {
        let Self::Frame { frame, place } = self else { return None };
        let line = place.as_ref().and_then(|_| insertion_line(document, frame, landed));
        Some(DropTarget { frame: frame.clone(), line })
    }
}

/// How a node places its children, if it does.
pub(super) fn auto_layout_of(node: &Node) -> Option<&AutoLayout> {
    node.auto_layout.as_deref().filter(|_| node.kind.is_some_frame())
}

/// Start and end of a box along the direction, and across it.
pub(super) fn along(direction: Direction, of: Rect) -> ((f64, f64), (f64, f64)) {
    let axis = Axis::from(direction);
    (axis.span(of), axis.across().span(of))
}

/// A point by its place along the direction and across it.
pub(super) fn point_along(direction: Direction, along: f64, across: f64) -> Point {
    match direction {
        Direction::Horizontal => Point::new(along, across),
        Direction::Vertical => Point::new(across, along),
    }
}

fn frame_at(
    document: &Document,
    within: Option<&NodeId>,
    dragged: &[NodeId],
    point: Point,
) -> Option<NodeId> {
    for id in document.children_of(within).iter().rev() {
        let Some(node) = document.get(id) else { continue };
        // What an instance holds is its component's.
        let is_open = node.kind.is_container()
            && !matches!(node.kind, NodeKind::Instance | NodeKind::BooleanOperation(_));
        if !is_open || !can_be_hit(node) || dragged.contains(id) {
            continue;
        }
        let is_inside = node.kind.is_some_frame() && is_in_box(document, node, point);
        // What it clips away is not seen there, and cannot be meant.
        if node.clips() && !is_inside {
            continue;
        }
        if let Some(found) = frame_at(document, Some(id), dragged, point) {
            return Some(found);
        }
        // A set holds variants: nothing else is dropped among them.
        if is_inside && node.kind != NodeKind::ComponentSet {
            return Some(id.clone());
        }
    }
    None
}

pub(super) fn is_in_box(document: &Document, node: &Node, point: Point) -> bool {
    let inverse = document.absolute_transform(&node.id).ok().and_then(Affine::inverse);
    inverse.is_some_and(|node_from_page| {
        let p = node_from_page.apply(point);
        p.x >= 0.0 && p.y >= 0.0 && p.x <= node.size.width && p.y <= node.size.height
    })
}

/// The first child that a point of the frame's own space comes before.
fn child_behind(
    document: &Document,
    frame: &Node,
    layout: &AutoLayout,
    dragged: &[NodeId],
    point: Point,
) -> Option<NodeId> {
    let at = match layout.direction {
        Direction::Horizontal => (point.x, point.y),
        Direction::Vertical => (point.y, point.x),
    };
    let children = frame.children.iter().filter(|id| !dragged.contains(id));
    let mut children = children.filter_map(|id| document.get(id)).filter(|child| child.flows());
    let behind = children.find(|child| {
        let (own, across) = along(layout.direction, child.transform.bounds_of(child.size));
        let is_before = at.0 < f64::midpoint(own.0, own.1);
        if layout.wraps {
            // In a line above it is past, in one below not yet.
            at.1 < across.0 || (at.1 <= across.1 && is_before)
        } else {
            is_before
        }
    });
    behind.map(|child| child.id.clone())
}

/// A line before the first of these nodes, across the frame.
fn insertion_line(document: &Document, frame: &NodeId, landed: &[NodeId]) -> Option<[Point; 2]> {
    let node = document.get(frame)?;
    let layout = auto_layout_of(node)?;
    let first = node.children.iter().find(|id| landed.contains(id))?;
    let child = document.get(first)?;
    let ((start, _), across) = along(layout.direction, child.transform.bounds_of(child.size));
    let (least, most) = match layout.direction {
        Direction::Horizontal => (layout.padding.top, node.size.height - layout.padding.bottom),
        Direction::Vertical => (layout.padding.left, node.size.width - layout.padding.right),
    };
    // As high as its line where there are several, else from padding to padding and past what sticks out.
    let ends = if layout.wraps { across } else { (least.min(across.0), most.max(across.1)) };
    // In the middle of the gap; where they overlap there is none, and it is the edge.
    let at = start - layout.item_spacing.max(0.0) / 2.0;
    let page_from_frame = document.absolute_transform(frame).ok()?;
    Some([ends.0, ends.1].map(|end| page_from_frame.apply(point_along(layout.direction, at, end))))
}
