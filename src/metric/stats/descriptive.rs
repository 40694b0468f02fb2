//! How large, and how spread.

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
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    finite((squares / (values.len() - 1) as f64).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
