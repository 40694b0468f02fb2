//! The tool calls of the canvas that make a field what it is to be.

use serde_json::{Map, Value, json};

use crate::base::{Point, Rect};
use crate::design::diff::StyleField;
use crate::design::hunk::{Field, Hunk, HunkChange};
use crate::design::{
    AutoLayout, AutoResize, CounterAlign, Direction, Document, LineHeight, Node, NodeId, NodeKind,
    Paint, PaintKind, PrimaryAlign, Sizing,
};
use crate::environment::canvas::call_arguments;

/// A tool and its arguments.
pub(super) type ToolRequest = (&'static str, Value);

/// What is asked for: the canvas as it is, and the design that is wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct WantedDesign<'a> {
    pub(super) now: &'a Document,
    pub(super) design: &'a Document,
    /// The corner of the wanted design's screen on its page, seen from where the screen lies on the canvas.
    pub(super) corner: Point,
}

impl WantedDesign<'_> {
    /// The calls for a hunk of a node that is on the canvas; none where no tool does it.
    pub(super) fn of_hunk(&self, hunk: &Hunk) -> Vec<ToolRequest> {
        let id = &hunk.node;
        match &hunk.change {
            HunkChange::Insert { .. } => Vec::new(),
            HunkChange::Remove => vec![("delete_node", json!({"nodeIds": [id.as_str()]}))],
            HunkChange::Reparent { parent, .. } => {
                let (Some(at), Some(parent)) = (self.place(id), parent) else { return Vec::new() };
                let arguments = json!({
                    "nodeId": id.as_str(), "x": at.x, "y": at.y, "parentId": parent.as_str(),
                });
                vec![("move_node", arguments)]
            }
            HunkChange::Reorder { .. } => self.order(id, id),
            HunkChange::Set { field, .. } => {
                self.design.get(id).map(|node| self.of_field(*field, node, id)).unwrap_or_default()
            }
        }
    }

    /// The call that makes a node, without what is in it; `None` where no tool makes its kind.
    pub(super) fn creation(&self, node: &Node, parent: &NodeId) -> Option<ToolRequest> {
        let at = self.place(&node.id)?;
        let mut arguments = json!({
            "x": at.x, "y": at.y, "width": node.size.width, "height": node.size.height,
            "name": node.name, "parentId": parent.as_str(),
        });
        let tool = match &node.kind {
            NodeKind::Rectangle => "create_rectangle",
            // No tool draws a part of a ring, so such a one is made by hand or not at all.
            NodeKind::Ellipse(arc) if arc.is_whole() => "create_ellipse",
            NodeKind::Frame => "create_frame",
            NodeKind::RegularPolygon { corners } => {
                arguments["pointCount"] = json!(corners);
                "create_polygon"
            }
            NodeKind::Star { tips, inner_ratio } => {
                arguments["pointCount"] = json!(tips);
                arguments["innerRadius"] = json!(inner_ratio * 100.0);
                "create_star"
            }
            NodeKind::Text(text) => {
                arguments["text"] = json!(text.characters);
                arguments["fontSize"] = json!(text.style.font_size);
                arguments["fontWeight"] = json!(text.style.font_weight.clamp(100.0, 900.0));
                "create_text"
            }
            NodeKind::Line => return Some(self.line(node, parent)),
            _ => return None,
        };
        Some((tool, arguments))
    }

    fn line(&self, node: &Node, parent: &NodeId) -> ToolRequest {
        let on_page = self.design.absolute_transform(&node.id).unwrap_or(node.transform);
        let [start, end] = [Point::ZERO, Point::new(node.size.width, 0.0)].map(|point| {
            let on_page = on_page.apply(point);
            Point::new(on_page.x - self.corner.x, on_page.y - self.corner.y)
        });
        let arguments = json!({
            "startX": start.x, "startY": start.y, "endX": end.x, "endY": end.y,
            "name": node.name, "parentId": parent.as_str(),
            "strokeCap": call_arguments::stroke_cap(node.stroke.cap),
            "strokeWeight": node.stroke.weight,
        });
        ("create_line", arguments)
    }

    /// The box of a wanted node, on the canvas.
    fn place(&self, id: &NodeId) -> Option<Rect> {
        let on_page = self.design.absolute_box(id).ok()?;
        let (x, y) = (on_page.x - self.corner.x, on_page.y - self.corner.y);
        Some(Rect { x, y, ..on_page })
    }

    /// One call to the front or the back, or as many as there are siblings between: of the node `id`,
    /// to the place that another has in the wanted design.
    fn order(&self, id: &NodeId, wanted: &NodeId) -> Vec<ToolRequest> {
        let (Some(node), Some(target)) = (self.now.get(id), self.design.get(wanted)) else {
            return Vec::new();
        };
        let siblings = self.now.children_of(node.parent.as_ref());
        let places = self.design.children_of(target.parent.as_ref());
        let (Some(from), Some(to)) = (siblings.position(id), places.position(wanted)) else {
            return Vec::new();
        };
        let (direction, count) = match to {
            0 => ("BOTTOM", 1),
            to if to + 1 == siblings.len() => ("TOP", 1),
            to if to > from => ("FORWARD", to - from),
            to => ("BACKWARD", from - to),
        };
        let arguments = json!({"nodeId": id.as_str(), "direction": direction});
        vec![("reorder_node", arguments); count]
    }

    /// The calls that make a field of the node `id` what it is of a wanted one.
    pub(super) fn of_field(&self, field: Field, wanted: &Node, id: &NodeId) -> Vec<ToolRequest> {
        let requests = match field {
            Field::Existence | Field::Parent | Field::Kind => Vec::new(),
            Field::Order => return self.order(id, &wanted.id),
            Field::Place => self.place(&wanted.id).map(move_node).into_iter().collect(),
            Field::Rotation => {
                let degrees = wanted.transform.rotation_degrees().rem_euclid(360.0);
                let turn = ("rotate_node", json!({"angle": degrees}));
                // Turned about its middle, it is put where its corner is wanted.
                let place = self.place(&wanted.id).map(move_node);
                std::iter::once(turn).chain(place).collect()
            }
            Field::Size => {
                let size = wanted.size;
                vec![("resize_node", json!({"width": size.width, "height": size.height}))]
            }
            Field::Words => {
                let text = wanted.text().map(|text| text.characters.as_str()).unwrap_or_default();
                let changes = json!({"changes": [{"nodeId": id.as_str(), "text": text}]});
                return vec![("set_text_content", changes)];
            }
            Field::Name => vec![("rename_node", json!({"newName": wanted.name}))],
            Field::Style(field) => style(field, wanted, self.now.get(id).map(AsRef::as_ref)),
        };
        requests.into_iter().map(|(tool, arguments)| (tool, about(arguments, id))).collect()
    }
}

