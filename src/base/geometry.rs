//! Finite plane geometry in `f64`: points, sizes, boxes, affine maps.
//!
//! Canvas space has x to the right and y down; one unit is one pixel at scale 1.

use serde::{Deserialize, Serialize};

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A displacement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// An axis of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// Along x, from left to right.
    Horizontal,
    /// Along y, from top to bottom.
    Vertical,
}

/// A width and a height, both at least 0 in a valid document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Size {
    /// Along x.
    pub width: f64,
    /// Along y.
    pub height: f64,
}

/// An axis-aligned box, in the shape of Figma's `absoluteBoundingBox`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Extent to the right.
    pub width: f64,
    /// Extent down.
    pub height: f64,
}

impl Axis {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Horizontal, Self::Vertical];

    /// The other one.
    #[must_use]
    pub fn across(self) -> Self {
        match self {
            Self::Horizontal => Self::Vertical,
            Self::Vertical => Self::Horizontal,
        }
    }

    /// Where a box begins and ends along the axis.
    pub fn span(self, of: Rect) -> (f64, f64) {
        match self {
            Self::Horizontal => (of.x, of.right()),
            Self::Vertical => (of.y, of.bottom()),
        }
    }

    /// Start, middle and end of a box along the axis.
    pub fn edges(self, of: Rect) -> [f64; 3] {
        let (start, end) = self.span(of);
        [start, f64::midpoint(start, end), end]
    }

    /// How long a box is along the axis.
    pub fn extent(self, of: Rect) -> f64 {
        match self {
            Self::Horizontal => of.width,
            Self::Vertical => of.height,
        }
    }

    /// The displacement by so much along the axis.
    pub fn vector(self, by: f64) -> Vector {
        match self {
            Self::Horizontal => Vector { x: by, y: 0.0 },
            Self::Vertical => Vector { x: 0.0, y: by },
        }
    }
}

impl Point {
    /// The origin.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };

    /// A point from its coordinates.
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    /// The displacement from `other` to `self`.
    pub fn since(self, other: Self) -> Vector {
        Vector { x: self.x - other.x, y: self.y - other.y }
    }

    /// How far it is from the line between two others, its ends included.
    pub fn distance_to_line(self, from: Self, to: Self) -> f64 {
        let (along, off) = (to.since(from), self.since(from));
        let length = along.x * along.x + along.y * along.y;
        let share = if length > 0.0 {
            ((off.x * along.x + off.y * along.y) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (off.x - along.x * share).hypot(off.y - along.y * share)
    }

    /// Whether both coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite()
    }
}

impl Size {
    /// A size from its extents.
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height }
    }

    /// Whether both extents are finite.
    pub fn is_finite(self) -> bool {
        self.width.is_finite() && self.height.is_finite()
    }
}

impl Rect {
    /// A box from its left top corner and extents.
    pub const fn new(x: f64, y: f64, width: f64, height: f64) -> Self {
        Self { x, y, width, height }
    }

    /// A box from two opposite corners, in any order.
    pub fn from_corners(a: Point, b: Point) -> Self {
        Self {
            x: a.x.min(b.x),
            y: a.y.min(b.y),
            width: (a.x - b.x).abs(),
            height: (a.y - b.y).abs(),
        }
    }

    /// The left top corner.
    pub fn origin(self) -> Point {
        Point::new(self.x, self.y)
    }

    /// Width and height.
    pub fn size(self) -> Size {
        Size::new(self.width, self.height)
    }

    /// The right edge.
    pub fn right(self) -> f64 {
        self.x + self.width
    }

    /// The bottom edge.
    pub fn bottom(self) -> f64 {
        self.y + self.height
    }

    /// The middle.
    pub fn center(self) -> Point {
        Point::new(self.x + self.width / 2.0, self.y + self.height / 2.0)
    }

    /// The area, 0 for a line or a point.
    pub fn area(self) -> f64 {
        self.width * self.height
    }

    /// Whether every edge is finite.
    pub fn is_finite(self) -> bool {
        self.origin().is_finite() && self.size().is_finite()
    }

    /// Whether `p` lies inside; the right and bottom edges are outside.
    pub fn contains(self, p: Point) -> bool {
        p.x >= self.x && p.x < self.right() && p.y >= self.y && p.y < self.bottom()
    }

