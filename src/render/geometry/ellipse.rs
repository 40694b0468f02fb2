//! Ellipses and their parts: pies, rings and arcs of rings.

use std::f64::consts::{FRAC_PI_2, TAU};

use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::{Rect, Size};
use crate::design::EllipseArc;

use super::flatten::Corner;

/// How far the handles of a cubic lie from its ends for a quarter of a circle of radius 1.
pub(crate) const KAPPA: f64 = 0.552_284_749_830_793_6;

/// The ellipse that fills `rect`, of four cubics; `None` if it has no area.
pub(crate) fn ellipse(rect: Rect) -> Option<Path> {
    let mut path = PathBuilder::new();
    push_ellipse(rect, &mut path);
    path.finish()
}

/// Adds the ellipse that fills `rect`, clockwise on screen from its right.
pub(crate) fn push_ellipse(rect: Rect, path: &mut PathBuilder) {
    let center = rect.center();
    let (rx, ry) = (rect.width / 2.0, rect.height / 2.0);
    let curve = Curve { center: [center.x, center.y], half: [rx, ry] };
    let (x, y) = curve.place([1.0, 0.0], 1.0);
    path.move_to(x, y);
    let quarters = [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]];
    // Not `Curve::sweep`: its sines are not exactly 0 and 1, and every ellipse would shift a little.
    for ends in quarters.windows(2) {
        let ([x0, y0], [x1, y1]) = (ends[0], ends[1]);
        let first = curve.place([x0 + x1 * KAPPA, y0 + y1 * KAPPA], 1.0);
        let second = curve.place([x1 + x0 * KAPPA, y1 + y0 * KAPPA], 1.0);
        let end = curve.place([x1, y1], 1.0);
        path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
    }
    path.close();
}

/// The part of the ellipse that fills `size`, with the rule that fills it; `None` if it has no area.
///
/// A sweep of a turn or more is the whole ellipse, with a hole where `inner_ratio` says. Less is a
/// pie from the middle, or a piece of the ring. A negative sweep is the same piece run backwards.
pub(crate) fn part_of_ellipse(size: Size, arc: EllipseArc) -> Option<(Path, FillRule)> {
    let sweep = arc.end - arc.start;
    let inner = if arc.inner_ratio.is_finite() { arc.inner_ratio.clamp(0.0, 1.0) } else { 0.0 };
    let mut path = PathBuilder::new();
    // Angles in files are rounded: a whole turn may come a little short.
    if !sweep.is_finite() || sweep.abs() >= TAU - 1e-5 {
        push_ellipse(scaled(size, 1.0), &mut path);
        if inner > 0.0 {
            push_ellipse(scaled(size, inner), &mut path);
        }
        return Some((path.finish()?, FillRule::EvenOdd));
    }
    // The start may be many turns out; what counts is how far it is from there to the end.
    let (start, end) = (arc.start % TAU, arc.start % TAU + sweep);
    let half = [size.width / 2.0, size.height / 2.0];
    let curve = Curve { center: half, half };
    curve.begin(start, 1.0, &mut path);
    curve.sweep(start, end, 1.0, &mut path);
    // To the middle for a pie, to the inner edge for a piece of a ring.
    curve.line(end, inner, &mut path);
    if inner > 0.0 {
        curve.sweep(end, start, inner, &mut path);
    }
    path.close();
    let is_something = sweep != 0.0 && inner < 1.0;
    path.finish().filter(|_| is_something).map(|path| (path, FillRule::Winding))
}

/// The box of the concentric ellipse `ratio` times as large.
fn scaled(size: Size, ratio: f64) -> Rect {
    let (width, height) = (size.width * ratio, size.height * ratio);
    Rect::new((size.width - width) / 2.0, (size.height - height) / 2.0, width, height)
}

/// An ellipse, by angle clockwise on screen from the right, along its own circle.
pub(crate) struct Curve {
    pub(crate) center: Corner,
    /// Half axes.
    pub(crate) half: Corner,
}

