//! Saliency of two pictures, compared, and what predicts it.

use std::borrow::Cow;
use std::fmt::Debug;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels};
use crate::metric::measure::all_missing;
use crate::metric::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, SaliencyMaps,
    ScalarMap, Score, VariantSpec,
};

use super::similarity::scaled;
use super::{correlation, divergence, intersection, linear};

/// Size at which maps are compared, across and down.
const COMPARED: (u32, u32) = (320, 240);

/// How alike the places are that a predictor expects people to look at.
///
/// Each picture is predicted at its own size. The maps are brought to 320×240 pixels whatever the
/// shape of the picture, and to 0..=1, as in the published code. Variants: `saliency_cc/…`
/// ([`correlation`]), `saliency_sim/…` ([`intersection`]), `saliency_kl/…` ([`divergence`]). The
/// evidence is both maps and their difference. A map that is flat or has a value that is not finite
/// is [`MissingScore::Undefined`]; the published code gives a flat one numbers that mean nothing.
#[derive(Debug)]
pub struct Saliency {
    predictor: Arc<dyn SaliencyPredictor>,
    variants: [VariantSpec; 3],
}

/// What the names of its metrics begin with.
const PREFIX: &str = "saliency_";
const SOURCE: &str = "CANVAS, Evaluation; kixlab/canvas evaluation/metrics/visual_saliency";

impl Saliency {
    /// The metric that goes by `predictor`.
    pub fn new(predictor: Arc<dyn SaliencyPredictor>) -> Self {
        use Direction::{HigherIsBetter, LowerIsBetter};
        let variants = [
            ("cc", "Saliency CC", HigherIsBetter, (-1.0, 1.0)),
            ("sim", "Saliency SIM", HigherIsBetter, (0.0, 1.0)),
            ("kl", "Saliency KL", LowerIsBetter, (0.0, 18.5)),
        ]
        .map(|(measure, label, direction, range)| VariantSpec {
            id: Cow::Owned(format!("{PREFIX}{measure}/{}", predictor.name())),
            label,
            variant_label: Cow::Owned(predictor.name().to_owned()),
            needs: Needs::Pictures,
            is_asked: false,
            direction,
            range,
            map_range: Some((-1.0, 1.0)),
            version: 1,
            source: SOURCE,
        });
        Self { predictor, variants }
    }

    /// Whether a variant is one of this metric, whatever predictor it goes by.
    pub fn has(variant: &VariantSpec) -> bool {
        variant.metric().starts_with(PREFIX)
    }

    fn measure_all(&self, comparison: &Comparison<'_>) -> Result<Vec<Measurement>, MissingScore> {
        // Each at its own size, as published; the maps are brought to one.
        let (truth, generated) = comparison.pictures()?;
        let truth = self.map(truth, "the ground truth")?;
        let generated = self.map(generated, "what was made")?;
        let evidence = Evidence::Saliency(SaliencyMaps {
            difference: Some(scalar_map(generated.iter().zip(&truth).map(|(new, old)| new - old))),
            ground_truth: Some(scalar_map(truth.iter().copied())),
            generated: Some(scalar_map(generated.iter().copied())),
        });
        // In the order of the variants.
        let values = [
            correlation(&truth, &generated),
            intersection(&truth, &generated),
            divergence(&truth, &generated),
        ];
        let measurements = values.map(|value| Measurement {
            score: value.map_or(Score::Missing(MissingScore::NotFinite), Score::from_number),
            evidence: Some(evidence.clone()),
        });
        Ok(measurements.into())
    }

    /// The map of a side as it is shown; `None` if it has no picture or that no map.
    fn map_of(&self, picture: Option<&Pixels>) -> Option<ScalarMap> {
        let map = self.map(picture?, "the picture").ok()?;
        Some(scalar_map(map.into_iter()))
    }

