//! Two models on the same tasks: is one better?

use super::bootstrap::{BootstrapPlan, resampled_means};
use super::descriptive::{Interval, mean};
use super::distribution::even_binomial_at_most;
use super::error::{StatsError, check_pairs};

/// The mean difference of two models, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairedBootstrap {
    /// The mean of first − second.
    pub mean_difference: f64,
    /// Its percentile interval.
    pub interval: Interval,
    /// Twice the share of resamples on the rarer side of 0, the sample itself counted among them;
    /// within 0..=1.
    pub p: f64,
}

/// The sign test of two models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignTest {
    /// Tasks on which the first is larger.
    pub wins: u64,
    /// Tasks on which the second is larger.
    pub losses: u64,
    /// Tasks on which they are equal; they say nothing.
    pub ties: u64,
    /// The probability of wins and losses at least as uneven, if both were equally likely.
    pub p: f64,
}

/// Resamples tasks, keeping the two scores of a task together.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::Overflow`], and those of
/// [`super::bootstrap`].
pub fn paired_bootstrap(
    first: &[f64],
    second: &[f64],
    plan: &BootstrapPlan,
) -> Result<PairedBootstrap, StatsError> {
    paired_bootstrap_observed(first, second, plan, &|| ())
}

/// The same, and `passed` is told of every resample, as in [`super::bootstrap_mean_observed`].
///
/// # Errors
///
/// As [`paired_bootstrap`].
pub fn paired_bootstrap_observed(
    first: &[f64],
    second: &[f64],
    plan: &BootstrapPlan,
    passed: &(dyn Fn() + Sync),
) -> Result<PairedBootstrap, StatsError> {
    check_pairs(first, second)?;
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    let values = resampled_means(&differences, plan, passed)?;
    // A resample of exactly 0 speaks for either side, so that equal models have p = 1.
    let below = values.iter().filter(|value| **value <= 0.0).count();
    let above = values.iter().filter(|value| **value >= 0.0).count();
    // One is added on both sides of the fraction (Davison and Hinkley 1997, chapter 4), the sample
    // itself being one more: p is never 0.
    let rarer = (below.min(above) + 1) as f64 / (values.len() + 1) as f64;
    Ok(PairedBootstrap {
        mean_difference: mean(&differences)?,
        interval: Interval::middle_of(&values, plan.confidence),
        p: (2.0 * rarer).min(1.0),
    })
}

/// The exact two-sided sign test of two models on the same tasks.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] without tasks,
/// [`StatsError::AllTied`].
pub fn sign_test(first: &[f64], second: &[f64]) -> Result<SignTest, StatsError> {
    check_pairs(first, second)?;
    if first.is_empty() {
        return Err(StatsError::TooFew { what: "pairs", found: 0, needed: 1 });
    }
    let wins = first.iter().zip(second).filter(|(a, b)| a > b).count() as u64;
    let losses = first.iter().zip(second).filter(|(a, b)| a < b).count() as u64;
    // Ties say nothing of who is better; of ties alone there is no test.
    if wins + losses == 0 {
        return Err(StatsError::AllTied);
    }
    let p = (2.0 * even_binomial_at_most(wins.min(losses), wins + losses)).min(1.0);
    Ok(SignTest { wins, losses, ties: first.len() as u64 - wins - losses, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 999, confidence: 0.95, seed: 5 };

    #[test]
    fn a_clear_difference_is_sure_and_swaps_its_sign() {
        let first: Vec<f64> = (0..30).map(|at| f64::from(at) + 1.0 + f64::from(at % 3)).collect();
        let second: Vec<f64> = (0..30).map(f64::from).collect();
        let there = paired_bootstrap(&first, &second, &PLAN).unwrap();
        let back = paired_bootstrap(&second, &first, &PLAN).unwrap();
        assert_eq!((there.mean_difference, there.p), (2.0, 2.0 / 1000.0));
        assert!(there.interval.low > 0.0);
        assert!((there.interval.low + back.interval.high).abs() < 1e-12);
    }

    #[test]
    fn equal_models_do_not_differ() {
        let same = paired_bootstrap(&[1.0, 2.0], &[1.0, 2.0], &PLAN).unwrap();
        assert_eq!((same.mean_difference, same.p), (0.0, 1.0));
        assert_eq!(sign_test(&[1.0, 2.0], &[1.0, 2.0]), Err(StatsError::AllTied));
    }

    #[test]
    fn signs_are_counted_exactly() {
        let test =
            sign_test(&[2.0, 2.0, 2.0, 2.0, 2.0, 0.0], &[1.0, 1.0, 1.0, 1.0, 2.0, 1.0]).unwrap();
        assert_eq!((test.wins, test.losses, test.ties), (4, 1, 1));
        // At most 1 of 5, at either end: 2 (1 + 5) / 32.
        assert!((test.p - 0.375).abs() < 1e-12);
    }

    #[test]
    fn every_undefined_case_says_why() {
        let lengths = StatsError::UnequalLengths { left: 1, right: 2 };
        assert_eq!(paired_bootstrap(&[1.0], &[1.0, 2.0], &PLAN), Err(lengths.clone()));
        assert_eq!(sign_test(&[1.0], &[1.0, 2.0]), Err(lengths));
        assert!(matches!(sign_test(&[], &[]), Err(StatsError::TooFew { .. })));
        assert!(matches!(paired_bootstrap(&[], &[], &PLAN), Err(StatsError::TooFew { .. })));
        assert_eq!(sign_test(&[f64::NAN], &[1.0]), Err(StatsError::NotFinite { at: 0 }));
    }
}
