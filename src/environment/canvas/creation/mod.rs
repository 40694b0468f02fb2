//! Tools that make nodes.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::base::{Affine, Point, Rgba, Size};
use crate::design::edit::Transaction;
use crate::design::{
    AutoResize, CornerRadii, EllipseArc, Node, NodeId, NodeKind, Paint, Stroke, StrokeAlign,
    StrokeCap, TextContent, TextStyle,
};

use super::arguments::{Color, check_font_size, check_side};
use super::call_arguments::stroke_cap;
use super::compat::Quirk;
use super::error::ToolError;
use super::page::{Page, insert_at, settle};
use super::reply::{ColorForm, Reply, corner_radius, number, paints, with_box};
use super::text::{HorizontalAlign, VerticalAlignment, style_of_weight};

mod layout;
mod polygon;

pub(super) use polygon::{create_polygon, create_star};

/// Where a new box goes, and what it is called.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewBox {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    name: String,
    parent_id: Option<String>,
}

/// How a new shape is painted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShapePaint {
    fill_color: Option<Color>,
    stroke_color: Option<Color>,
    stroke_weight: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateRectangle {
    #[serde(flatten)]
    at: NewBox,
    #[serde(flatten)]
    look: ShapePaint,
    corner_radius: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct CreateEllipse {
    #[serde(flatten)]
    at: NewBox,
    #[serde(flatten)]
    look: ShapePaint,
}

#[derive(Debug, Deserialize)]
pub(super) struct CreateFrame {
    #[serde(flatten)]
    at: NewBox,
    #[serde(flatten)]
    look: ShapePaint,
    #[serde(flatten)]
    layout: layout::FrameLayout,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateText {
    #[serde(flatten)]
    at: NewBox,
    text: String,
    font_size: Option<f64>,
    font_weight: Option<f64>,
    font_color: Option<Color>,
    text_align_horizontal: Option<HorizontalAlign>,
    text_align_vertical: Option<VerticalAlignment>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CreateLine {
    start_x: f64,
    start_y: f64,
    end_x: f64,
    end_y: f64,
    name: String,
    parent_id: Option<String>,
    stroke_color: Option<Color>,
    stroke_weight: Option<f64>,
    stroke_cap: Option<LineCap>,
    dash_pattern: Option<[f64; 2]>,
}

/// How the ends of a line look.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum LineCap {
    None,
    Round,
    Square,
}

pub(super) fn create_rectangle(
    page: &mut Page,
    arguments: &CreateRectangle,
) -> Result<Reply, ToolError> {
    let mut node = new_shape(&arguments.at, NodeKind::Rectangle)?;
    node.fills = vec![Paint::solid(Rgba::DEFAULT_SHAPE)];
    paint(&mut node, &arguments.look);
    node.corner_radii = CornerRadii::uniform(arguments.corner_radius.unwrap_or(0.0));
    let id = insert(page, node, &arguments.at)?;
    let mut reply = describe(page, &id)?;
    // As it is now, not as it was asked for: the document may have settled it otherwise.
    reply.extend(paint_fields(page.node(id.as_str())?));
    let radii = page.node(id.as_str())?.corner_radii;
    reply.insert("cornerRadius".to_owned(), corner_radius(radii));
    Ok(created(page, "rectangle", &id, reply))
}

pub(super) fn create_ellipse(
    page: &mut Page,
    arguments: &CreateEllipse,
) -> Result<Reply, ToolError> {
    let mut node = new_shape(&arguments.at, NodeKind::Ellipse(EllipseArc::WHOLE))?;
    node.fills = vec![Paint::solid(Rgba::DEFAULT_SHAPE)];
    paint(&mut node, &arguments.look);
    let id = insert(page, node, &arguments.at)?;
    let mut reply = describe(page, &id)?;
    reply.extend(paint_fields(page.node(id.as_str())?));
    Ok(created(page, "ellipse", &id, reply))
}

pub(super) fn create_frame(page: &mut Page, arguments: &CreateFrame) -> Result<Reply, ToolError> {
    let mut node = new_shape(&arguments.at, NodeKind::Frame)?;
    node.fills = vec![Paint::solid(Rgba::WHITE)];
    node.clips_content = true;
    paint(&mut node, &arguments.look);
    arguments.layout.apply(&mut node)?;
    let id = insert(page, node, &arguments.at)?;
    let mut reply = describe(page, &id)?;
    reply.extend(paint_fields(page.node(id.as_str())?));
    reply.extend(arguments.layout.reply());
    Ok(created(page, "frame", &id, reply))
}

pub(super) fn create_text(page: &mut Page, arguments: &CreateText) -> Result<Reply, ToolError> {
    let size = arguments.font_size.unwrap_or(14.0);
    check_font_size(size)?;
    // CANVAS's tools know the weights of whole hundreds; anything between is Regular.
    let (style_name, weight) = style_of_weight(arguments.font_weight.unwrap_or(400.0));
    let horizontal = arguments.text_align_horizontal.unwrap_or(HorizontalAlign::Left);
    let vertical = arguments.text_align_vertical.unwrap_or(VerticalAlignment::Top);
    let content = TextContent {
        characters: arguments.text.clone(),
        style: TextStyle {
            font_style: Some(style_name.to_owned()),
            font_weight: weight,
            font_size: size,
            align: horizontal.into(),
            vertical_align: vertical.into(),
            auto_resize: AutoResize::None,
            ..TextStyle::default()
        },
        ..TextContent::default()
    };
    let mut node = new_shape(&arguments.at, NodeKind::Text(Box::new(content)))?;
    // As Figma names a text that nobody named.
    if node.name.is_empty() {
        node.name.clone_from(&arguments.text);
    }
    let color = arguments.font_color.map_or(Rgba::BLACK, Color::rgba);
    node.fills = vec![Paint::solid(color)];
    // Figma gives a text this outline, should it get a colour.
    node.stroke.align = StrokeAlign::Outside;
    let id = insert(page, node, &arguments.at)?;
    let mut reply = describe(page, &id)?;
    let own = json!({
        "characters": arguments.text,
        "fontSize": number(size),
        "fontWeight": number(weight),
        "fontColor": {
            "r": number(color.r), "g": number(color.g), "b": number(color.b), "a": number(color.a)
        },
        "textAlignHorizontal": horizontal.word(),
        "textAlignVertical": vertical.word(),
        "fontName": {"family": "Inter", "style": style_name},
        "fills": paints(&page.node(id.as_str())?.fills, ColorForm::Channels),
    });
    reply.extend(own.as_object().cloned().unwrap_or_default());
    Ok(created(page, "text", &id, reply))
}

pub(super) fn create_line(page: &mut Page, arguments: &CreateLine) -> Result<Reply, ToolError> {
    let start = Point::new(arguments.start_x, arguments.start_y);
    let run = Point::new(arguments.end_x, arguments.end_y).since(start);
    let length = run.x.hypot(run.y);
    // Shorter than anything Figma keeps: a line without a direction cannot be turned.
    if length < 0.01 {
        return Err(ToolError::BadArguments(
            "endX, endY: a line must end elsewhere than it starts".to_owned(),
        ));
    }
    let parent = page.parent_of_new(arguments.parent_id.as_deref())?;
    // Figma counts angles counter-clockwise, but on the page y points down.
    let rise = if page.has(Quirk::LineIsMirrored) { -run.y } else { run.y };
    let mut change = Transaction::begin(&mut page.document);
    let id = change.new_id();
    let mut line = Node::new(id.clone(), arguments.name.clone(), NodeKind::Line);
    line.size = Size::new(length, 0.0);
    line.stroke = arguments.stroke();
    change.insert(line, parent.as_ref(), None)?;
    // Puts (0, 0) at the start and turns the x axis to the line's direction.
    let (cos, sin) = (run.x / length, rise / length);
    let along = Affine { a: cos, b: sin, c: -sin, d: cos, e: start.x, f: start.y };
    change.set_absolute_transform(&id, along)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let reply = line_reply(page, &id, arguments, length)?;
    Ok(created(page, "line", &id, reply))
}

impl CreateLine {
    fn stroke(&self) -> Stroke {
        Stroke {
            paints: vec![self.stroke_color.map_or_else(|| Paint::solid(Rgba::BLACK), Color::paint)],
            weight: self.stroke_weight.unwrap_or(1.0),
            align: StrokeAlign::Center,
            cap: match self.stroke_cap.unwrap_or(LineCap::None) {
                LineCap::None => StrokeCap::None,
                LineCap::Round => StrokeCap::Round,
                LineCap::Square => StrokeCap::Square,
            },
            dashes: self.dash_pattern.map(Vec::from).unwrap_or_default(),
            ..Stroke::default()
        }
    }
}

fn line_reply(
    page: &Page,
    id: &NodeId,
    arguments: &CreateLine,
    length: f64,
) -> Result<Map<String, Value>, ToolError> {
    let node = page.node(id.as_str())?;
    // The numbers that were asked for, which the quirk does not change in the published answer.
    let run = (arguments.end_x - arguments.start_x, arguments.end_y - arguments.start_y);
    let own = json!({
        "id": id.as_str(),
        "name": node.name,
        "startX": number(arguments.start_x),
        "startY": number(arguments.start_y),
        "endX": number(arguments.end_x),
        "endY": number(arguments.end_y),
        "length": number(length),
        "angle": number(run.1.atan2(run.0).to_degrees()),
        "strokeWeight": number(node.stroke.weight),
        "strokeCap": stroke_cap(node.stroke.cap),
        "dashPattern": node.stroke.dashes.iter().map(|d| number(*d)).collect::<Value>(),
        "parentId": page.parent_id(id),
    });
    Ok(own.as_object().cloned().unwrap_or_default())
}

/// A node of this kind with the size and name asked for; its id is given when it is inserted.
fn new_shape(at: &NewBox, kind: NodeKind) -> Result<Node, ToolError> {
    check_side("width", at.width)?;
    check_side("height", at.height)?;
    let mut node = Node::new(NodeId::from(""), at.name.clone(), kind);
    node.size = Size::new(at.width, at.height);
    Ok(node)
}

fn paint(node: &mut Node, look: &ShapePaint) {
    // What is not given keeps what a new node of its kind has.
    if let Some(color) = look.fill_color {
        node.fills = vec![color.paint()];
    }
    if let Some(color) = look.stroke_color {
        node.stroke.paints = vec![color.paint()];
    }
    if let Some(weight) = look.stroke_weight {
        node.stroke.weight = weight;
    }
}

/// Puts the node where it was asked for, and gives its id.
fn insert(page: &mut Page, mut node: Node, at: &NewBox) -> Result<NodeId, ToolError> {
    let parent = page.parent_of_new(at.parent_id.as_deref())?;
    let mut change = Transaction::begin(&mut page.document);
    let id = change.new_id();
    node.id = id.clone();
    insert_at(&mut change, node, parent.as_ref(), Point::new(at.x, at.y))?;
    page.last_edit = Some(settle(change, &page.settings.render));
    Ok(id)
}

/// `{id, name, x, y, width, height, parentId}` of a new node.
pub(super) fn describe(page: &Page, id: &NodeId) -> Result<Map<String, Value>, ToolError> {
    let node = page.node(id.as_str())?;
    let mut reply = Map::new();
    reply.insert("id".to_owned(), Value::from(id.as_str()));
    reply.insert("name".to_owned(), Value::from(node.name.as_str()));
    with_box(&mut reply, page.box_of(id)?);
    reply.insert("parentId".to_owned(), Value::from(page.parent_id(id)));
    Ok(reply)
}

fn paint_fields(node: &Node) -> [(String, Value); 3] {
    [
        ("fills".to_owned(), paints(&node.fills, ColorForm::Channels)),
        ("strokes".to_owned(), paints(&node.stroke.paints, ColorForm::Channels)),
        ("strokeWeight".to_owned(), number(node.stroke.weight)),
    ]
}

/// The answer to a creation: `Created <what> "<name>" with ID: <id> in <parent>`.
pub(super) fn created(page: &Page, what: &str, id: &NodeId, reply: Map<String, Value>) -> Reply {
    let name = reply.get("name").and_then(Value::as_str).unwrap_or_default();
    let text = format!("Created {what} \"{name}\" with ID: {id} in {}", page.parent_id(id));
    Reply::new(text, Value::Object(reply))
}
