//! Logistic regression: which variables predict an outcome of yes or no.
//!
//! [`fit_logistic`] finds the coefficients of maximum likelihood by Newton's method, which for this
//! model is iteratively reweighted least squares, with steps halved where they would lose likelihood.
//! Where the variables tell the outcomes apart there is no maximum: coefficients grow without limit,
//! and what a program prints after its last iteration means nothing. That is found and named.

mod data;
mod design;
mod split;

pub use data::LogisticData;
pub use split::{SplitAccuracy, split_accuracy};

use super::error::StatsError;
use super::linear::Cholesky;
use design::{Design, MOST_ITERATIONS, not_converged};
pub use design::{Intercept, Term};

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

/// Steps below this, in standardised units, end the iteration. Newton's method doubles the digits in
/// each step, so that the coefficients are exact to rounding by then.
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
            (Err(term), None) => {
                return Err(StatsError::Collinear { column: design.name(data, term) });
            }
            (Err(_), Some(step)) => return Err(design.why_unbounded(step)),
        };
        let taken = improved(design, &mut coefficients, &factor);
        if design.tells_apart(&coefficients) {
            return Err(StatsError::PerfectSeparation);
        }
        if taken.iter().all(|step| step.abs() < LEAST_STEP) {
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
mod tests;
