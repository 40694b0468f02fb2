//! Intervals where what one person does is alike: persons are resampled, with all they did.

use super::bootstrap::{BootstrapPlan, DefinedInterval, resample};
use super::error::StatsError;

/// The percentile bootstrap interval of a statistic of observations that belong to persons: resamples are of whole
/// persons, drawn with replacement. The statistic is given the observations of a resample, and says `None` where it
/// has no value; at most 5 % of the resamples may be without.
///
/// # Errors
///
/// As [`resample`] and [`DefinedInterval::of`]; [`StatsError::TooFew`] of fewer than two persons, whose resamples are
/// all the same.
///
/// Source: Davison and Hinkley 1997, section 3.8; Field and Welsh 2007.
pub fn cluster_bootstrap<T: Sync>(
    persons: &[Vec<T>],
    plan: &BootstrapPlan,
    statistic: impl Fn(&[&T]) -> Option<f64> + Sync,
) -> Result<DefinedInterval, StatsError> {
    if persons.len() < 2 {
        return Err(StatsError::TooFew { what: "persons", found: persons.len(), needed: 2 });
    }
    let values = resample(persons.len(), plan, |places| {
        let drawn: Vec<&T> = places.iter().filter_map(|at| persons.get(*at)).flatten().collect();
        statistic(&drawn)
    })?;
    DefinedInterval::of(values, plan.confidence)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::bootstrap_mean;

    const PLAN: BootstrapPlan = BootstrapPlan { resamples: 2_000, confidence: 0.95, seed: 3 };

    fn mean(drawn: &[&f64]) -> Option<f64> {
        (!drawn.is_empty()).then(|| drawn.iter().copied().sum::<f64>() / drawn.len() as f64)
    }

    #[test]
    fn of_one_observation_each_it_is_the_bootstrap() {
        let values: Vec<f64> = (0..20).map(|at| f64::from(at * 13 % 17)).collect();
        let persons: Vec<Vec<f64>> = values.iter().map(|value| vec![*value]).collect();
        let clustered = cluster_bootstrap(&persons, &PLAN, mean).unwrap().interval;
        let plain = bootstrap_mean(&values, &PLAN).unwrap();
        assert!((clustered.low - plain.low).abs() < 1e-9, "{clustered:?} and {plain:?}");
        assert!((clustered.high - plain.high).abs() < 1e-9);
    }

    #[test]
    fn saying_the_same_ten_times_makes_nobody_surer() {
        let once: Vec<Vec<f64>> = (0..8).map(|at| vec![f64::from(at)]).collect();
        let often: Vec<Vec<f64>> = (0..8).map(|at| vec![f64::from(at); 10]).collect();
        let [once, often] =
            [once, often].map(|it| cluster_bootstrap(&it, &PLAN, mean).unwrap().interval);
        assert!((once.low - often.low).abs() < 1e-9 && (once.high - often.high).abs() < 1e-9);
        let few = StatsError::TooFew { what: "persons", found: 1, needed: 2 };
        assert_eq!(cluster_bootstrap(&[vec![1.0]], &PLAN, mean), Err(few));
    }
}
