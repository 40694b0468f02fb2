//! Place, size, auto layout and constraints.

use super::properties::{PropertyList, number, words};
use crate::design::{
    AutoLayout, Constraints, CounterAlign, Direction, Node, PrimaryAlign, Sides, Sizing,
};

const PLACE: &str = "Layout";
const AUTO: &str = "Auto layout";

/// Position in the parent, size, rotation, and how the size is found.
pub(super) fn place(list: &mut PropertyList, node: &Node) {
    if node.has_box() {
        let corner = node.transform.bounds_of(node.size).origin();
        list.put(PLACE, "X in parent", px(corner.x));
        list.put(PLACE, "Y in parent", px(corner.y));
        list.put(PLACE, "Width", sized(node.size.width, node.layout_item.horizontal));
        list.put(PLACE, "Height", sized(node.size.height, node.layout_item.vertical));
        let turned = node.transform.rotation_degrees();
        // Less than that is 0 with the two decimals that are shown.
        if turned.abs() > 0.005 {
            list.put(PLACE, "Rotation", format!("{}°", number(turned)));
        }
        // Turning alone keeps it positive.
        if node.transform.determinant() < 0.0 {
            list.put(PLACE, "Flipped", "yes");
        }
    }
    if node.clips_content {
        list.put(PLACE, "Clips content", "yes");
    }
    if node.layout_item.is_absolute {
        list.put(PLACE, "In auto layout", "absolute");
    }
    let item = &node.layout_item;
    for (label, limit) in [
        ("Min width", item.min_width),
        ("Max width", item.max_width),
        ("Min height", item.min_height),
        ("Max height", item.max_height),
    ] {
        if let Some(limit) = limit {
            list.put(PLACE, label, px(limit));
        }
    }
}

/// A length in canvas units.
fn px(length: f64) -> String {
    format!("{} px", number(length))
}

fn sized(extent: f64, sizing: Option<Sizing>) -> String {
    match sizing {
        None | Some(Sizing::Fixed) => px(extent),
        Some(Sizing::Hug) => format!("{} hug", px(extent)),
        Some(Sizing::Fill) => format!("{} fill", px(extent)),
    }
}

/// How it places its children.
pub(super) fn auto_layout(list: &mut PropertyList, node: &Node) {
    let Some(layout) = &node.auto_layout else { return };
    let direction = match (layout.direction, layout.wraps) {
        (Direction::Horizontal, false) => "horizontal",
        (Direction::Horizontal, true) => "horizontal, wraps",
        (Direction::Vertical, _) => "vertical",
    };
    list.put(AUTO, "Direction", direction);
    // Spread, children take what room is left, whatever number the node keeps.
    let spread = layout.primary_align == PrimaryAlign::SpaceBetween;
    let gap = if spread { "auto".to_owned() } else { px(layout.item_spacing) };
    list.put(AUTO, "Spacing", gap);
    if layout.wraps {
        list.put(AUTO, "Line spacing", px(layout.line_spacing));
    }
    list.put(AUTO, "Padding", padding(layout.padding));
    list.put(AUTO, "Align", alignment(layout));
    if layout.includes_strokes {
        list.put(AUTO, "Strokes", "take space");
    }
    if layout.reverses_paint_order {
        list.put(AUTO, "Paint order", "first on top");
    }
}

/// As CSS writes it, the shortest that says all four.
fn padding(sides: Sides) -> String {
    let Sides { top, right, bottom, left } = sides;
    let parts: &[f64] = if sides == Sides::uniform(top) {
        &[top]
    } else if (top, left) == (bottom, right) {
        &[top, right]
    } else {
        &[top, right, bottom, left]
    };
    parts.iter().map(|side| number(*side)).collect::<Vec<_>>().join(" ")
}

fn alignment(layout: &AutoLayout) -> String {
    let primary = match layout.primary_align {
        PrimaryAlign::Min => "start",
        PrimaryAlign::Center => "center",
        PrimaryAlign::Max => "end",
        PrimaryAlign::SpaceBetween => "space between",
    };
    let counter = match layout.counter_align {
        CounterAlign::Min => "start",
        CounterAlign::Center => "center",
        CounterAlign::Max => "end",
        CounterAlign::Baseline => "baseline",
    };
    format!("{primary} · {counter}")
}

/// How it follows its parent's size, unless as every node does.
pub(super) fn constraints(list: &mut PropertyList, node: &Node) {
    if node.constraints != Constraints::default() {
        list.put("Constraints", "Horizontal", words(&node.constraints.horizontal));
        list.put("Constraints", "Vertical", words(&node.constraints.vertical));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_as_short_as_it_can_be() {
        assert_eq!(padding(Sides::uniform(16.0)), "16");
        assert_eq!(padding(Sides { top: 8.0, right: 16.0, bottom: 8.0, left: 16.0 }), "8 16");
        assert_eq!(padding(Sides { top: 1.0, right: 2.0, bottom: 3.0, left: 4.0 }), "1 2 3 4");
    }
}
