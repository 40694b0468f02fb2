//! What the forms of nodes are made of: sides, corners, arcs and paths.

use serde::{Deserialize, Serialize};
use svgtypes::{PathParser, PathSegment};

use crate::base::Limits;

/// How shapes are combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum BooleanOp {
    /// What any of them covers.
    #[default]
    Union,
    /// What all of them cover.
    Intersect,
    /// What the lowest covers and no other.
    Subtract,
    /// What an odd number of them covers.
    Exclude,
}

impl BooleanOp {
    /// The name that Figma gives to what is combined so.
    pub fn label(self) -> &'static str {
        match self {
            Self::Union => "Union",
            Self::Intersect => "Intersect",
            Self::Subtract => "Subtract",
            Self::Exclude => "Exclude",
        }
    }
}

/// What part of an ellipse is there, as Figma's `arcData`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EllipseArc {
    /// Where it begins, in radians clockwise on screen from the right.
    pub start: f64,
    /// Where it ends, likewise.
    pub end: f64,
    /// Radius of the hole, as a share of that of the ellipse, 0..=1.
    pub inner_ratio: f64,
}

impl EllipseArc {
    /// A whole ellipse.
    pub const WHOLE: Self = Self { start: 0.0, end: std::f64::consts::TAU, inner_ratio: 0.0 };

    /// Whether it is a full turn without a hole.
    pub fn is_whole(self) -> bool {
        // Files have the angles in single precision.
        self.inner_ratio <= 0.0 && (self.end - self.start).abs() >= std::f64::consts::TAU - 1e-5
    }
}

impl Default for EllipseArc {
    fn default() -> Self {
        Self::WHOLE
    }
}

/// One number for each side of a box, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    /// Top.
    pub top: f64,
    /// Right.
    pub right: f64,
    /// Bottom.
    pub bottom: f64,
    /// Left.
    pub left: f64,
}

impl Sides {
    /// The same on every side.
    pub const fn uniform(pixels: f64) -> Self {
        Self { top: pixels, right: pixels, bottom: pixels, left: pixels }
    }
}

/// Rounding of the corners, in pixels, clockwise from the top left, each at least 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CornerRadii {
    /// Top left.
    pub top_left: f64,
    /// Top right.
    pub top_right: f64,
    /// Bottom right.
    pub bottom_right: f64,
    /// Bottom left.
    pub bottom_left: f64,
}

impl CornerRadii {
    /// The same radius at every corner.
    pub const fn uniform(radius: f64) -> Self {
        Self { top_left: radius, top_right: radius, bottom_right: radius, bottom_left: radius }
    }

    /// The one radius, if all four are equal.
    pub fn as_uniform(self) -> Option<f64> {
        (self == Self::uniform(self.top_left)).then_some(self.top_left)
    }
}

/// Paths in the node's own space, as SVG path data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PathGeometry {
    /// What the fills paint.
    pub fill: Vec<FigmaPath>,
    /// What the stroke paints paint: the outline already expanded, as Figma writes it.
    pub stroke: Vec<FigmaPath>,
}

/// One path as Figma writes it.
#[derive(Clone, Debug, PartialEq)]
pub struct FigmaPath {
    /// SVG path data (`M0 0L10 0Z`).
    pub data: String,
    /// What counts as inside.
    pub winding: WindingRule,
    /// How the handles of each anchor belong together, in the order of the data, where that is looser for one than its
    /// handles look; empty: it is as they look. It says nothing of a path of another number of anchors.
    pub anchor_kinds: Vec<AnchorKind>,
}

impl FigmaPath {
    /// A path whose anchors are of the kinds that their handles look like.
    pub fn new(data: String, winding: WindingRule) -> Self {
        Self { data, winding, anchor_kinds: Vec::new() }
    }
}

/// How the handles of an anchor of a path belong together, the loosest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnchorKind {
    /// Not at all.
    #[default]
    Corner,
    /// They lie on one line.
    Smooth,
    /// They lie on one line and are as long as each other.
    Symmetric,
}

/// Whether path data has an arc so large that it would be read as endlessly many curves: one in data
/// with an end or a radius beyond ±[`Limits::ARC`]. Has to be asked before anything resolves the arcs.
pub fn has_boundless_arc(data: &str) -> bool {
    let (mut has_arc, mut largest) = (false, 0.0_f64);
    // Radii grow until they reach the end, and with relative commands every end before it counts.
    for segment in PathParser::from(data).map_while(Result::ok) {
        let extents = match segment {
            PathSegment::EllipticalArc { rx, ry, x, y, .. } => {
                has_arc = true;
                [rx, ry, x, y]
            }
            PathSegment::MoveTo { x, y, .. }
            | PathSegment::LineTo { x, y, .. }
            | PathSegment::CurveTo { x, y, .. }
            | PathSegment::SmoothCurveTo { x, y, .. }
            | PathSegment::Quadratic { x, y, .. }
            | PathSegment::SmoothQuadratic { x, y, .. } => [x, y, 0.0, 0.0],
            PathSegment::HorizontalLineTo { x, .. } => [x, 0.0, 0.0, 0.0],
            PathSegment::VerticalLineTo { y, .. } => [y, 0.0, 0.0, 0.0],
            PathSegment::ClosePath { .. } => continue,
        };
        largest = extents.into_iter().map(f64::abs).fold(largest, f64::max);
    }
    has_arc && largest > Limits::ARC
}

/// What counts as inside of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindingRule {
    /// Any turn around the point.
    NonZero,
    /// An odd number of crossings.
    EvenOdd,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arcs_beyond_the_limit_are_found_by_radius_and_by_end() {
        for (data, expected) in [
            ("M0 0A5 5 0 0 1 10 10", false),
            ("M0 0A1e8 1e8 0 0 1 10 10Z", false),
            ("M0 0A1e10 5 0 0 1 10 10", true),
            ("M0 0A5 5 0 0 1 0 1e50", true),
            ("M0 0H-1e50a5 5 0 0 1 3 3", true),
            ("M0 0L1e50 0", false),
            ("M0 0A5 5 0 0 1 0 1e50 oops", true),
            ("", false),
        ] {
            assert_eq!(has_boundless_arc(data), expected, "{data}");
        }
    }
}
