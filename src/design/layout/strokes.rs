//! The room strokes take, where a frame counts them (`strokesIncludedInLayout`).
//!
//! Figma says that such a frame behaves as `box-sizing: border-box`: what of its own stroke lies
//! inside its edge is beside its padding, and what of a child's lies outside of that one's is
//! around it.

use crate::design::node::Node;
use crate::design::paint::StrokeAlign;
use crate::design::shape::Sides;

/// What of a node's stroke lies inside its edge, on each side.
pub(super) fn inside(node: &Node) -> Sides {
    let share = match node.stroke.align {
        StrokeAlign::Inside => 1.0,
        StrokeAlign::Center => 0.5,
        StrokeAlign::Outside => 0.0,
    };
    weights(node, share)
}

/// What of a node's stroke lies outside of its edge, on each side.
pub(super) fn outside(node: &Node) -> Sides {
    let share = match node.stroke.align {
        StrokeAlign::Inside => 0.0,
        StrokeAlign::Center => 0.5,
        StrokeAlign::Outside => 1.0,
    };
    weights(node, share)
}

fn weights(node: &Node, share: f64) -> Sides {
    // A weight without a visible paint is a default that files carry along.
    if !node.stroke.paints.iter().any(|paint| paint.visible) {
        return Sides::default();
    }
    let sides = node.stroke.sides.unwrap_or(Sides::uniform(node.stroke.weight));
    Sides {
        top: sides.top * share,
        right: sides.right * share,
        bottom: sides.bottom * share,
        left: sides.left * share,
    }
}
