//! Regular polygons and stars inscribed in a box.

use std::f64::consts::{PI, TAU};

use tiny_skia::{Path, PathBuilder};

use crate::base::Size;

/// The corners of a regular polygon in the ellipse that fills `size`, the first at the top.
pub(super) fn regular_polygon(size: Size, corners: u32) -> Option<Path> {
    closed((0..corners).map(|corner| on_ellipse(size, turn(corner, corners), 1.0)))
}

/// A star in the ellipse that fills `size`, the first tip at the top; the notches lie at
/// `inner_ratio` of the tips' distance from the middle.
pub(super) fn star(size: Size, tips: u32, inner_ratio: f64) -> Option<Path> {
    let points = (0..tips).flat_map(|tip| {
        let angle = turn(tip, tips);
        let notch = angle + PI / f64::from(tips);
        [on_ellipse(size, angle, 1.0), on_ellipse(size, notch, inner_ratio)]
    });
    closed(points)
}

fn turn(corner: u32, corners: u32) -> f64 {
    TAU * f64::from(corner) / f64::from(corners)
}

/// The point at `angle` clockwise from the top, at `ratio` of the way from the middle to the edge.
fn on_ellipse(size: Size, angle: f64, ratio: f64) -> (f32, f32) {
    let (half_width, half_height) = (size.width / 2.0, size.height / 2.0);
    let x = half_width * (1.0 + ratio * angle.sin());
    let y = half_height * (1.0 - ratio * angle.cos());
    (x as f32, y as f32)
}

fn closed(points: impl Iterator<Item = (f32, f32)>) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, (x, y)) in points.enumerate() {
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.close();
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_stands_on_its_side_as_in_figma() {
        // Figma gives a 6 × 6 triangle the render bounds 0.402, 0 to 5.598, 4.5.
        let bounds = regular_polygon(Size::new(6.0, 6.0), 3).unwrap().bounds();
        let edges = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()];
        let expected = [0.402, 0.0, 5.598, 4.5];
        assert!(edges.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{edges:?}");
    }

    #[test]
    fn a_star_has_two_points_a_tip() {
        assert_eq!(star(Size::new(10.0, 10.0), 5, 0.382).unwrap().points().len(), 10);
    }
}
