//! How well a model predicts what it has not seen.

use super::{Intercept, LogisticData, LogisticFit, fit_logistic};
use crate::metric::stats::error::StatsError;
use crate::metric::stats::interval::Interval;
use crate::metric::stats::random::Draws;
use crate::metric::stats::wilson::wilson;

/// The accuracy on one half of the observations of a model fitted to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplitAccuracy {
    /// Correct by tested, within 0..=1.
    pub accuracy: f64,
    /// Its interval of 95 % (Wilson).
    pub interval: Interval,
    /// Observations the model was fitted to: half, rounded down.
    pub fitted: usize,
    /// Observations it was tested on: the others.
    pub tested: usize,
    /// Those it predicted.
    pub correct: usize,
}

/// Fits a model to a random half of the observations, and tests it on the other half. The same seed
/// gives the same halves.
///
/// # Errors
///
/// As [`fit_logistic`] on the first half; [`StatsError::TooFew`] of fewer than two observations.
pub fn split_accuracy(
    data: &LogisticData,
    intercept: Intercept,
    seed: u64,
) -> Result<SplitAccuracy, StatsError> {
    let places = Draws::new(seed, 0).shuffled(data.observations());
    let (first, second) = places.split_at(places.len() / 2);
    if first.is_empty() {
        let found = places.len();
        return Err(StatsError::TooFew { what: "observations", found, needed: 2 });
    }
    let fit = fit_logistic(&data.at(first), intercept)?;
    let unseen = data.at(second);
    let right = |at: &usize| predicts(&fit, &unseen, *at) == unseen.outcomes()[*at];
    let correct = (0..second.len()).filter(right).count();
    Ok(SplitAccuracy {
        accuracy: correct as f64 / second.len() as f64,
        interval: wilson(correct as u64, second.len() as u64, 0.95)?,
        fitted: first.len(),
        tested: second.len(),
        correct,
    })
}

/// Whether the model predicts outcome 1 for the observation at this place.
fn predicts(fit: &LogisticFit, data: &LogisticData, at: usize) -> bool {
    let constants = fit.terms.len() - data.columns().len();
    let (constants, slopes) = fit.terms.split_at(constants);
    let constant: f64 = constants.iter().map(|term| term.coefficient).sum();
    let sum = slopes.iter().zip(data.columns()).map(|(term, column)| term.coefficient * column[at]);
    constant + sum.sum::<f64>() > 0.0
}
