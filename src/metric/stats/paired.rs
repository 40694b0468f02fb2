//! Two models on the same tasks: is one better?

use super::bootstrap::{BootstrapPlan, resampled_means};
use super::descriptive::{Interval, mean};
use super::distribution::even_binomial_at_most;
use super::error::{StatsError, check_pairs};

/// By which share of the larger of two scores their difference may be off: more than sums and means of scores lose to
/// rounding, and far less than scores are told apart by.
const SCORE_PRECISION: f64 = 1e-12;

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

/// The differences first − second, no finer than the scores carry them: 0.8 − 0.7 and 0.4 − 0.3 are one difference, which
/// as floats are two.
///
/// Sizes that are no further apart than 10⁻¹² of the largest score they are of become the least of them, and what is no
/// larger than that of its own two scores becomes 0; all others stay as they are, to the last bit. Of one difference with
/// either sign the sizes are the same.
pub(super) fn paired_differences(first: &[f64], second: &[f64]) -> Vec<f64> {
    // Each difference with how far rounding may have carried it.
    let pairs = first.iter().zip(second).map(|(a, b)| {
        let slack = SCORE_PRECISION * a.abs().max(b.abs());
        let difference = a - b;
        (if difference.abs() <= slack { 0.0 } else { difference }, slack)
    });
    let pairs: Vec<(f64, f64)> = pairs.collect();
    // What is 0 was found above, by its own scores: sizes beside it are no part of that.
    let mut order: Vec<usize> = (0..pairs.len()).filter(|at| pairs[*at].0 != 0.0).collect();
    order.sort_by(|a, b| {
        let (a, b) = (pairs[*a], pairs[*b]);
        a.0.abs().total_cmp(&b.0.abs()).then_with(|| b.1.total_cmp(&a.1))
    });
    let mut differences: Vec<f64> = pairs.iter().map(|(difference, _)| *difference).collect();
    // The least of the sizes that are one, and its slack: measured from it, no chain of neighbours drifts away.
    let mut least: Option<(f64, f64)> = None;
    for at in order {
        let (difference, slack) = pairs[at];
        let size = difference.abs();
        match least {
            Some((of_them, its_slack))
                if size == of_them || size - of_them <= slack.max(its_slack) =>
            {
                differences[at] = of_them.copysign(difference);
            }
            _ => least = Some((size, slack)),
        }
    }
    differences
}

/// The exact two-sided sign test of two models on the same tasks. Scores no further apart than 10⁻¹² of the larger are
/// equal, as rounding may have parted them.
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
    let differences = paired_differences(first, second);
    let wins = differences.iter().filter(|difference| **difference > 0.0).count() as u64;
    let losses = differences.iter().filter(|difference| **difference < 0.0).count() as u64;
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
    fn equal_decimal_differences_are_one_and_all_others_stay_as_they_are() {
        let found = paired_differences(&[0.8, 0.3, 0.1 + 0.2, 5.0], &[0.7, 0.4, 0.3, 5.0]);
        assert_eq!(found[0], -found[1]);
        assert_eq!(found[2..], [0.0, 0.0]);
        // 10⁻⁹ is a difference, be the scores about 1 or about 0.
        let found = paired_differences(&[1.0, 1.0 + 1e-9, 2e-9, 1e-9], &[0.0, 0.0, 0.0, 0.0]);
        assert_eq!(found, [1.0, 1.0 + 1e-9, 2e-9, 1e-9]);
        let test = sign_test(&[0.1 + 0.2, 1.0], &[0.3, 0.0]).unwrap();
        assert_eq!((test.wins, test.losses, test.ties), (1, 0, 1));
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