    /// The smallest box holding both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self::from_corners(
            Point::new(self.x.min(other.x), self.y.min(other.y)),
            Point::new(self.right().max(other.right()), self.bottom().max(other.bottom())),
        )
    }

    /// The common part, if it has an area.
    pub fn intersection(self, other: Self) -> Option<Self> {
        let (x0, y0) = (self.x.max(other.x), self.y.max(other.y));
        let (x1, y1) = (self.right().min(other.right()), self.bottom().min(other.bottom()));
        (x1 > x0 && y1 > y0).then(|| Self::new(x0, y0, x1 - x0, y1 - y0))
    }

    /// The box grown by `amount` on every side (shrunk if negative, never below zero extent).
    #[must_use]
    pub fn expand(self, amount: f64) -> Self {
        Self {
            x: self.x - amount,
            y: self.y - amount,
            width: (self.width + 2.0 * amount).max(0.0),
            height: (self.height + 2.0 * amount).max(0.0),
        }
    }

    /// The box moved by `by`.
    #[must_use]
    pub fn translate(self, by: Vector) -> Self {
        Self { x: self.x + by.x, y: self.y + by.y, ..self }
    }

    /// The smallest box holding all of `rects`; `None` if there are none.
    pub fn union_all(rects: impl IntoIterator<Item = Self>) -> Option<Self> {
        rects.into_iter().reduce(Self::union)
    }
}

/// A 2 × 3 affine map, in the layout of Figma's `relativeTransform`:
/// `x' = a·x + c·y + e`, `y' = b·x + d·y + f`, written `[[a, c, e], [b, d, f]]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    /// x from x.
    pub a: f64,
    /// y from x.
    pub b: f64,
    /// x from y.
    pub c: f64,
    /// y from y.
    pub d: f64,
    /// Translation along x.
    pub e: f64,
    /// Translation along y.
    pub f: f64,
}

impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Affine {
    /// Leaves every point where it is.
    pub const IDENTITY: Self = Self { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    /// Moves by (x, y).
    pub const fn translate(x: f64, y: f64) -> Self {
        Self { e: x, f: y, ..Self::IDENTITY }
    }

    /// Scales about the origin.
    pub const fn scale(x: f64, y: f64) -> Self {
        Self { a: x, d: y, ..Self::IDENTITY }
    }

    /// Rotates about the origin, counter-clockwise on screen for positive angles, as Figma does.
    pub fn rotate(radians: f64) -> Self {
        let (sin, cos) = radians.sin_cos();
        // y points down, so that counter-clockwise on screen is clockwise in these axes.
        Self { a: cos, b: -sin, c: sin, d: cos, e: 0.0, f: 0.0 }
    }

    /// From the rows of Figma's `relativeTransform`.
    pub const fn from_rows([[a, c, e], [b, d, f]]: [[f64; 3]; 2]) -> Self {
        Self { a, b, c, d, e, f }
    }

    /// The rows of Figma's `relativeTransform`.
    pub const fn to_rows(self) -> [[f64; 3]; 2] {
        [[self.a, self.c, self.e], [self.b, self.d, self.f]]
    }

    /// The map that applies `first`, then `self`.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        Self {
            a: self.a * first.a + self.c * first.b,
            b: self.b * first.a + self.d * first.b,
            c: self.a * first.c + self.c * first.d,
            d: self.b * first.c + self.d * first.d,
            e: self.a * first.e + self.c * first.f + self.e,
            f: self.b * first.e + self.d * first.f + self.f,
        }
    }

    /// Where `p` goes.
    pub fn apply(self, p: Point) -> Point {
        Point::new(self.a * p.x + self.c * p.y + self.e, self.b * p.x + self.d * p.y + self.f)
    }

    /// The box around the image of the rectangle (0, 0, width, height).
    pub fn bounds_of(self, size: Size) -> Rect {
        let corners = [
            Point::ZERO,
            Point::new(size.width, 0.0),
            Point::new(0.0, size.height),
            Point::new(size.width, size.height),
        ]
        .map(|p| self.apply(p));
        // All four corners, as any of them may be the outermost of a turned box.
        let (mut x0, mut y0, mut x1, mut y1) =
            (f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for p in corners {
            x0 = x0.min(p.x);
            y0 = y0.min(p.y);
            x1 = x1.max(p.x);
            y1 = y1.max(p.y);
        }
        Rect::new(x0, y0, x1 - x0, y1 - y0)
    }

    /// The determinant of the linear part; 0 means the map cannot be undone.
    pub fn determinant(self) -> f64 {
        self.a * self.d - self.b * self.c
    }

    /// The map that undoes this one, if there is one.
    pub fn inverse(self) -> Option<Self> {
        let det = self.determinant();
        // Exactly 0 only: a small determinant is a small node, not a flat one.
        if det == 0.0 || !det.is_finite() {
            return None;
        }
        let (a, b, c, d) = (self.d / det, -self.b / det, -self.c / det, self.a / det);
        Some(Self { a, b, c, d, e: -(a * self.e + c * self.f), f: -(b * self.e + d * self.f) })
    }

    /// Whether the map only moves.
    pub fn is_translation(self) -> bool {
        self.a == 1.0 && self.b == 0.0 && self.c == 0.0 && self.d == 1.0
    }

    /// The same map with its x axis at this angle in degrees (counter-clockwise), and with its lengths, skew,
    /// mirroring and translation as they are.
    #[must_use]
    pub fn with_rotation(self, degrees: f64) -> Self {
        // Taken apart into length, skew and height (QR by hand) and put together at the new angle.
        let length = without_dust(self.a.hypot(self.b));
        if length == 0.0 {
            return self;
        }
        let (ux, uy) = (self.a / length, self.b / length);
        let skew = without_dust(self.c * ux + self.d * uy);
        let across = without_dust(self.determinant() / length);
        let (sin, cos) = exact_sin_cos(degrees);
        // On screen y points down: counter-clockwise, the x axis goes to (cos, −sin).
        Self {
            a: length * cos,
            b: -length * sin,
            c: skew * cos + across * sin,
            d: across * cos - skew * sin,
            ..self
        }
    }

    /// Rotation in degrees as Figma shows it: counter-clockwise positive, −180..=180.
    pub fn rotation_degrees(self) -> f64 {
        (-self.b).atan2(self.a).to_degrees()
    }

    /// Whether every coefficient is finite.
    pub fn is_finite(self) -> bool {
        [self.a, self.b, self.c, self.d, self.e, self.f].iter().all(|v| v.is_finite())
    }
}

