//! Polygons with their corners rounded.

use tiny_skia::{Path, PathBuilder};

use super::flatten::{Corner, mix, push_lines};
use crate::design::LEAST_ROUNDED_TURN;

/// The closed `contours` with an arc of `radius` at each corner; of a smaller one where the arcs of
/// two corners would meet, which share the way between them evenly. `None` if nothing is enclosed.
pub(crate) fn rounded(contours: &[Vec<Corner>], radius: f64) -> Option<Path> {
    let mut path = PathBuilder::new();
    for contour in contours {
        ClosedChain::of(contour).push_to(radius, &mut path);
    }
    path.finish()
}

/// A closed chain of lines, each point with its distance from the first along the chain.
struct ClosedChain {
    points: Vec<Corner>,
    at: Vec<f64>,
    length: f64,
}

/// A corner of an outline.
#[derive(Clone, Copy, Debug)]
struct Bend {
    index: usize,
    /// By how much the chain turns there, 0..=π.
    turn: f64,
    /// How much of the chain its arc replaces on either side.
    reach: f64,
}

impl ClosedChain {
    fn of(contour: &[Corner]) -> Self {
        let mut points = contour.to_vec();
        points.dedup();
        // The end that repeats the start would be a corner that turns by anything.
        if points.len() > 1 && points.first() == points.last() {
            points.pop();
        }
        let mut length = 0.0;
        let mut at = Vec::with_capacity(points.len());
        for (index, point) in points.iter().enumerate() {
            at.push(length);
            let next = points[(index + 1) % points.len()];
            length += (next[0] - point[0]).hypot(next[1] - point[1]);
        }
        Self { points, at, length }
    }

    fn push_to(&self, radius: f64, path: &mut PathBuilder) {
        let bends = self.bends(radius);
        let Some(first) = bends.first() else { return self.push_plain(path) };
        let start = self.point_at(self.at[first.index] + first.reach);
        path.move_to(start[0] as f32, start[1] as f32);
        for (bend, next) in bends.iter().zip(bends.iter().cycle().skip(1)) {
            let from = self.at[bend.index] + bend.reach;
            let to = self.at[next.index] - next.reach;
            // The chain is closed: the first corner comes again after the last.
            let to = if next.index <= bend.index { to + self.length } else { to };
            self.push_between(bend.index, (from, to), path);
            self.push_arc(*next, path);
        }
        path.close();
    }

    fn push_plain(&self, path: &mut PathBuilder) {
        push_lines(&self.points, path);
        path.close();
    }

    /// The corners, each with as much reach as the radius asks for and its neighbours leave.
    fn bends(&self, radius: f64) -> Vec<Bend> {
        let turns = (0..self.points.len()).map(|index| (index, self.turn(index)));
        let corners: Vec<_> = turns.filter(|(_, turn)| *turn > LEAST_ROUNDED_TURN).collect();
        let count = corners.len();
        let mut bends = Vec::with_capacity(count);
        for (nth, (index, turn)) in corners.iter().copied().enumerate() {
            // Each neighbour leaves half of the way to it, whatever it takes of its own half.
            let (before, after) =
                (corners[(nth + count - 1) % count].0, corners[(nth + 1) % count].0);
            let room = self.gap(before, index).min(self.gap(index, after)) / 2.0;
            bends.push(Bend { index, turn, reach: (radius * (turn / 2.0).tan()).clamp(0.0, room) });
        }
        bends
    }

    /// How far it is along the chain from one point to another, or once around.
    fn gap(&self, from: usize, to: usize) -> f64 {
        let gap = self.at[to] - self.at[from];
        if gap > 0.0 { gap } else { gap + self.length }
    }

    fn turn(&self, index: usize) -> f64 {
        let count = self.points.len();
        let [before, here, after] =
            [index + count - 1, index, index + 1].map(|index| self.points[index % count]);
        let (ax, ay) = (here[0] - before[0], here[1] - before[1]);
        let (bx, by) = (after[0] - here[0], after[1] - here[1]);
        (ax * by - ay * bx).atan2(ax * bx + ay * by).abs()
    }

