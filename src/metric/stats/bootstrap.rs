//! Percentile bootstrap intervals, and the random numbers they follow from.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};
use rayon::prelude::*;

use super::descriptive::{Interval, check_confidence};
use super::error::{StatsError, check_finite};

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
/// [`StatsError::TooFew`] of fewer than two items, of which every resample is the same, or without resamples;
/// [`StatsError::BadConfidence`], [`StatsError::UndefinedResample`] if the statistic has no finite value for a
/// resample.
///
/// Source: Efron 1979.
pub fn bootstrap(
    items: usize,
    plan: &BootstrapPlan,
    statistic: impl Fn(&[usize]) -> Option<f64> + Sync,
) -> Result<Interval, StatsError> {
    let values = resampled(items, plan, |places, mut draws| {
        places.clear();
        places.extend((0..items).map(|_| draws.below(items)));
        statistic(places)
    })?;
    Ok(Interval::middle_of(&values, plan.confidence))
}

/// What a function of a resample gives for every one of them, in their order: the same resamples of a
/// plan as [`bootstrap`]'s, for several statistics at once or one that is not always defined
/// ([`DefinedInterval`]).
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two items or without resamples, [`StatsError::BadConfidence`].
pub fn resample<T: Send>(
    items: usize,
    plan: &BootstrapPlan,
    statistic: impl Fn(&[usize]) -> T + Sync,
) -> Result<Vec<T>, StatsError> {
    check(items, plan)?;
    let resamples = (0..plan.resamples).into_par_iter();
    let values = resamples.map_init(Vec::new, |places: &mut Vec<usize>, stream| {
        let mut draws = Draws::new(plan.seed, stream as u64);
        places.clear();
        places.extend((0..items).map(|_| draws.below(items)));
        statistic(places)
    });
    Ok(values.collect())
}

/// The interval of a statistic over those resamples for which it is defined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DefinedInterval {
    /// The middle of its values.
    pub interval: Interval,
    /// Resamples without one.
    pub left_out: usize,
    /// All resamples.
    pub resamples: usize,
}

impl DefinedInterval {
    /// One in so many resamples may be without a value.
    const MOST_LEFT_OUT: usize = 20;

    /// The middle of these values, one a resample; at most 5 % of them may be missing: what is left out
    /// is the resamples with the least variety, so that of many the interval would be too narrow.
    ///
    /// # Errors
    ///
    /// [`StatsError::BadConfidence`], [`StatsError::UndefinedResamples`], [`StatsError::TooFew`] of none.
    pub fn of(
        values: impl IntoIterator<Item = Option<f64>>,
        confidence: f64,
    ) -> Result<Self, StatsError> {
        check_confidence(confidence)?;
        let (mut defined, mut resamples) = (Vec::new(), 0);
        for value in values {
            resamples += 1;
            defined.extend(value.filter(|value| value.is_finite()));
        }
        if resamples == 0 {
            return Err(StatsError::TooFew { what: "resamples", found: 0, needed: 1 });
        }
        let left_out = resamples - defined.len();
        if left_out * Self::MOST_LEFT_OUT > resamples {
            return Err(StatsError::UndefinedResamples { undefined: left_out, resamples });
        }
        defined.sort_unstable_by(f64::total_cmp);
        let interval = Interval::middle_of(&defined, confidence);
        Ok(Self { interval, left_out, resamples })
    }
}

fn check(items: usize, plan: &BootstrapPlan) -> Result<(), StatsError> {
    check_confidence(plan.confidence)?;
    // Of one item all resamples are that one: an interval of no width would be as sure as can be of next to nothing.
    for (what, found, needed) in [("items", items, 2), ("resamples", plan.resamples, 1)] {
        if found < needed {
            return Err(StatsError::TooFew { what, found, needed });
        }
    }
    Ok(())
}

/// The values of a statistic on all resamples, ascending, at least one. It draws its resample itself,
/// from the stream of random numbers that is its own.
fn resampled(
    items: usize,
    plan: &BootstrapPlan,
    statistic: impl Fn(&mut Vec<usize>, Draws) -> Option<f64> + Sync,
) -> Result<Vec<f64>, StatsError> {
    check(items, plan)?;
    // Each resample has a stream of its own, so that the threads' order does not matter; the list of
    // places is a thread's, and filled anew.
    let resamples = (0..plan.resamples).into_par_iter();
    let values = resamples.map_init(Vec::new, |places, stream| {
        let draws = Draws::new(plan.seed, stream as u64);
        statistic(places, draws).filter(|value| value.is_finite())
    });
    let mut values = values.collect::<Option<Vec<f64>>>().ok_or(StatsError::UndefinedResample)?;
    values.sort_unstable_by(f64::total_cmp);
    Ok(values)
}

/// The percentile bootstrap interval of a mean.
///
/// # Errors
///
/// As [`bootstrap`]; [`StatsError::NotFinite`].
pub fn bootstrap_mean(values: &[f64], plan: &BootstrapPlan) -> Result<Interval, StatsError> {
    bootstrap_mean_observed(values, plan, &|| ())
}

/// The same, and `passed` is told of every resample that was drawn, on whichever thread drew it: of a
/// million values they take minutes.
///
/// # Errors
///
/// As [`bootstrap_mean`].
pub fn bootstrap_mean_observed(
    values: &[f64],
    plan: &BootstrapPlan,
    passed: &(dyn Fn() + Sync),
) -> Result<Interval, StatsError> {
    check_finite(values)?;
    let means = resampled_means(values, plan, passed)?;
    Ok(Interval::middle_of(&means, plan.confidence))
}