    /// The map of a picture as it is compared.
    fn map(&self, picture: &Pixels, whose: &str) -> Result<Vec<f64>, MissingScore> {
        let map = self.predictor.predict(picture)?;
        // Checked before it is resized: one NaN would spread to its neighbours and be hard to name.
        if !map.values.iter().all(|value| value.is_finite()) {
            return Err(self.undefined(whose, "has values that are not finite numbers"));
        }
        let Some(compared) = linear::resize(&map, COMPARED.0, COMPARED.1) else {
            return Err(self.undefined(whose, "has not the values its size needs"));
        };
        // Brought to 0..=1 after resizing, which may have cut off the highest peak.
        let values: Vec<f64> = compared.values.iter().copied().map(f64::from).collect();
        scaled(&values).ok_or_else(|| self.undefined(whose, "is flat"))
    }

    fn undefined(&self, whose: &str, what: &str) -> MissingScore {
        let predictor = self.predictor.name();
        MissingScore::Undefined(format!("the {predictor} saliency map of {whose} {what}"))
    }
}

fn scalar_map(values: impl Iterator<Item = f64>) -> ScalarMap {
    let values = values.map(|value| value as f32).collect();
    ScalarMap { width: COMPARED.0, height: COMPARED.1, values }
}

impl Metric for Saliency {
    fn variants(&self) -> &[VariantSpec] {
        &self.variants
    }

    fn fingerprint(&self) -> Option<String> {
        self.predictor.fingerprint()
    }

    fn measurements(&self, comparison: &Comparison<'_>, _: &CancelToken) -> Vec<Measurement> {
        self.measure_all(comparison).unwrap_or_else(|missing| all_missing(&self.variants, &missing))
    }

    /// The maps of the sides that have one: a design without a ground truth has its own, and an empty
    /// start, whose map is flat, does not hide that of the ground truth.
    fn partial_evidence(&self, comparison: &Comparison<'_>) -> Option<Evidence> {
        let maps = SaliencyMaps {
            ground_truth: self.map_of(comparison.ground_truth.picture),
            generated: self.map_of(comparison.generated.picture),
            difference: None,
        };
        (maps != SaliencyMaps::default()).then_some(Evidence::Saliency(maps))
    }
}

/// Predicts where people look at a picture.
pub trait SaliencyPredictor: Debug + Send + Sync {
    /// Its name as it stands in variant ids: lower case, no slash, no space.
    fn name(&self) -> &str;

    /// What it is beside its name, as [`Metric::fingerprint`](crate::metric::Metric::fingerprint) has it.
    fn fingerprint(&self) -> Option<String> {
        None
    }

    /// How much each place of the picture draws the eye: more is more, on any scale. The map may be
    /// of any size and covers the whole picture.
    ///
    /// # Errors
    ///
    /// Why there is no prediction, such as [`MissingScore::NoModel`].
    fn predict(&self, picture: &Pixels) -> Result<ScalarMap, MissingScore>;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::MapKind;

    /// Predicts whatever it was told to.
    #[derive(Debug)]
    struct FixedMap(ScalarMap);

    impl SaliencyPredictor for FixedMap {
        fn name(&self) -> &'static str {
            "told"
        }

