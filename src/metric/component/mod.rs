//! How alike the components of two designs are: which of the ground truth are there, where, in
//! which colour, with which text.
//!
//! [`ComponentSimilarity`] gives four parts and their mean, in two variants:
//!
//! | part | `canvas`, as published | `strict`, ours |
//! |---|---|---|
//! | `block_match` | paired share of the ground truth's nodes | paired share of both sides' nodes |
//! | `position_similarity` | 1 − distance of centres over the larger diagonal, may be negative | the same, at least 0 |
//! | `color_similarity` | distance in 8-bit RGB | CIEDE2000 |
//! | `text_coverage_f1` | F1 over equal texts | F1 over texts by edit similarity |
//!
//! `canvas` is kixlab/canvas, `evaluation/metrics/component_similarity`, digit for digit; in
//! [`canvas`] stands what that means in odd cases. It never punishes what should not be there, and
//! does not see hidden nodes; `strict` does ([`strict`]).
//!
//! Start with [`canvas`]. [`block`] says what a node is to this metric, [`Components`] what
//! explains the number.

mod block;
mod canvas;
mod pairing;
mod strict;

use std::borrow::Cow;
use std::sync::Arc;

use crate::base::CancelToken;
use crate::design::Document;

use super::measure::all_missing;
use super::{
    Comparison, Direction, Evidence, Measurement, Metric, MissingScore, Needs, Score, VariantSpec,
};
pub use pairing::{ComponentPair, Components, Parts};

/// The component-wise similarity of CANVAS, in its parts, and its strict sister.
#[derive(Clone, Copy, Debug)]
pub struct ComponentSimilarity;

const SOURCE: &str =
    "CANVAS, Evaluation Metrics; kixlab/canvas evaluation/metrics/component_similarity";
const STRICT_SOURCE: &str = "of this program, after CANVAS and Design2Code (Si et al. 2025)";

const fn published(id: &'static str, label: &'static str, least: f64) -> VariantSpec {
    variant(id, label, "CANVAS code", least, SOURCE)
}

const fn strict_of(id: &'static str, label: &'static str) -> VariantSpec {
    variant(id, label, "strict", 0.0, STRICT_SOURCE)
}

const fn variant(
    id: &'static str,
    label: &'static str,
    variant_label: &'static str,
    least: f64,
    source: &'static str,
) -> VariantSpec {
    VariantSpec {
        id: Cow::Borrowed(id),
        label,
        variant_label: Cow::Borrowed(variant_label),
        needs: Needs::Designs,
        is_asked: false,
        direction: Direction::HigherIsBetter,
        range: (least, 1.0),
        map_range: None,
        version: 1,
        source,
    }
}

static VARIANTS: [VariantSpec; 10] = [
    published("component_similarity/canvas", "Component-wise", f64::NEG_INFINITY),
    published("block_match/canvas", "Block match", 0.0),
    published("position_similarity/canvas", "Position", f64::NEG_INFINITY),
    published("color_similarity/canvas", "Colour", 0.0),
    published("text_coverage_f1/canvas", "Text F1", 0.0),
    strict_of("component_similarity/strict", "Component-wise"),
    strict_of("block_match/strict", "Block match"),
    strict_of("position_similarity/strict", "Position"),
    strict_of("color_similarity/strict", "Colour"),
    strict_of("text_coverage_f1/strict", "Text F1"),
];

impl ComponentSimilarity {
    /// The variant `canvas`: its parts before they are rounded, with the pairs.
    pub fn canvas(
        ground_truth: &Document,
        generated: &Document,
        cancel: &CancelToken,
    ) -> Result<(Parts, Components), MissingScore> {
        canvas::compare(ground_truth, generated, cancel)
    }

    /// Whether a design has a root frame with a box: without, no variant has a value, whatever it is compared with.
    pub fn has_root_frame(design: &Document) -> bool {
        block::has_root_frame(design)
    }

    /// The variant `strict`, with the pairs.
    pub fn strict(
        ground_truth: &Document,
        generated: &Document,
        cancel: &CancelToken,
    ) -> Result<(Parts, Components), MissingScore> {
        strict::compare(ground_truth, generated, cancel)
    }
}

impl Metric for ComponentSimilarity {
    fn variants(&self) -> &[VariantSpec] {
        &VARIANTS
    }

    fn measurements(&self, comparison: &Comparison<'_>, cancel: &CancelToken) -> Vec<Measurement> {
        let (truth, generated) = match comparison.designs() {
            Ok(designs) => designs,
            Err(missing) => return all_missing(&VARIANTS, &missing),
        };
        // One may be missing where the other is not: the published evaluator stops at a text
        // without characters.
        let published = Self::canvas(truth, generated, cancel);
        let ours = Self::strict(truth, generated, cancel);
        let mut all = measurements(published, canvas::rounded);
        all.extend(measurements(ours, |score| score));
        all
    }
}

/// The mean and the four parts, each with the pairs that explain it.
fn measurements(
    result: Result<(Parts, Components), MissingScore>,
    rounded: impl Fn(f64) -> f64,
) -> Vec<Measurement> {
    let (parts, components) = match result {
        Ok(result) => result,
        Err(missing) => return vec![Measurement::missing(missing); 5],
    };
    // Shared: five measurements show the same pairs.
    let evidence = Evidence::Components(Arc::new(components));
    let measurements = parts.scores().map(|score| Measurement {
        score: Score::from_number(rounded(score)),
        evidence: Some(evidence.clone()),
    });
    measurements.into()
}
