//! Whether a point lies in a shape or near its outline, in the node's own space.

use std::f64::consts::TAU;

use svgtypes::{SimplePathSegment as Segment, SimplifyingPathParser};

use crate::base::{Point, Rect, Size};
use crate::design::node::{Node, NodeKind};
use crate::design::shape::{CornerRadii, EllipseArc, FigmaPath, WindingRule, has_boundless_arc};

/// Into so many lines a curve is taken apart: finer than a pointer points.
const LINES: u32 = 16;

/// Whether the filled area holds a point. Boxes are rounded at their corners; a text is its box.
pub(super) fn is_in_area(node: &Node, p: Point) -> bool {
    let size = node.size;
    match &node.kind {
        NodeKind::Ellipse(arc) => is_in_ellipse(size, *arc, p),
        NodeKind::Line => false,
        NodeKind::Vector(geometry) => geometry.fill.iter().any(|path| is_in_path(path, p)),
        NodeKind::RegularPolygon { .. } | NodeKind::Star { .. } => {
            winding(&[corners(node)], p) != 0
        }
        NodeKind::Text(_) => is_in_box(size, CornerRadii::default(), p),
        _ => is_in_box(size, node.corner_radii, p),
    }
}

/// Whether a point is no further from the outline than this.
pub(super) fn is_near_outline(node: &Node, p: Point, reach: f64) -> bool {
    outline(node).iter().any(|line| {
        line.windows(2).any(|ends| match ends {
            [from, to] => p.distance_to_line(*from, *to) <= reach,
            _ => false,
        })
    })
}

/// The outline of a node as lines in its own space, each closed by its first point where the shape is. Curves have
/// sixteen lines each; a path that cannot be read has none.
pub fn outline(node: &Node) -> Vec<Vec<Point>> {
    let Size { width, height } = node.size;
    match &node.kind {
        // It runs along its own x axis, whatever height a file gives it.
        NodeKind::Line => vec![vec![Point::ZERO, Point::new(width, 0.0)]],
        NodeKind::Vector(geometry) => {
            // What is stroked and not filled, such as an open path, has only the one.
            let paths = geometry.fill.iter().chain(&geometry.stroke);
            paths.flat_map(|path| lines(&path.data)).collect()
        }
        NodeKind::RegularPolygon { .. } | NodeKind::Star { .. } => vec![corners(node)],
        NodeKind::Ellipse(_) => {
            let points = (0..=LINES * 4).map(|n| {
                let (sin, cos) = (TAU * f64::from(n) / f64::from(LINES * 4)).sin_cos();
                Point::new(width / 2.0 * (1.0 + cos), height / 2.0 * (1.0 + sin))
            });
            vec![points.collect()]
        }
        _ => vec![vec![
            Point::ZERO,
            Point::new(width, 0.0),
            Point::new(width, height),
            Point::new(0.0, height),
            Point::ZERO,
        ]],
    }
}

/// Of a polygon or star, closed; the first is at the top.
fn corners(node: &Node) -> Vec<Point> {
    let (count, inner) = match node.kind {
        NodeKind::RegularPolygon { corners } => (corners, None),
        NodeKind::Star { tips, inner_ratio } => (tips.saturating_mul(2), Some(inner_ratio)),
        _ => return Vec::new(),
    };
    let points = (0..=count).map(|n| {
        let angle = TAU * f64::from(n % count.max(1)) / f64::from(count.max(1)) - TAU / 4.0;
        let out = inner.filter(|_| n % 2 == 1).unwrap_or(1.0);
        let (sin, cos) = angle.sin_cos();
        Point::new(
            node.size.width / 2.0 * (1.0 + cos * out),
            node.size.height / 2.0 * (1.0 + sin * out),
        )
    });
    points.collect()
}