impl Curve {
    /// The unit circle's point (x, y), at `ratio` of the way from the middle to the edge.
    fn place(&self, [x, y]: Corner, ratio: f64) -> (f32, f32) {
        let x = self.center[0] + self.half[0] * ratio * x;
        let y = self.center[1] + self.half[1] * ratio * y;
        (x as f32, y as f32)
    }

    pub(crate) fn begin(&self, angle: f64, ratio: f64, path: &mut PathBuilder) {
        let (x, y) = self.place([angle.cos(), angle.sin()], ratio);
        path.move_to(x, y);
    }

    pub(crate) fn line(&self, angle: f64, ratio: f64, path: &mut PathBuilder) {
        let (x, y) = self.place([angle.cos(), angle.sin()], ratio);
        path.line_to(x, y);
    }

    /// An arc from where the path is, in pieces of a quarter turn at most.
    pub(crate) fn sweep(&self, from: f64, to: f64, ratio: f64, path: &mut PathBuilder) {
        let pieces = ((to - from).abs() / FRAC_PI_2).ceil().clamp(1.0, 4.0);
        let step = (to - from) / pieces;
        // The cubic that meets the arc in its middle.
        let handle = 4.0 / 3.0 * (step / 4.0).tan();
        for piece in 0..pieces as u32 {
            let (a, b) = (from + step * f64::from(piece), from + step * f64::from(piece + 1));
            let (ca, sa, cb, sb) = (a.cos(), a.sin(), b.cos(), b.sin());
            let first = self.place([ca - handle * sa, sa + handle * ca], ratio);
            let second = self.place([cb + handle * sb, sb - handle * cb], ratio);
            let end = self.place([cb, sb], ratio);
            path.cubic_to(first.0, first.1, second.0, second.1, end.0, end.1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const SIZE: Size = Size::new(20.0, 10.0);

    fn bounds(start: f64, end: f64, inner_ratio: f64) -> [f32; 4] {
        let arc = EllipseArc { start, end, inner_ratio };
        let (path, _) = part_of_ellipse(SIZE, arc).unwrap();
        let bounds = path.compute_tight_bounds().unwrap();
        [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()].map(f32::round)
    }

    #[test]
    fn half_a_pie_from_the_right_is_the_lower_half() {
        assert_eq!(bounds(0.0, PI, 0.0), [0.0, 5.0, 20.0, 10.0]);
        assert_eq!(bounds(PI, 0.0, 0.0), [0.0, 5.0, 20.0, 10.0]);
        assert_eq!(bounds(-PI, 0.0, 0.0), [0.0, 0.0, 20.0, 5.0]);
    }

    #[test]
    fn a_quarter_of_a_ring_keeps_off_the_middle() {
        assert_eq!(bounds(0.0, FRAC_PI_2, 0.8), [10.0, 5.0, 20.0, 10.0]);
        let arc = EllipseArc { start: 0.0, end: FRAC_PI_2, inner_ratio: 0.8 };
        let (path, _) = part_of_ellipse(SIZE, arc).unwrap();
        let middle = path.points().iter().any(|p| (p.x - 10.0).hypot(p.y - 5.0) < 3.0);
        assert!(!middle);
    }

    #[test]
    fn more_than_a_turn_is_the_whole_ellipse() {
        assert_eq!(bounds(1.0, 40.0, 0.0), [0.0, 0.0, 20.0, 10.0]);
        assert_eq!(bounds(f64::NEG_INFINITY, 1e300, 0.5), [0.0, 0.0, 20.0, 10.0]);
    }

    #[test]
    fn what_has_no_area_is_nothing() {
        assert!(
            part_of_ellipse(SIZE, EllipseArc { start: 2.0, end: 2.0, inner_ratio: 0.0 }).is_none()
        );
        assert!(
            part_of_ellipse(SIZE, EllipseArc { start: 0.0, end: 2.0, inner_ratio: 1.0 }).is_none()
        );
    }
}
