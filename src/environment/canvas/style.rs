//! Tools that change how nodes are painted.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::base::{Point, Rgba, exact_sin_cos};
use crate::design::edit::Transaction;
use crate::design::{
    BlendMode, ColorStop, CornerRadii, Gradient, GradientKind, Node, NodeId, NodeKind, Paint,
    PaintKind, StrokeAlign,
};

use super::arguments::Color;
use super::compat::Quirk;
use super::error::ToolError;
use super::page::{Page, settle};
use super::reply::{ColorForm, Reply, corner_radius, number, paints};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetFillColor {
    node_id: String,
    #[serde(flatten)]
    color: Color,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetCornerRadius {
    node_id: String,
    radius: f64,
    top_left: Option<bool>,
    top_right: Option<bool>,
    bottom_right: Option<bool>,
    bottom_left: Option<bool>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetOpacity {
    node_id: String,
    opacity: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetStroke {
    node_id: String,
    stroke_color: Option<Color>,
    weight: Option<f64>,
    align: Option<Align>,
}

/// On which side of the edge a stroke lies.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Align {
    Center,
    Inside,
    Outside,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SetFillGradient {
    node_id: String,
    gradient_stops: Vec<StopArgument>,
    gradient_type: Option<GradientType>,
    angle: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct StopArgument {
    #[serde(flatten)]
    color: Color,
    position: f64,
}

/// The form of a gradient.
#[derive(Clone, Copy, Debug, Deserialize)]
enum GradientType {
    #[serde(rename = "GRADIENT_LINEAR")]
    Linear,
    #[serde(rename = "GRADIENT_RADIAL")]
    Radial,
    #[serde(rename = "GRADIENT_ANGULAR")]
    Angular,
    #[serde(rename = "GRADIENT_DIAMOND")]
    Diamond,
}

pub(super) fn set_fill_color(
    page: &mut Page,
    arguments: &SetFillColor,
) -> Result<Reply, ToolError> {
    let mut color = arguments.color.rgba();
    // The published plugin takes 0 for none given.
    if color.a == 0.0 && page.has(Quirk::AlphaZeroBecomesOne) {
        color = color.with_alpha(1.0);
    }
    // A solid paint keeps its alpha as opacity, so that 0 is there and invisible.
    let id = set_fills(page, &arguments.node_id, &[Paint::solid(color)])?;
    let node = page.node(id.as_str())?;
    let text = format!("Set the fill of \"{}\" to {}", node.name, hex(color));
    Ok(Reply::new(text, fills_reply(node)))
}

pub(super) fn set_fill_gradient(
    page: &mut Page,
    arguments: &SetFillGradient,
) -> Result<Reply, ToolError> {
    let gradient = arguments.gradient(page.has(Quirk::GradientTurnsAboutTheCorner));
    // Before the gradient goes into its paint.
    let stops = gradient.stops.len();
    let paint = Paint {
        kind: PaintKind::Gradient(gradient),
        visible: true,
        opacity: 1.0,
        blend_mode: BlendMode::Normal,
    };
    let id = set_fills(page, &arguments.node_id, &[paint])?;
    let node = page.node(id.as_str())?;
    let text = format!("Set the fill of \"{}\" to a gradient of {stops} stops", node.name);
    Ok(Reply::new(text, fills_reply(node)))
}

fn fills_reply(node: &Node) -> Value {
    let fills = paints(&node.fills, ColorForm::Channels);
    json!({"id": node.id.as_str(), "name": node.name, "fills": fills})
}

/// Replaces the fills of a node, those of single letters included.
fn set_fills(page: &mut Page, id: &str, fills: &[Paint]) -> Result<NodeId, ToolError> {
    let node = page.node(id)?;
    if !has_fills(&node.kind) {
        return Err(ToolError::wrong_type(node, "it has no fills; set those of its children"));
    }
    let id = node.id.clone();
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        fill_all(node, fills);
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    Ok(id)
}

/// Replaces the fills of a node, those of single letters included.
pub(super) fn fill_all(node: &mut Node, fills: &[Paint]) {
    fills.clone_into(&mut node.fills);
    if let Some(text) = node.text_mut() {
        // Or letters with a colour of their own would keep it, and the call would seem to fail.
        text.overrides.values_mut().for_each(|style| style.fills = None);
    }
}

impl SetFillGradient {
    /// The gradient, turned by the angle about the middle of the node; or, where wanted, about the
    /// left top corner, which pushes most of it out of the node.
    fn gradient(&self, about_corner: bool) -> Gradient {
        // The schema has no default; the published server's is linear.
        let kind = match self.gradient_type.unwrap_or(GradientType::Linear) {
            GradientType::Linear => GradientKind::Linear,
            GradientType::Radial => GradientKind::Radial,
            GradientType::Angular => GradientKind::Angular,
            GradientType::Diamond => GradientKind::Diamond,
        };
        let angle = self.angle.unwrap_or(0.0);
        let stops = self.gradient_stops.iter();
        Gradient {
            kind,
            handles: if about_corner {
                handles_about_corner(kind, angle)
            } else {
                handles(kind, angle)
            },
            stops: stops
                .map(|stop| ColorStop { position: stop.position, color: stop.color.rgba() })
                .collect(),
        }
    }
}

/// Start, end and width handle in unit space: a linear gradient runs through the middle from edge to
/// edge, the others from the middle outwards.
fn handles(kind: GradientKind, degrees: f64) -> [Point; 3] {
    let (sin, cos) = exact_sin_cos(degrees);
    // From the middle, along the gradient and across it.
    let upright = match kind {
        GradientKind::Linear => [(-0.5, 0.0), (0.5, 0.0), (-0.5, 0.5)],
        GradientKind::Radial | GradientKind::Angular | GradientKind::Diamond => {
            [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5)]
        }
    };
    upright.map(|(along, across): (f64, f64)| {
        Point::new(0.5 + along * cos - across * sin, 0.5 + along * sin + across * cos)
    })
}

/// The handles of the published plugin's `gradientTransform` [[cos, sin, 0], [−sin, cos, 0]]. It
/// leads from the node's unit square to that of the gradient, so the handles are where its inverse
/// puts those of an upright gradient.
fn handles_about_corner(kind: GradientKind, degrees: f64) -> [Point; 3] {
    let (sin, cos) = exact_sin_cos(degrees);
    handles(kind, 0.0).map(|p| Point::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos))
}

pub(super) fn set_corner_radius(
    page: &mut Page,
    arguments: &SetCornerRadius,
) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if !has_corners(&node.kind) {
        return Err(ToolError::wrong_type(node, "it has no corners to round"));
    }
    // The others have one radius for all corners, whatever the flags say.
    let radii = if has_four_corners(&node.kind) {
        arguments.radii_over(node.corner_radii)
    } else {
        CornerRadii::uniform(arguments.radius)
    };
    let id = node.id.clone();
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| node.corner_radii = radii)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let name = &page.node(id.as_str())?.name;
    let text = format!(
        "Corner radii of \"{name}\" are now {}, {}, {}, {} (clockwise from the top left)",
        radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left
    );
    let structured = json!({
        "id": id.as_str(), "name": name, "cornerRadius": corner_radius(radii),
        "topLeftRadius": number(radii.top_left), "topRightRadius": number(radii.top_right),
        "bottomRightRadius": number(radii.bottom_right),
        "bottomLeftRadius": number(radii.bottom_left),
    });
    Ok(Reply::new(text, structured))
}

