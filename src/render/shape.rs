//! The shape of a node, in its own space.

use std::rc::Rc;

use serde_json::Value;
use tiny_skia::{FillRule, Path, PathBuilder, Transform};

use crate::base::{Rect, Size};
use crate::design::{EllipseArc, FigmaPath, Node, NodeKind, WindingRule};

use super::diagnostic::Diagnostics;
use super::path_data;
use super::polygon;
use super::rounded_box::{KAPPA, RoundedBox};

/// An area bounded by a path.
#[derive(Clone, Debug)]
pub(super) struct FilledPath {
    pub(super) path: Rc<Path>,
    pub(super) rule: FillRule,
    /// The box around it, tight where it is curved.
    pub(super) bounds: Rect,
    /// The same area as an upright rectangle, if it is one.
    pub(super) rect: Option<Rect>,
}

/// What a node's fills cover and its stroke follows.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A rectangle, perhaps with rounded corners.
    Box(RoundedBox),
    /// The ellipse that fills the size.
    Ellipse(Size),
    /// A line: it has no inside.
    Line(Size),
    /// Free form: areas, and the outline already expanded where the file has it.
    Free { fill: Vec<FilledPath>, stroke: Vec<FilledPath> },
    /// Nothing of its own.
    Nothing,
}

impl FilledPath {
    pub(super) fn new(path: Path, rule: FillRule) -> Self {
        let bounds = path.compute_tight_bounds().unwrap_or_else(|| path.bounds());
        let (x, y) = (f64::from(bounds.x()), f64::from(bounds.y()));
        let bounds = Rect::new(x, y, f64::from(bounds.width()), f64::from(bounds.height()));
        Self { path: Rc::new(path), rule, bounds, rect: None }
    }
}

impl Shape {
    /// The shape of `node`; what the file does not say is reported and left out.
    pub(super) fn of(node: &Node, diagnostics: &mut Diagnostics) -> Self {
        match &node.kind {
            NodeKind::Canvas | NodeKind::Frame | NodeKind::Section | NodeKind::Rectangle => {
                Self::of_box(node)
            }
            NodeKind::Component | NodeKind::ComponentSet | NodeKind::Instance => Self::of_box(node),
            NodeKind::Ellipse(arc) => Self::of_ellipse(node, *arc, diagnostics),
            NodeKind::Line => Self::Line(node.size),
            NodeKind::Vector(geometry) => {
                Self::of_geometry(node, &geometry.fill, &geometry.stroke, diagnostics)
            }
            NodeKind::RegularPolygon { .. }
            | NodeKind::Star { .. }
            | NodeKind::BooleanOperation(_) => Self::of_construction(node, diagnostics),
            NodeKind::Text(_) | NodeKind::Group | NodeKind::Slice | NodeKind::Other(_) => {
                Self::Nothing
            }
        }
    }

    fn of_box(node: &Node) -> Self {
        Self::Box(RoundedBox::of_node(node.size, node.corner_radii))
    }

    fn of_ellipse(node: &Node, arc: EllipseArc, diagnostics: &mut Diagnostics) -> Self {
        if arc.is_whole() {
            return Self::Ellipse(node.size);
        }
        let geometry = source_geometry(node, "fillGeometry");
        if geometry.is_empty() {
            diagnostics.add(&node.id, "its arc is not drawn: the whole ellipse is shown");
            return Self::Ellipse(node.size);
        }
        Self::of_geometry(node, &geometry, &source_geometry(node, "strokeGeometry"), diagnostics)
    }

    /// A polygon, star or combination: by the file's geometry, else by what its fields say.
    fn of_construction(node: &Node, diagnostics: &mut Diagnostics) -> Self {
        let (fill, stroke) =
            (source_geometry(node, "fillGeometry"), source_geometry(node, "strokeGeometry"));
        if !fill.is_empty() || !stroke.is_empty() {
            return Self::of_geometry(node, &fill, &stroke, diagnostics);
        }
        let path = match node.kind {
            NodeKind::RegularPolygon { corners } => {
                report_unknown_corners(node, corners, diagnostics);
                polygon::regular_polygon(node.size, corners)
            }
            NodeKind::Star { tips, inner_ratio } => {
                report_unknown_corners(node, tips, diagnostics);
                polygon::star(node.size, tips, inner_ratio)
            }
            _ => {
                diagnostics
                    .add(&node.id, "no geometry in the file: its parts are drawn one over another");
                None
            }
        };
        let fill = path.map(|path| FilledPath::new(path, FillRule::Winding));
        Self::Free { fill: fill.into_iter().collect(), stroke: Vec::new() }
    }

