//! Deviations and quantiles of what runs have.

use crate::cli::score::mean_of;

/// The sample standard deviation; `None` of fewer than two.
pub(super) fn deviation(values: &[f64]) -> Option<f64> {
    // n − 1: the papers print deviations of samples.
    let mean = mean_of(values).filter(|_| values.len() > 1)?;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The value below which this share of the values lies, between neighbours as NumPy does.
pub(super) fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    // NumPy's default, `linear`: the place of a share among n values is share · (n − 1).
    let at = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted.get(at.floor() as usize)?, sorted.get(at.ceil() as usize)?);
    Some(low + (high - low) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_few_values_are_said_to_be_missing() {
        assert_eq!((mean_of(&[]), deviation(&[1.0]), quantile(&[], 0.5)), (None, None, None));
        assert_eq!(mean_of(&[1.0, 2.0]), Some(1.5));
        assert_eq!(deviation(&[1.0, 3.0]), Some(2f64.sqrt()));
        assert_eq!(quantile(&[4.0, 1.0, 2.0, 3.0], 0.5), Some(2.5));
    }
}
