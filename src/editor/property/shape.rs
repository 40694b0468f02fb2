//! Numbers of shapes: the arc of an ellipse, the corners of a polygon, the tips of a star.

use std::f64::consts::TAU;

use super::number_kind::ShapeNumber;
use crate::design::{EllipseArc, NodeKind};

/// A number of a shape, in the unit that is shown; `None` of a kind that does not have it.
pub(super) fn number(kind: &NodeKind, number: ShapeNumber) -> Option<f64> {
    match (kind, number) {
        (NodeKind::Ellipse(arc), ShapeNumber::ArcStart) => Some(arc.start.to_degrees()),
        (NodeKind::Ellipse(arc), ShapeNumber::ArcSweep) => {
            Some((arc.end - arc.start) / TAU * 100.0)
        }
        (NodeKind::Ellipse(arc), ShapeNumber::ArcRatio) => Some(arc.inner_ratio * 100.0),
        (NodeKind::RegularPolygon { corners }, ShapeNumber::Count) => Some(f64::from(*corners)),
        (NodeKind::Star { tips, .. }, ShapeNumber::Count) => Some(f64::from(*tips)),
        (NodeKind::Star { inner_ratio, .. }, ShapeNumber::StarRatio) => Some(inner_ratio * 100.0),
        _ => None,
    }
}

/// Gives a shape a number, which is in range; nothing of a kind that does not have it.
pub(super) fn set(kind: &mut NodeKind, number: ShapeNumber, value: f64) {
    match (kind, number) {
        (NodeKind::Ellipse(arc), ShapeNumber::ArcStart) => {
            // The arc turns, and is as long as it was.
            let start = value.to_radians();
            *arc = EllipseArc { start, end: start + (arc.end - arc.start), ..*arc };
        }
        (NodeKind::Ellipse(arc), ShapeNumber::ArcSweep) => {
            arc.end = arc.start + value / 100.0 * TAU;
        }
        (NodeKind::Ellipse(arc), ShapeNumber::ArcRatio) => arc.inner_ratio = value / 100.0,
        (NodeKind::RegularPolygon { corners }, ShapeNumber::Count) => {
            *corners = value.round() as u32;
        }
        (NodeKind::Star { tips, .. }, ShapeNumber::Count) => *tips = value.round() as u32,
        (NodeKind::Star { inner_ratio, .. }, ShapeNumber::StarRatio) => {
            *inner_ratio = value / 100.0;
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_read_and_a_turned_arc_is_as_long_as_it_was() {
        let mut ellipse = NodeKind::Ellipse(EllipseArc::WHOLE);
        assert_eq!(number(&ellipse, ShapeNumber::ArcSweep), Some(100.0));
        for (of, value) in [
            (ShapeNumber::ArcSweep, 25.0),
            (ShapeNumber::ArcStart, 90.0),
            (ShapeNumber::ArcRatio, 60.0),
        ] {
            set(&mut ellipse, of, value);
            assert!((number(&ellipse, of).unwrap() - value).abs() < 1e-9, "{of:?}");
        }
        assert!((number(&ellipse, ShapeNumber::ArcSweep).unwrap() - 25.0).abs() < 1e-9);
        let mut star = NodeKind::Star { tips: 5, inner_ratio: 0.5 };
        set(&mut star, ShapeNumber::Count, 7.0);
        set(&mut star, ShapeNumber::StarRatio, 40.0);
        assert_eq!(star, NodeKind::Star { tips: 7, inner_ratio: 0.4 });
        assert_eq!(number(&star, ShapeNumber::ArcStart), None);
        let mut square = NodeKind::Rectangle;
        set(&mut square, ShapeNumber::Count, 7.0);
        assert_eq!(square, NodeKind::Rectangle);
    }
}