impl SetCornerRadius {
    fn radii_over(&self, now: CornerRadii) -> CornerRadii {
        // A corner keeps its radius only where the flag says false.
        let [top_left, top_right, bottom_right, bottom_left] = [
            (self.top_left, now.top_left),
            (self.top_right, now.top_right),
            (self.bottom_right, now.bottom_right),
            (self.bottom_left, now.bottom_left),
        ]
        .map(|(flag, now)| if flag == Some(false) { now } else { self.radius });
        CornerRadii { top_left, top_right, bottom_right, bottom_left }
    }
}

pub(super) fn set_opacity(page: &mut Page, arguments: &SetOpacity) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if matches!(node.kind, NodeKind::Canvas | NodeKind::Section | NodeKind::Slice) {
        return Err(ToolError::wrong_type(node, "it has no opacity"));
    }
    let (id, name, opacity) = (node.id.clone(), node.name.clone(), arguments.opacity);
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| node.opacity = opacity)?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let structured = json!({"id": id.as_str(), "name": name, "opacity": number(opacity)});
    Ok(Reply::new(format!("Set the opacity of \"{name}\" to {opacity}"), structured))
}

pub(super) fn set_stroke(page: &mut Page, arguments: &SetStroke) -> Result<Reply, ToolError> {
    let node = page.node(&arguments.node_id)?;
    if !has_outline(&node.kind) {
        return Err(ToolError::wrong_type(node, "it has no outline; set that of its children"));
    }
    let id = node.id.clone();
    let color = arguments.stroke_color.map_or(Rgba::BLACK, Color::rgba);
    let align = arguments.align.unwrap_or(Align::Center);
    let mut change = Transaction::begin(&mut page.document);
    change.update(&id, |node| {
        // In place of all there were: the tool knows one.
        node.stroke.paints = vec![Paint::solid(color)];
        node.stroke.weight = arguments.weight.unwrap_or(node.stroke.weight);
        node.stroke.align = align.into();
    })?;
    page.last_edit = Some(settle(change, &page.settings.render));
    let node = page.node(id.as_str())?;
    let (name, weight) = (&node.name, node.stroke.weight);
    let structured = json!({
        "id": id.as_str(), "name": name,
        "strokes": paints(&node.stroke.paints, ColorForm::Channels),
        "strokeWeight": number(weight), "strokeAlign": align.word(),
    });
    let text = format!("Set the outline of \"{name}\" to {}, {weight} px", hex(color));
    Ok(Reply::new(text, structured))
}

