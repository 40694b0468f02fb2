//! Bradley–Terry: strengths from comparisons of pairs.

use super::descriptive::{Interval, check_confidence};
use super::distribution::normal_two_sided_quantile;
use super::error::StatsError;
use super::linear::Cholesky;

/// One comparison of two models, given by their places in the list of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedComparison {
    /// The one.
    pub left: usize,
    /// The other.
    pub right: usize,
    /// Which was preferred.
    pub preferred: Preferred,
}

/// Which side of a comparison was preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preferred {
    /// The left one.
    Left,
    /// The right one.
    Right,
    /// Neither: half a win for both.
    Tie,
}

/// How strong a model is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Its place in the list of models.
    pub model: usize,
    /// Natural logarithm of the strength; all together are 0. A model is preferred to another with
    /// probability 1 / (1 + exp(other − own)).
    pub log_strength: f64,
    /// Its standard error, above 0.
    pub standard_error: f64,
    /// Its interval, from the normal distribution.
    pub interval: Interval,
}

const MOST_ITERATIONS: usize = 100;
/// Most models: a step of the fit takes time in proportion to the cube of their number.
const MOST_MODELS: usize = 1_000;

/// Ranks models by comparisons of pairs: the strengths of maximum likelihood, strongest first.
///
/// Ties count as half a win for both. Equally strong models keep their order. The intervals are
/// against the mean of all models.
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two models, [`StatsError::TooManyModels`], [`StatsError::BadConfidence`],
/// [`StatsError::UnknownModel`], [`StatsError::ComparedWithItself`], [`StatsError::Disconnected`] if
/// comparisons do not connect all models, [`StatsError::NeverBeaten`] if a group of models lost to
/// none of the others, [`StatsError::NotConverged`].
///
/// Source: Bradley and Terry 1952; Hunter 2004 for when the maximum exists.
pub fn bradley_terry(
    models: usize,
    comparisons: &[PairedComparison],
    confidence: f64,
) -> Result<Vec<Strength>, StatsError> {
    check_confidence(confidence)?;
    let wins = Wins::of(models, comparisons.iter().copied())?;
    wins.check_connected()?;
    let strengths = wins.fit()?;
    let z = normal_two_sided_quantile(1.0 - confidence);
    let mut ranking = wins.with_errors(&strengths, z)?;
    // A stable sort, as equals keep their order.
    ranking.sort_by(|a, b| b.log_strength.total_cmp(&a.log_strength));
    Ok(ranking)
}

/// The logarithms of the strengths alone, model by model: the same as [`bradley_terry`]'s, for resamples of many
/// comparisons, which need not be written down.
///
/// # Errors
///
/// As [`bradley_terry`].
pub fn log_strengths(
    models: usize,
    comparisons: impl IntoIterator<Item = PairedComparison>,
) -> Result<Vec<f64>, StatsError> {
    let wins = Wins::of(models, comparisons)?;
    wins.check_connected()?;
    wins.fit()
}

/// How often each model was preferred to each other one.
struct Wins(Vec<Vec<f64>>);

impl Wins {
    fn of(
        models: usize,
        comparisons: impl IntoIterator<Item = PairedComparison>,
    ) -> Result<Self, StatsError> {
        if models < 2 {
            return Err(StatsError::TooFew { what: "models", found: models, needed: 2 });
        }
        if models > MOST_MODELS {
            return Err(StatsError::TooManyModels { found: models, most: MOST_MODELS });
        }
        let mut wins = vec![vec![0.0; models]; models];
        for (at, comparison) in comparisons.into_iter().enumerate() {
            let PairedComparison { left, right, preferred } = comparison;
            let model = left.max(right);
            if model >= models {
                return Err(StatsError::UnknownModel { at, model, models });
            }
            if left == right {
                return Err(StatsError::ComparedWithItself { at });
            }
            let share = match preferred {
                Preferred::Left => 1.0,
                Preferred::Right => 0.0,
                Preferred::Tie => 0.5,
            };
            wins[left][right] += share;
            wins[right][left] += 1.0 - share;
        }
        Ok(Self(wins))
    }

    fn models(&self) -> usize {
        self.0.len()
    }

