//! Logistic regression: which variables predict an outcome of yes or no.
//!
//! [`fit_logistic`] finds the coefficients of maximum likelihood by Newton's method, which for this
//! model is iteratively reweighted least squares, with steps halved where they would lose likelihood.
//! Where the variables tell the outcomes apart there is no maximum: coefficients grow without limit,
//! and what a program prints after its last iteration means nothing. That is found and named.

mod design;

use super::bootstrap::Draws;
use super::descriptive::{Interval, wilson};
use super::error::StatsError;
use super::linear::Cholesky;
use design::{Design, MOST_ITERATIONS, not_converged};
pub use design::{Intercept, LogisticData, Term};
pub(super) use design::{logistic, term};

/// A fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticFit {
    /// The intercept first if there is one, then the columns.
    pub terms: Vec<Term>,
    /// Natural logarithm of the likelihood, at most 0.
    pub log_likelihood: f64,
    /// The share of observations on whose side of ½ the fitted probability is, within 0..=1. A
    /// probability of exactly ½ predicts 0.
    pub accuracy: f64,
    /// Observations.
    pub observations: usize,
    /// Iterations of Newton's method.
    pub iterations: usize,
}

/// Steps that move no observation's log odds by this much end the iteration. Newton's method doubles the digits in
/// each step, so that the coefficients are exact to rounding by then. Of columns that nearly follow from each other the
/// coefficients themselves never come to rest, as rounding moves them along what makes no difference.
const LEAST_STEP: f64 = 1e-10;

/// Fits a logistic regression by maximum likelihood.
///
/// Neither the unit nor, with an intercept, the origin of a column matters, however large.
///
/// # Errors
///
/// [`StatsError::TooFew`] of no column or fewer observations than terms, [`StatsError::OneOutcome`]
/// with an intercept, [`StatsError::Collinear`] naming the column, [`StatsError::PerfectSeparation`],
/// [`StatsError::QuasiSeparation`], [`StatsError::NotConverged`].
///
/// Source: Albert and Anderson 1984 for separation; statsmodels `Logit` for the figures.
pub fn fit_logistic(data: &LogisticData, intercept: Intercept) -> Result<LogisticFit, StatsError> {
    check(data, intercept)?;
    let design = Design::new(data, intercept)?;
    let maximum = maximise(&design, data)?;
    let covariance = design.factor(&maximum.coefficients).ok().ok_or_else(not_converged)?.inverse();
    let terms = design.terms(data, &maximum.coefficients, &covariance);
    let right = design.margins(&maximum.coefficients).into_iter().zip(data.outcomes());
    // Not the sign of the margin: a margin of exactly 0 predicts outcome 0.
    let correct =
        right.filter(|(margin, outcome)| if **outcome { *margin > 0.0 } else { *margin >= 0.0 });
    Ok(LogisticFit {
        accuracy: correct.count() as f64 / data.observations() as f64,
        terms,
        log_likelihood: design.log_likelihood(&maximum.coefficients),
        observations: data.observations(),
        iterations: maximum.iterations,
    })
}

fn check(data: &LogisticData, intercept: Intercept) -> Result<(), StatsError> {
    if data.columns().is_empty() {
        return Err(StatsError::TooFew { what: "columns", found: 0, needed: 1 });
    }
    let needed = data.columns().len() + usize::from(intercept == Intercept::With);
    let found = data.observations();
    if found < needed {
        return Err(StatsError::TooFew { what: "observations", found, needed });
    }
    // Without an intercept one outcome can still be predicted from the columns' signs.
    let ones = data.outcomes().iter().filter(|outcome| **outcome).count();
    if intercept == Intercept::With && (ones == 0 || ones == found) {
        return Err(StatsError::OneOutcome { outcome: u8::from(ones > 0) });
    }
    Ok(())
}

struct Maximum {
    coefficients: Vec<f64>,
    iterations: usize,
}

/// Newton's method from 0. Looks at every step whether the observations are told apart.
fn maximise(design: &Design, data: &LogisticData) -> Result<Maximum, StatsError> {
    let mut coefficients = vec![0.0; design.terms_count()];
    let mut step: Option<Vec<f64>> = None;
    for iterations in 1..=MOST_ITERATIONS {
        let factor = match (design.factor(&coefficients), &step) {
            (Ok(factor), _) => factor,
            // At the first step all weights are equal, so a singular matrix is the columns' own
            // doing.
            (Err(term), None) => {
                return Err(StatsError::Collinear { column: design.name(data, term) });
            }
            // Later it is that probabilities became 0 and 1: the fit runs away.
            (Err(_), Some(step)) => return Err(design.why_unbounded(step)),
        };
        let taken = improved(design, &mut coefficients, &factor);
        // Asked at every step: the first coefficients that tell all outcomes apart prove that there
        // is no maximum.
        if design.tells_apart(&coefficients) {
            return Err(StatsError::PerfectSeparation);
        }
        if design.margins(&taken).iter().all(|moved| moved.abs() < LEAST_STEP) {
            return Ok(Maximum { coefficients, iterations });
        }
        step = Some(taken);
    }
    Err(step.map_or_else(not_converged, |step| design.why_unbounded(&step)))
}

