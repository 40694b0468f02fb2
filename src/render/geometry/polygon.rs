//! Regular polygons and stars inscribed in a box.

use std::f64::consts::{PI, TAU};

use tiny_skia::Path;

use crate::base::Size;
use crate::design::{Node, NodeKind};

use super::flatten::Corner;
use super::round_corners;

/// The outline of a REGULAR_POLYGON or STAR with its corners rounded, as Figma rounds all of them
/// alike; `None` for another kind.
pub(crate) fn of_node(node: &Node) -> Option<Path> {
    let corners = match node.kind {
        NodeKind::RegularPolygon { corners } => regular_polygon(node.size, corners),
        NodeKind::Star { tips, inner_ratio } => star(node.size, tips, inner_ratio),
        _ => return None,
    };
    round_corners::rounded(&[corners], node.corner_radii.top_left)
}

/// The corners of a regular polygon in the ellipse that fills `size`, the first at the top.
fn regular_polygon(size: Size, corners: u32) -> Vec<Corner> {
    (0..corners).map(|corner| on_ellipse(size, turn(corner, corners), 1.0)).collect()
}

/// A star in the ellipse that fills `size`, the first tip at the top; the notches lie at
/// `inner_ratio` of the tips' distance from the middle.
fn star(size: Size, tips: u32, inner_ratio: f64) -> Vec<Corner> {
    let points = (0..tips).flat_map(|tip| {
        let angle = turn(tip, tips);
        let notch = angle + PI / f64::from(tips);
        [on_ellipse(size, angle, 1.0), on_ellipse(size, notch, inner_ratio)]
    });
    points.collect()
}

fn turn(corner: u32, corners: u32) -> f64 {
    TAU * f64::from(corner) / f64::from(corners)
}

/// The point at `angle` clockwise from the top, at `ratio` of the way from the middle to the edge.
fn on_ellipse(size: Size, angle: f64, ratio: f64) -> Corner {
    let (half_width, half_height) = (size.width / 2.0, size.height / 2.0);
    [half_width * (1.0 + ratio * angle.sin()), half_height * (1.0 - ratio * angle.cos())]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Point};
    use crate::design::{Contours, CornerRadii};
    use crate::render::geometry::path_data;

    fn node(kind: NodeKind, side: f64) -> Node {
        Node { size: Size::new(side, side), ..Node::new("a".into(), "a", kind) }
    }

    #[test]
    fn a_triangle_stands_on_its_side_as_in_figma() {
        // Figma gives a 6 × 6 triangle the render bounds 0.402, 0 to 5.598, 4.5.
        let triangle = node(NodeKind::RegularPolygon { corners: 3 }, 6.0);
        let bounds = of_node(&triangle).unwrap().bounds();
        let edges = [bounds.left(), bounds.top(), bounds.right(), bounds.bottom()];
        let expected = [0.402, 0.0, 5.598, 4.5];
        assert!(edges.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-3), "{edges:?}");
    }

    #[test]
    fn a_star_has_two_points_a_tip() {
        assert_eq!(star(Size::new(10.0, 10.0), 5, 0.382).len(), 10);
    }

    /// All points of a path and what its curves bend to, moved.
    fn points(path: &Path, map: Affine) -> Vec<Point> {
        let points = path.points().iter();
        points.map(|at| map.apply(Point::new(f64::from(at.x), f64::from(at.y)))).collect()
    }

    #[test]
    fn as_points_to_be_edited_it_is_drawn_the_same_with_its_corners_rounded() {
        for (kind, radius) in [
            (NodeKind::RegularPolygon { corners: 3 }, 4.0),
            (NodeKind::RegularPolygon { corners: 6 }, 90.0),
            (NodeKind::RegularPolygon { corners: 5 }, 0.0),
            // Each of its corners turns by less than what is rounded.
            (NodeKind::RegularPolygon { corners: 40 }, 4.0),
            (NodeKind::Star { tips: 5, inner_ratio: 0.4 }, 3.0),
        ] {
            let mut shape = node(kind, 60.0);
            shape.corner_radii = CornerRadii::uniform(radius);
            let mut vector = shape.clone();
            Contours::of_node(&shape).unwrap().fitted().unwrap().put_into(&mut vector);
            let NodeKind::Vector(geometry) = &vector.kind else { panic!("{:?}", vector.kind) };
            let written = path_data::to_path(&geometry.fill[0]).unwrap().unwrap();
            let before = points(&of_node(&shape).unwrap(), Affine::IDENTITY);
            let after = points(&written, vector.transform);
            for (some, others) in [(&before, &after), (&after, &before)] {
                let is_there =
                    |at: &Point| others.iter().any(|it| (it.x - at.x).hypot(it.y - at.y) < 1e-3);
                assert!(some.iter().all(is_there), "{:?}: {before:?} {after:?}", shape.kind);
            }
        }
        // Where it cannot be the same it is refused: two of its corners are nearly none.
        let mut flat = node(NodeKind::RegularPolygon { corners: 6 }, 60.0);
        flat.size = Size::new(600.0, 12.0);
        assert!(Contours::of_node(&flat).is_ok());
        flat.corner_radii = CornerRadii::uniform(4.0);
        assert!(Contours::of_node(&flat).unwrap_err().to_string().contains("REGULAR_POLYGON"));
    }

    #[test]
    fn a_radius_takes_the_tips_off() {
        let mut star = node(NodeKind::Star { tips: 4, inner_ratio: 0.5 }, 40.0);
        let sharp = of_node(&star).unwrap().compute_tight_bounds().unwrap();
        star.corner_radii = CornerRadii::uniform(3.0);
        let round = of_node(&star).unwrap().compute_tight_bounds().unwrap();
        assert!(sharp.top() == 0.0 && round.top() > 0.5, "{round:?}");
    }
}
