//! Measurements: pure functions, one metric a file, the number and the map that explains it from
//! one pass.
//!
//! Uses `base`, `design` and `raster`; never `render`, never I/O. Start with [`PICTURE_METRICS`].

pub mod plane;
pub mod resize;
mod score;
pub mod ssim;
pub mod stats;

pub use score::{Direction, MissingScore, ScalarMap, Score, VariantSpec};

use crate::base::{CancelToken, Pixels};

/// A metric of two pictures.
pub trait PictureMetric: Sync {
    /// What it is.
    fn spec(&self) -> &'static VariantSpec;

    /// The score of `generated` against `ground_truth`, with its map.
    fn compare(
        &self,
        ground_truth: &Pixels,
        generated: &Pixels,
        cancel: &CancelToken,
    ) -> PictureScore;
}

/// A score with the map that explains it.
#[derive(Clone, Debug)]
pub struct PictureScore {
    /// The number, or why there is none.
    pub score: Score,
    /// The local value at each pixel of the compared size (the smaller width and height), if the
    /// metric has one.
    pub map: Option<ScalarMap>,
}

/// Every picture metric there is, in the order of tables.
pub const PICTURE_METRICS: &[&dyn PictureMetric] = &[&ssim::SsimUniform7];
