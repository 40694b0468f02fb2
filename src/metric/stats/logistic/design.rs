//! What a logistic regression is fitted to, and the columns as the fit sees them: centred, scaled,
//! signed by outcome.

use crate::metric::stats::correlation::centred;
use crate::metric::stats::descriptive::Interval;
use crate::metric::stats::distribution::{normal_two_sided, normal_two_sided_quantile};
use crate::metric::stats::error::{StatsError, check_finite};
use crate::metric::stats::linear::{Cholesky, dot};

/// One term of a fitted model.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// `intercept`, or the name of the column.
    pub name: String,
    /// What one unit of it adds to the logarithm of the odds of outcome 1.
    pub coefficient: f64,
    /// The standard error, from the inverse of the information at the maximum.
    pub standard_error: f64,
    /// Coefficient by standard error.
    pub z: f64,
    /// The two-sided p-value of z.
    pub p: f64,
    /// The interval of 95 % (Wald).
    pub interval: Interval,
}

/// Most Newton steps of a fit.
pub(super) const MOST_ITERATIONS: usize = 60;

/// That the iterations did not settle.
pub(super) fn not_converged() -> StatsError {
    StatsError::NotConverged { iterations: MOST_ITERATIONS }
}

/// Whether the model has a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Intercept {
    /// The first term is a constant, named `intercept`.
    With,
    /// Where all variables are 0, both outcomes are equally likely.
    Without,
}

/// Below this share of the largest, a margin is rounding.
const ROUNDING: f64 = 1e-9;

/// The observations in units of the fit: with an intercept, columns are centred, and each is divided
/// by its largest value. Coefficients here are of those units; [`Design::terms`] turns them back.
///
/// Rows are multiplied by −1 where the outcome is 0, so that the *margin* of an observation, its row
/// times the coefficients, is positive where the model is right.
pub(super) struct Design {
    intercept: Intercept,
    rows: Vec<Vec<f64>>,
    means: Vec<f64>,
    scales: Vec<f64>,
}

impl Design {
    /// The design of these data; a column that is constant beside an intercept, or 0, is refused.
    pub(super) fn new(data: &LogisticData, intercept: Intercept) -> Result<Self, StatsError> {
        let mut rows: Vec<Vec<f64>> = match intercept {
            Intercept::With => vec![vec![1.0]; data.observations()],
            Intercept::Without => vec![Vec::new(); data.observations()],
        };
        let (mut means, mut scales) = (Vec::new(), Vec::new());
        for (name, column) in data.names().iter().zip(data.columns()) {
            // Without an intercept the origin means something, so the column is scaled but not
            // moved.
            let mean = mean(column, intercept);
            let scale = column.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
            if !scale.is_finite() {
                return Err(StatsError::Overflow);
            }
            if scale == 0.0 {
                return Err(StatsError::Collinear { column: name.clone() });
            }
            for (row, value) in rows.iter_mut().zip(column) {
                row.push((value - mean) / scale);
            }
            means.push(mean);
            scales.push(scale);
        }
        // Outcome 0 with this row is outcome 1 with its negative: one formula then serves both.
        for (row, _) in rows.iter_mut().zip(data.outcomes()).filter(|(_, outcome)| !**outcome) {
            for value in row {
                *value = -*value;
            }
        }
        Ok(Self { intercept, rows, means, scales })
    }

    /// How many terms there are, the intercept among them.
    pub(super) fn terms_count(&self) -> usize {
        self.constants() + self.scales.len()
    }

    fn constants(&self) -> usize {
        usize::from(self.intercept == Intercept::With)
    }

    /// The name of a term.
    pub(super) fn name(&self, data: &LogisticData, term: usize) -> String {
        let column = term.checked_sub(self.constants());
        column.and_then(|at| data.names().get(at)).map_or("intercept", String::as_str).to_owned()
    }

