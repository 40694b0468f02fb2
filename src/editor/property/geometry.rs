//! Place, size and angle.

use crate::base::{Affine, Axis, Point, Size, Vector};
use crate::design::edit::Transaction;
use crate::design::gesture::{frame_around, place_in_frame, turned_to};
use crate::design::{Direction, Document, DocumentError, Node, NodeId, NodeKind, Sizing};

/// Where the box of a node begins in the frame it lies in. `None` of what has no box, and of what auto layout places.
pub(super) fn place(document: &Document, node: &Node, axis: Axis) -> Option<f64> {
    if !node.has_box() || document.is_placed(&node.id) {
        return None;
    }
    let at = place_in_frame(document, &node.id).ok()?.bounds_of(node.size);
    Some(axis.span(at).0)
}

/// Its extent in its own space. `None` of what has no box, and of a line across.
pub(super) fn extent(node: &Node, axis: Axis) -> Option<f64> {
    let has_extent = node.has_box() && !(node.kind == NodeKind::Line && axis == Axis::Vertical);
    has_extent.then_some(match axis {
        Axis::Horizontal => node.size.width,
        Axis::Vertical => node.size.height,
    })
}

/// Its angle in degrees, counter-clockwise, in the frame it lies in. `None` of what cannot be turned.
pub(super) fn angle(document: &Document, node: &Node) -> Option<f64> {
    if !node.has_box() || node.kind == NodeKind::Section {
        return None;
    }
    let degrees = place_in_frame(document, &node.id).ok()?.rotation_degrees();
    // Upright is 0, not −0.
    Some(degrees + 0.0)
}

/// Moves a node so that its box begins there.
pub(super) fn set_place(
    change: &mut Transaction<'_>,
    id: &NodeId,
    axis: Axis,
    to: f64,
) -> Result<(), DocumentError> {
    let document = change.document();
    let node = document.node(id)?;
    let frame_from_node = place_in_frame(document, id)?;
    let by = to - axis.span(frame_from_node.bounds_of(node.size)).0;
    let frame = frame_around(document, id).map(|frame| frame.id.clone());
    if node.parent == frame {
        // An upright node's own corner is that of its box: the number that was typed, bit by bit.
        let t = node.transform;
        let is_upright = t.b == 0.0 && t.c == 0.0 && t.a > 0.0 && t.d > 0.0;
        return change.update(id, |node| {
            let moved = match axis {
                Axis::Horizontal => &mut node.transform.e,
                Axis::Vertical => &mut node.transform.f,
            };
            *moved = if is_upright { to } else { *moved + by };
        });
    }
    // Along the frame's axis on the page, whatever is between.
    let page_from_frame = match &frame {
        Some(frame) => document.absolute_transform(frame)?,
        None => Affine::IDENTITY,
    };
    let Vector { x, y } = axis.vector(by);
    let by = page_from_frame.apply(Point::new(x, y)).since(page_from_frame.apply(Point::ZERO));
    let page_from_node = document.absolute_transform(id)?;
    let (e, f) = (page_from_node.e + by.x, page_from_node.f + by.y);
    change.set_absolute_transform(id, Affine { e, f, ..page_from_node })
}

/// Gives a node another extent; what hugged or filled is fixed from now on, and the height of a text that
/// followed its lines goes on to.
pub(in crate::editor) fn set_extent(
    change: &mut Transaction<'_>,
    id: &NodeId,
    axis: Axis,
    to: f64,
) -> Result<(), DocumentError> {
    let node = change.document().node(id)?;
    let is_text = node.text().is_some();
    let to = match axis {
        Axis::Horizontal => Size { width: to, ..node.size },
        Axis::Vertical => Size { height: to, ..node.size },
    };
    // A text that is given a height no longer hugs its width either: its lines have to break somewhere.
    let axes: &[Direction] = match (axis, is_text) {
        (Axis::Horizontal, _) => &[Direction::Horizontal],
        (Axis::Vertical, false) => &[Direction::Vertical],
        (Axis::Vertical, true) => &[Direction::Horizontal, Direction::Vertical],
    };
    for along in axes {
        let sizing = change.document().sizing(id, *along);
        let is_of_axis = (*along == Direction::Horizontal) == (axis == Axis::Horizontal);
        if sizing == Sizing::Hug || (sizing == Sizing::Fill && is_of_axis) {
            change.set_sizing(id, *along, Sizing::Fixed)?;
        }
    }
    match axis {
        Axis::Horizontal => change.resize_and_reflow(id, to),
        // The height that was asked for, though it be the one that it has.
        Axis::Vertical => change.resize(id, to),
    }
}

/// Turns a node to an angle about its middle.
pub(super) fn set_angle(
    change: &mut Transaction<'_>,
    id: &NodeId,
    degrees: f64,
) -> Result<(), DocumentError> {
    let turned = turned_to(change.document(), id, degrees)?;
    change.set_absolute_transform(id, turned)
}
