//! Boxes mapped, compared, and cut around a hole.

use crate::base::{Affine, Rect};

/// The box around the image of `rect`.
pub(crate) fn bounds_of(map: Affine, rect: Rect) -> Rect {
    map.after(Affine::translate(rect.x, rect.y)).bounds_of(rect.size())
}

pub(crate) fn encloses(outer: Rect, inner: Rect) -> bool {
    const SLACK: f64 = 1e-3;
    inner.x >= outer.x - SLACK
        && inner.y >= outer.y - SLACK
        && inner.right() <= outer.right() + SLACK
        && inner.bottom() <= outer.bottom() + SLACK
}

/// The parts of `outer` above, left of, right of and below `hole`, which is cut to `outer`; those
/// without an area are left out. They do not overlap.
pub(crate) fn around(outer: Rect, hole: Rect) -> Vec<Rect> {
    let Some(hole) = outer.intersection(hole) else { return vec![outer] };
    // The parts above and below take the whole width, those beside the hole only its height.
    let parts = [
        between(outer.x, outer.y, outer.right(), hole.y),
        between(outer.x, hole.y, hole.x, hole.bottom()),
        between(hole.right(), hole.y, outer.right(), hole.bottom()),
        between(outer.x, hole.bottom(), outer.right(), outer.bottom()),
    ];
    parts.into_iter().filter(|part| part.width > 0.0 && part.height > 0.0).collect()
}

fn between(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
    Rect::new(x0, y0, x1 - x0, y1 - y0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_box() -> impl Strategy<Value = Rect> {
        (-9..9i8, -9..9i8, 1..9i8, 1..9i8)
            .prop_map(|(x, y, w, h)| Rect::new(x.into(), y.into(), w.into(), h.into()))
    }

    fn holds(part: &Rect, x: f64, y: f64) -> bool {
        (part.x..part.right()).contains(&x) && (part.y..part.bottom()).contains(&y)
    }

    proptest! {
        #[test]
        fn every_pixel_but_those_of_the_hole_is_in_one_part(outer in any_box(), hole in any_box()) {
            let parts = around(outer, hole);
            for (x, y) in (-20..20i8).flat_map(|y| (-20..20i8).map(move |x| (x, y))) {
                let (x, y) = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let wanted = holds(&outer, x, y) && !holds(&hole, x, y);
                let found = parts.iter().filter(|part| holds(part, x, y)).count();
                prop_assert_eq!(found, usize::from(wanted));
            }
        }
    }
}
