//! Curves to polygons.

use tiny_skia::{Path, PathSegment, Point};

use crate::base::{Affine, Point as PlanePoint};

/// A point of a polygon, x and y.
pub(crate) type Corner = [f64; 2];

/// Most pieces that a curve is flattened into.
const MAX_PIECES: usize = 2048;

/// A polygon, or a chain of lines where it is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Contour {
    pub(crate) corners: Vec<Corner>,
    /// Whether the path says that it ends where it begins.
    pub(crate) is_closed: bool,
}

/// The contours of `path` moved by `map`, whose chords stay within `tolerance` of the curves.
pub(crate) fn contours(path: &Path, map: Affine, tolerance: f64) -> Vec<Contour> {
    let at = |point: Point| {
        let there = map.apply(PlanePoint::new(f64::from(point.x), f64::from(point.y)));
        [there.x, there.y]
    };
    let mut contours: Vec<Contour> = Vec::new();
    for segment in path.segments() {
        if let PathSegment::MoveTo(start) = segment {
            contours.push(Contour { corners: vec![at(start)], is_closed: false });
            continue;
        }
        let Some(contour) = contours.last_mut() else { continue };
        let from = contour.corners.last().copied().unwrap_or_default();
        match segment {
            PathSegment::LineTo(to) => contour.corners.push(at(to)),
            PathSegment::QuadTo(a, to) => {
                let (a, to) = (at(a), at(to));
                let third = |end: Corner| mix(end, a, 2.0 / 3.0);
                cubic([from, third(from), third(to), to], tolerance, &mut contour.corners);
            }
            PathSegment::CubicTo(a, b, to) => {
                cubic([from, at(a), at(b), at(to)], tolerance, &mut contour.corners);
            }
            PathSegment::Close => contour.is_closed = true,
            PathSegment::MoveTo(_) => {}
        }
    }
    contours
}

/// The point at `share` of the way from `a` to `b`.
pub(crate) fn mix(a: Corner, b: Corner, share: f64) -> Corner {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Adds the points of a cubic but its first. The chords of `n` pieces are within `0.75·bend / n²`
/// of the curve, where the second derivative is at most six times the bend.
fn cubic([p0, p1, p2, p3]: [Corner; 4], tolerance: f64, to: &mut Vec<Corner>) {
    let bend = |a: Corner, b: Corner, c: Corner| {
        (a[0] - 2.0 * b[0] + c[0]).hypot(a[1] - 2.0 * b[1] + c[1])
    };
    let most_bent = bend(p0, p1, p2).max(bend(p1, p2, p3));
    let pieces = (0.75 * most_bent / tolerance).sqrt().ceil() as usize;
    let pieces = pieces.clamp(1, MAX_PIECES);
    to.extend((1..=pieces).map(|piece| {
        let t = piece as f64 / pieces as f64;
        let (a, b, c) = (mix(p0, p1, t), mix(p1, p2, t), mix(p2, p3, t));
        mix(mix(a, b, t), mix(b, c, t), t)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use tiny_skia::PathBuilder;

    #[test]
    fn a_circle_is_followed_within_the_tolerance() {
        let circle = PathBuilder::from_circle(0.0, 0.0, 100.0).unwrap();
        let [contour] = &contours(&circle, Affine::IDENTITY, 0.01)[..] else { panic!() };
        assert!(contour.is_closed && contour.corners.len() < 400, "{}", contour.corners.len());
        for ends in contour.corners.windows(2) {
            let middle = mix(ends[0], ends[1], 0.5);
            let radius = middle[0].hypot(middle[1]);
            // The circle's own cubics are out by up to 0.03 here.
            assert!((99.96..=100.04).contains(&radius), "{radius}");
        }
    }

    #[test]
    fn open_and_closed_contours_are_told_apart() {
        let mut path = PathBuilder::new();
        path.move_to(0.0, 0.0);
        path.line_to(5.0, 0.0);
        path.move_to(0.0, 9.0);
        path.quad_to(5.0, 9.0, 5.0, 5.0);
        path.close();
        let contours = contours(&path.finish().unwrap(), Affine::translate(1.0, 0.0), 0.1);
        assert_eq!(contours.iter().map(|c| c.is_closed).collect::<Vec<_>>(), [false, true]);
        assert_eq!(contours[0].corners, [[1.0, 0.0], [6.0, 0.0]]);
    }
}
