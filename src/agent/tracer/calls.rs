//! Pieces as tool calls.

use serde_json::{Value, json};

use super::draft::{Fill, GradientDirection, Paragraph, Piece, Shape, TextRun};
use super::picture::Rgb;
use super::text::font;

/// How large a pixel of the working picture is on the canvas, across and down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// Spare width of a text's box, of its size: letters that are shaped a little wider still fit.
const SPARE_WIDTH: f64 = 0.6;

/// The call that makes the node of a piece.
pub(super) fn create(
    piece: &Piece,
    name: &str,
    parent: &str,
    scale: Scale,
) -> (&'static str, Value) {
    match &piece.shape {
        Shape::Text(run) => ("create_text", create_text(piece, run, name, parent, scale)),
        Shape::Paragraph(paragraph) => {
            ("create_text", create_paragraph(piece, paragraph, name, parent, scale))
        }
        Shape::Trace(contours) => ("create_graphic", graphic(piece, contours, name, parent, scale)),
        Shape::Ellipse => ("create_ellipse", create_box(piece, name, parent, scale)),
        Shape::Box(radii) => {
            let mut arguments = create_box(piece, name, parent, scale);
            // Creation takes one radius for all corners: that of the first, from which the others
            // may differ.
            if radii[0] > 0.0 {
                arguments["cornerRadius"] = number(f64::from(radii[0]) * scale.x);
            }
            ("create_rectangle", arguments)
        }
    }
}

/// The calls that give a new node what its creation cannot.
pub(super) fn finish(piece: &Piece, node: &str, scale: Scale) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    if let Fill::Linear(axis, stops) = &piece.fill {
        let stops: Vec<Value> = stops.iter().map(|(at, colour)| stop(*at, *colour)).collect();
        // Of the tool: 0 from left to right, clockwise from there.
        let angle = if *axis == GradientDirection::Across { 0 } else { 90 };
        let arguments = json!({"nodeId": node, "gradientStops": stops,
            "gradientType": "GRADIENT_LINEAR", "angle": angle});
        calls.push(("set_fill_gradient", arguments));
    }
    if let Shape::Box(radii) = &piece.shape {
        calls.extend(uneven_radii(radii, node, scale));
    }
    if let Shape::Text(run) = &piece.shape
        && run.spacing.abs() >= 0.01
    {
        calls.push(("set_text_properties", spacing(run, node, scale)));
    }
    if let Shape::Paragraph(paragraph) = &piece.shape {
        let mut arguments = spacing(&paragraph.text, node, scale);
        arguments["lineHeight"] = number(typed(f64::from(paragraph.leading) * scale.y));
        calls.push(("set_text_properties", arguments));
    }
    if let Some(stroke) = piece.stroke {
        let arguments = json!({"nodeId": node, "strokeColor": colour(stroke.colour),
            "weight": number(f64::from(stroke.weight) * scale.x), "align": "INSIDE"});
        calls.push(("set_stroke", arguments));
    }
    calls
}

fn uneven_radii(radii: &[f32; 4], node: &str, scale: Scale) -> Vec<(&'static str, Value)> {
    let mut calls = Vec::new();
    for (i, radius) in radii.iter().enumerate().skip(1) {
        // One call a value: it names every corner that has it.
        if *radius == radii[0] || radii[1..i].contains(radius) {
            continue;
        }
        let [top_left, top_right, bottom_right, bottom_left] = radii.map(|other| other == *radius);
        let arguments = json!({"nodeId": node, "radius": number(f64::from(*radius) * scale.x),
            "topLeft": top_left, "topRight": top_right, "bottomRight": bottom_right,
            "bottomLeft": bottom_left});
        calls.push(("set_corner_radius", arguments));
    }
    calls
}

/// The arguments that space the letters of a line.
pub(super) fn spacing(run: &TextRun, node: &str, scale: Scale) -> Value {
    json!({"nodeId": node, "letterSpacing": number(f64::from(run.spacing) * scale.x)})
}

fn create_box(piece: &Piece, name: &str, parent: &str, scale: Scale) -> Value {
    let b = piece.bounds;
    json!({
        "x": number(b.x * scale.x), "y": number(b.y * scale.y),
        "width": number((b.width * scale.x).max(0.01)),
        "height": number((b.height * scale.y).max(0.01)),
        "name": name, "parentId": parent, "fillColor": colour(piece.fill.colour()),
    })
}

