//! What a logistic regression is fitted to.

use crate::metric::stats::error::{StatsError, check_finite};

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
    /// [`StatsError::Collinear`] if a column is constant.
    pub fn standardised(&self) -> Result<Self, StatsError> {
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
        let column = |column: &Vec<f64>| places.iter().map(|at| column[*at]).collect();
        Self {
            names: self.names.clone(),
            columns: self.columns.iter().map(column).collect(),
            outcomes: places.iter().map(|at| self.outcomes[*at]).collect(),
        }
    }
}

fn standardised(column: &[f64]) -> Option<Vec<f64>> {
    let first = *column.first()?;
    if column.iter().all(|value| *value == first) {
        return None;
    }
    let deviations = crate::metric::stats::correlation::centred(column);
    let variance = deviations.iter().map(|value| value * value).sum::<f64>() / column.len() as f64;
    Some(deviations.iter().map(|value| value / variance.sqrt()).collect())
}