    /// A finite maximum exists if every model leads to every other one over wins.
    fn check_connected(&self) -> Result<(), StatsError> {
        // Whether they were compared at all is asked first, as it is the plainer reason.
        if let Some(right) = self.unreached(|a, b| self.0[a][b] + self.0[b][a] > 0.0) {
            return Err(StatsError::Disconnected { left: 0, right });
        }
        // Every model reaches every other one if the first reaches all, and all reach the first.
        if let Some(winner) = self.unreached(|a, b| self.0[a][b] > 0.0) {
            return Err(StatsError::NeverBeaten { winner, loser: 0 });
        }
        match self.unreached(|a, b| self.0[b][a] > 0.0) {
            Some(loser) => Err(StatsError::NeverBeaten { winner: 0, loser }),
            None => Ok(()),
        }
    }

    /// A model to which no steps lead from the first one.
    fn unreached(&self, step: impl Fn(usize, usize) -> bool) -> Option<usize> {
        let mut reached = vec![false; self.models()];
        let mut open = vec![0];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from], true) {
                open.extend((0..self.models()).filter(|to| !reached[*to] && step(from, *to)));
            }
        }
        reached.iter().position(|reached| !reached)
    }

    /// The logarithms of the strengths, by Newton's method with halved steps.
    fn fit(&self) -> Result<Vec<f64>, StatsError> {
        let mut strengths = vec![0.0; self.models()];
        for _ in 0..MOST_ITERATIONS {
            // The likelihood is concave, so that Newton's steps, halved where they overshoot, find
            // the one maximum there is.
            let step = self.factor(&strengths)?.solve(&self.gradient(&strengths));
            let (next, largest) = self.improved(&strengths, &step);
            strengths = next;
            if largest < 1e-12 {
                // Only differences of strengths are determined; the mean is set to 0.
                let mean = strengths.iter().sum::<f64>() / self.models() as f64;
                return Ok(strengths.iter().map(|strength| strength - mean).collect());
            }
        }
        Err(StatsError::NotConverged { iterations: MOST_ITERATIONS })
    }

    /// The first of the step, its half, quarter … that does not lose likelihood, and its size.
    fn improved(&self, strengths: &[f64], step: &[f64]) -> (Vec<f64>, f64) {
        // Near the maximum, the likelihood is flat but for rounding.
        let least = self.log_likelihood(strengths) * (1.0 + 1e-12);
        let mut share = 1.0;
        loop {
            let next: Vec<f64> = strengths
                .iter()
                .zip(step)
                .map(|(strength, step)| strength + share * step)
                .collect();
            let largest = step.iter().map(|step| (share * step).abs()).fold(0.0, f64::max);
            if largest < 1e-12 || self.log_likelihood(&next) >= least {
                return (next, largest);
            }
            share /= 2.0;
        }
    }

    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let models = self.models();
        (0..models).flat_map(move |a| (0..models).filter(move |b| *b != a).map(move |b| (a, b)))
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        self.pairs()
            .filter(|&(a, b)| self.0[a][b] > 0.0)
            .map(|(a, b)| self.0[a][b] * libm::log(preference(strengths, a, b)))
            .sum()
    }

    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.models()];
        for (a, b) in self.pairs() {
            let surplus = self.0[a][b] * preference(strengths, b, a);
            gradient[a] += surplus;
            gradient[b] -= surplus;
        }
        gradient
    }

    /// The information about the strengths. It says nothing about their mean; adding a multiple of
    /// the matrix of ones makes up for that without touching anything else.
    fn factor(&self, strengths: &[f64]) -> Result<Cholesky, StatsError> {
        let mut information = vec![vec![self.fill(); self.models()]; self.models()];
        for (a, b) in self.pairs() {
            let compared = self.0[a][b] + self.0[b][a];
            let known = compared * preference(strengths, a, b) * preference(strengths, b, a);
            // Each ordered pair adds to its own row: after both orders the matrix is whole.
            information[a][a] += known;
            information[a][b] -= known;
        }
        Cholesky::of(&information)
            .ok()
            .ok_or(StatsError::NotConverged { iterations: MOST_ITERATIONS })
    }

    fn fill(&self) -> f64 {
        1.0 / self.models() as f64
    }

    fn with_errors(&self, strengths: &[f64], z: f64) -> Result<Vec<Strength>, StatsError> {
        let covariance = self.factor(strengths)?.inverse();
        let ranking = strengths.iter().enumerate().map(|(model, &log_strength)| {
            // What `factor` filled in comes out of the inverse as 1/n; without it the errors are
            // those against the mean of all.
            let standard_error = (covariance[model][model] - self.fill()).max(0.0).sqrt();
            let interval = Interval::around(log_strength, z * standard_error);
            Strength { model, log_strength, standard_error, interval }
        });
        Ok(ranking.collect())
    }
}

