//! The shape of a node, in its own space.

use tiny_skia::{FillRule, Path};

use crate::base::{Rect, Size};
use crate::design::{Node, NodeKind, PathGeometry};
use crate::render::diagnostic::Diagnostics;
use crate::render::geometry::ellipse::{ellipse, part_of_ellipse};
use crate::render::geometry::filled_path::FilledPath;
use crate::render::geometry::polygon;
use crate::render::geometry::rounded_box::RoundedBox;

use super::file_geometry;

/// What a node's fills cover and its stroke follows.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
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

impl Shape {
    /// The shape of a node that its children have no part in; of a BOOLEAN_OPERATION, nothing.
    pub(crate) fn of_single(node: &Node, diagnostics: &mut Diagnostics) -> Self {
        match &node.kind {
            NodeKind::Canvas
            | NodeKind::Frame
            | NodeKind::Section
            | NodeKind::Rectangle
            | NodeKind::Component
            | NodeKind::ComponentSet
            | NodeKind::Instance => Self::Box(RoundedBox::of(node)),
            NodeKind::Ellipse(arc) if arc.is_whole() => Self::Ellipse(node.size),
            NodeKind::Ellipse(arc) => Self::of_path(part_of_ellipse(node.size, *arc)),
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

    pub(crate) fn free(fill: Vec<FilledPath>) -> Self {
        Self::Free { fill, stroke: Vec::new() }
    }

    fn of_path(path: Option<(Path, FillRule)>) -> Self {
        Self::free(path.map(|(path, rule)| FilledPath::new(path, rule)).into_iter().collect())
    }

    /// A polygon or star: by the file's outline while its form is the file's, else by its fields.
    fn of_construction(node: &Node, corners: u32, diagnostics: &mut Diagnostics) -> Self {
        // The file's outline knows what no field says.
        if file_geometry::has_form_of_file(node) {
            let fill = file_geometry::fill(node, diagnostics);
            // Only where there are no fills: else the stroke follows them.
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
        // A VECTOR without an inside is known by the outline of its stroke alone, changed or not.
        let holds = fill.is_empty() || file_geometry::has_stroke_of_file(node);
        let stroke = if holds { geometry.stroke.as_slice() } else { &[] };
        Self::Free { stroke: file_geometry::own(node, stroke, diagnostics), fill }
    }

    /// The areas that fills cover.
    pub(crate) fn areas(&self) -> Vec<FilledPath> {
        match self {
            Self::Box(rounded) => {
                // Sharp boxes are filled as rectangles, exactly and without a path.
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

/// A file may leave out how many corners a shape has; its outline says it then.
fn report_unknown_corners(node: &Node, corners: u32, diagnostics: &mut Diagnostics) {
    if node.origin.is_some() && node.source.get("pointCount").is_none() {
        let message =
            format!("the file does not say how many corners it has: drawn with {corners}");
        diagnostics.add(&node.id, message);
    }
}
