//! Areas bounded by polygons, and what is combined of them.
//!
//! The sweep runs on a grid of 2³⁰ steps over the shapes' extent (a millionth of a pixel for an icon,
//! 0.02 px for a shape of the largest size), where every comparison is exact: touching, coincident and
//! crossing edges need no tolerance, and nothing that is finite makes it fail. That is why curves
//! are flattened first; [`complexity`](super::complexity) bounds how long it takes.

use i_overlay::core::fill_rule::FillRule as OverlayFill;
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::float::overlay::FloatOverlay;
use i_overlay::i_shape::base::data::Shapes;
use tiny_skia::{FillRule, Path, PathBuilder};

use crate::base::{Affine, Limits, Point};
use crate::design::BooleanOp;

use super::complexity::is_tractable;
use super::filled_path::FilledPath;
use super::flatten::{self, Corner, push_lines};

/// Corners farther out than this are pulled in; a design has none.
const FARTHEST: f64 = 100.0 * Limits::COORDINATE;

/// An area bounded by polygons that neither cross nor overlap: borders run one way around, holes
/// the other, so that both fill rules see the same area.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PolygonSet {
    contours: Vec<Vec<Corner>>,
}

/// The shapes cross so often that combining them would take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooIntricate;

impl PolygonSet {
    /// What `contours` enclose by `rule`; each is closed by a line if it is open.
    pub(crate) fn of(
        contours: impl IntoIterator<Item = Vec<Corner>>,
        rule: FillRule,
    ) -> Result<Self, TooIntricate> {
        let rule = match rule {
            FillRule::Winding => OverlayFill::NonZero,
            FillRule::EvenOdd => OverlayFill::EvenOdd,
        };
        let contours: Vec<_> = contours.into_iter().filter_map(cleaned).collect();
        overlay(&contours, &[], OverlayRule::Subject, rule)
    }

    /// What any of `areas` covers, their curves followed within `tolerance`.
    pub(crate) fn of_areas(areas: &[FilledPath], tolerance: f64) -> Result<Self, TooIntricate> {
        let mut regions = Vec::with_capacity(areas.len());
        for area in areas {
            let contours = flatten::contours(&area.path, Affine::IDENTITY, tolerance);
            regions.push(Self::of(contours.into_iter().map(|it| it.corners), area.rule)?);
        }
        match regions.len() {
            1 => Ok(regions.pop().unwrap_or_default()),
            _ => Self::combined(BooleanOp::Union, regions),
        }
    }

    /// The regions combined, the lowest first.
    pub(crate) fn combined(op: BooleanOp, regions: Vec<Self>) -> Result<Self, TooIntricate> {
        let mut rest = regions.into_iter();
        let Some(first) = rest.next() else { return Ok(Self::default()) };
        match op {
            // The regions neither cross themselves nor overlap, so all of them as one subject are
            // their union where the winding is not zero, and their exclusion where it is odd: one
            // sweep instead of one for each.
            BooleanOp::Union => {
                overlay(&first.joined(rest), &[], OverlayRule::Subject, OverlayFill::NonZero)
            }
            BooleanOp::Exclude => {
                overlay(&first.joined(rest), &[], OverlayRule::Subject, OverlayFill::EvenOdd)
            }
            BooleanOp::Subtract => {
                let others = Self::default().joined(rest);
                overlay(&first.contours, &others, OverlayRule::Difference, OverlayFill::NonZero)
            }
            // No rule of one sweep says "in all of them".
            BooleanOp::Intersect => rest.try_fold(first, |common, next| common.within(&next)),
        }
    }

    /// What both cover.
    pub(crate) fn within(&self, other: &Self) -> Result<Self, TooIntricate> {
        overlay(&self.contours, &other.contours, OverlayRule::Intersect, OverlayFill::NonZero)
    }

    /// What this covers and `other` does not.
    pub(crate) fn without(&self, other: &Self) -> Result<Self, TooIntricate> {
        overlay(&self.contours, &other.contours, OverlayRule::Difference, OverlayFill::NonZero)
    }