fn is_in_box(size: Size, radii: CornerRadii, p: Point) -> bool {
    let whole = Rect::new(0.0, 0.0, size.width, size.height);
    let is_inside = p.x >= 0.0 && p.y >= 0.0 && p.x <= whole.width && p.y <= whole.height;
    if !is_inside {
        return false;
    }
    let most = size.width.min(size.height) / 2.0;
    // Each corner's own square: in it only the quarter of the disc counts.
    let corners = [
        (radii.top_left, p.x, p.y),
        (radii.top_right, size.width - p.x, p.y),
        (radii.bottom_right, size.width - p.x, size.height - p.y),
        (radii.bottom_left, p.x, size.height - p.y),
    ];
    corners.into_iter().all(|(radius, x, y)| {
        let radius = radius.min(most);
        x >= radius || y >= radius || (radius - x).hypot(radius - y) <= radius
    })
}

fn is_in_ellipse(size: Size, arc: EllipseArc, p: Point) -> bool {
    if size.width <= 0.0 || size.height <= 0.0 {
        return false;
    }
    // In the unit disc.
    let (x, y) = (2.0 * p.x / size.width - 1.0, 2.0 * p.y / size.height - 1.0);
    let radius = x.hypot(y);
    if radius > 1.0 || radius < arc.inner_ratio {
        return false;
    }
    let swept = arc.end - arc.start;
    if swept.abs() >= TAU - 1e-5 {
        return true;
    }
    // Whichever way it is swept, the angle counts from where it starts.
    let from_start = (y.atan2(x) - arc.start) * swept.signum();
    from_start.rem_euclid(TAU) <= swept.abs()
}

fn is_in_path(path: &FigmaPath, p: Point) -> bool {
    let turns = winding(&lines(&path.data), p);
    match path.winding {
        WindingRule::NonZero => turns != 0,
        WindingRule::EvenOdd => turns % 2 != 0,
    }
}

/// How often closed lines go around a point: crossings of the ray to the right, by direction.
fn winding(outlines: &[Vec<Point>], p: Point) -> i32 {
    let mut turns = 0;
    for line in outlines {
        let closing = line.last().copied().zip(line.first().copied());
        let sides = line.windows(2).filter_map(|ends| Some((*ends.first()?, *ends.get(1)?)));
        for (from, to) in sides.chain(closing) {
            // Half-open, so that a corner on the ray counts once.
            let (is_down, is_up) = (from.y <= p.y && to.y > p.y, from.y > p.y && to.y <= p.y);
            if is_down || is_up {
                let x = from.x + (p.y - from.y) / (to.y - from.y) * (to.x - from.x);
                if x > p.x {
                    turns += if is_down { 1 } else { -1 };
                }
            }
        }
    }
    turns
}

/// A path as lines; none of data that cannot be read.
fn lines(data: &str) -> Vec<Vec<Point>> {
    if has_boundless_arc(data) {
        return Vec::new();
    }
    let mut lines: Vec<Vec<Point>> = Vec::new();
    for segment in SimplifyingPathParser::from(data).map_while(Result::ok) {
        let from = lines.last().and_then(|line| line.last()).copied().unwrap_or_default();
        match segment {
            Segment::MoveTo { x, y } => lines.push(vec![Point::new(x, y)]),
            Segment::LineTo { x, y } => {
                if let Some(line) = lines.last_mut() {
                    line.push(Point::new(x, y));
                }
            }
            Segment::Quadratic { x1, y1, x, y } => {
                // A quadratic is a cubic whose handles lie two thirds towards its own.
                let (handle, end) = (Point::new(x1, y1), Point::new(x, y));
                let curve = [from, towards(from, handle), towards(end, handle), end];
                push_curve(&mut lines, curve);
            }
            Segment::CurveTo { x1, y1, x2, y2, x, y } => {
                let curve = [from, Point::new(x1, y1), Point::new(x2, y2), Point::new(x, y)];
                push_curve(&mut lines, curve);
            }
            Segment::ClosePath => {
                // A subpath without a move of its own goes on from where this one began.
                if let Some(first) = lines.last().and_then(|line| line.first()).copied() {
                    if let Some(line) = lines.last_mut() {
                        line.push(first);
                    }
                    lines.push(vec![first]);
                }
            }
        }
    }
    lines.retain(|line| line.len() > 1);
    lines
}

