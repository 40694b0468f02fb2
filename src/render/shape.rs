//! The shape of a node, in its own space.

use std::sync::Arc;

use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::{Rect, Size};
use crate::design::{Document, Node, NodeKind, PathGeometry};

use super::combined::ShapeCache;
use super::diagnostic::Diagnostics;
use super::rounded_box::{KAPPA, RoundedBox};
use super::{arc, combined, coverage, file_geometry, polygon};

/// An area bounded by a path.
#[derive(Clone, Debug)]
pub(super) struct FilledPath {
    pub(super) path: Arc<Path>,
    pub(super) rule: FillRule,
    /// The box around it, tight where it is curved.
    pub(super) bounds: Rect,
    /// The same area as an upright rectangle, if it is one.
    pub(super) rect: Option<Rect>,
    /// Its coverage, where the area itself is kept from one picture to the next.
    pub(super) coverage: Option<coverage::Kept>,
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
        Self { path: Arc::new(path), rule, bounds, rect: None, coverage: None }
    }

    /// An upright rectangle; `None` if it has no area.
    pub(super) fn of_rect(rect: Rect) -> Option<Self> {
        let [x, y, width, height] =
            [rect.x, rect.y, rect.width, rect.height].map(|value| value as f32);
        let path = PathBuilder::from_rect(tiny_skia::Rect::from_xywh(x, y, width, height)?);
        Some(Self { bounds: rect, rect: Some(rect), ..Self::new(path, FillRule::Winding) })
    }

    /// The same area, with its coverage kept along with it.
    pub(super) fn with_coverage_kept(self) -> Self {
        Self { coverage: Some(coverage::Kept::default()), ..self }
    }
}

impl Shape {
    /// The shape of `node`, followed as finely as a picture of `pixels_per_unit` needs; what cannot
    /// be told is reported and left out.
    pub(super) fn of(
        cache: &ShapeCache,
        document: &Document,
        node: &Arc<Node>,
        pixels_per_unit: f64,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        match node.kind {
            NodeKind::BooleanOperation(_) => {
                Self::free(combined::areas(cache, document, node, pixels_per_unit, diagnostics))
            }
            _ => Self::of_single(node, diagnostics),
        }
    }

    /// The shape of a node that its children have no part in; of a BOOLEAN_OPERATION, nothing.
    pub(super) fn of_single(node: &Node, diagnostics: &mut Diagnostics) -> Self {
        match &node.kind {
            NodeKind::Canvas
            | NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Rectangle
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance => Self::Box(RoundedBox::of(node)),
            NodeKind::Ellipse(arc) if arc.is_whole() => Self::Ellipse(node.size),
            NodeKind::Ellipse(arc) => Self::of_path(arc::part_of_ellipse(node.size, *arc)),
            NodeKind::Line => Self::Line(node.size),
            NodeKind::Vector(geometry) => Self::of_vector(node, geometry, diagnostics),
            NodeKind::RegularPolygon { corners } => {
                Self::of_construction(node, *corners, diagnostics)
            }
            NodeKind::Star { tips, .. } => Self::of_construction(node, *tips, diagnostics),
            NodeKind::BooleanOperation(_)
            | NodeKind::Text(_)
            | NodeKind::Group
            | NodeKind::Slice
            | NodeKind::Other(_) => Self::Nothing,
        }
    }

    fn free(fill: Vec<FilledPath>) -> Self {
        Self::Free { fill, stroke: Vec::new() }
    }

    fn of_path(path: Option<(Path, FillRule)>) -> Self {
        Self::free(path.map(|(path, rule)| FilledPath::new(path, rule)).into_iter().collect())
    }

    /// A polygon or star: by the file's outline while its form is the file's, else by its fields.
    fn of_construction(node: &Node, corners: u32, diagnostics: &mut Diagnostics) -> Self {
        if file_geometry::has_form_of_file(node) {
            let fill = file_geometry::fill(node, diagnostics);
            let stroke =
                if fill.is_empty() { file_geometry::stroke(node, diagnostics) } else { Vec::new() };
            if !fill.is_empty() || !stroke.is_empty() {
                return Self::Free { fill, stroke };
            }
        }
        report_unknown_corners(node, corners, diagnostics);
        Self::of_path(polygon::of_node(node).map(|path| (path, FillRule::Winding)))
    }

    /// The outline of the stroke is the file's where the stroke still is, and where nothing else
    /// tells what it follows.
    fn of_vector(node: &Node, geometry: &PathGeometry, diagnostics: &mut Diagnostics) -> Self {
        let has_paint = node.fills.iter().chain(&node.stroke.paints).any(|paint| paint.visible);
        if geometry.fill.is_empty() && geometry.stroke.is_empty() && has_paint {
            diagnostics.add(&node.id, "not drawn: no geometry in the file");
        }
        let fill = file_geometry::own(node, &geometry.fill, diagnostics);
        let holds = fill.is_empty() || file_geometry::has_stroke_of_file(node);
        let stroke = if holds { geometry.stroke.as_slice() } else { &[] };
        Self::Free { stroke: file_geometry::own(node, stroke, diagnostics), fill }
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