    /// How clearly each observation is on its side; negative on the other.
    pub(super) fn margins(&self, coefficients: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|row| dot(row, coefficients)).collect()
    }

    /// Σ ln of the probability of each outcome.
    pub(super) fn log_likelihood(&self, coefficients: &[f64]) -> f64 {
        // ln 1 / (1 + e⁻ᵐ), written so that the exponential never overflows.
        let margins = self.margins(coefficients).into_iter();
        margins.map(|margin| margin.min(0.0) - libm::log1p(libm::exp(-margin.abs()))).sum()
    }

    /// The slope of the log-likelihood.
    pub(super) fn gradient(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.terms_count()];
        for (row, margin) in self.rows.iter().zip(self.margins(coefficients)) {
            let surprise = logistic(-margin);
            for (slope, value) in gradient.iter_mut().zip(row) {
                *slope += surprise * value;
            }
        }
        gradient
    }

    /// The information, factored; the term that follows from those before it if there is one.
    pub(super) fn factor(&self, coefficients: &[f64]) -> Result<Cholesky, usize> {
        let mut information = vec![vec![0.0; self.terms_count()]; self.terms_count()];
        for (row, margin) in self.rows.iter().zip(self.margins(coefficients)) {
            // p (1 − p), from both tails, as 1 − p would lose its digits far out.
            let weight = logistic(margin) * logistic(-margin);
            for (at, line) in information.iter_mut().enumerate() {
                // The lower triangle only, which is all that the factor reads.
                for (entry, value) in line[..=at].iter_mut().zip(row) {
                    *entry += weight * row[at] * value;
                }
            }
        }
        Cholesky::of(&information)
    }

    /// Whether these coefficients put every observation on its side.
    pub(super) fn tells_apart(&self, coefficients: &[f64]) -> bool {
        let (least, most) = extremes(&self.margins(coefficients));
        least > ROUNDING * most
    }

    /// Why the likelihood has no maximum, from the last step towards it. Under separation, steps go
    /// on in a direction that moves observations to their side or not at all.
    pub(super) fn why_unbounded(&self, step: &[f64]) -> StatsError {
        /// Far from the maximum the step still contains what other terms settle.
        const SETTLED: f64 = 1e-4;
        let (least, most) = extremes(&self.margins(step));
        if most > 0.0 && least > -SETTLED * most {
            StatsError::QuasiSeparation
        } else {
            not_converged()
        }
    }

    /// The terms in units of the data, from coefficients and covariance in units of the fit.
    pub(super) fn terms(
        &self,
        data: &LogisticData,
        coefficients: &[f64],
        covariance: &[Vec<f64>],
    ) -> Vec<Term> {
        (0..self.terms_count())
            .map(|at| {
                let weights = self.weights(at);
                // wᵀ V w: the intercept depends on all coefficients, as the columns are moved back.
                let spread: Vec<f64> = covariance.iter().map(|row| dot(row, &weights)).collect();
                term(self.name(data, at), dot(&weights, coefficients), dot(&weights, &spread))
            })
            .collect()
    }

    /// What a term in units of the data is of the coefficients in units of the fit: the intercept is
    /// moved back to where the columns are 0.
    fn weights(&self, at: usize) -> Vec<f64> {
        let constants = self.constants();
        let mut weights = vec![0.0; self.terms_count()];
        if at < constants {
            weights[at] = 1.0;
            for (column, (mean, scale)) in self.means.iter().zip(&self.scales).enumerate() {
                weights[constants + column] = -mean / scale;
            }
        } else {
            weights[at] = 1.0 / self.scales[at - constants];
        }
        weights
    }
}

/// The mean that is taken from a column; without an intercept, nothing is.
fn mean(column: &[f64], intercept: Intercept) -> f64 {
    match (intercept, column.first()) {
        (Intercept::With, Some(first)) => {
            let sum: f64 = column.iter().map(|value| value - first).sum();
            first + sum / column.len() as f64
        }
        _ => 0.0,
    }
}

/// 1 / (1 + e⁻ˣ).
pub(in crate::metric::stats) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

/// The smallest value, and the largest by size.
fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, 0.0), |(least, most), value| {
        (f64::min(least, *value), f64::max(most, value.abs()))
    })
}

/// A term from its coefficient and variance.
pub(in crate::metric::stats) fn term(name: String, coefficient: f64, variance: f64) -> Term {
    let standard_error = variance.sqrt();
    let z = coefficient / standard_error;
    let half_width = normal_two_sided_quantile(0.05) * standard_error;
    let interval = Interval::around(coefficient, half_width);
    Term { name, coefficient, standard_error, z, p: normal_two_sided(z), interval }
}

/// Observations of some variables and an outcome of yes or no; all numbers are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticData {
    names: Vec<String>,
    /// Column by column.
    columns: Vec<Vec<f64>>,
    outcomes: Vec<bool>,
}

impl LogisticData {
    /// Named columns, each with one number an observation, and the outcome of each.
    ///
    /// # Errors
    ///
    /// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`].
    pub fn new(
        columns: impl IntoIterator<Item = (String, Vec<f64>)>,
        outcomes: Vec<bool>,
    ) -> Result<Self, StatsError> {
        let (names, columns): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        for column in &columns {
            if column.len() != outcomes.len() {
                let (left, right) = (column.len(), outcomes.len());
                return Err(StatsError::UnequalLengths { left, right });
            }
            check_finite(column)?;
        }
        Ok(Self { names, columns, outcomes })
    }

    /// The same with every column standardised: mean 0 and (population) standard deviation 1, so
    /// that coefficients can be compared.
    ///
    /// # Errors
    ///
    /// [`StatsError::TooFew`] without observations, [`StatsError::Collinear`] if a column is constant.
    pub fn standardised(&self) -> Result<Self, StatsError> {
        if self.outcomes.is_empty() {
            let needed = self.columns.len() + 1;
            return Err(StatsError::TooFew { what: "observations", found: 0, needed });
        }
        let columns = self.names.iter().zip(&self.columns).map(|(name, column)| {
            standardised(column).ok_or_else(|| StatsError::Collinear { column: name.clone() })
        });
        let columns: Vec<Vec<f64>> = columns.collect::<Result<_, _>>()?;
        Ok(Self { names: self.names.clone(), columns, outcomes: self.outcomes.clone() })
    }

    /// The names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The columns, one number an observation.
    pub fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    /// The outcomes.
    pub fn outcomes(&self) -> &[bool] {
        &self.outcomes
    }

    /// How many observations there are.
    pub fn observations(&self) -> usize {
        self.outcomes.len()
    }

    /// The observations at these places, which exist.
    pub(super) fn at(&self, places: &[usize]) -> Self {
        let columns = self.columns.iter();
        Self {
            names: self.names.clone(),
            columns: columns.map(|column| places.iter().map(|at| column[*at]).collect()).collect(),
            outcomes: places.iter().map(|at| self.outcomes[*at]).collect(),
        }
    }
}

fn standardised(column: &[f64]) -> Option<Vec<f64>> {
    let first = *column.first()?;
    if column.iter().all(|value| *value == first) {
        return None;
    }
    let deviations = centred(column);
    let variance = deviations.iter().map(|value| value * value).sum::<f64>() / column.len() as f64;
    Some(deviations.iter().map(|value| value / variance.sqrt()).collect())
}