    fn joined(self, others: impl Iterator<Item = Self>) -> Vec<Vec<Corner>> {
        let mut contours = self.contours;
        others.for_each(|other| contours.extend(other.contours));
        contours
    }

    /// The region moved by `map`, its borders still running the same way around.
    pub(crate) fn moved(mut self, map: Affine) -> Self {
        for contour in &mut self.contours {
            for corner in contour.iter_mut() {
                let there = map.apply(Point::new(corner[0], corner[1]));
                *corner = [there.x, there.y];
            }
            // A mirrored border runs the other way around.
            if map.determinant() < 0.0 {
                contour.reverse();
            }
        }
        self
    }

    pub(crate) fn contours(&self) -> &[Vec<Corner>] {
        &self.contours
    }

    /// The box around it; `None` if it is empty.
    #[cfg(test)]
    fn bounds(&self) -> Option<crate::base::Rect> {
        use crate::base::Rect;
        let corners = self.contours.iter().flatten();
        Rect::union_all(corners.map(|[x, y]| Rect::new(*x, *y, 0.0, 0.0)))
    }

    /// Its outline; `None` if it is empty.
    pub(crate) fn to_path(&self) -> Option<Path> {
        let mut path = PathBuilder::new();
        for contour in &self.contours {
            push_lines(contour, &mut path);
            path.close();
        }
        path.finish()
    }
}

/// The contour with finite corners; `None` if it can enclose nothing.
fn cleaned(mut contour: Vec<Corner>) -> Option<Vec<Corner>> {
    contour.retain(|corner| corner.iter().all(|v| v.is_finite()));
    for corner in &mut contour {
        *corner = corner.map(|v| v.clamp(-FARTHEST, FARTHEST));
    }
    (contour.len() > 2).then_some(contour)
}

