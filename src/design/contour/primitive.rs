//! The contours of shapes that are no paths.

use std::f64::consts::TAU;

use super::model::{Anchor, Contour, ContourError, ContourPath, Contours, MOST_ANCHORS, between};
use crate::base::{Point, Size};
use crate::design::node::{Node, NodeKind};
use crate::design::shape::{CornerRadii, WindingRule};

/// How long a handle is of the radius of a quarter of a circle.
const QUARTER: f64 = 0.552_284_749_830_793_6;
/// Where an outline turns by no more than this, in radians, it is no corner that would be rounded, but part of a curve
/// of lines.
pub const LEAST_ROUNDED_TURN: f64 = 0.26;

/// The contours that draw what a node draws.
pub(super) fn of_node(node: &Node) -> Result<Contours, ContourError> {
    let is_closed = node.kind != NodeKind::Line;
    let anchors = match &node.kind {
        // Smoothed corners and arcs are no such curves: they would come out as another form.
        NodeKind::Rectangle if node.corner_smoothing == 0.0 => {
            Some(rounded_box(node.size, node.corner_radii))
        }
        NodeKind::Ellipse(arc) if arc.is_whole() => Some(ellipse(node.size)),
        NodeKind::Line => {
            let ends = [Point::ZERO, Point::new(node.size.width, 0.0)];
            Some(ends.map(Anchor::corner).to_vec())
        }
        // All of their corners are rounded alike.
        NodeKind::RegularPolygon { corners } => {
            rounded(&polygon(node.size, *corners, None), node.corner_radii.top_left)
        }
        NodeKind::Star { tips, inner_ratio } => {
            rounded(&polygon(node.size, *tips, Some(*inner_ratio)), node.corner_radii.top_left)
        }
        _ => None,
    };
    let anchors =
        anchors.ok_or_else(|| ContourError::NoPoints(node.kind.type_name().to_owned()))?;
    let contour = Contour { anchors, is_closed };
    let path = ContourPath { contours: vec![contour], winding: WindingRule::NonZero };
    Ok(Contours { paths: vec![path] })
}

fn ellipse(Size { width, height }: Size) -> Vec<Anchor> {
    let (rx, ry) = (width / 2.0, height / 2.0);
    let (kx, ky) = (rx * QUARTER, ry * QUARTER);
    // Clockwise from the top, each with the way that the line runs there.
    let places = [
        (Point::new(rx, 0.0), Point::new(kx, 0.0)),
        (Point::new(width, ry), Point::new(0.0, ky)),
        (Point::new(rx, height), Point::new(-kx, 0.0)),
        (Point::new(0.0, ry), Point::new(0.0, -ky)),
    ];
    let anchors = places.map(|(at, along)| {
        let before = Point::new(at.x - along.x, at.y - along.y);
        let behind = Point::new(at.x + along.x, at.y + along.y);
        Anchor::with_handles(at, Some(before), Some(behind))
    });
    anchors.to_vec()
}

/// Clockwise from behind the left top corner. Radii that do not fit are as long as they can be.
fn rounded_box(Size { width, height }: Size, radii: CornerRadii) -> Vec<Anchor> {
    let most = width.min(height) / 2.0;
    // Each corner with the way in and the way out.
    let corners = [
        (Point::ZERO, radii.top_left, (0.0, -1.0), (1.0, 0.0)),
        (Point::new(width, 0.0), radii.top_right, (1.0, 0.0), (0.0, 1.0)),
        (Point::new(width, height), radii.bottom_right, (0.0, 1.0), (-1.0, 0.0)),
        (Point::new(0.0, height), radii.bottom_left, (-1.0, 0.0), (0.0, -1.0)),
    ];
    let mut anchors = Vec::new();
    for (corner, radius, way_in, way_out) in corners {
        let radius = radius.min(most);
        if radius <= 0.0 {
            anchors.push(Anchor::corner(corner));
            continue;
        }
        let short = radius * (1.0 - QUARTER);
        let before = |by: f64| Point::new(corner.x - way_in.0 * by, corner.y - way_in.1 * by);
        let behind = |by: f64| Point::new(corner.x + way_out.0 * by, corner.y + way_out.1 * by);
        anchors.push(Anchor::with_handles(before(radius), None, Some(before(short))));
        anchors.push(Anchor::with_handles(behind(radius), Some(behind(short)), None));
    }
    anchors
}

/// In the ellipse that fills the size, the first corner at the top.
fn polygon(Size { width, height }: Size, corners: u32, inner: Option<f64>) -> Vec<Point> {
    let count = if inner.is_some() { corners.saturating_mul(2) } else { corners };
    // More than are edited are refused by whoever asked, not made first.
    let count = count.min(MOST_ANCHORS as u32 + 1);
    let points = (0..count).map(|n| {
        let (sin, cos) = (TAU * f64::from(n) / f64::from(count) - TAU / 4.0).sin_cos();
        let out = inner.filter(|_| n % 2 == 1).unwrap_or(1.0);
        Point::new(width / 2.0 * (1.0 + cos * out), height / 2.0 * (1.0 + sin * out))
    });
    points.collect()
}

/// The closed line through points with an arc of this radius at each corner, of a smaller one where the arcs of two
/// corners would meet: as it is drawn. `None` where only some of the points are corners, as an arc may then reach past
/// one that is none.
fn rounded(points: &[Point], radius: f64) -> Option<Vec<Anchor>> {
    let count = points.len();
    let turns: Vec<f64> = (0..count).map(|at| turn(points, at)).collect();
    let corners = turns.iter().filter(|turn| **turn > LEAST_ROUNDED_TURN).count();
    if radius <= 0.0 || corners == 0 {
        return Some(points.iter().copied().map(Anchor::corner).collect());
    }
    if corners < count {
        return None;
    }
    let mut anchors = Vec::with_capacity(2 * count);
    for (at, (tip, turn)) in points.iter().copied().zip(turns).enumerate() {
        let [before, behind] = [at + count - 1, at + 1].map(|at| points[at % count]);
        let [way_in, way_out] = [before, behind].map(|end| {
            let by = end.since(tip);
            by.x.hypot(by.y)
        });
        // Each neighbour leaves half of the way to it.
        let reach = (radius * (turn / 2.0).tan()).min(way_in.min(way_out) / 2.0);
        if reach <= 0.0 {
            anchors.push(Anchor::corner(tip));
            continue;
        }
        let (from, to) =
            (between(tip, before, reach / way_in), between(tip, behind, reach / way_out));
        // The handles of a circular arc, as a share of the way to the tip.
        let share = 4.0 / 3.0 * (turn / 4.0).tan() / (turn / 2.0).tan();
        anchors.push(Anchor::with_handles(from, None, Some(between(from, tip, share))));
        anchors.push(Anchor::with_handles(to, Some(between(to, tip, share)), None));
    }
    Some(anchors)
}

/// By how much the closed line through points turns at one of them, 0..=π.
fn turn(points: &[Point], at: usize) -> f64 {
    let count = points.len();
    let [before, here, behind] = [at + count - 1, at, at + 1].map(|at| points[at % count]);
    let (way_in, way_out) = (here.since(before), behind.since(here));
    let across = way_in.x * way_out.y - way_in.y * way_out.x;
    across.atan2(way_in.x * way_out.x + way_in.y * way_out.y).abs()
}
