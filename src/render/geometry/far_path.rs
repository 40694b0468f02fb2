//! Paths that reach far beyond the picture, cut down to what can be rasterised.
//!
//! The rasteriser counts in 16.16 fixed point; coordinates of millions of pixels, which a design
//! may well have, overflow it. Such a path is flattened and cut at a box around the surface. For an
//! area, cutting each contour by the half planes of the box changes nothing inside the box.

use tiny_skia::{Path, PathBuilder, Transform};

use crate::base::Affine;

use super::flatten::{self, Corner, mix, push_lines};
use super::rounded_box::Edges;

/// Pixels beyond a surface within which paths are left as they are.
const MARGIN: f32 = 8192.0;

/// How far, in pixels, the chords of a cut path may lie from its curves.
const TOLERANCE: f64 = 0.125;

/// `path` in pixels of a surface of `width` × `height`; as it is if that is near enough.
/// `None` if nothing of it can be seen.
pub(crate) fn near(path: &Path, transform: Transform, (width, height): (u32, u32)) -> Option<Path> {
    let moved = path.clone().transform(transform)?;
    let bounds = moved.bounds();
    let (right, bottom) = (width as f32 + MARGIN, height as f32 + MARGIN);
    let is_near = bounds.left() >= -MARGIN
        && bounds.top() >= -MARGIN
        && bounds.right() <= right
        && bounds.bottom() <= bottom;
    // Curves stay curves where they can: flattening costs time and exactness.
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
    // One side after the other: what is left of a contour may run along the box more than once,
    // but encloses the same area inside it.
    for contour in flatten::contours(path, Affine::IDENTITY, TOLERANCE) {
        let corners =
            HALF_PLANES.iter().fold(contour.corners, |corners, plane| plane.cut(&corners, window));
        push_lines(&corners, &mut kept);
        kept.close();
    }
    kept.finish()
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
            // The edge crosses the side: a corner is made where it does.
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
    fn depth(self, [x, y]: Corner, window: Edges) -> f64 {
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
