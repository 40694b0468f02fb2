//! Percentile bootstrap intervals.

use rayon::prelude::*;

use super::descriptive::mean;
use super::interval::{Interval, check_confidence};
use super::random::Draws;
use super::undefined::{Undefined, check_finite};

/// How to resample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BootstrapPlan {
    /// How many resamples to draw, at least 1.
    pub resamples: usize,
    /// The share of resamples that the interval holds, between 0 and 1.
    pub confidence: f64,
    /// The same seed gives the same interval.
    pub seed: u64,
}

impl Default for BootstrapPlan {
    fn default() -> Self {
        Self { resamples: 10_000, confidence: 0.95, seed: 0 }
    }
}

/// The percentile bootstrap interval of any statistic of `items` things.
///
/// `statistic` is given the places of a resample, `items` of them, drawn with replacement. It says
/// `None` where it has no value. Results are equal on one thread and many.
///
/// # Errors
///
/// [`Undefined::TooFew`] without items or resamples, [`Undefined::BadConfidence`],
/// [`Undefined::UndefinedResample`] if the statistic has no finite value for a resample.
///
/// Source: Efron 1979.
pub fn bootstrap(
    items: usize,
    plan: &BootstrapPlan,
    statistic: impl Fn(&[usize]) -> Option<f64> + Sync,
) -> Result<Interval, Undefined> {
    let values = resampled(items, plan, statistic)?;
    Ok(Interval::middle_of(&values, plan.confidence))
}

/// The values of the statistic on all resamples, ascending, at least one.
pub(super) fn resampled(
    items: usize,
    plan: &BootstrapPlan,
    statistic: impl Fn(&[usize]) -> Option<f64> + Sync,
) -> Result<Vec<f64>, Undefined> {
    check_confidence(plan.confidence)?;
    for (what, found) in [("items", items), ("resamples", plan.resamples)] {
        if found == 0 {
            return Err(Undefined::TooFew { what, found, needed: 1 });
        }
    }
    let one = |places: &mut Vec<usize>, stream: usize| {
        let mut draws = Draws::new(plan.seed, stream as u64);
        places.clear();
        places.extend((0..items).map(|_| draws.below(items)));
        statistic(places).filter(|value| value.is_finite())
    };
    let values: Option<Vec<f64>> =
        (0..plan.resamples).into_par_iter().map_init(Vec::new, one).collect();
    let mut values = values.ok_or(Undefined::UndefinedResample)?;
    values.sort_unstable_by(f64::total_cmp);
    Ok(values)
}

/// The percentile bootstrap interval of a mean.
///
/// # Errors
///
/// As [`bootstrap`]; [`Undefined::NotFinite`].
pub fn bootstrap_mean(values: &[f64], plan: &BootstrapPlan) -> Result<Interval, Undefined> {
    check_finite(values)?;
    bootstrap(values.len(), plan, |places| mean_at(values, places))
}

/// The mean of the values at these places.
pub(super) fn mean_at(values: &[f64], places: &[usize]) -> Option<f64> {
    let drawn: Vec<f64> = places.iter().filter_map(|at| values.get(*at).copied()).collect();
    mean(&drawn).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 2_000, confidence: 0.95, seed: 11 };

    fn ramp() -> Vec<f64> {
        (0..50).map(|at| f64::from(at * at % 37)).collect()
    }

    #[test]
    fn one_thread_gives_what_many_give() {
        let on = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bootstrap_mean(&ramp(), &PLAN).unwrap())
        };
        assert_eq!(on(1), on(4));
    }

    #[test]
    fn the_interval_is_about_the_normal_one() {
        let values = ramp();
        let deviation = super::super::standard_deviation(&values).unwrap();
        let half = 1.96 * deviation / (values.len() as f64).sqrt();
        let middle = mean(&values).unwrap();
        let interval = bootstrap_mean(&values, &PLAN).unwrap();
        assert!((interval.low - (middle - half)).abs() < 0.1 * half, "{interval:?}");
        assert!((interval.high - (middle + half)).abs() < 0.1 * half, "{interval:?}");
    }

    #[test]
    fn another_seed_gives_another_interval_and_equal_values_none_but_their_own() {
        let other = BootstrapPlan { seed: 12, ..PLAN };
        assert_ne!(bootstrap_mean(&ramp(), &PLAN), bootstrap_mean(&ramp(), &other));
        let same = Interval { low: 0.3, high: 0.3 };
        assert_eq!(bootstrap_mean(&[0.3; 9], &PLAN), Ok(same));
    }

    #[test]
    fn every_undefined_case_says_why() {
        let items = Undefined::TooFew { what: "items", found: 0, needed: 1 };
        assert_eq!(bootstrap_mean(&[], &PLAN), Err(items));
        let none = BootstrapPlan { resamples: 0, ..PLAN };
        let resamples = Undefined::TooFew { what: "resamples", found: 0, needed: 1 };
        assert_eq!(bootstrap_mean(&[1.0], &none), Err(resamples));
        let certain = BootstrapPlan { confidence: 1.0, ..PLAN };
        assert_eq!(bootstrap_mean(&[1.0], &certain), Err(Undefined::BadConfidence));
        assert_eq!(bootstrap_mean(&[f64::NAN], &PLAN), Err(Undefined::NotFinite { at: 0 }));
        assert_eq!(bootstrap(3, &PLAN, |_| None), Err(Undefined::UndefinedResample));
    }
}