/// The probability that `a` is preferred to `b`.
fn preference(strengths: &[f64], a: usize, b: usize) -> f64 {
    1.0 / (1.0 + libm::exp(strengths[b] - strengths[a]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn won(left: usize, right: usize) -> PairedComparison {
        PairedComparison { left, right, preferred: Preferred::Left }
    }

    fn times(count: usize, comparison: PairedComparison) -> Vec<PairedComparison> {
        vec![comparison; count]
    }

    proptest! {
        /// At the maximum, every model is expected to win as often as it did.
        #[test]
        fn expected_wins_are_the_observed_ones(
            sides in prop::collection::vec((0_usize..5, 1_usize..5, 0_u8..3), 1..80),
        ) {
            let comparisons: Vec<PairedComparison> = sides
                .iter()
                .map(|&(left, apart, preferred)| PairedComparison {
                    left,
                    right: (left + apart) % 5,
                    preferred: [Preferred::Left, Preferred::Right, Preferred::Tie][usize::from(preferred)],
                })
                .collect();
            match bradley_terry(5, &comparisons, 0.95) {
                Ok(ranking) => {
                    let mut strengths = vec![0.0; 5];
                    for strength in &ranking {
                        strengths[strength.model] = strength.log_strength;
                        prop_assert!(strength.standard_error > 0.0);
                    }
                    let surplus = Wins::of(5, comparisons.iter().copied()).unwrap().gradient(&strengths);
                    prop_assert!(surplus.iter().all(|surplus| surplus.abs() < 1e-8), "{surplus:?}");
                    prop_assert!(strengths.iter().sum::<f64>().abs() < 1e-9);
                    prop_assert!(ranking.is_sorted_by(|a, b| a.log_strength >= b.log_strength));
                }
                Err(error) => prop_assert!(
                    matches!(error, StatsError::Disconnected { .. } | StatsError::NeverBeaten { .. }),
                    "{error}"
                ),
            }
        }
    }

    #[test]
    fn two_models_have_the_odds_of_their_wins() {
        let comparisons = [times(30, won(0, 1)), times(10, won(1, 0))].concat();
        let ranking = bradley_terry(2, &comparisons, 0.95).unwrap();
        let [first, second] = [ranking[0], ranking[1]];
        assert_eq!((first.model, second.model), (0, 1));
        assert!((first.log_strength - second.log_strength - 3.0_f64.ln()).abs() < 1e-12);
        // The difference has variance 1 / (40 · ¾ · ¼); each strength is half of it.
        assert!((first.standard_error - 0.5 / 7.5_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn every_undefined_case_says_why() {
        fn error(models: usize, comparisons: &[PairedComparison]) -> StatsError {
            bradley_terry(models, comparisons, 0.95).unwrap_err()
        }
        assert_eq!(error(1, &[]), StatsError::TooFew { what: "models", found: 1, needed: 2 });
        assert_eq!(error(2, &[won(0, 2)]), StatsError::UnknownModel { at: 0, model: 2, models: 2 });
        assert_eq!(error(2, &[won(1, 1)]), StatsError::ComparedWithItself { at: 0 });
        let apart = [won(0, 1), won(1, 0), won(2, 3), won(3, 2)];
        assert_eq!(error(4, &apart), StatsError::Disconnected { left: 0, right: 2 });
        assert_eq!(error(2, &[won(1, 0)]), StatsError::NeverBeaten { winner: 1, loser: 0 });
        assert_eq!(error(2, &[won(0, 1)]), StatsError::NeverBeaten { winner: 0, loser: 1 });
        assert_eq!(bradley_terry(2, &apart, 2.0), Err(StatsError::BadConfidence));
        let many = StatsError::TooManyModels { found: 1_001, most: 1_000 };
        assert_eq!(error(1_001, &[won(0, 1)]), many);
        assert_eq!(log_strengths(1_001, [won(0, 1)]), Err(many));
    }
}