    /// The chain's own points strictly between two distances, the first point after `index`.
    fn push_between(&self, index: usize, (from, to): (f64, f64), path: &mut PathBuilder) {
        let count = self.points.len();
        for step in 1..=count {
            let place = index + step;
            let turns = if place >= count { self.length } else { 0.0 };
            let at = self.at[place % count] + turns;
            if at >= to {
                return;
            }
            if at > from {
                let [x, y] = self.points[place % count];
                path.line_to(x as f32, y as f32);
            }
        }
    }

    /// The arc at a corner, with the line to where it begins.
    fn push_arc(&self, bend: Bend, path: &mut PathBuilder) {
        let (at, tip) = (self.at[bend.index], self.points[bend.index]);
        let (from, to) = (self.point_at(at - bend.reach), self.point_at(at + bend.reach));
        path.line_to(from[0] as f32, from[1] as f32);
        if bend.reach > 0.0 {
            // The handles of a circular arc, as a share of the way to the tip.
            let share = 4.0 / 3.0 * (bend.turn / 4.0).tan() / (bend.turn / 2.0).tan();
            let (first, second) = (mix(from, tip, share), mix(to, tip, share));
            let [x1, y1, x2, y2, x, y] =
                [first[0], first[1], second[0], second[1], to[0], to[1]].map(|v| v as f32);
            path.cubic_to(x1, y1, x2, y2, x, y);
        }
    }

    /// The point at a distance along the chain, which may be up to one round out.
    fn point_at(&self, distance: f64) -> Corner {
        let distance = if self.length > 0.0 { distance.rem_euclid(self.length) } else { 0.0 };
        let index = self.at.partition_point(|at| *at <= distance).max(1) - 1;
        let next = (index + 1) % self.points.len();
        let end = if next == 0 { self.length } else { self.at[next] };
        let span = end - self.at[index];
        let share = if span > 0.0 { (distance - self.at[index]) / span } else { 0.0 };
        mix(self.points[index], self.points[next], share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::geometry::flatten;
    use proptest::prelude::*;

    const SQUARE: [Corner; 4] = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];

    #[test]
    fn a_square_rounded_by_half_its_side_is_a_circle() {
        let path = rounded(&[SQUARE.to_vec()], 99.0).unwrap();
        let circle = flatten::contours(&path, crate::base::Affine::IDENTITY, 0.01);
        for [x, y] in &circle[0].corners {
            assert!(((x - 5.0).hypot(y - 5.0) - 5.0).abs() < 0.01);
        }
    }

    #[test]
    fn a_corner_is_cut_back_by_its_radius() {
        let path = rounded(&[SQUARE.to_vec()], 2.0).unwrap();
        let has = |x, y| path.points().iter().any(|p| (p.x, p.y) == (x, y));
        assert!(has(2.0, 0.0) && has(8.0, 0.0) && has(10.0, 2.0) && !has(10.0, 0.0));
    }

    #[test]
    fn no_radius_leaves_the_corners() {
        let path = rounded(&[SQUARE.to_vec()], 0.0).unwrap();
        assert_eq!(path.bounds().right(), 10.0);
        assert!(path.points().iter().any(|p| (p.x, p.y) == (10.0, 10.0)));
    }

    proptest! {
        #[test]
        fn what_is_rounded_stays_within_the_box_of_its_corners(
            corners in prop::collection::vec([-50.0..50.0f64, -50.0..50.0f64], 0..12),
            radius in 0.0..80.0f64,
        ) {
            let Some(path) = rounded(std::slice::from_ref(&corners), radius) else { return Ok(()) };
            let bounds = path.bounds();
            prop_assert!(bounds.left() >= -50.01 && bounds.right() <= 50.01);
            prop_assert!(bounds.top() >= -50.01 && bounds.bottom() <= 50.01);
        }
    }
}