/// Takes the Newton step, or the half, quarter … of it that loses no likelihood; gives it.
fn improved(design: &Design, coefficients: &mut Vec<f64>, factor: &Cholesky) -> Vec<f64> {
    // Near the maximum, and far out where there is none, the likelihood is flat but for rounding.
    let least = design.log_likelihood(coefficients) * (1.0 + 1e-12);
    let mut step = factor.solve(&design.gradient(coefficients));
    loop {
        let next: Vec<f64> = coefficients.iter().zip(&step).map(|(c, step)| c + step).collect();
        // So small a step is taken whether or not rounding lets the likelihood fall.
        let tiny = step.iter().all(|step| step.abs() < LEAST_STEP);
        if tiny || design.log_likelihood(&next) >= least {
            *coefficients = next;
            return step;
        }
        for step in &mut step {
            *step /= 2.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn data(columns: &[&[f64]], outcomes: &[u8]) -> LogisticData {
        let columns =
            columns.iter().enumerate().map(|(at, column)| (format!("x{at}"), column.to_vec()));
        LogisticData::new(columns, outcomes.iter().map(|outcome| *outcome == 1).collect()).unwrap()
    }

    fn error(columns: &[&[f64]], outcomes: &[u8], intercept: Intercept) -> StatsError {
        fit_logistic(&data(columns, outcomes), intercept).unwrap_err()
    }

    /// The maximum of a table of two by two has a closed form: odds and their ratio.
    #[test]
    fn a_table_of_two_by_two_has_its_odds() {
        let counts = [(0.0, 0, 30), (0.0, 1, 10), (1.0, 0, 5), (1.0, 1, 20)];
        let rows: Vec<(f64, u8)> =
            counts.iter().flat_map(|&(x, y, count)| vec![(x, y); count]).collect();
        let (x, y): (Vec<f64>, Vec<u8>) = rows.into_iter().unzip();
        let fit = fit_logistic(&data(&[&x], &y), Intercept::With).unwrap();
        let [constant, slope] = fit.terms.as_slice() else { panic!("two terms: {fit:?}") };
        assert!((constant.coefficient - (1.0_f64 / 3.0).ln()).abs() < 1e-12);
        assert!((slope.coefficient - 12.0_f64.ln()).abs() < 1e-12);
        let variance: f64 = [30.0, 10.0, 5.0, 20.0].iter().map(|count| 1.0 / count).sum();
        assert!((slope.standard_error - variance.sqrt()).abs() < 1e-12);
        assert_eq!((constant.name.as_str(), slope.name.as_str()), ("intercept", "x0"));
        assert_eq!(fit.accuracy, 50.0 / 65.0);
    }

    #[test]
    fn columns_that_nearly_follow_from_each_other_have_a_fit() {
        // Around 1000 without an intercept: whatever is taken from one column, others can give back.
        let first = [1000.1, 999.8, 1000.4, 999.6, 1000.2, 999.9, 1000.3, 999.7, 1000.0, 1000.5];
        let second = [
            1000.002, 999.999, 1000.001, 1000.003, 999.998, 1000.0, 999.997, 1000.004, 1000.001,
            999.999,
        ];
        let third =
            [1000.04, 999.97, 1000.02, 999.95, 1000.06, 1000.01, 999.98, 1000.03, 999.99, 1000.05];
        let outcomes = [1, 0, 1, 0, 0, 1, 1, 0, 1, 0];
        let fit = fit_logistic(&data(&[&first, &second, &third], &outcomes), Intercept::Without);
        let fit = fit.unwrap();
        // statsmodels 0.15.0: Logit(y, x).fit().
        let expected = [
            (4.169_353_430_8, 3.414_886_744_0),
            (19.563_869_807_5, 24.113_562_313_3),
            (-23.733_195_791_4, 26.327_524_935_3),
        ];
        for (term, (coefficient, error)) in fit.terms.iter().zip(expected) {
            assert!((term.coefficient - coefficient).abs() < 1e-4, "{term:?}");
            assert!((term.standard_error - error).abs() < 1e-4, "{term:?}");
        }
        assert!((fit.log_likelihood + 5.971_795_891_3).abs() < 1e-8, "{fit:?}");
    }

    #[test]
    fn separation_is_named() {
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        let perfect = error(&[&x], &[0, 0, 0, 1, 1, 1], Intercept::With);
        assert_eq!(perfect, StatsError::PerfectSeparation);
        let touching = [1.0, 2.0, 3.0, 3.0, 4.0, 5.0];
        let quasi = error(&[&touching], &[0, 0, 0, 1, 1, 1], Intercept::With);
        assert_eq!(quasi, StatsError::QuasiSeparation);
        let signed = [-2.0, -1.0, 1.0, 2.0];
        let without = error(&[&signed], &[0, 0, 1, 1], Intercept::Without);
        assert_eq!(without, StatsError::PerfectSeparation);
    }

    #[test]
    fn a_group_without_one_outcome_is_quasi_separated_beside_any_other_column() {
        let group = [1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let other = [0.3, 0.9, 0.1, 0.2, 0.8, 0.5, 0.4, 0.6, 0.7];
        let outcomes = [1, 1, 1, 0, 1, 0, 1, 0, 1];
        let quasi = error(&[&other, &group], &outcomes, Intercept::With);
        assert_eq!(quasi, StatsError::QuasiSeparation);
    }

    #[test]
    fn one_wrong_observation_among_many_is_no_separation() {
        let x: Vec<f64> = (0..200).map(f64::from).collect();
        let mut outcomes: Vec<u8> = (0..200).map(|at| u8::from(at >= 100)).collect();
        outcomes[98] = 1;
        outcomes[99] = 0;
        outcomes[103] = 0;
        let fit = fit_logistic(&data(&[&x], &outcomes), Intercept::With).unwrap();
        assert!(fit.terms[1].coefficient > 0.5 && fit.accuracy > 0.97, "{fit:?}");
    }

    #[test]
    fn columns_that_say_nothing_new_are_named() {
        fn named(column: &str) -> StatsError {
            StatsError::Collinear { column: column.to_owned() }
        }
        let x = [1.0, 5.0, 2.0, 4.0, 3.0, 0.0];
        let twice = [2.0, 10.0, 4.0, 8.0, 6.0, 0.0];
        let outcomes = [0, 1, 1, 0, 1, 0];
        for intercept in [Intercept::With, Intercept::Without] {
            assert_eq!(error(&[&x, &twice], &outcomes, intercept), named("x1"));
        }
        assert_eq!(error(&[&[7.0; 6]], &outcomes, Intercept::With), named("x0"));
        assert_eq!(error(&[&[0.0; 6]], &outcomes, Intercept::Without), named("x0"));
        assert!(fit_logistic(&data(&[&[7.0; 6]], &[1, 0, 0, 0, 1, 1]), Intercept::Without).is_ok());
        assert_eq!(data(&[&[7.0; 6]], &outcomes).standardised(), Err(named("x0")));
    }

    #[test]
    fn too_little_to_fit_says_so() {
        let few = StatsError::TooFew { what: "observations", found: 1, needed: 2 };
        assert_eq!(error(&[&[1.0]], &[1], Intercept::With), few);
        assert_eq!(
            error(&[], &[1, 0], Intercept::With),
            StatsError::TooFew { what: "columns", found: 0, needed: 1 }
        );
        let ones = error(&[&[1.0, 2.0, 3.0]], &[1, 1, 1], Intercept::With);
        assert_eq!(ones, StatsError::OneOutcome { outcome: 1 });
        let nan = LogisticData::new([("x".to_owned(), vec![f64::NAN])], vec![true]);
        assert_eq!(nan, Err(StatsError::NotFinite { at: 0 }));
        let short = LogisticData::new([("x".to_owned(), vec![1.0])], vec![]);
        assert_eq!(short, Err(StatsError::UnequalLengths { left: 1, right: 0 }));
    }

    #[test]
    fn halves_follow_from_the_seed() {
        let x: Vec<f64> = (0..101).map(|at| f64::from(at * 37 % 101)).collect();
        let outcomes: Vec<u8> = x.iter().map(|x| u8::from((x * 7.0) % 101.0 + x > 100.0)).collect();
        let data = data(&[&x], &outcomes);
        let first = split_accuracy(&data, Intercept::With, 1).unwrap();
        assert_eq!(first, split_accuracy(&data, Intercept::With, 1).unwrap());
        assert_eq!((first.fitted, first.tested), (50, 51));
        let others =
            (0..10).map(|seed| split_accuracy(&data, Intercept::With, seed).unwrap().correct);
        assert!(others.collect::<std::collections::BTreeSet<_>>().len() > 1);
        assert!(first.accuracy > 0.6, "{first:?}");
    }

    proptest! {
        /// At the maximum, the residuals are at right angles to every column; and what units and origins
        /// the columns have changes neither likelihood nor z.
        #[test]
        fn fits_are_maxima_in_any_unit(
            rows in prop::collection::vec((-5_i8..6, -5_i8..6, 0_u8..2), 8..60),
            unit in prop::sample::select(vec![1e-9, 0.5, 1e6]),
            origin in prop::sample::select(vec![0.0, -3.0, 1e5]),
        ) {
            let a: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
            let b: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let outcomes: Vec<u8> = rows.iter().map(|row| row.2).collect();
            let moved: Vec<f64> = a.iter().map(|a| unit * (a + origin)).collect();
            let plain = fit_logistic(&data(&[&a, &b], &outcomes), Intercept::With);
            let other = fit_logistic(&data(&[&moved, &b], &outcomes), Intercept::With);
            match (plain, other) {
                (Ok(plain), Ok(other)) => {
                    let [constant, slope_a, slope_b] = plain.terms.as_slice() else { panic!() };
                    let mut sums = [0.0; 3];
                    for ((a, b), outcome) in a.iter().zip(&b).zip(&outcomes) {
                        let odds = constant.coefficient + slope_a.coefficient * a + slope_b.coefficient * b;
                        let residual = f64::from(*outcome) - 1.0 / (1.0 + (-odds).exp());
                        sums = [sums[0] + residual, sums[1] + residual * a, sums[2] + residual * b];
                    }
                    prop_assert!(sums.iter().all(|sum| sum.abs() < 1e-6), "{sums:?}");
                    prop_assert!((plain.log_likelihood - other.log_likelihood).abs() < 1e-6);
                    prop_assert!((plain.terms[2].z - other.terms[2].z).abs() < 1e-4);
                    prop_assert!(plain.terms.iter().all(|term| (0.0..=1.0).contains(&term.p)));
                    prop_assert!((0.0..=1.0).contains(&plain.accuracy) && plain.log_likelihood <= 0.0);
                }
                (plain, other) => prop_assert_eq!(plain.map(|_| ()), other.map(|_| ())),
            }
        }

        /// The definition, on a small grid of directions: if some line tells the outcomes apart, there is
        /// no fit; if there is a fit, none does.
        #[test]
        fn a_fit_exists_exactly_if_nothing_tells_the_outcomes_apart(
            rows in prop::collection::vec((-2_i8..3, -2_i8..3, 0_u8..2), 4..14),
        ) {
            let a: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
            let b: Vec<f64> = rows.iter().map(|row| f64::from(row.1)).collect();
            let outcomes: Vec<u8> = rows.iter().map(|row| row.2).collect();
            let fit = fit_logistic(&data(&[&a, &b], &outcomes), Intercept::Without);
            let (mut perfect, mut quasi) = (false, false);
            // Every direction that can border a region of lines on this grid, and those between them.
            for (x, y) in (-8..=8).flat_map(|x| (-8..=8).map(move |y| (x, y))) {
                let margins: Vec<i32> = rows
                    .iter()
                    .map(|&(a, b, outcome)| {
                        (x * i32::from(a) + y * i32::from(b)) * (2 * i32::from(outcome) - 1)
                    })
                    .collect();
                perfect |= margins.iter().all(|margin| *margin > 0);
                quasi |= margins.iter().all(|margin| *margin >= 0) && margins.iter().any(|m| *m > 0);
            }
            match fit {
                Ok(fit) => prop_assert!(!perfect && !quasi, "{fit:?}"),
                Err(StatsError::PerfectSeparation) => prop_assert!(perfect),
                Err(StatsError::QuasiSeparation) => prop_assert!(quasi && !perfect),
                Err(error) => prop_assert!(matches!(error, StatsError::Collinear { .. }), "{error}"),
            }
        }
    }
}

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
    // One stream serves, as there is but one shuffle.
    let places = Draws::new(seed, 0).shuffled(data.observations());
    let (first, second) = places.split_at(places.len() / 2);
    if first.is_empty() {
        let found = places.len();
        return Err(StatsError::TooFew { what: "observations", found, needed: 2 });
    }
    let fit = fit_logistic(&data.at(first), intercept)?;
    let unseen = data.at(second);
    let outcomes = unseen.outcomes().iter().enumerate();
    let correct =
        outcomes.filter(|(at, outcome)| predicts(&fit, &unseen, *at) == **outcome).count();
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