        fn predict(&self, _: &Pixels) -> Result<ScalarMap, MissingScore> {
            Ok(self.0.clone())
        }
    }

    fn scores(width: u32, height: u32, values: &[f32]) -> Vec<Score> {
        let told = FixedMap(ScalarMap { width, height, values: values.into() });
        let picture = Pixels::filled(2, 2, [0; 4]).unwrap();
        let comparison = Comparison::of_pictures(&picture, &picture);
        let found = Saliency::new(Arc::new(told)).measurements(&comparison, &CancelToken::new());
        found.into_iter().map(|measurement| measurement.score).collect()
    }

    #[test]
    fn the_name_of_the_predictor_is_in_every_variant() {
        let told = FixedMap(ScalarMap { width: 1, height: 1, values: [0.0].into() });
        let saliency = Saliency::new(Arc::new(told));
        let ids: Vec<_> = saliency.variants().iter().map(|variant| &*variant.id).collect();
        assert_eq!(ids, ["saliency_cc/told", "saliency_sim/told", "saliency_kl/told"]);
    }

    #[test]
    fn a_map_that_says_nothing_is_a_reason() {
        for (width, height, values) in [
            (2, 1, &[0.5, f32::NAN][..]),
            (2, 1, &[0.5, f32::INFINITY]),
            (2, 1, &[0.5, 0.5]),
            (2, 2, &[0.5]),
            (0, 0, &[]),
        ] {
            for score in scores(width, height, values) {
                assert!(matches!(score, Score::Missing(MissingScore::Undefined(_))), "{score:?}");
            }
        }
    }

    /// Predicts that people look at what is red.
    #[derive(Debug)]
    struct Redness;

    impl SaliencyPredictor for Redness {
        fn name(&self) -> &'static str {
            "redness"
        }

        fn predict(&self, picture: &Pixels) -> Result<ScalarMap, MissingScore> {
            let values = picture.rgba().chunks_exact(4).map(|pixel| f32::from(pixel[0]));
            let (width, height) = (picture.width(), picture.height());
            Ok(ScalarMap { width, height, values: values.collect() })
        }
    }

    fn kinds(evidence: Option<Evidence>) -> Vec<MapKind> {
        let maps = evidence.map(Evidence::into_maps).unwrap_or_default();
        maps.iter().map(|(kind, _)| *kind).collect()
    }

    #[test]
    fn a_side_alone_has_its_map_and_no_score() {
        let saliency = Saliency::new(Arc::new(Redness));
        let marked = Pixels::from_rgba(2, 1, vec![255, 0, 0, 255, 0, 0, 0, 255]).unwrap();
        let empty = Pixels::filled(2, 1, [255; 4]).unwrap();
        let mut alone = Comparison::default();
        assert!(saliency.partial_evidence(&alone).is_none());
        alone.generated.picture = Some(&marked);
        assert_eq!(kinds(saliency.partial_evidence(&alone)), [MapKind::Generated]);
        // The map of an empty start is flat, and that of the ground truth is not.
        let start = Comparison::of_pictures(&marked, &empty);
        let measured = saliency.measurements(&start, &CancelToken::new());
        assert!(measured.iter().all(|it| it.score.value().is_none() && it.evidence.is_none()));
        assert_eq!(kinds(saliency.partial_evidence(&start)), [MapKind::GroundTruth]);
    }

    #[test]
    fn a_difference_is_what_was_made_less_the_ground_truth() {
        let saliency = Saliency::new(Arc::new(Redness));
        let [left, right] = [[255, 0], [0, 255]].map(|[left, right]| {
            Pixels::from_rgba(2, 1, vec![left, 0, 0, 255, right, 0, 0, 255]).unwrap()
        });
        let compared = Comparison::of_pictures(&left, &right);
        let measured = saliency.measurements(&compared, &CancelToken::new());
        let maps = measured.into_iter().next().and_then(|it| it.evidence).unwrap().into_maps();
        let ends = maps.iter().map(|(kind, map)| (*kind, [map.get(0, 0), map.get(319, 239)]));
        let expected = [
            (MapKind::Difference, [Some(-1.0), Some(1.0)]),
            (MapKind::Generated, [Some(0.0), Some(1.0)]),
            (MapKind::GroundTruth, [Some(1.0), Some(0.0)]),
        ];
        assert_eq!(ends.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn equal_pictures_are_looked_at_alike() {
        let found = scores(2, 2, &[0.0, 3.0, 9.0, 1.0]);
        let values: Vec<_> = found.iter().map(Score::value).collect();
        assert_eq!(values, [Some(1.0), Some(1.0), Some(0.0)]);
    }
}
