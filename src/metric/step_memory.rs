//! What metrics remember from one step of a run to the next.

use parking_lot::Mutex;

use crate::base::{Pixels, PixelsId};

/// What was found for a step that makes the next one cheaper: most steps change little of the picture. What is found with
/// it is the same to the bit as without. One a run; threads may share it.
#[derive(Debug, Default)]
pub struct StepMemory {
    pub(super) similarity: Mutex<Option<LastSimilarity>>,
}

/// The local similarities ([`ssim`](super::ssim)) of a step's picture.
#[derive(Debug)]
pub(super) struct LastSimilarity {
    pub(super) ground_truth: PixelsId,
    pub(super) generated: Pixels,
    /// The sums of three channels, row by row.
    pub(super) values: Vec<f64>,
}