impl Align {
    fn word(self) -> &'static str {
        match self {
            Self::Center => "CENTER",
            Self::Inside => "INSIDE",
            Self::Outside => "OUTSIDE",
        }
    }
}

impl From<Align> for StrokeAlign {
    fn from(align: Align) -> Self {
        match align {
            Align::Center => Self::Center,
            Align::Inside => Self::Inside,
            Align::Outside => Self::Outside,
        }
    }
}

fn hex(color: Rgba) -> String {
    color.to_hex().to_lowercase()
}

/// Whether nodes of this kind have an outline.
pub(super) fn has_outline(kind: &NodeKind) -> bool {
    has_fills(kind) && *kind != NodeKind::Section
}

/// Whether nodes of this kind are painted themselves. Figma's GROUP, SLICE and page are not.
pub(super) fn has_fills(kind: &NodeKind) -> bool {
    !matches!(kind, NodeKind::Canvas | NodeKind::Group | NodeKind::Slice | NodeKind::Other(_))
}

/// Whether Figma rounds the corners of nodes of this kind.
pub(super) fn has_corners(kind: &NodeKind) -> bool {
    has_four_corners(kind)
        || matches!(
            kind,
            NodeKind::Ellipse(_)
                | NodeKind::Vector(_)
                | NodeKind::RegularPolygon { .. }
                | NodeKind::Star { .. }
                | NodeKind::BooleanOperation(_)
        )
}

/// Whether each corner of nodes of this kind has its own radius.
pub(super) fn has_four_corners(kind: &NodeKind) -> bool {
    matches!(
        kind,
        NodeKind::Rectangle
            | NodeKind::Frame
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance
            | NodeKind::Section
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn angle_0_runs_from_left_to_right_and_90_from_top_to_bottom() {
        let [start, end, _] = handles(GradientKind::Linear, 0.0);
        assert_eq!((start, end), (Point::new(0.0, 0.5), Point::new(1.0, 0.5)));
        let [start, end, _] = handles(GradientKind::Linear, 90.0);
        assert_eq!((start, end), (Point::new(0.5, 0.0), Point::new(0.5, 1.0)));
    }

    #[test]
    fn about_the_corner_a_quarter_turn_leads_out_of_the_box() {
        let [start, end, _] = handles_about_corner(GradientKind::Linear, 90.0);
        assert_eq!((start, end), (Point::new(-0.5, 0.0), Point::new(-0.5, 1.0)));
        let upright = handles_about_corner(GradientKind::Radial, 0.0);
        assert_eq!(upright, handles(GradientKind::Radial, 0.0));
    }

    #[test]
    fn the_first_colour_of_a_radial_gradient_is_in_the_middle() {
        let [start, end, width] = handles(GradientKind::Radial, 0.0);
        assert_eq!(start, Point::new(0.5, 0.5));
        assert_eq!((end, width), (Point::new(1.0, 0.5), Point::new(0.5, 1.0)));
    }
}