fn push_curve(lines: &mut [Vec<Point>], [a, b, c, d]: [Point; 4]) {
    let Some(line) = lines.last_mut() else { return };
    line.extend((1..=LINES).map(|n| {
        let t = f64::from(n) / f64::from(LINES);
        let s = 1.0 - t;
        // Bernstein's form.
        let weights = [s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t];
        let points = [a, b, c, d].into_iter().zip(weights);
        points.fold(Point::ZERO, |sum, (point, weight)| {
            Point::new(sum.x + point.x * weight, sum.y + point.y * weight)
        })
    }));
}

/// Two thirds of the way.
fn towards(from: Point, to: Point) -> Point {
    let by = to.since(from);
    Point::new(from.x + by.x * 2.0 / 3.0, from.y + by.y * 2.0 / 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::shape::PathGeometry;

    fn node(kind: NodeKind) -> Node {
        let mut node = Node::new("n".into(), "n", kind);
        node.size = Size::new(100.0, 60.0);
        node
    }

    fn vector(data: &str, winding: WindingRule) -> Node {
        let path = FigmaPath::new(data.to_owned(), winding);
        node(NodeKind::Vector(PathGeometry { fill: vec![path], stroke: Vec::new() }))
    }

    #[test]
    fn areas_have_their_form() {
        let mut rounded = node(NodeKind::Rectangle);
        rounded.corner_radii = CornerRadii::uniform(20.0);
        let ellipse = node(NodeKind::Ellipse(EllipseArc::WHOLE));
        let quarter = EllipseArc { start: 0.0, end: TAU / 4.0, inner_ratio: 0.0 };
        let ring = EllipseArc { inner_ratio: 0.5, ..EllipseArc::WHOLE };
        let donut = "M0 0H100V60H0ZM30 20H70V40H30Z";
        for (what, node, x, y, inside) in [
            ("box", node(NodeKind::Rectangle), 1.0, 1.0, true),
            ("box", node(NodeKind::Rectangle), 101.0, 1.0, false),
            ("rounded corner", rounded.clone(), 2.0, 2.0, false),
            ("rounded edge", rounded, 50.0, 1.0, true),
            ("ellipse", ellipse.clone(), 50.0, 30.0, true),
            ("ellipse's corner", ellipse, 5.0, 5.0, false),
            ("quarter", node(NodeKind::Ellipse(quarter)), 70.0, 40.0, true),
            ("other quarters", node(NodeKind::Ellipse(quarter)), 70.0, 20.0, false),
            ("ring", node(NodeKind::Ellipse(ring)), 50.0, 30.0, false),
            ("donut", vector(donut, WindingRule::EvenOdd), 50.0, 30.0, false),
            ("donut without a hole", vector(donut, WindingRule::NonZero), 50.0, 30.0, true),
            ("donut's dough", vector(donut, WindingRule::EvenOdd), 10.0, 30.0, true),
            ("triangle", node(NodeKind::RegularPolygon { corners: 3 }), 50.0, 20.0, true),
            ("beside it", node(NodeKind::RegularPolygon { corners: 3 }), 10.0, 5.0, false),
            ("line", node(NodeKind::Line), 50.0, 0.0, false),
        ] {
            assert_eq!(is_in_area(&node, Point::new(x, y)), inside, "{what}");
        }
    }

    #[test]
    fn outlines_are_near_on_both_sides() {
        let curve = vector("M0 0Q50 60 100 0", WindingRule::NonZero);
        // The middle of the curve is half way to its handle.
        for (y, is_near) in [(30.0, true), (33.0, true), (27.0, true), (40.0, false), (0.0, false)]
        {
            assert_eq!(is_near_outline(&curve, Point::new(50.0, y), 4.0), is_near, "{y}");
        }
        let line = node(NodeKind::Line);
        assert!(is_near_outline(&line, Point::new(50.0, 4.0), 5.0));
        assert!(!is_near_outline(&line, Point::new(50.0, 9.0), 5.0));
        assert!(!is_near_outline(&vector("oops", WindingRule::NonZero), Point::ZERO, 5.0));
    }
}