fn overlay(
    subject: &[Vec<Corner>],
    clip: &[Vec<Corner>],
    rule: OverlayRule,
    fill: OverlayFill,
) -> Result<PolygonSet, TooIntricate> {
    // Before the sweep, which cannot be stopped once it runs.
    if !is_tractable(subject.iter().chain(clip)) {
        return Err(TooIntricate);
    }
    if subject.is_empty() {
        return Ok(PolygonSet::default());
    }
    let shapes: Shapes<Corner> =
        FloatOverlay::<Corner>::from_subj_and_clip(subject, clip).overlay(rule, fill);
    Ok(PolygonSet { contours: shapes.into_iter().flatten().collect() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn square(x: f64, y: f64, side: f64) -> PolygonSet {
        let corners = vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]];
        PolygonSet::of([corners], FillRule::Winding).unwrap()
    }

    /// By the shoelace formula; holes count against their borders.
    fn area(region: &PolygonSet) -> f64 {
        let mut doubled = 0.0;
        for contour in &region.contours {
            let next = contour.iter().cycle().skip(1);
            doubled +=
                contour.iter().zip(next).map(|(a, b)| a[0] * b[1] - a[1] * b[0]).sum::<f64>();
        }
        doubled.abs() / 2.0
    }

    fn combined(op: BooleanOp, regions: &[&PolygonSet]) -> PolygonSet {
        PolygonSet::combined(op, regions.iter().map(|region| (*region).clone()).collect()).unwrap()
    }

    #[test]
    fn two_squares_combine_in_four_ways() {
        let (a, b) = (square(0.0, 0.0, 10.0), square(5.0, 5.0, 10.0));
        let expected = [
            (BooleanOp::Union, 175.0),
            (BooleanOp::Intersect, 25.0),
            (BooleanOp::Subtract, 75.0),
            (BooleanOp::Exclude, 150.0),
        ];
        for (op, expected) in expected {
            assert_eq!(area(&combined(op, &[&a, &b])), expected, "{op:?}");
        }
    }

    #[test]
    fn squares_that_share_an_edge_become_one() {
        let both = combined(BooleanOp::Union, &[&square(0.0, 0.0, 5.0), &square(5.0, 0.0, 5.0)]);
        assert_eq!((both.contours.len(), area(&both)), (1, 50.0));
    }

    #[test]
    fn a_mirrored_region_still_counts_as_covered() {
        let (a, b) = (square(0.0, 0.0, 10.0), square(0.0, 0.0, 10.0));
        let mirrored = b.moved(Affine::scale(-1.0, 1.0)).moved(Affine::translate(15.0, 0.0));
        assert_eq!(area(&combined(BooleanOp::Union, &[&a, &mirrored])), 150.0);
    }

    #[test]
    fn a_figure_of_eight_is_filled_by_its_rule() {
        let twice = vec![
            [0.0, 0.0],
            [10.0, 0.0],
            [10.0, 10.0],
            [0.0, 10.0],
            [0.0, 0.0],
            [5.0, 0.0],
            [5.0, 5.0],
            [0.0, 5.0],
        ];
        assert_eq!(area(&PolygonSet::of([twice.clone()], FillRule::Winding).unwrap()), 100.0);
        assert_eq!(area(&PolygonSet::of([twice], FillRule::EvenOdd).unwrap()), 75.0);
    }

    fn any_corner() -> impl Strategy<Value = Corner> {
        let number = || {
            prop_oneof![
                4 => (-8i32..8).prop_map(f64::from),
                4 => -20.0..20.0f64,
                1 => -1e7..1e7f64,
                1 => prop::sample::select(vec![
                    0.0, -0.0, 1e-12, 5e-324, 1e7, -1e7, 1e300, f64::NAN, f64::INFINITY,
                ]),
            ]
        };
        [number(), number()]
    }

    fn any_region() -> impl Strategy<Value = PolygonSet> {
        let contour = prop::collection::vec(any_corner(), 0..24);
        let rule = prop::sample::select(vec![FillRule::Winding, FillRule::EvenOdd]);
        (prop::collection::vec(contour, 0..4), rule)
            .prop_map(|(contours, rule)| PolygonSet::of(contours, rule).unwrap())
    }

    /// Corners on a coarse lattice: coincident edges and touching corners all over.
    fn lattice_region() -> impl Strategy<Value = PolygonSet> {
        let corner = (0i32..7, 0i32..7).prop_map(|(x, y)| [f64::from(x), f64::from(y)]);
        prop::collection::vec(corner, 3..16)
            .prop_map(|contour| PolygonSet::of([contour], FillRule::EvenOdd).unwrap())
    }

    const OPS: [BooleanOp; 4] =
        [BooleanOp::Union, BooleanOp::Intersect, BooleanOp::Subtract, BooleanOp::Exclude];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn no_polygons_make_it_panic(regions in prop::collection::vec(any_region(), 0..4)) {
            for op in OPS {
                let result = PolygonSet::combined(op, regions.clone()).unwrap();
                prop_assert!(result.bounds().is_none_or(crate::base::Rect::is_finite));
            }
        }

        #[test]
        fn areas_obey_inclusion_and_exclusion(a in lattice_region(), b in lattice_region()) {
            let of = |op| area(&combined(op, &[&a, &b]));
            let (union, common) = (of(BooleanOp::Union), of(BooleanOp::Intersect));
            prop_assert!((union - (area(&a) + area(&b) - common)).abs() < 1e-5);
            prop_assert!((of(BooleanOp::Exclude) - (union - common)).abs() < 1e-5);
            prop_assert!((of(BooleanOp::Subtract) - (area(&a) - common)).abs() < 1e-5);
        }

        #[test]
        fn a_region_without_itself_is_nothing_and_with_itself_is_the_same(a in lattice_region()) {
            prop_assert_eq!(area(&combined(BooleanOp::Subtract, &[&a, &a])), 0.0);
            prop_assert_eq!(area(&combined(BooleanOp::Exclude, &[&a, &a])), 0.0);
            let united = area(&combined(BooleanOp::Union, &[&a, &a]));
            prop_assert!((united - area(&a)).abs() < 1e-6);
        }
    }
}