/// The number without the dust that turning leaves on 0 and ±1.
fn without_dust(value: f64) -> f64 {
    const DUST: f64 = 1e-12;
    if (value - value.round()).abs() < DUST && value.abs() < 1.5 { value.round() } else { value }
}

/// Sine and cosine without the dust of π at quarter turns.
pub fn exact_sin_cos(degrees: f64) -> (f64, f64) {
    match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_inverse_undoes_its_map(deg in -180.0..180.0f64, e in -1e3..1e3f64, f in -1e3..1e3f64, x in -1e3..1e3f64, y in -1e3..1e3f64) {
            let map = Affine::translate(e, f).after(Affine::rotate(deg.to_radians()));
            let back = map.inverse().unwrap().apply(map.apply(Point::new(x, y)));
            prop_assert!((back.x - x).abs() < 1e-6 && (back.y - y).abs() < 1e-6);
        }

        #[test]
        fn union_holds_both_and_is_symmetric(a in -50.0..50.0f64, b in 0.0..50.0f64, c in -50.0..50.0f64, d in 0.0..50.0f64) {
            let (p, q) = (Rect::new(a, c, b, d), Rect::new(c, a, d, b));
            let u = p.union(q);
            prop_assert_eq!(u, q.union(p));
            prop_assert!(u.x <= p.x && u.right() >= q.right() - 1e-9 && u.bottom() >= p.bottom() - 1e-9);
        }
    }

    #[test]
    fn positive_rotation_is_counter_clockwise_on_screen() {
        let p = Affine::rotate(90f64.to_radians()).apply(Point::new(1.0, 0.0));
        assert!((p.x).abs() < 1e-12 && (p.y + 1.0).abs() < 1e-12);
        assert!((Affine::rotate(30f64.to_radians()).rotation_degrees() - 30.0).abs() < 1e-9);
    }

    #[test]
    fn figma_rows_round_trip() {
        let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
        assert_eq!(Affine::from_rows(rows).to_rows(), rows);
    }
}