fn move_node(at: Rect) -> ToolRequest {
    ("move_node", json!({"x": at.x, "y": at.y}))
}

/// The arguments with the node that they are about.
fn about(arguments: Value, id: &NodeId) -> Value {
    let mut fields = Map::from_iter([("nodeId".to_owned(), Value::from(id.as_str()))]);
    if let Value::Object(own) = arguments {
        fields.extend(own);
    }
    Value::Object(fields)
}

/// The only paint there is, if it shows.
fn only(paints: &[Paint]) -> Option<&Paint> {
    paints.first().filter(|paint| paints.len() == 1 && paint.visible)
}

/// Calls about one field of a node that is as `now`, without the node. What tools cannot say is found
/// when they are tried out.
fn style(field: StyleField, node: &Node, now: Option<&Node>) -> Vec<ToolRequest> {
    match field {
        StyleField::Opacity => vec![("set_opacity", json!({"opacity": node.opacity}))],
        StyleField::BlendMode => {
            let mode = serde_json::to_value(node.blend_mode).unwrap_or_default();
            vec![("set_blend_mode", json!({"blendMode": mode}))]
        }
        StyleField::Fills => fill(node).into_iter().collect(),
        StyleField::Strokes | StyleField::StrokeWeight | StyleField::StrokeForm => {
            stroke(node).into_iter().collect()
        }
        StyleField::Effects => node.effects.iter().filter_map(call_arguments::shadow).collect(),
        StyleField::Corners => corners(node),
        StyleField::AutoLayout => auto_layout(node.auto_layout.as_deref()),
        StyleField::LayoutItem => sizing(node).into_iter().collect(),
        StyleField::Font => font(node),
        StyleField::Paragraph => paragraph(node, now),
        StyleField::Letters => letters(node).into_iter().collect(),
        StyleField::Visible
        | StyleField::Mask
        | StyleField::Clip
        | StyleField::Constraints
        | StyleField::Shape => Vec::new(),
    }
}

fn fill(node: &Node) -> Option<ToolRequest> {
    let paint = only(&node.fills)?;
    match &paint.kind {
        PaintKind::Solid(_) => {
            Some(("set_fill_color", call_arguments::color(paint.solid_color()?)))
        }
        PaintKind::Gradient(gradient) => {
            Some(("set_fill_gradient", call_arguments::gradient(gradient)))
        }
        PaintKind::Image(_) | PaintKind::Other(_) => None,
    }
}

fn stroke(node: &Node) -> Option<ToolRequest> {
    let paint = only(&node.stroke.paints)?.solid_color()?;
    Some(("set_stroke", call_arguments::stroke(&node.stroke, paint)))
}

