//! The contours of shapes that are no paths.

use std::f64::consts::TAU;

use super::model::{Anchor, Contour, ContourError, ContourPath, Contours, MOST_ANCHORS};
use crate::base::{Point, Size};
use crate::design::node::{Node, NodeKind};
use crate::design::shape::{CornerRadii, WindingRule};

/// How long a handle is of the radius of a quarter of a circle.
const QUARTER: f64 = 0.552_284_749_830_793_6;

/// The contours that draw what a node draws.
pub(super) fn of_node(node: &Node) -> Result<Contours, ContourError> {
    let is_closed = node.kind != NodeKind::Line;
    let anchors = match &node.kind {
        // Smoothed corners and arcs are no such curves: they would come out as another form.
        NodeKind::Rectangle if node.corner_smoothing == 0.0 => {
            rounded_box(node.size, node.corner_radii)
        }
        NodeKind::Ellipse(arc) if arc.is_whole() => ellipse(node.size),
        NodeKind::Line => {
            let ends = [Point::ZERO, Point::new(node.size.width, 0.0)];
            ends.map(Anchor::corner).to_vec()
        }
        NodeKind::RegularPolygon { corners } => polygon(node.size, *corners, None),
        NodeKind::Star { tips, inner_ratio } => polygon(node.size, *tips, Some(*inner_ratio)),
        kind => return Err(ContourError::NoPoints(kind.type_name().to_owned())),
    };
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
fn polygon(Size { width, height }: Size, corners: u32, inner: Option<f64>) -> Vec<Anchor> {
    let count = if inner.is_some() { corners.saturating_mul(2) } else { corners };
    // More than are edited are refused by whoever asked, not made first.
    let count = count.min(MOST_ANCHORS as u32 + 1);
    let anchors = (0..count).map(|n| {
        let (sin, cos) = (TAU * f64::from(n) / f64::from(count) - TAU / 4.0).sin_cos();
        let out = inner.filter(|_| n % 2 == 1).unwrap_or(1.0);
        let (x, y) = (width / 2.0 * (1.0 + cos * out), height / 2.0 * (1.0 + sin * out));
        Anchor::corner(Point::new(x, y))
    });
    anchors.collect()
}
