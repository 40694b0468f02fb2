//! The arguments of calls, from what a node is.

use serde_json::{Map, Value, json};

use crate::base::{Affine, Point, Rect, Rgba, Size};
use crate::design::{
    AutoResize, LineHeight, Node, Paint, PaintKind, TextAlign, TextCase, TextContent,
    TextDecoration,
};
use crate::environment::canvas::call_arguments;
use crate::render::{RenderContext, layout_text, measure_text};

/// A tool's name and its arguments; the id of the node is put in when it is known.
pub(super) type TranscriptCall = (&'static str, Map<String, Value>);

fn request(tool: &'static str, arguments: Value) -> TranscriptCall {
    let arguments = match arguments {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    (tool, arguments)
}

/// The topmost paint that shows.
pub(super) fn seen(paints: &[Paint]) -> Option<&Paint> {
    paints.iter().rev().find(|paint| paint.visible && paint.opacity > 0.0)
}

/// The colour a shape is made with; transparent where it has none or gets a gradient later.
fn first_color(paints: &[Paint]) -> Value {
    let seen = seen(paints).and_then(Paint::solid_color);
    call_arguments::color(seen.unwrap_or(Rgba::TRANSPARENT))
}

/// The box a node would have if it were not turned: of its size, around the same middle.
pub(super) fn upright_box(page_from_node: Affine, size: Size) -> Rect {
    // Turning keeps the middle: made upright around it, the node is turned into its place.
    let middle = page_from_node.apply(Point::new(size.width / 2.0, size.height / 2.0));
    Rect::new(middle.x - size.width / 2.0, middle.y - size.height / 2.0, size.width, size.height)
}

/// What makes a rectangle, ellipse, frame, polygon or star.
pub(super) fn shape(tool: &'static str, node: &Node, at: Rect, parent: &str) -> TranscriptCall {
    request(
        tool,
        json!({
            "x": at.x, "y": at.y, "width": at.width, "height": at.height,
            // Every shape gets a colour, as without one it would be grey.
            "name": node.name, "parentId": parent, "fillColor": first_color(&node.fills),
        }),
    )
}

/// What makes a line.
pub(super) fn line(node: &Node, page_from_node: Affine, parent: &str) -> TranscriptCall {
    let start = page_from_node.apply(Point::ZERO);
    // Its two ends say where it lies and how it is turned.
    let end = page_from_node.apply(Point::new(node.size.width, node.size.height));
    let mut arguments = json!({
        "startX": start.x, "startY": start.y, "endX": end.x, "endY": end.y,
        "name": node.name, "parentId": parent, "strokeColor": first_color(&node.stroke.paints),
        "strokeWeight": node.stroke.weight,
        "strokeCap": call_arguments::stroke_cap(node.stroke.cap),
    });
    // The tool takes a pair; longer patterns are found to differ.
    if let [dash, gap] = node.stroke.dashes[..] {
        arguments["dashPattern"] = json!([dash, gap]);
    }
    request("create_line", arguments)
}

/// What makes a text. One whose letters are wider than its box, though its lines break only where
/// it says, gets room for them.
pub(super) fn text(
    render: &RenderContext,
    node: &Node,
    content: &TextContent,
    at: Rect,
    parent: &str,
) -> TranscriptCall {
    let mut at = at;
    // Letters that were fitted to the box are fitted again in one of the same size.
    if content.style.auto_resize == AutoResize::WidthAndHeight
        && layout_text(render, content, node.size).fitting.is_none()
    {
        let more = (measure_text(render, content, None).size.width - at.width).max(0.0);
        // It grows away from the edge that it is aligned to, so that its letters stay.
        at.x -= match content.style.align {
            TextAlign::Left | TextAlign::Justified => 0.0,
            TextAlign::Center => more / 2.0,
            TextAlign::Right => more,
        };
        at.width += more;
    }
    let style = &content.style;
    let mut arguments = json!({
        "x": at.x, "y": at.y, "width": at.width.max(0.01), "height": at.height.max(0.01),
        "text": content.characters, "name": node.name, "parentId": parent,
        "fontSize": style.font_size, "fontWeight": style.font_weight.clamp(100.0, 900.0),
        "fontColor": first_color(&node.fills),
    });
    for (name, word) in call_arguments::alignment(style) {
        arguments[name] = word.into();
    }
    request("create_text", arguments)
}

/// What gives letters what `create_text` cannot.
pub(super) fn letters(content: &TextContent) -> Vec<TranscriptCall> {
    let style = &content.style;
    let mut requests = Vec::new();
    // `create_text` sets upright Inter in any weight, and nothing else.
    let is_plain = style.font_family == "Inter" && !style.italic;
    if !is_plain {
        requests.push(request("set_text_font", call_arguments::font(style)));
    }
    let mut properties = Map::new();
    match style.line_height {
        LineHeight::Auto => {}
        LineHeight::Pixels(pixels) => drop(properties.insert("lineHeight".into(), pixels.into())),
        LineHeight::Percent(percent) => {
            let pixels = style.font_size * percent / 100.0;
            properties.insert("lineHeight".into(), pixels.into());
        }
    }
    if style.letter_spacing != 0.0 {
        properties.insert("letterSpacing".into(), style.letter_spacing.into());
    }
    if !properties.is_empty() {
        requests.push(("set_text_properties", properties));
    }
    if style.case != TextCase::Original || style.decoration != TextDecoration::None {
        requests.push(request("set_text_decoration", call_arguments::decoration(style)));
    }
    requests
}

/// What gives a node its look, so far as there are tools: gradient, outline, corners, effects.
pub(super) fn look(node: &Node) -> Vec<TranscriptCall> {
    // In this order: an outline that is set later must not be lost to a fill.
    let mut requests: Vec<TranscriptCall> = gradient(node).into_iter().collect();
    // The tool gives one colour; anything else is found when the looks are compared.
    let line = seen(&node.stroke.paints).filter(|_| node.stroke.weight > 0.0);
    if let Some(paint) = line.and_then(Paint::solid_color) {
        requests.push(request("set_stroke", call_arguments::stroke(&node.stroke, paint)));
    }
    requests.extend(corners(node));
    requests.extend(effects(node));
    requests.extend(layer(node));
    requests
}

fn gradient(node: &Node) -> Option<TranscriptCall> {
    let PaintKind::Gradient(gradient) = &seen(&node.fills)?.kind else { return None };
    // One with handles of its own is made by SVG when this is found to differ.
    Some(request("set_fill_gradient", call_arguments::gradient(gradient)))
}

/// One call for each radius, naming the corners that have it.
fn corners(node: &Node) -> Vec<TranscriptCall> {
    let radii = node.corner_radii;
    let all = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
    let mut requests: Vec<TranscriptCall> = Vec::new();
    for (at, radius) in all.iter().enumerate() {
        // New nodes have no rounding, and a radius that came before was set for all that have it.
        if *radius == 0.0 || all.iter().take(at).any(|before| before == radius) {
            continue;
        }
        let [top_left, top_right, bottom_right, bottom_left] = all.map(|corner| corner == *radius);
        requests.push(request(
            "set_corner_radius",
            json!({"radius": radius, "topLeft": top_left, "topRight": top_right,
                "bottomRight": bottom_right, "bottomLeft": bottom_left}),
        ));
    }
    requests
}

/// Shadows; there are no tools for other effects.
pub(super) fn effects(node: &Node) -> Vec<TranscriptCall> {
    let visible = node.effects.iter().filter(|effect| effect.visible);
    // Where a tool cannot say all of one, the look that is compared afterwards differs.
    let requests = visible.filter_map(call_arguments::shadow);
    requests.map(|(tool, arguments)| request(tool, arguments)).collect()
}

/// Opacity and blend mode.
pub(super) fn layer(node: &Node) -> Vec<TranscriptCall> {
    use crate::design::BlendMode::{Normal, PassThrough};
    let mut requests = Vec::new();
    if node.opacity < 1.0 {
        requests.push(request("set_opacity", json!({"opacity": node.opacity})));
    }
    // What a new node of its kind has is not said.
    let is_usual =
        node.blend_mode == PassThrough || (node.blend_mode == Normal && !node.kind.is_container());
    if let (false, Ok(mode)) = (is_usual, serde_json::to_value(node.blend_mode)) {
        requests.push(request("set_blend_mode", json!({"blendMode": mode})));
    }
    requests
}

/// The turn of a node, as `rotate_node` takes it; `None` for one that is upright, flipped or skewed.
pub(super) fn rotation(page_from_node: Affine) -> Option<TranscriptCall> {
    let degrees = page_from_node.rotation_degrees().rem_euclid(360.0);
    let is_turned = degrees > 1e-6 && degrees < 360.0 - 1e-6;
    is_turned.then(|| request("rotate_node", json!({"angle": degrees})))
}
