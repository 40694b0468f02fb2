//! Drawings: what the vector graphic editor draws.

use serde::{Deserialize, Serialize};

use crate::base::{Affine, Rgba, Size};
use crate::design::{
    EllipseArc, FigmaPath, Node, NodeId, NodeKind, Paint, PathGeometry, StrokeAlign, WindingRule,
};

use super::geometry::Placement;
use super::text_layer::StrokeStyle;

/// Distance of a star's notches from its middle, as a share of that of its tips: the released
/// scripts'.
const NOTCHES: f64 = 0.5;

/// A drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct DrawnShape {
    /// Its form.
    pub(super) shape: DrawingShape,
    /// Its colour; none for a line.
    pub(super) fill: Option<Rgba>,
    /// Its outline, or the line itself.
    pub(super) stroke: Option<StrokeStyle>,
    /// Where it lies.
    pub(super) place: Placement,
}

/// The form of a drawing, in its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DrawingShape {
    /// All of it.
    Rectangle,
    /// The ellipse in it.
    Ellipse,
    /// The regular polygon in that ellipse, a corner at the top.
    Polygon {
        /// 3..=360.
        corners: u32,
    },
    /// The star in that ellipse, a tip at the top.
    Star {
        /// 3..=360.
        tips: u32,
    },
    /// From the middle of its top to its lower corners.
    Triangle,
    /// From its left end to its right.
    Line,
}

impl DrawnShape {
    /// As the document has it.
    pub(super) fn node(&self, id: NodeId, name: &str) -> Node {
        let size = self.place.size;
        let mut node = Node::new(id, name, self.kind());
        node.transform = self.place.transform().after(self.to_own_space());
        node.size = size;
        node.fills = self.fill.map(Paint::solid).into_iter().collect();
        if let Some(outline) = self.stroke {
            node.stroke = outline.stroke(StrokeAlign::Center);
        }
        node
    }

    /// The vector document draws a line's stroke above it; ours runs along its middle.
    fn to_own_space(&self) -> Affine {
        match (self.shape, self.stroke) {
            (DrawingShape::Line, Some(line)) => Affine::translate(0.0, line.width / 2.0),
            _ => Affine::IDENTITY,
        }
    }

    fn kind(&self) -> NodeKind {
        match self.shape {
            DrawingShape::Rectangle => NodeKind::Rectangle,
            DrawingShape::Ellipse => NodeKind::Ellipse(EllipseArc::default()),
            DrawingShape::Polygon { corners } => NodeKind::RegularPolygon { corners },
            DrawingShape::Star { tips } => NodeKind::Star { tips, inner_ratio: NOTCHES },
            DrawingShape::Triangle => NodeKind::Vector(triangle(self.place.size)),
            DrawingShape::Line => NodeKind::Line,
        }
    }
}

fn triangle(Size { width, height }: Size) -> PathGeometry {
    // Figma has no triangle but a polygon of three corners, which is equilateral.
    let data = format!("M {} 0 L {width} {height} L 0 {height} Z", width / 2.0);
    PathGeometry { fill: vec![FigmaPath::new(data, WindingRule::NonZero)], stroke: vec![] }
}