    fn of_geometry(
        node: &Node,
        fill: &[FigmaPath],
        stroke: &[FigmaPath],
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let has_paint = node.fills.iter().chain(&node.stroke.paints).any(|paint| paint.visible);
        if fill.is_empty() && stroke.is_empty() && has_paint {
            diagnostics.add(&node.id, "not drawn: no geometry in the file");
        }
        // The paths of a VECTOR are the document's own and change with it; those of other kinds are
        // still as the file has them.
        let is_own = matches!(node.kind, NodeKind::Vector(_));
        let stretch = if is_own { (1.0, 1.0) } else { stretch_since_file(node) };
        let mut read = |paths: &[FigmaPath]| {
            paths.iter().filter_map(|path| read_path(node, path, stretch, diagnostics)).collect()
        };
        Self::Free { fill: read(fill), stroke: read(stroke) }
    }

    /// The areas that fills cover.
    pub(super) fn areas(&self) -> Vec<FilledPath> {
        match self {
            Self::Box(rounded) => {
                let rect = rounded.is_sharp().then_some(rounded.rect);
                let path = rounded.to_path().map(|path| FilledPath::new(path, FillRule::Winding));
                path.map(|area| FilledPath { rect, ..area }).into_iter().collect()
            }
            Self::Ellipse(size) => {
                let path = ellipse(Rect::new(0.0, 0.0, size.width, size.height));
                path.map(|path| FilledPath::new(path, FillRule::Winding)).into_iter().collect()
            }
            Self::Free { fill, .. } => fill.clone(),
            Self::Line(_) | Self::Nothing => Vec::new(),
        }
    }
}

/// The ellipse that fills `rect`, of four cubics; `None` if it has no area.
pub(super) fn ellipse(rect: Rect) -> Option<Path> {
    let mut path = PathBuilder::new();
    push_ellipse(rect, &mut path);
    path.finish()
}

/// Adds the ellipse that fills `rect`, clockwise on screen from its right.
pub(super) fn push_ellipse(rect: Rect, path: &mut PathBuilder) {
    let center = rect.center();
    let (rx, ry) = (rect.width / 2.0, rect.height / 2.0);
    let at = |x: f64, y: f64| ((center.x + x * rx) as f32, (center.y + y * ry) as f32);
    let quarters = [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 0.0)];
    let (x, y) = at(1.0, 0.0);
    path.move_to(x, y);
    for ends in quarters.windows(2) {
        let ((x0, y0), (x1, y1)) = (ends[0], ends[1]);
        let first = at(x0 + x1 * KAPPA, y0 + y1 * KAPPA);
        let second = at(x1 + x0 * KAPPA, y1 + y0 * KAPPA);
        let end = at(x1, y1);
        path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    path.close();
}

/// A file may leave out how many corners a shape has; its outline says it then.
fn report_unknown_corners(node: &Node, corners: u32, diagnostics: &mut Diagnostics) {
    if node.origin.is_some() && node.source.get("pointCount").is_none() {
        let message =
            format!("the file does not say how many corners it has: drawn with {corners}");
        diagnostics.add(&node.id, message);
    }
}

/// How much the node was stretched since its geometry was written to the file.
fn stretch_since_file(node: &Node) -> (f64, f64) {
    let in_file = |axis: &str| node.source.get("size")?.get(axis)?.as_f64();
    let stretch = |axis: &str, now: f64| {
        in_file(axis).filter(|extent| *extent > 0.0).map_or(1.0, |extent| now / extent)
    };
    (stretch("x", node.size.width), stretch("y", node.size.height))
}

/// The path stretched; `None` if nothing finite is left of it.
fn stretched(path: Path, (x, y): (f64, f64)) -> Option<Path> {
    if (x, y) == (1.0, 1.0) {
        Some(path)
    } else {
        path.transform(Transform::from_scale(x as f32, y as f32))
    }
}

/// `fillGeometry` or `strokeGeometry` of a node whose kind does not hold it.
fn source_geometry(node: &Node, key: &str) -> Vec<FigmaPath> {
    let Some(Value::Array(paths)) = node.source.get(key) else { return Vec::new() };
    let read = |path: &Value| {
        let data = path.get("path")?.as_str()?.to_owned();
        let is_even_odd = path.get("windingRule").and_then(Value::as_str) == Some("EVENODD");
        let winding = if is_even_odd { WindingRule::EvenOdd } else { WindingRule::NonZero };
        Some(FigmaPath { data, winding })
    };
    paths.iter().filter_map(read).collect()
}

fn read_path(
    node: &Node,
    path: &FigmaPath,
    stretch: (f64, f64),
    diagnostics: &mut Diagnostics,
) -> Option<FilledPath> {
    match path_data::to_path(path) {
        Ok(read) => {
            let path_now = stretched(read?, stretch)?;
            Some(FilledPath::new(path_now, path_data::fill_rule(path.winding)))
        }
        Err(error) => {
            diagnostics.add(&node.id, error.to_string());
            None
        }
    }
}
