//! What metrics remember from one step of a run to the next.

use parking_lot::Mutex;

use super::ssim::LastSimilarity;

/// What was found for a step that makes the next one cheaper: most steps change little of the picture. What is found with
/// it is the same to the bit as without. One a run; threads may share it.
#[derive(Debug, Default)]
pub struct StepMemory {
    pub(super) similarity: Mutex<Option<LastSimilarity>>,
}
