//! Strokes that an element can have as its own, as Figma's export has them.

use crate::base::{Affine, Rect};
use crate::design::{CornerRadii, Node, NodeKind, Stroke, StrokeAlign, StrokeJoin};
use crate::render::geometry::rounded_box::{Edges, RoundedBox};

use super::geometry::SvgPage;
use super::markup::Attributes;

/// A `<rect>` along the middle of the node's stroke, whatever side of the edge that is on. `None`
/// where a stroke is more than that.
pub(super) fn stroked_rect(
    node: &Node,
    sheet_from_node: Affine,
    sheet: SvgPage,
) -> Option<Attributes> {
    let stroke = &node.stroke;
    // An element has one width all around, and a rectangle stays one only where it is not turned.
    let is_even = stroke.sides.is_none() && stroke.dashes.is_empty() && stroke.weight > 0.0;
    if !is_box(node) || !is_even || !sheet_from_node.is_translation() {
        return None;
    }
    let radius = middle_radius(node)?;
    let middle = middle(node)?;
    let placed =
        Rect { x: middle.x + sheet_from_node.e, y: middle.y + sheet_from_node.f, ..middle };
    let rounding = (radius > 0.0).then(|| sheet.number(radius));
    let weight = (stroke.weight != 1.0).then(|| sheet.number(stroke.weight));
    sheet.is_near(placed).then(|| {
        sheet
            .rect_attributes(placed)
            .with_some("rx", rounding)
            .with("fill", "none")
            .with_some("stroke-width", weight)
    })
}

fn is_box(node: &Node) -> bool {
    matches!(
        node.kind,
        NodeKind::Rectangle
            | NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
    )
}

/// How far outside of the edge the middle of the stroke lies.
fn outwards(stroke: &Stroke) -> f64 {
    match stroke.align {
        StrokeAlign::Inside => -0.5 * stroke.weight,
        StrokeAlign::Center => 0.0,
        StrokeAlign::Outside => 0.5 * stroke.weight,
    }
}

/// The radius along the middle of the stroke; `None` where the corners of the outer and the inner
/// edge are not those of one stroked rectangle.
fn middle_radius(node: &Node) -> Option<f64> {
    let stroke = &node.stroke;
    let most = node.size.width.min(node.size.height) / 2.0;
    let radius = node.corner_radii.as_uniform()?.max(0.0).min(most);
    if radius == 0.0 {
        // Inside a box the corners are those of the box, whatever the joins say.
        let is_sharp = stroke.join == StrokeJoin::Miter || stroke.align == StrokeAlign::Inside;
        return is_sharp.then_some(0.0);
    }
    let middle = radius + outwards(stroke);
    // The radius of the inner edge is half a weight less, and there is none below 0.
    (node.corner_smoothing == 0.0 && middle >= stroke.weight / 2.0).then_some(middle)
}

/// The box along the middle of the stroke, if it has an inside.
fn middle(node: &Node) -> Option<Rect> {
    let by = outwards(&node.stroke);
    let edge = RoundedBox::of_node(node.size, CornerRadii::default());
    let middle = edge.grow(Edges { left: by, top: by, right: by, bottom: by })?.rect;
    // Else the stroke meets itself, and what it covers is the whole box.
    let is_open = middle.width.min(middle.height) >= node.stroke.weight;
    is_open.then_some(middle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::render::svg::number::Precision;

    fn rect(radius: f64, weight: f64, align: StrokeAlign) -> Option<String> {
        let mut node = Node::new("1:1".into(), "", NodeKind::Rectangle);
        node.size = Size::new(40.0, 20.0);
        node.corner_radii = CornerRadii::uniform(radius);
        node.stroke = Stroke { weight, align, ..Stroke::default() };
        let sheet = SvgPage { size: node.size, precision: Precision::of_extent(40.0) };
        let found = stroked_rect(&node, Affine::translate(3.0, 4.0), sheet);
        found.map(|attributes| attributes.as_str().trim_start().to_owned())
    }

    #[test]
    fn an_inside_stroke_runs_half_its_weight_within() {
        let expected = r#"x="4" y="5" width="38" height="18" rx="5" fill="none" stroke-width="2""#;
        assert_eq!(rect(6.0, 2.0, StrokeAlign::Inside).as_deref(), Some(expected));
    }

    #[test]
    fn an_outside_stroke_runs_half_its_weight_without() {
        let expected = r#"x="2.5" y="3.5" width="41" height="21" fill="none""#;
        assert_eq!(rect(0.0, 1.0, StrokeAlign::Outside).as_deref(), Some(expected));
    }

    #[test]
    fn corners_rounder_outside_than_a_stroke_makes_them_are_no_stroke() {
        assert_eq!(rect(2.0, 6.0, StrokeAlign::Inside), None);
        assert_eq!(rect(0.0, 30.0, StrokeAlign::Inside), None);
    }
}