/// One call for all corners, or one for each.
fn corners(node: &Node) -> Vec<ToolRequest> {
    let radii = node.corner_radii;
    if let Some(radius) = radii.as_uniform() {
        return vec![("set_corner_radius", json!({"radius": radius}))];
    }
    let all = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
    let flags = ["topLeft", "topRight", "bottomRight", "bottomLeft"];
    let requests = all.iter().enumerate().map(|(at, radius)| {
        let mut arguments = json!({"radius": radius});
        for (other, flag) in flags.iter().enumerate() {
            arguments[*flag] = json!(other == at);
        }
        ("set_corner_radius", arguments)
    });
    requests.collect()
}

fn auto_layout(layout: Option<&AutoLayout>) -> Vec<ToolRequest> {
    let Some(layout) = layout else {
        return vec![("set_layout_mode", json!({"layoutMode": "NONE"}))];
    };
    let direction = match layout.direction {
        Direction::Horizontal => "HORIZONTAL",
        Direction::Vertical => "VERTICAL",
    };
    // Only rows wrap: the tool refuses the word for columns.
    let mut mode = json!({"layoutMode": direction});
    if layout.direction == Direction::Horizontal {
        mode["layoutWrap"] = if layout.wraps { "WRAP" } else { "NO_WRAP" }.into();
    }
    let primary = match layout.primary_align {
        PrimaryAlign::Min => "MIN",
        PrimaryAlign::Center => "CENTER",
        PrimaryAlign::Max => "MAX",
        PrimaryAlign::SpaceBetween => "SPACE_BETWEEN",
    };
    let counter = match layout.counter_align {
        CounterAlign::Min => "MIN",
        CounterAlign::Center => "CENTER",
        CounterAlign::Max => "MAX",
        CounterAlign::Baseline => "BASELINE",
    };
    let padding = layout.padding;
    vec![
        ("set_layout_mode", mode),
        (
            "set_padding",
            json!({"paddingTop": padding.top, "paddingRight": padding.right,
                "paddingBottom": padding.bottom, "paddingLeft": padding.left}),
        ),
        ("set_item_spacing", json!({"itemSpacing": layout.item_spacing})),
        (
            "set_axis_align",
            json!({"primaryAxisAlignItems": primary, "counterAxisAlignItems": counter}),
        ),
    ]
}

fn sizing(node: &Node) -> Option<ToolRequest> {
    let item = node.layout_item;
    let axes =
        [("layoutSizingHorizontal", item.horizontal), ("layoutSizingVertical", item.vertical)];
    let mut arguments = Map::new();
    for (axis, sizing) in axes {
        if let Some(sizing) = sizing {
            arguments.insert(axis.to_owned(), sizing_word(sizing).into());
        }
    }
    (!arguments.is_empty()).then_some(("set_layout_sizing", Value::Object(arguments)))
}

fn sizing_word(sizing: Sizing) -> &'static str {
    match sizing {
        Sizing::Fixed => "FIXED",
        Sizing::Hug => "HUG",
        Sizing::Fill => "FILL",
    }
}

fn font(node: &Node) -> Vec<ToolRequest> {
    let Some(text) = node.text() else { return Vec::new() };
    let style = &text.style;
    vec![
        ("set_text_font", call_arguments::font(style)),
        ("set_text_properties", json!({"fontSize": style.font_size})),
    ]
}

fn paragraph(node: &Node, now: Option<&Node>) -> Vec<ToolRequest> {
    let Some(text) = node.text() else { return Vec::new() };
    let style = &text.style;
    let mut properties = json!({"letterSpacing": style.letter_spacing});
    for (name, word) in call_arguments::alignment(style) {
        properties[name] = word.into();
    }
    if let LineHeight::Pixels(pixels) = style.line_height {
        properties["lineHeight"] = pixels.into();
    }
    let mut requests = vec![("set_text_properties", properties)];
    // Only where it has to be said: the tool also changes what auto layout is told of the text.
    let resizes_so = now.and_then(Node::text).map(|text| text.style.auto_resize);
    if resizes_so == Some(style.auto_resize) {
        return requests;
    }
    let [across, down] = match style.auto_resize {
        AutoResize::WidthAndHeight => [Sizing::Hug, Sizing::Hug],
        AutoResize::Height => [Sizing::Fixed, Sizing::Hug],
        AutoResize::None | AutoResize::Truncate => [Sizing::Fixed, Sizing::Fixed],
    };
    let own = json!({"layoutSizingHorizontal": sizing_word(across),
        "layoutSizingVertical": sizing_word(down)});
    requests.push(("set_layout_sizing", own));
    requests
}

fn letters(node: &Node) -> Option<ToolRequest> {
    Some(("set_text_decoration", call_arguments::decoration(&node.text()?.style)))
}
