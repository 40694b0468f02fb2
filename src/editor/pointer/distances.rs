//! How far apart two boxes are.

use crate::base::{Axis, Rect};
use crate::design::gesture::GapGuide;

/// The distances from one box to another: where they lie apart along an axis, the space between them; where one holds
/// the other, the spaces inside it on all four sides; else how far equal sides are apart. Those of nothing are left
/// out.
pub fn distances_between(own: Rect, other: Rect) -> Vec<GapGuide> {
    let mut found = Vec::new();
    for axis in Axis::ALL {
        let (own_span, other_span) = (axis.span(own), axis.span(other));
        let at = place_across(axis.across(), own, other);
        let pairs = if own_span.1 <= other_span.0 {
            vec![(own_span.1, other_span.0)]
        } else if other_span.1 <= own_span.0 {
            vec![(other_span.1, own_span.0)]
        } else {
            vec![(own_span.0, other_span.0), (own_span.1, other_span.1)]
        };
        for (one, two) in pairs {
            let (from, to) = (one.min(two), one.max(two));
            if to > from {
                found.push(GapGuide { axis, from, to, at });
            }
        }
    }
    found
}

/// Where a distance is drawn along the other axis: in the middle of what both have there, else of the first.
fn place_across(axis: Axis, own: Rect, other: Rect) -> f64 {
    let (one, two) = (axis.span(own), axis.span(other));
    let (from, to) = (one.0.max(two.0), one.1.min(two.1));
    if from < to { f64::midpoint(from, to) } else { f64::midpoint(one.0, one.1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(own: Rect, other: Rect) -> Vec<(Axis, f64, f64)> {
        distances_between(own, other).iter().map(|gap| (gap.axis, gap.from, gap.to)).collect()
    }

    #[test]
    fn boxes_side_by_side_are_as_far_apart_as_the_space_between_them() {
        let (own, other) = (Rect::new(0.0, 0.0, 20.0, 20.0), Rect::new(50.0, 0.0, 10.0, 20.0));
        assert_eq!(spans(own, other), [(Axis::Horizontal, 20.0, 50.0)]);
        assert_eq!(spans(other, own), [(Axis::Horizontal, 20.0, 50.0)]);
    }

    #[test]
    fn what_lies_in_another_has_four_paddings() {
        let (own, around) = (Rect::new(10.0, 20.0, 30.0, 40.0), Rect::new(0.0, 0.0, 100.0, 100.0));
        let expected = [
            (Axis::Horizontal, 0.0, 10.0),
            (Axis::Horizontal, 40.0, 100.0),
            (Axis::Vertical, 0.0, 20.0),
            (Axis::Vertical, 60.0, 100.0),
        ];
        assert_eq!(spans(own, around), expected);
    }

    proptest! {
        #[test]
        fn whichever_is_first_the_distances_are_the_same(
            a in prop::array::uniform4(1..200_i32), b in prop::array::uniform4(1..200_i32),
        ) {
            let [a, b] = [a, b].map(|v| {
                let [x, y, w, h] = v.map(f64::from);
                Rect::new(x, y, w, h)
            });
            prop_assert_eq!(spans(a, b), spans(b, a));
            prop_assert!(distances_between(a, a).is_empty());
        }
    }
}
