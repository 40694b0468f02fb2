//! Paths that reach far beyond the picture, cut down to what can be rasterised.
//!
//! The rasteriser counts in 16.16 fixed point; coordinates of millions of pixels, which a design
//! may well have, overflow it. Such a path is flattened and cut at a box around the surface. For an
//! area, cutting each contour by the half planes of the box changes nothing inside the box.

use tiny_skia::{Path, PathBuilder, PathSegment, Point, Transform};

use super::rounded_box::Edges;

/// Pixels beyond a surface within which paths are left as they are.
const MARGIN: f32 = 8192.0;

/// Most pieces that a curve is flattened into.
const MAX_PIECES: usize = 2048;

/// `path` in pixels of a surface of `width` × `height`; as it is if that is near enough.
/// `None` if nothing of it can be seen.
pub(super) fn near(path: &Path, transform: Transform, (width, height): (u32, u32)) -> Option<Path> {
    let moved = path.clone().transform(transform)?;
    let bounds = moved.bounds();
    let (right, bottom) = (width as f32 + MARGIN, height as f32 + MARGIN);
    let is_near = bounds.left() >= -MARGIN
        && bounds.top() >= -MARGIN
        && bounds.right() <= right
        && bounds.bottom() <= bottom;
    if is_near {
        return Some(moved);
    }
    let window = Edges {
        left: f64::from(-MARGIN),
        top: f64::from(-MARGIN),
        right: f64::from(right),
        bottom: f64::from(bottom),
    };
    cut(&moved, window)
}

fn cut(path: &Path, window: Edges) -> Option<Path> {
    let mut kept = PathBuilder::new();
    for contour in contours(path) {
        let contour =
            HALF_PLANES.iter().fold(contour, |contour, plane| plane.cut(&contour, window));
        for (index, (x, y)) in contour.iter().enumerate() {
            let (x, y) = (*x as f32, *y as f32);
            if index == 0 { kept.move_to(x, y) } else { kept.line_to(x, y) }
        }
        kept.close();
    }
    kept.finish()
}

type Corner = (f64, f64);

/// The closed polygons that the contours of an area are, to within a fraction of a pixel.
fn contours(path: &Path) -> Vec<Vec<Corner>> {
    let mut contours: Vec<Vec<Corner>> = Vec::new();
    for segment in path.segments() {
        if let PathSegment::MoveTo(start) = segment {
            contours.push(vec![corner(start)]);
            continue;
        }
        let Some(contour) = contours.last_mut() else { continue };
        let from = contour.last().copied().unwrap_or_default();
        match segment {
            PathSegment::LineTo(to) => contour.push(corner(to)),
            PathSegment::QuadTo(a, to) => {
                let (a, to) = (corner(a), corner(to));
                let third = |end: Corner| mix(end, a, 2.0 / 3.0);
                flatten([from, third(from), third(to), to], contour);
            }
            PathSegment::CubicTo(a, b, to) => {
                flatten([from, corner(a), corner(b), corner(to)], contour);
            }
            PathSegment::MoveTo(_) | PathSegment::Close => {}
        }
    }
    contours
}

fn corner(point: Point) -> Corner {
    (f64::from(point.x), f64::from(point.y))
}

fn mix(a: Corner, b: Corner, share: f64) -> Corner {
    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
}

/// Adds points of a cubic, close enough that the chords stay within about an eighth of a pixel.
fn flatten([p0, p1, p2, p3]: [Corner; 4], to: &mut Vec<Corner>) {
    let bend =
        |a: Corner, b: Corner, c: Corner| (a.0 - 2.0 * b.0 + c.0).hypot(a.1 - 2.0 * b.1 + c.1);
    let most_bent = bend(p0, p1, p2).max(bend(p1, p2, p3));
    let pieces = ((6.0 * most_bent).sqrt().ceil() as usize).clamp(1, MAX_PIECES);
    to.extend((1..=pieces).map(|piece| {
        let t = piece as f64 / pieces as f64;
        let (a, b, c) = (mix(p0, p1, t), mix(p1, p2, t), mix(p2, p3, t));
        mix(mix(a, b, t), mix(b, c, t), t)
    }));
}

/// One side of a window.
#[derive(Clone, Copy, Debug)]
enum HalfPlane {
    Left,
    Top,
    Right,
    Bottom,
}

const HALF_PLANES: [HalfPlane; 4] =
    [HalfPlane::Left, HalfPlane::Top, HalfPlane::Right, HalfPlane::Bottom];

impl HalfPlane {
    /// The part of a closed polygon on the window's side (Sutherland and Hodgman 1974).
    fn cut(self, polygon: &[Corner], window: Edges) -> Vec<Corner> {
        let mut kept = Vec::with_capacity(polygon.len() + 4);
        let Some(mut before) = polygon.last().copied() else { return kept };
        for &now in polygon {
            let (depth_before, depth) = (self.depth(before, window), self.depth(now, window));
            if (depth_before >= 0.0) != (depth >= 0.0) {
                kept.push(mix(before, now, depth_before / (depth_before - depth)));
            }
            if depth >= 0.0 {
                kept.push(now);
            }
            before = now;
        }
        kept
    }

    /// How far within the window's side a point lies.
    fn depth(self, (x, y): Corner, window: Edges) -> f64 {
        match self {
            Self::Left => x - window.left,
            Self::Top => y - window.top,
            Self::Right => window.right - x,
            Self::Bottom => window.bottom - y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circle(radius: f32) -> Path {
        PathBuilder::from_circle(0.0, 0.0, radius).unwrap()
    }

    #[test]
    fn a_near_path_is_only_moved() {
        let path = circle(10.0);
        let moved = near(&path, Transform::from_translate(5.0, 0.0), (100, 100)).unwrap();
        assert_eq!(moved.points().len(), path.points().len());
    }

    #[test]
    fn a_far_path_is_cut_to_the_window_around_the_surface() {
        let cut = near(&circle(5e6), Transform::identity(), (100, 100)).unwrap();
        let bounds = cut.bounds();
        assert_eq!((bounds.left(), bounds.right()), (-MARGIN, 100.0 + MARGIN));
    }

    #[test]
    fn a_path_far_away_is_gone() {
        assert!(near(&circle(10.0), Transform::from_translate(1e7, 0.0), (100, 100)).is_none());
    }
}