/// Where a line's box stands, on the canvas.
pub(super) fn text_origin(run: &TextRun, scale: Scale) -> (f64, f64) {
    let top = f64::from(run.baseline - font::ASCENT * run.size);
    (f64::from(run.left) * scale.x, top * scale.y)
}

fn create_text(piece: &Piece, run: &TextRun, name: &str, parent: &str, scale: Scale) -> Value {
    let (x, y) = text_origin(run, scale);
    let size = f64::from(run.size) * scale.y;
    // Letters that stand closer than the font has them are wider until their spacing is set, a turn
    // later: the line must not break before.
    let plain = TextRun { spacing: run.spacing.max(0.0), ..run.clone() };
    let width = f64::from(font::run_width(&plain)) * scale.x + SPARE_WIDTH * size;
    json!({
        "x": number(x), "y": number(y), "text": run.content, "name": name,
        "width": number(width.ceil()),
        "height": number((size * f64::from(font::ASCENT + font::DESCENT)).ceil()),
        "fontSize": number(size), "fontWeight": run.weight,
        "fontColor": colour(piece.fill.colour()), "parentId": parent,
    })
}

fn create_paragraph(
    piece: &Piece,
    paragraph: &Paragraph,
    name: &str,
    parent: &str,
    scale: Scale,
) -> Value {
    let run = &paragraph.text;
    let mut arguments = create_text(piece, run, name, parent, scale);
    let (_, top) = paragraph_origin(paragraph, scale);
    arguments["y"] = number(top);
    let leading = typed(f64::from(paragraph.leading) * scale.y);
    arguments["width"] = number(f64::from(paragraph.width) * scale.x);
    arguments["height"] = number((leading * paragraph.lines.len() as f64).ceil());
    arguments
}

/// Where a paragraph's box stands, on the canvas.
pub(super) fn paragraph_origin(paragraph: &Paragraph, scale: Scale) -> (f64, f64) {
    let run = &paragraph.text;
    let leading = typed(f64::from(paragraph.leading) * scale.y);
    // The room of a line that its letters leave lies half above them and half below.
    let letters = f64::from((font::ASCENT + font::DESCENT) * run.size) * scale.y;
    let (left, top) = text_origin(run, scale);
    (left, top - (leading - letters) / 2.0)
}

/// A length as a person would have typed it, if it is near to a whole one.
fn typed(length: f64) -> f64 {
    let whole = length.round();
    if (length - whole).abs() < 0.3 { whole } else { length }
}

fn graphic(
    piece: &Piece,
    contours: &[Vec<[f32; 2]>],
    name: &str,
    parent: &str,
    scale: Scale,
) -> Value {
    // A frame at whole pixels: the points in it keep their place between them.
    let (x, y) = (piece.bounds.x.floor(), piece.bounds.y.floor());
    let (w, h) = (piece.bounds.right().ceil() - x, piece.bounds.bottom().ceil() - y);
    let [r, g, b] = piece.fill.colour().map(|v| v.round().clamp(0.0, 255.0) as u8);
    let mut data = String::new();
    for contour in contours {
        for (i, [px, py]) in contour.iter().enumerate() {
            let (px, py) = ((f64::from(*px) - x) * scale.x, (f64::from(*py) - y) * scale.y);
            data.push(if i == 0 { 'M' } else { 'L' });
            data.extend([format!("{px:.2}"), format!(" {py:.2}")]);
        }
        data.push('Z');
    }
    let (w, h) = (w * scale.x, h * scale.y);
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w:.2}\" height=\"{h:.2}\" viewBox=\"0 0 {w:.2} {h:.2}\"><path fill=\"#{r:02x}{g:02x}{b:02x}\" fill-rule=\"evenodd\" d=\"{data}\"/></svg>"
    );
    json!({"svg": svg, "name": name, "x": number(x * scale.x), "y": number(y * scale.y),
        "parentId": parent})
}

fn stop(at: f32, of: Rgb) -> Value {
    let mut stop = colour(of);
    stop["position"] = number(f64::from(at));
    stop
}

/// A colour as the tools take it, to four decimals.
pub(super) fn colour(of: Rgb) -> Value {
    let [r, g, b] = of.map(|v| ((f64::from(v) / 255.0).clamp(0.0, 1.0) * 1e4).round() / 1e4);
    json!({"r": r, "g": g, "b": b, "a": 1})
}

/// A length, to hundredths.
pub(super) fn number(v: f64) -> Value {
    json!((v * 100.0).round() / 100.0)
}
