//! Wilson's interval of a proportion.

use super::distribution::normal_two_sided_quantile;
use super::error::StatsError;
use super::interval::{Interval, check_confidence};

/// Wilson's score interval of a proportion, within 0..=1.
///
/// Exactly 0 at its lower end without successes, and exactly 1 at its upper end without failures.
///
/// # Errors
///
/// [`StatsError::TooFew`] without trials, [`StatsError::MoreSuccessesThanTrials`],
/// [`StatsError::BadConfidence`].
///
/// Source: Wilson 1927; statsmodels `proportion_confint(method="wilson")`.
pub fn wilson(successes: u64, trials: u64, confidence: f64) -> Result<Interval, StatsError> {
    check_confidence(confidence)?;
    if successes > trials {
        return Err(StatsError::MoreSuccessesThanTrials { successes, trials });
    }
    if trials == 0 {
        return Err(StatsError::TooFew { what: "trials", found: 0, needed: 1 });
    }
    let n = trials as f64;
    let p = successes as f64 / n;
    let z = normal_two_sided_quantile(1.0 - confidence);
    let shrink = 1.0 + z * z / n;
    let middle = (p + z * z / (2.0 * n)) / shrink;
    let half_width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    let Interval { low, high } = Interval::around(middle, half_width);
    Ok(Interval {
        low: if successes == 0 { 0.0 } else { low.max(0.0) },
        high: if successes == trials { 1.0 } else { high.min(1.0) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_holds_the_proportion_and_mirrors_with_it(
            trials in 1_u64..1_000_000, share in 0.0..=1.0,
        ) {
            let successes = (trials as f64 * share) as u64;
            let interval = wilson(successes, trials, 0.95).unwrap();
            let p = successes as f64 / trials as f64;
            prop_assert!(0.0 <= interval.low && interval.low <= p + 1e-15);
            prop_assert!(p <= interval.high + 1e-15 && interval.high <= 1.0);
            let mirrored = wilson(trials - successes, trials, 0.95).unwrap();
            prop_assert!((mirrored.low - (1.0 - interval.high)).abs() < 1e-12);
        }
    }

    #[test]
    fn what_is_no_proportion_is_refused() {
        let trials = StatsError::TooFew { what: "trials", found: 0, needed: 1 };
        assert_eq!(wilson(0, 0, 0.95), Err(trials));
        let more = StatsError::MoreSuccessesThanTrials { successes: 3, trials: 2 };
        assert_eq!(wilson(3, 2, 0.95), Err(more));
        for confidence in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(wilson(1, 2, confidence), Err(StatsError::BadConfidence));
        }
    }
}
