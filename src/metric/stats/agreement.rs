//! What every coefficient of agreement is made of.

use super::error::{StatsError, finite};

/// A coefficient of agreement and the two disagreements it is made of:
/// `value = 1 − observed / expected`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// 1 for perfect agreement, 0 for what chance gives, negative for less.
    pub value: f64,
    /// The mean disagreement of labels on the same item, at least 0.
    pub observed_disagreement: f64,
    /// The mean disagreement if labels were given by chance, above 0.
    pub expected_disagreement: f64,
}

impl Agreement {
    /// The coefficient of two disagreements; without any expected one it is undefined.
    pub(super) fn new(observed: f64, expected: f64) -> Result<Self, StatsError> {
        if expected == 0.0 {
            return Err(StatsError::Unanimous);
        }
        Ok(Self {
            value: finite(1.0 - observed / expected)?,
            observed_disagreement: finite(observed)?,
            expected_disagreement: finite(expected)?,
        })
    }
}
