//! How large, how spread, and how sure: means, and the intervals around them and proportions.

use super::distribution::{correlation_two_sided, normal_two_sided_quantile};
use super::error::{StatsError, check_finite, finite};

/// The arithmetic mean.
///
/// # Errors
///
/// [`StatsError::TooFew`] of nothing, [`StatsError::NotFinite`], [`StatsError::Overflow`].
pub fn mean(values: &[f64]) -> Result<f64, StatsError> {
    check_finite(values)?;
    let Some(first) = values.first() else {
        return Err(StatsError::TooFew { what: "values", found: 0, needed: 1 });
    };
    // Measured from one of them, the mean of equal values is exactly that value.
    let sum: f64 = values.iter().map(|value| value - first).sum();
    finite(first + sum / values.len() as f64)
}

/// The standard deviation of a sample: the squares' sum is divided by n − 1.
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two, [`StatsError::NotFinite`], [`StatsError::Overflow`].
pub fn standard_deviation(values: &[f64]) -> Result<f64, StatsError> {
    if values.len() < 2 {
        return Err(StatsError::TooFew { what: "values", found: values.len(), needed: 2 });
    }
    let mean = mean(values)?;
    // Two passes: Σx² − (Σx)²/n would cancel all digits where the spread is small beside the mean.
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    finite((squares / (values.len() - 1) as f64).sqrt())
}

/// An interval of a stated confidence, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// What lies `half_width` to both sides.
    pub(super) fn around(middle: f64, half_width: f64) -> Self {
        Self { low: middle - half_width, high: middle + half_width }
    }

    /// The middle part of a sample: what remains when (1 − `confidence`) / 2 is cut off at both ends.
    /// `sorted` is not empty.
    pub(super) fn middle_of(sorted: &[f64], confidence: f64) -> Self {
        let tail = (1.0 - confidence) / 2.0;
        Self { low: quantile_of_sorted(sorted, tail), high: quantile_of_sorted(sorted, 1.0 - tail) }
    }
}

/// How far the two-sided interval of a mean goes to either side, in units of its standard error: the quantile of
/// Student's t distribution with so many degrees of freedom.
///
/// # Errors
///
/// [`StatsError::BadConfidence`], [`StatsError::NoDegreesOfFreedom`].
pub fn student_t_half_width(degrees: usize, confidence: f64) -> Result<f64, StatsError> {
    check_confidence(confidence)?;
    if degrees == 0 {
        return Err(StatsError::NoDegreesOfFreedom { found: 1 });
    }
    // t and the r of `correlation_two_sided` say the same: t² = r² · degrees / (1 − r²). It falls with r, and
    // halving comes to the nearest of all numbers.
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if correlation_two_sided(middle, degrees) > 1.0 - confidence {
            low = middle;
        } else {
            high = middle;
        }
    }
    let r = f64::midpoint(low, high);
    finite(r * (degrees as f64 / ((1.0 - r) * (1.0 + r))).sqrt())
}

/// Refuses what is no confidence.
pub(super) fn check_confidence(confidence: f64) -> Result<(), StatsError> {
    if confidence > 0.0 && confidence < 1.0 { Ok(()) } else { Err(StatsError::BadConfidence) }
}

/// A quantile of values in any order, from 0, the least, to 1, the most; ½ is the median.
///
/// # Errors
///
/// [`StatsError::TooFew`] of nothing, [`StatsError::NotFinite`].
///
/// Source: NumPy's `quantile`, by default.
pub fn quantile(values: &[f64], fraction: f64) -> Result<f64, StatsError> {
    check_finite(values)?;
    if values.is_empty() {
        return Err(StatsError::TooFew { what: "values", found: 0, needed: 1 });
    }
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    Ok(quantile_of_sorted(&sorted, fraction))
}

/// The quantile of a sorted sample, interpolated between neighbours as NumPy does by default.
fn quantile_of_sorted(sorted: &[f64], fraction: f64) -> f64 {
    // NumPy's `linear`: the fraction is of the n − 1 gaps, so that 0 and 1 are the ends themselves.
    let place = fraction.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

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
    // The interval's ends are the proportions that lie z standard errors *of their own* from p,
    // which is a quadratic equation: hence the shift of the middle and the common divisor.
    let shrink = 1.0 + z * z / n;
    let middle = (p + z * z / (2.0 * n)) / shrink;
    let half_width = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt() / shrink;
    let Interval { low, high } = Interval::around(middle, half_width);
    Ok(Interval {
        // Exactly on the border in theory, but rounding may leave a last bit.
        low: if successes == 0 { 0.0 } else { low.max(0.0) },
        high: if successes == trials { 1.0 } else { high.min(1.0) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_quantiles_of_student_are_those_of_the_tables() {
        for (degrees, t) in [(1, 12.706_205), (5, 2.570_582), (30, 2.042_272), (5_999, 1.960_359)] {
            let found = student_t_half_width(degrees, 0.95).unwrap();
            assert!((found - t).abs() < 2e-5 * t, "{degrees}: {found}");
        }
        let none = StatsError::NoDegreesOfFreedom { found: 1 };
        assert_eq!(student_t_half_width(0, 0.95), Err(none));
        assert_eq!(student_t_half_width(3, 1.0), Err(StatsError::BadConfidence));
    }

    #[test]
    fn equal_values_have_exactly_their_mean_and_no_spread() {
        assert_eq!(mean(&[0.1; 7]), Ok(0.1));
        assert_eq!(standard_deviation(&[0.1; 7]), Ok(0.0));
        assert_eq!(standard_deviation(&[1.0, 3.0]), Ok(2.0_f64.sqrt()));
    }

    #[test]
    fn too_few_and_not_finite_say_so() {
        assert_eq!(mean(&[]), Err(StatsError::TooFew { what: "values", found: 0, needed: 1 }));
        let one = StatsError::TooFew { what: "values", found: 1, needed: 2 };
        assert_eq!(standard_deviation(&[4.0]), Err(one));
        assert_eq!(mean(&[1.0, f64::NAN]), Err(StatsError::NotFinite { at: 1 }));
        assert_eq!(mean(&[-f64::MAX, f64::MAX, f64::MAX]), Err(StatsError::Overflow));
    }

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let middle = Interval::middle_of(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.5);
        assert_eq!(middle, Interval { low: 1.0, high: 3.0 });
        assert_eq!(quantile_of_sorted(&[0.0, 10.0], 0.25), 2.5);
        assert_eq!(quantile_of_sorted(&[7.0], 0.9), 7.0);
    }

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