/// The means of all resamples of these finite values, ascending, at least one: each as
/// [`mean`](super::mean) has it, from the first that is drawn, but without the resample ever being
/// written down.
pub(super) fn resampled_means(
    values: &[f64],
    plan: &BootstrapPlan,
    passed: &(dyn Fn() + Sync),
) -> Result<Vec<f64>, StatsError> {
    resampled(values.len(), plan, |_, mut draws| {
        // In the order of `bootstrap`, so that both draw the same resamples of a seed.
        let mut drawn = (0..values.len()).map(|_| values.get(draws.below(values.len())));
        let first = *drawn.next()??;
        let sum: f64 = drawn.flatten().map(|value| value - first).sum();
        passed();
        Some(first + sum / values.len() as f64)
    })
}

/// A source of random places in a list. Sources of the same seed and stream give the same places in
/// every version and on every machine.
#[derive(Debug)]
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    /// One of the independent streams of a seed: where every resample has its own, it does not
    /// matter which thread draws it.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        source.set_stream(stream);
        Self(source)
    }

    /// A number below `end`, all equally likely but for at most `end` / 2⁶⁴; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        // The high half of the product (Lemire 2019), without a division and without rejecting: one
        // draw is always one number, so that resamples stay in step.
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// The places of a list of this length, in random order.
    pub(super) fn shuffled(&mut self, length: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..length).collect();
        // Fisher and Yates, from the end.
        for at in (1..length).rev() {
            places.swap(at, self.below(at + 1));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::descriptive::mean;

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 2_000, confidence: 0.95, seed: 11 };

    fn ramp() -> Vec<f64> {
        (0..50).map(|at| f64::from(at * at % 37)).collect()
    }

    #[test]
    fn one_thread_gives_what_many_give() {
        let [one, many] = [1, 4].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| bootstrap_mean(&ramp(), &PLAN).unwrap())
        });
        assert_eq!(one, many);
    }

    #[test]
    fn the_mean_of_a_resample_is_that_of_the_values_it_draws_bit_for_bit() {
        let values = ramp();
        let written_down = bootstrap(values.len(), &PLAN, |places| {
            let drawn: Vec<f64> = places.iter().map(|at| values[*at]).collect();
            mean(&drawn).ok()
        });
        let count = std::sync::atomic::AtomicUsize::new(0);
        let observed = bootstrap_mean_observed(&values, &PLAN, &|| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(observed, written_down);
        assert_eq!(count.into_inner(), PLAN.resamples);
    }

    #[test]
    fn the_interval_is_about_the_normal_one() {
        let values = ramp();
        let deviation = crate::metric::stats::standard_deviation(&values).unwrap();
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
        let items = |found| StatsError::TooFew { what: "items", found, needed: 2 };
        assert_eq!(bootstrap_mean(&[], &PLAN), Err(items(0)));
        assert_eq!(bootstrap_mean(&[1.0], &PLAN), Err(items(1)));
        assert_eq!(resample(1, &PLAN, <[usize]>::len), Err(items(1)));
        let none = BootstrapPlan { resamples: 0, ..PLAN };
        let resamples = StatsError::TooFew { what: "resamples", found: 0, needed: 1 };
        assert_eq!(bootstrap_mean(&[1.0, 2.0], &none), Err(resamples));
        let certain = BootstrapPlan { confidence: 1.0, ..PLAN };
        assert_eq!(bootstrap_mean(&[1.0], &certain), Err(StatsError::BadConfidence));
        assert_eq!(bootstrap_mean(&[f64::NAN], &PLAN), Err(StatsError::NotFinite { at: 0 }));
        assert_eq!(bootstrap(3, &PLAN, |_| None), Err(StatsError::UndefinedResample));
    }

    #[test]
    fn few_resamples_without_a_value_are_left_out_and_many_refused() {
        let of = |undefined: usize| {
            let values = resample(50, &PLAN, mean_of).unwrap();
            let values = values.into_iter().enumerate();
            DefinedInterval::of(values.map(|(at, it)| (at >= undefined).then_some(it)), 0.95)
        };
        let whole = bootstrap(50, &PLAN, |places| Some(mean_of(places))).unwrap();
        assert_eq!(of(0), Ok(DefinedInterval { interval: whole, left_out: 0, resamples: 2_000 }));
        assert_eq!(of(100).map(|it| (it.left_out, it.resamples)), Ok((100, 2_000)));
        let many = StatsError::UndefinedResamples { undefined: 101, resamples: 2_000 };
        assert_eq!(many.to_string(), "it has no value for 101 of 2000 resamples");
        assert_eq!(of(101), Err(many));
        let none = StatsError::TooFew { what: "resamples", found: 0, needed: 1 };
        assert_eq!(DefinedInterval::of([], 0.95), Err(none));
    }

    fn mean_of(places: &[usize]) -> f64 {
        places.iter().sum::<usize>() as f64 / places.len() as f64
    }

    #[test]
    fn a_seed_gives_the_same_places_for_ever() {
        let places: Vec<usize> =
            (0..6).map(|_| 100).scan(Draws::new(7, 0), |d, n| Some(d.below(n))).collect();
        assert_eq!(places, LOCKED);
        assert_eq!(Draws::new(1, 2).below(0), 0);
        assert_ne!(Draws::new(7, 1).shuffled(20), Draws::new(7, 2).shuffled(20));
    }

    #[test]
    fn a_shuffle_keeps_every_place() {
        let mut places = Draws::new(3, 0).shuffled(50);
        places.sort_unstable();
        assert_eq!(places, (0..50).collect::<Vec<_>>());
    }
    const LOCKED: [usize; 6] = [15, 16, 70, 72, 60, 35];
}
