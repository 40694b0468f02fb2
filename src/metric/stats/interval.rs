//! Intervals, and the order statistics they are cut from.

use super::error::StatsError;

/// An interval of a stated confidence, `low <= high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// What lies `half_width` to both sides.
    pub(super) fn around(middle: f64, half_width: f64) -> Self {
        Self { low: middle - half_width, high: middle + half_width }
    }

    /// The middle part of a sample: what remains when (1 − `confidence`) / 2 is cut off at both ends.
    /// `sorted` is not empty.
    pub(super) fn middle_of(sorted: &[f64], confidence: f64) -> Self {
        let tail = (1.0 - confidence) / 2.0;
        Self { low: quantile(sorted, tail), high: quantile(sorted, 1.0 - tail) }
    }
}

/// Refuses what is no confidence.
pub(super) fn check_confidence(confidence: f64) -> Result<(), StatsError> {
    if confidence > 0.0 && confidence < 1.0 { Ok(()) } else { Err(StatsError::BadConfidence) }
}

/// The quantile of a sorted sample, interpolated between neighbours as NumPy does by default.
fn quantile(sorted: &[f64], fraction: f64) -> f64 {
    let place = fraction.clamp(0.0, 1.0) * (sorted.len() - 1) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_interpolate_between_neighbours() {
        let middle = Interval::middle_of(&[0.0, 1.0, 2.0, 3.0, 4.0], 0.5);
        assert_eq!(middle, Interval { low: 1.0, high: 3.0 });
        assert_eq!(quantile(&[0.0, 10.0], 0.25), 2.5);
        assert_eq!(quantile(&[7.0], 0.9), 7.0);
    }
}
