//! Gradients that are repeated or mirrored beyond their end, as longer ones that are not: ours go on in
//! their last colour.

use crate::base::{Affine, Point, Rect};
use crate::design::{ColorStop, GradientKind};

/// Most stops that a gradient has then.
const STOPS: usize = 600;

/// A gradient in its own space.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Linear or radial.
    pub(super) kind: GradientKind,
    /// Where it begins, where it ends, and the end of its width.
    pub(super) handles: [Point; 3],
    /// Its colours along the way.
    pub(super) stops: Vec<ColorStop>,
}

impl Run {
    /// The same, repeated as `spread` says as far as the shape in this box reaches; `None` if that
    /// takes too many stops or cannot be told.
    pub(super) fn spread(
        self,
        spread: usvg::SpreadMethod,
        gradient_from_svg: Option<Affine>,
        bounds: Rect,
    ) -> Option<Self> {
        if spread == usvg::SpreadMethod::Pad {
            return Some(self);
        }
        let (first, last) = self.reach(gradient_from_svg?, bounds)?;
        let count = (last - first) as usize;
        // A tiny run over a large shape: a gradient of its own colours is nearer than a wrong one.
        if count.saturating_mul(self.stops.len()) > STOPS {
            return None;
        }
        let mut stops = Vec::new();
        for at in 0..count {
            let is_back =
                spread == usvg::SpreadMethod::Reflect && (first as i64 + at as i64) % 2 != 0;
            for nth in 0..self.stops.len() {
                // Mirrored, the last colour comes first.
                let nth = if is_back { self.stops.len() - 1 - nth } else { nth };
                let Some(stop) = self.stops.get(nth) else { continue };
                let position = if is_back { 1.0 - stop.position } else { stop.position };
                stops.push(ColorStop { position: (at as f64 + position) / count as f64, ..*stop });
            }
        }
        Some(Self { handles: self.stretched(first, last), stops, ..self })
    }

    /// From which repetition to which the box reaches: whole numbers, the first below the last.
    fn reach(&self, gradient_from_svg: Affine, bounds: Rect) -> Option<(f64, f64)> {
        let corners = [
            (bounds.x, bounds.y),
            (bounds.right(), bounds.y),
            (bounds.x, bounds.bottom()),
            (bounds.right(), bounds.bottom()),
        ];
        let places = corners.map(|(x, y)| self.place(gradient_from_svg.apply(Point::new(x, y))));
        // The farthest corner decides, as a straight or round gradient grows towards corners.
        let last = places.into_iter().fold(f64::MIN, f64::max).ceil();
        let first = match self.kind {
            GradientKind::Linear => places.into_iter().fold(f64::MAX, f64::min).floor(),
            _ => 0.0,
        };
        let last = last.max(first + 1.0);
        // Checked before the cast to a count.
        let is_near = first.abs() <= STOPS as f64 && last.abs() <= STOPS as f64;
        (first.is_finite() && last.is_finite() && is_near).then_some((first, last))
    }

    /// How far along a point lies: 0 at the beginning, 1 at the end.
    fn place(&self, point: Point) -> f64 {
        let [start, end, _] = self.handles;
        let (run, to) = (end.since(start), point.since(start));
        let length = run.x.hypot(run.y);
        match self.kind {
            // By the foot of the perpendicular; round ones by the distance.
            GradientKind::Linear => (to.x * run.x + to.y * run.y) / (length * length),
            _ => to.x.hypot(to.y) / length,
        }
    }

    fn stretched(&self, first: f64, last: f64) -> [Point; 3] {
        let [start, end, width] = self.handles;
        let (run, side) = (end.since(start), width.since(start));
        let begin = Point::new(start.x + run.x * first, start.y + run.y * first);
        let stop = Point::new(start.x + run.x * last, start.y + run.y * last);
        // As wide as it got long, so that circles stay circles.
        let corner =
            Point::new(start.x + side.x * (last - first), start.y + side.y * (last - first));
        let side = corner.since(start);
        [begin, stop, Point::new(begin.x + side.x, begin.y + side.y)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Rgba;

    fn run(kind: GradientKind) -> Run {
        let handles = [(10.0, 0.0), (20.0, 0.0), (10.0, 10.0)].map(|(x, y)| Point::new(x, y));
        let stops = [(0.0, Rgba::BLACK), (0.5, Rgba::WHITE)];
        let stops = stops.map(|(position, color)| ColorStop { position, color }).to_vec();
        Run { kind, handles, stops }
    }

    fn spread(kind: GradientKind, spread: usvg::SpreadMethod, bounds: Rect) -> Option<Run> {
        run(kind).spread(spread, Some(Affine::IDENTITY), bounds)
    }

    #[test]
    fn a_mirrored_gradient_goes_back_before_its_beginning_and_after_its_end() {
        let bounds = Rect::new(0.0, 0.0, 30.0, 5.0);
        let long = spread(GradientKind::Linear, usvg::SpreadMethod::Reflect, bounds).unwrap();
        let places: Vec<f64> = long.stops.iter().map(|stop| stop.position * 6.0).collect();
        assert_eq!(places, [1.0, 2.0, 2.0, 3.0, 5.0, 6.0]);
        assert_eq!(long.stops[0].color, Rgba::WHITE);
        assert_eq!(long.handles.map(|p| (p.x, p.y)), [(0.0, 0.0), (30.0, 0.0), (0.0, 30.0)]);
    }

    #[test]
    fn a_repeated_gradient_in_a_circle_reaches_the_farthest_corner() {
        let bounds = Rect::new(10.0, 0.0, 30.0, 1.0);
        let long = spread(GradientKind::Radial, usvg::SpreadMethod::Repeat, bounds).unwrap();
        assert_eq!(long.stops.len(), 8);
        assert_eq!(long.handles[1], Point::new(50.0, 0.0));
    }

    #[test]
    fn what_would_be_repeated_for_ever_is_not() {
        let far = Rect::new(0.0, 0.0, 1e6, 1.0);
        assert!(spread(GradientKind::Linear, usvg::SpreadMethod::Repeat, far).is_none());
        let mut point = run(GradientKind::Linear);
        point.handles[1] = point.handles[0];
        let near = Rect::new(0.0, 0.0, 9.0, 9.0);
        assert!(point.spread(usvg::SpreadMethod::Repeat, Some(Affine::IDENTITY), near).is_none());
    }
}
