//! What the values of a map mean.

use crate::metric::saliency::Saliency;
use crate::metric::{MapKind, VariantSpec};

/// The values of a map between the same and as different as can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatScale {
    /// The value where both sides are the same.
    pub same: f64,
    /// The value from which on they could not differ more.
    pub different: f64,
    /// Which side has more counts: as much beyond `same` on its other side is as different.
    pub is_signed: bool,
}

/// How far a map without bounds is shown.
const UNBOUNDED: f64 = 1.0;

impl Default for HeatScale {
    fn default() -> Self {
        Self { same: 1.0, different: 0.0, is_signed: false }
    }
}

impl HeatScale {
    /// The scale of a variant's map, whose range has the worst value first. Where that lies beyond
    /// zero on the far side, as −1 does for SSIM, zero is different enough: what lies there is
    /// opposite.
    pub fn of(variant: &VariantSpec) -> Self {
        let Some((worst, best)) = variant.map_range else { return Self::default() };
        // A difference of two maps: nothing is where both sides are the same.
        if Saliency::has(variant) {
            return Self { same: 0.0, different: best, is_signed: true };
        }
        // A scale without an end is cut where it has one: heat needs both a least and a most.
        let same = if best.is_finite() { best } else { 0.0 };
        let far = if worst.is_finite() { worst } else { same + UNBOUNDED.copysign(worst) };
        let crosses_zero = same != 0.0 && far * same < 0.0;
        Self { same, different: if crosses_zero { 0.0 } else { far }, is_signed: false }
    }

    /// The scale of one of a variant's maps. That of one side alone begins where nothing is.
    pub fn of_map(variant: &VariantSpec, kind: MapKind) -> Self {
        let of_both = Self::of(variant);
        match kind {
            MapKind::Difference => of_both,
            MapKind::Generated | MapKind::GroundTruth => Self { is_signed: false, ..of_both },
        }
    }

    /// Its place on the colours of the scale, 0 ..= 1: on those of both signs 0.5 is the same, else 0 is. A value
    /// that is none is the same.
    pub fn place(self, value: f32) -> f32 {
        if !self.is_signed {
            return self.difference(value);
        }
        let side = if f64::from(value) < self.same { -0.5 } else { 0.5 };
        0.5 + side * self.difference(value)
    }

    /// How different a value is, to whichever side, 0 the same ..= 1; a value that is none is no
    /// difference.
    pub fn difference(self, value: f32) -> f32 {
        let span = self.different - self.same;
        let share = (f64::from(value) - self.same) / span;
        // Not a number, or of a scale without extent: then nothing is said to differ.
        if share.is_finite() { share.abs().min(1.0) as f32 } else { 0.0 }
    }

    /// The value at this difference.
    pub fn value_at(self, difference: f32) -> f64 {
        self.same + (self.different - self.same) * f64::from(difference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Registry;

    #[test]
    fn a_saliency_map_is_the_same_where_it_is_zero() {
        let registry = Registry::built_in();
        let saliency = registry.variants().find(|it| it.metric() == "saliency_sim").unwrap();
        let scale = HeatScale::of(saliency);
        assert_eq!([-1.0, 0.0, 0.5].map(|value| scale.difference(value)), [1.0, 0.0, 0.5]);
        let places = [-2.0, -1.0, -0.5, 0.0, f32::NAN, 0.5, 1.0].map(|value| scale.place(value));
        assert_eq!(places, [0.0, 0.0, 0.25, 0.5, 0.5, 0.75, 1.0]);
    }

    #[test]
    fn the_map_of_one_side_goes_from_nothing_to_the_most() {
        let registry = Registry::built_in();
        let saliency = registry.variants().find(|it| it.metric() == "saliency_cc").unwrap();
        for kind in [MapKind::Generated, MapKind::GroundTruth] {
            let scale = HeatScale::of_map(saliency, kind);
            assert_eq!([0.0, 0.25, 1.0].map(|value| scale.place(value)), [0.0, 0.25, 1.0]);
        }
        assert!(HeatScale::of_map(saliency, MapKind::Difference).is_signed);
    }

    fn scale(map_range: Option<(f64, f64)>) -> HeatScale {
        let spec = Registry::built_in().variants().next().unwrap().clone();
        HeatScale::of(&VariantSpec { map_range, ..spec })
    }

    #[test]
    fn more_similar_and_less_distant_are_both_no_heat() {
        let ssim = scale(Some((-1.0, 1.0)));
        assert_eq!((ssim.same, ssim.different), (1.0, 0.0));
        assert_eq!([1.0, 0.75, -0.5].map(|v| ssim.difference(v)), [0.0, 0.25, 1.0]);
        let delta_e = scale(Some((100.0, 0.0)));
        assert_eq!([0.0, 50.0, 120.0].map(|v| delta_e.difference(v)), [0.0, 0.5, 1.0]);
        assert_eq!(delta_e.value_at(0.25), 25.0);
        let signed = scale(Some((1.0, 0.0)));
        assert_eq!([-0.5, 0.5].map(|v| signed.difference(v)), [0.5, 0.5]);
    }

    #[test]
    fn a_map_without_bounds_or_numbers_is_still_drawn() {
        let open = scale(Some((f64::INFINITY, 0.0)));
        assert_eq!(open.difference(0.5), 0.5);
        assert_eq!(open.difference(f32::NAN), 0.0);
        assert_eq!(scale(Some((0.0, 0.0))).difference(1.0), 0.0);
        assert_eq!(scale(None), HeatScale::default());
    }
}
