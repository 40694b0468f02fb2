//! Another size, and what that does to what is inside: children of frames follow by their
//! constraints, what groups and combined shapes hold is stretched, paths of vectors are scaled.
//! Children that auto layout places are left to it ([`layout`](crate::design::layout)).

use std::collections::BTreeSet;

use crate::base::{Affine, Rect, Size};

use super::Transaction;
use crate::design::document::DocumentError;
use crate::design::node::{FigmaPath, Node, NodeId, NodeKind, PathGeometry};
use crate::design::text::AutoResize;

mod path_data;

/// The frames with auto layout that got another size.
pub(in crate::design) type Resized = BTreeSet<NodeId>;

/// Gives a node another size in its own space. Goes down as deep as the document, which is bounded.
pub(in crate::design) fn resize(
    change: &mut Transaction<'_>,
    id: &NodeId,
    to: Size,
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?.clone();
    let from = node.size;
    match &node.kind {
        NodeKind::Line => {
            return change.update(id, |line| line.size = Size::new(to.width, 0.0));
        }
        NodeKind::Group | NodeKind::BooleanOperation(_) => {
            for child in &node.children {
                stretch(change, child, (rect_of(from), rect_of(to)), resized)?;
            }
        }
        NodeKind::Frame
        | NodeKind::Section
        | NodeKind::Component
        | NodeKind::ComponentSet
        | NodeKind::Instance => {
            for child in &node.children {
                constrain(change, &node, child, (from, to), resized)?;
            }
        }
        _ => {}
    }
    if node.auto_layout.is_some() && from != to {
        resized.insert(id.clone());
    }
    change.update(id, |node| {
        node.size = to;
        match &mut node.kind {
            NodeKind::Vector(geometry) => scale_geometry(geometry, from, to),
            // A text that was given a size keeps it.
            NodeKind::Text(text) if text.style.auto_resize != AutoResize::Truncate => {
                text.style.auto_resize = AutoResize::None;
            }
            _ => {}
        }
    })
}

fn rect_of(size: Size) -> Rect {
    Rect::new(0.0, 0.0, size.width, size.height)
}

/// How many times `to` is `from`; 1 where there was no extent.
fn ratio(to: f64, from: f64) -> f64 {
    if from > 0.0 { to / from } else { 1.0 }
}

/// Moves and resizes a child so that it lies in `to` as it lay in `from` (boxes in its parent's
/// space). Skew, which Figma cannot show, is left out: a turned child keeps its right angles.
fn stretch(
    change: &mut Transaction<'_>,
    id: &NodeId,
    (from, to): (Rect, Rect),
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let (t, size) = (node.transform, node.size);
    let (kx, ky) = (ratio(to.width, from.width), ratio(to.height, from.height));
    let (e, f) = (to.x + (t.e - from.x) * kx, to.y + (t.f - from.y) * ky);
    let (along, across) = ((t.a * kx).hypot(t.b * ky), (t.c * kx).hypot(t.d * ky));
    let (old_along, old_across) = (t.a.hypot(t.b), t.c.hypot(t.d));
    let turned = if along > 0.0 {
        let (cos, sin) = (t.a * kx / along, t.b * ky / along);
        let side = old_across * t.determinant().signum();
        Affine { a: cos * old_along, b: sin * old_along, c: -sin * side, d: cos * side, e, f }
    } else {
        Affine { e, f, ..t }
    };
    let is_upright = t.b == 0.0 && t.c == 0.0;
    let transform = if is_upright { Affine { e, f, ..t } } else { turned };
    change.update(id, |node| node.transform = transform)?;
    let size =
        Size::new(size.width * ratio(along, old_along), size.height * ratio(across, old_across));
    resize(change, id, size, resized)
}

/// Lets a child of a frame follow the frame's size by its constraints, unless auto layout has to
/// place it.
fn constrain(
    change: &mut Transaction<'_>,
    parent: &Node,
    id: &NodeId,
    (from, to): (Size, Size),
    resized: &mut Resized,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    if parent.auto_layout.is_some() && !node.layout_item.is_absolute {
        return Ok(());
    }
    let at = node.transform.bounds_of(node.size);
    let (x, width) = follow(&node.constraints.horizontal, at.x, at.width, from.width, to.width);
    let (y, height) = follow(&node.constraints.vertical, at.y, at.height, from.height, to.height);
    let now = Rect::new(x, y, width, height);
    if now == at { Ok(()) } else { stretch(change, id, (at, now), resized) }
}

/// Start and extent of a child along one axis when its parent's extent goes from `from` to `to`.
fn follow(constraint: &str, start: f64, extent: f64, from: f64, to: f64) -> (f64, f64) {
    /// What is left of a child that is squeezed between the edges of its parent.
    const LEAST: f64 = 0.01;
    let more = to - from;
    match constraint {
        "RIGHT" | "BOTTOM" => (start + more, extent),
        "CENTER" => (start + more / 2.0, extent),
        "LEFT_RIGHT" | "TOP_BOTTOM" => (start, (extent + more).max(extent.min(LEAST))),
        "SCALE" => (start * ratio(to, from), extent * ratio(to, from)),
        _ => (start, extent),
    }
}

fn scale_geometry(geometry: &mut PathGeometry, from: Size, to: Size) {
    let (kx, ky) = (ratio(to.width, from.width), ratio(to.height, from.height));
    let scale = |path: &mut FigmaPath| {
        if let Some(data) = path_data::scale(&path.data, kx, ky) {
            path.data = data;
        }
    };
    geometry.fill.iter_mut().chain(&mut geometry.stroke).for_each(scale);
}
