//! Curves to polygons.

use tiny_skia::{Path, PathBuilder, PathSegment, Point};

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
    let mut contours: Vec<Contour> = Vec::new();
    for segment in path.segments() {
        if let PathSegment::MoveTo(start) = segment {
            contours.push(Contour { corners: vec![moved(start, map)], is_closed: false });
            continue;
        }
        let Some(contour) = contours.last_mut() else { continue };
        let from = contour.corners.last().copied().unwrap_or_default();
        // Mapped first: the tolerance is one of the space that is mapped to.
        match segment {
            PathSegment::LineTo(to) => contour.corners.push(moved(to, map)),
            PathSegment::QuadTo(a, to) => {
                // The same curve as a cubic: each handle lies two thirds of the way to the one.
                let (a, to) = (moved(a, map), moved(to, map));
                let handles = [mix(from, a, 2.0 / 3.0), mix(to, a, 2.0 / 3.0)];
                cubic([from, handles[0], handles[1], to], tolerance, &mut contour.corners);
            }
            PathSegment::CubicTo(a, b, to) => {
                let [a, b, to] = [a, b, to].map(|point| moved(point, map));
                cubic([from, a, b, to], tolerance, &mut contour.corners);
            }
            PathSegment::Close => contour.is_closed = true,
            PathSegment::MoveTo(_) => {}
        }
    }
    contours
}

/// Adds the chain of lines along `corners` to a path, which is left open.
pub(crate) fn push_lines(corners: &[Corner], path: &mut PathBuilder) {
    for (index, [x, y]) in corners.iter().enumerate() {
        let (x, y) = (*x as f32, *y as f32);
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
}

fn moved(point: Point, map: Affine) -> Corner {
    let there = map.apply(PlanePoint::new(f64::from(point.x), f64::from(point.y)));
    [there.x, there.y]
}

/// The point at `share` of the way from `a` to `b`.
pub(crate) fn mix(a: Corner, b: Corner, share: f64) -> Corner {
    [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]
}

/// Adds the points of a cubic but its first. The chords of `n` pieces are within `0.75·bend / n²`
/// of the curve, where the second derivative is at most six times the bend.
fn cubic([p0, p1, p2, p3]: [Corner; 4], tolerance: f64, to: &mut Vec<Corner>) {
    let most_bent = [[p0, p1, p2], [p1, p2, p3]]
        .map(|[a, b, c]| (a[0] - 2.0 * b[0] + c[0]).hypot(a[1] - 2.0 * b[1] + c[1]));
    let most_bent = most_bent[0].max(most_bent[1]);
    let pieces = (0.75 * most_bent / tolerance).sqrt().ceil() as usize;
    let pieces = pieces.clamp(1, MAX_PIECES);
    // De Casteljau's construction: as exact at the ends as the ends are.
    to.extend((1..=pieces).map(|piece| {
        let t = piece as f64 / pieces as f64;
        let (a, b, c) = (mix(p0, p1, t), mix(p1, p2, t), mix(p2, p3, t));
        mix(mix(a, b, t), mix(b, c, t), t)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

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
