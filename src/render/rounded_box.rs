//! A rectangle with rounded corners, and the rectangles in parallel to it.

use tiny_skia::{Path, PathBuilder};

use crate::base::{Rect, Size};
use crate::design::CornerRadii;

/// How far the handles of a cubic lie from its ends for a quarter of a circle of radius 1.
pub(super) const KAPPA: f64 = 0.552_284_749_830_793_6;

/// Amounts at the four edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Edges {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Edges {
    /// Every amount multiplied.
    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            left: self.left * factor,
            top: self.top * factor,
            right: self.right * factor,
            bottom: self.bottom * factor,
        }
    }
}

/// A rectangle whose corners are quarters of ellipses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RoundedBox {
    pub(super) rect: Rect,
    /// Half axes of the corners, clockwise from the top left.
    radii: [Size; 4],
}

impl RoundedBox {
    /// A node's box: each radius at most half of the shorter side, as Figma has it.
    pub(super) fn of_node(size: Size, radii: CornerRadii) -> Self {
        let most = size.width.min(size.height) / 2.0;
        let circle = |radius: f64| {
            let radius = if radius.is_finite() { radius.clamp(0.0, most) } else { 0.0 };
            Size::new(radius, radius)
        };
        let radii = [radii.top_left, radii.top_right, radii.bottom_right, radii.bottom_left];
        Self { rect: Rect::new(0.0, 0.0, size.width, size.height), radii: radii.map(circle) }
    }

    pub(super) fn is_sharp(&self) -> bool {
        self.radii.iter().all(|radius| radius.width == 0.0 || radius.height == 0.0)
    }

    /// The longest half axis of any corner.
    pub(super) fn largest_radius(&self) -> f64 {
        self.radii.iter().map(|radius| radius.width.max(radius.height)).fold(0.0, f64::max)
    }

    /// The parallel box that lies further out by `by` (further in where negative): a round corner
    /// keeps its centre, a sharp one stays sharp. `None` if nothing is left of it.
    pub(super) fn grow(&self, by: Edges) -> Option<Self> {
        let rect = Rect::new(
            self.rect.x - by.left,
            self.rect.y - by.top,
            self.rect.width + by.left + by.right,
            self.rect.height + by.top + by.bottom,
        );
        let sides =
            [(by.left, by.top), (by.right, by.top), (by.right, by.bottom), (by.left, by.bottom)];
        let radii = std::array::from_fn(|corner| {
            let (radius, (dx, dy)) = (self.radii[corner], sides[corner]);
            let is_sharp = radius.width == 0.0 || radius.height == 0.0;
            let grown = Size::new((radius.width + dx).max(0.0), (radius.height + dy).max(0.0));
            if is_sharp { Size::default() } else { grown }
        });
        (rect.width > 0.0 && rect.height > 0.0).then_some(Self { rect, radii })
    }

    /// The same box with its sharp corners rounded, as a round join leaves them.
    pub(super) fn with_sharp_corners_rounded(mut self, radius: f64) -> Self {
        for corner in &mut self.radii {
            if corner.width == 0.0 || corner.height == 0.0 {
                *corner = Size::new(radius, radius);
            }
        }
        self
    }

    /// Adds the outline, clockwise on screen from the end of the top left corner.
    pub(super) fn push_to(&self, path: &mut PathBuilder) {
        let Rect { x, y, .. } = self.rect;
        let (right, bottom) = (self.rect.right(), self.rect.bottom());
        let [tl, tr, br, bl] = self.radii;
        let mut pen = Pen { path };
        pen.move_to(x + tl.width, y);
        pen.line_to(right - tr.width, y);
        pen.corner((right - tr.width, y), (right, y), (right, y + tr.height));
        pen.line_to(right, bottom - br.height);
        pen.corner((right, bottom - br.height), (right, bottom), (right - br.width, bottom));
        pen.line_to(x + bl.width, bottom);
        pen.corner((x + bl.width, bottom), (x, bottom), (x, bottom - bl.height));
        pen.line_to(x, y + tl.height);
        pen.corner((x, y + tl.height), (x, y), (x + tl.width, y));
        path.close();
    }

    pub(super) fn to_path(self) -> Option<Path> {
        let mut path = PathBuilder::new();
        self.push_to(&mut path);
        path.finish()
    }
}

/// Draws in `f64`, stores in `f32`.
struct Pen<'p> {
    path: &'p mut PathBuilder,
}

impl Pen<'_> {
    fn move_to(&mut self, x: f64, y: f64) {
        self.path.move_to(x as f32, y as f32);
    }

    fn line_to(&mut self, x: f64, y: f64) {
        self.path.line_to(x as f32, y as f32);
    }

    /// A quarter of an ellipse between two sides that meet at `tip`.
    fn corner(&mut self, from: (f64, f64), tip: (f64, f64), to: (f64, f64)) {
        if from == to {
            return;
        }
        let towards = |end: (f64, f64)| {
            ((end.0 + (tip.0 - end.0) * KAPPA) as f32, (end.1 + (tip.1 - end.1) * KAPPA) as f32)
        };
        let (first, second) = (towards(from), towards(to));
        self.path.cubic_to(first.0, first.1, second.0, second.1, to.0 as f32, to.1 as f32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn radii_are_at_most_half_of_the_shorter_side() {
        let pill = RoundedBox::of_node(Size::new(100.0, 20.0), CornerRadii::uniform(999.0));
        assert_eq!(pill.largest_radius(), 10.0);
    }

    #[test]
    fn a_parallel_box_keeps_the_centres_of_its_corners() {
        let outer = RoundedBox::of_node(Size::new(40.0, 40.0), CornerRadii::uniform(10.0));
        let inner = outer.grow(Edges { left: -4.0, top: -4.0, right: -4.0, bottom: -4.0 }).unwrap();
        assert_eq!(inner.rect, Rect::new(4.0, 4.0, 32.0, 32.0));
        assert_eq!(inner.largest_radius(), 6.0);
    }

    #[test]
    fn a_box_shrunk_beyond_its_middle_is_gone() {
        let outer = RoundedBox::of_node(Size::new(40.0, 8.0), CornerRadii::default());
        assert_eq!(outer.grow(Edges { left: -4.0, top: -4.0, right: -4.0, bottom: -4.0 }), None);
    }

    #[test]
    fn a_sharp_corner_stays_sharp_when_the_box_grows() {
        let outer = RoundedBox::of_node(Size::new(40.0, 8.0), CornerRadii::default());
        assert!(
            outer.grow(Edges { left: 4.0, top: 4.0, right: 4.0, bottom: 4.0 }).unwrap().is_sharp()
        );
    }
}
