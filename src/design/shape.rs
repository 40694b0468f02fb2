//! What the forms of nodes are made of: sides, corners, arcs and paths.

use serde::{Deserialize, Serialize};

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
}

/// What counts as inside of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WindingRule {
    /// Any turn around the point.
    NonZero,
    /// An odd number of crossings.
    EvenOdd,
}
