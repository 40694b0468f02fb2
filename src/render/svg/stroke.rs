//! Outlines that an element can have as its own stroke.

use crate::base::Affine;
use crate::design::{Node, NodeKind, StrokeAlign, StrokeJoin};

use super::super::rounded_box::{Edges, RoundedBox};
use super::geometry::Sheet;
use super::markup::Attributes;

/// A rectangle whose stroke is the node's: in the middle of the outline, whatever side of the edge
/// that is on. `None` where an outline is more than that.
pub(super) fn stroked_rect(
    node: &Node,
    sheet_from_node: Affine,
    sheet: Sheet,
) -> Option<Attributes> {
    let is_box = matches!(
        node.kind,
        NodeKind::Rectangle
            | NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
    );
    let stroke = &node.stroke;
    let is_even = stroke.sides.is_none() && stroke.dashes.is_empty() && stroke.weight > 0.0;
    let is_placed_only = sheet_from_node.is_translation();
    let radius = node.corner_radii.as_uniform()?.max(0.0);
    if !is_box || !is_even || !is_placed_only || (radius > 0.0 && node.corner_smoothing > 0.0) {
        return None;
    }
    let join_shows = radius == 0.0 && stroke.align != StrokeAlign::Inside;
    let outwards = match stroke.align {
        StrokeAlign::Inside => -0.5,
        StrokeAlign::Center => 0.0,
        StrokeAlign::Outside => 0.5,
    } * stroke.weight;
    let radius = radius.min(node.size.width.min(node.size.height) / 2.0);
    let middle_radius = if radius > 0.0 { radius + outwards } else { 0.0 };
    let is_thin_enough = radius == 0.0 || middle_radius >= stroke.weight / 2.0;
    if (join_shows && stroke.join != StrokeJoin::Miter) || !is_thin_enough {
        return None;
    }
    let sharp = RoundedBox::of_node(node.size, crate::design::CornerRadii::default());
    let by = Edges { left: outwards, top: outwards, right: outwards, bottom: outwards };
    let mut middle = sharp.grow(by)?.rect;
    if middle.width < stroke.weight || middle.height < stroke.weight {
        return None;
    }
    middle.x += sheet_from_node.e;
    middle.y += sheet_from_node.f;
    let rounding = (middle_radius > 0.0).then(|| sheet.number(middle_radius));
    let weight = (stroke.weight != 1.0).then(|| sheet.number(stroke.weight));
    let near = middle.intersection(sheet.view().expand(8192.0)) == Some(middle);
    near.then(|| {
        sheet
            .rect_attributes(middle)
            .with_some("rx", rounding)
            .with("fill", "none")
            .with_some("stroke-width", weight)
    })
}
