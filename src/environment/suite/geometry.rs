//! Where a layer lies on its page.

use serde::{Deserialize, Serialize};

use crate::base::{Affine, Point, Rect, Size};

/// A box that may be turned about its middle. In points: x to the right, y down, from the page's
/// left top corner.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Placement {
    /// Its middle.
    pub(super) center: Point,
    /// Its extent before it is turned.
    pub(super) size: Size,
    /// Degrees clockwise, −360..=360.
    pub(super) angle: f64,
    /// The position it was last asked to, where that may be read in several ways (see
    /// [`AnchorReading`](super::anchor::AnchorReading)): another size may want another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) asked: Option<Point>,
}

impl Placement {
    /// A box of this size with its middle here, not turned.
    pub(super) const fn at(center: Point, size: Size) -> Self {
        Self { center, size, angle: 0.0, asked: None }
    }

    /// From the box's own space, its left top corner at the origin, to the page's.
    pub(super) fn transform(&self) -> Affine {
        // Turned about its middle, as all three programs do.
        let to_middle = Affine::translate(-self.size.width / 2.0, -self.size.height / 2.0);
        Affine::translate(self.center.x, self.center.y).after(turn(self.angle)).after(to_middle)
    }

    /// The upright box around it.
    pub(super) fn bounds(&self) -> Rect {
        self.transform().bounds_of(self.size)
    }

    /// The same, moved so that the left top corner of [`Self::bounds`] is here.
    pub(super) fn with_corner(self, corner: Point) -> Self {
        let bounds = self.bounds();
        let (dx, dy) = (corner.x - bounds.x, corner.y - bounds.y);
        Self { center: Point::new(self.center.x + dx, self.center.y + dy), ..self }
    }
}

/// The middle of a page.
pub(super) fn middle(page: Size) -> Point {
    Point::new(page.width / 2.0, page.height / 2.0)
}

/// A turn about the origin, exact for multiples of a right angle.
fn turn(degrees: f64) -> Affine {
    let (a, b) = match degrees.rem_euclid(360.0) {
        0.0 => return Affine::IDENTITY,
        90.0 => (0.0, 1.0),
        180.0 => (-1.0, 0.0),
        270.0 => (0.0, -1.0),
        // Not the system's sine and cosine, whose last digits differ from machine to machine.
        other => (libm::cos(other.to_radians()), libm::sin(other.to_radians())),
    };
    Affine { a, b, c: -b, d: a, e: 0.0, f: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_turn_swaps_the_sides_and_keeps_the_middle() {
        let upright = Placement::at(Point::new(100.0, 50.0), Size::new(40.0, 20.0));
        let turned = Placement { angle: 90.0, ..upright };
        assert_eq!(turned.bounds(), Rect::new(90.0, 30.0, 20.0, 40.0));
        assert_eq!(turned.with_corner(Point::new(0.0, 0.0)).center, Point::new(10.0, 20.0));
    }

    #[test]
    fn a_positive_angle_turns_clockwise() {
        let turned =
            Placement { angle: 90.0, ..Placement::at(Point::new(0.0, 0.0), Size::new(2.0, 2.0)) };
        // The left top corner goes to the right top.
        assert_eq!(turned.transform().apply(Point::ZERO), Point::new(1.0, -1.0));
    }
}
