//! Whether somebody who says how sure they are is right as often as that.

use super::error::{StatsError, check_finite};

/// How far stated confidence is from how often it was right.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// The expected calibration error: the mean distance of confidence and accuracy over bins, each counting by
    /// its answers; 0 to 1, 0 is best.
    pub error: f64,
    /// The bins that hold anything, ascending: the reliability table.
    pub bins: Vec<CalibrationBin>,
}

/// Answers of about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationBin {
    /// Above this; the first bin holds it too.
    pub low: f64,
    /// Up to this.
    pub high: f64,
    /// How many answers.
    pub count: usize,
    /// Their mean confidence.
    pub confidence: f64,
    /// The share of them that are right.
    pub accuracy: f64,
}

/// The calibration of answers with these confidences (0 to 1), of which these are right, in `bins` bins of equal
/// width.
///
/// # Errors
///
/// [`StatsError::TooFew`] without answers or bins, [`StatsError::UnequalLengths`], [`StatsError::NotFinite`],
/// [`StatsError::NoShare`] of a confidence that is none.
///
/// Source: Guo et al., "On calibration of modern neural networks", 2017, equations 2, 3 and 5.
pub fn calibration(
    confidences: &[f64],
    right: &[bool],
    bins: usize,
) -> Result<Calibration, StatsError> {
    if confidences.len() != right.len() {
        return Err(StatsError::UnequalLengths { left: confidences.len(), right: right.len() });
    }
    for (what, found) in [("answers with a confidence", confidences.len()), ("bins", bins)] {
        if found == 0 {
            return Err(StatsError::TooFew { what, found, needed: 1 });
        }
    }
    check_finite(confidences)?;
    if let Some(at) = confidences.iter().position(|it| !(0.0..=1.0).contains(it)) {
        return Err(StatsError::NoShare { at });
    }
    let mut sums = vec![(0_usize, 0.0_f64, 0_usize); bins];
    for (confidence, right) in confidences.iter().zip(right) {
        // A bin ends with its upper border, as the paper's do.
        let place = (confidence * bins as f64).ceil() as usize;
        let bin = &mut sums[place.clamp(1, bins) - 1];
        *bin = (bin.0 + 1, bin.1 + confidence, bin.2 + usize::from(*right));
    }
    let mut found = Calibration { error: 0.0, bins: Vec::new() };
    for (at, (count, confidence, right)) in sums.into_iter().enumerate() {
        if count == 0 {
            continue;
        }
        let bin = CalibrationBin {
            low: at as f64 / bins as f64,
            high: (at + 1) as f64 / bins as f64,
            count,
            confidence: confidence / count as f64,
            accuracy: right as f64 / count as f64,
        };
        let weight = count as f64 / confidences.len() as f64;
        found.error += weight * (bin.accuracy - bin.confidence).abs();
        found.bins.push(bin);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn who_is_always_sure_and_half_the_time_right_is_half_off() {
        let found = calibration(&[1.0, 1.0, 0.0, 0.1], &[true, false, false, false], 10).unwrap();
        // Two at 1 with half right, two in the first bin at 0.05 with none right.
        assert!((found.error - (0.5 * 0.5 + 0.5 * 0.05)).abs() < 1e-12, "{found:?}");
        let counts: Vec<usize> = found.bins.iter().map(|bin| bin.count).collect();
        assert_eq!((counts, found.bins[0].high, found.bins[1].low), (vec![2, 2], 0.1, 0.9));
    }

    #[test]
    fn what_is_undefined_says_why() {
        assert!(matches!(calibration(&[], &[], 10), Err(StatsError::TooFew { .. })));
        assert!(matches!(calibration(&[0.5], &[true], 0), Err(StatsError::TooFew { .. })));
        assert!(matches!(calibration(&[0.5], &[], 5), Err(StatsError::UnequalLengths { .. })));
        assert!(matches!(calibration(&[f64::NAN], &[true], 5), Err(StatsError::NotFinite { .. })));
        assert_eq!(calibration(&[0.5, 1.5], &[true; 2], 5), Err(StatsError::NoShare { at: 1 }));
    }

    proptest! {
        /// The same as looking bin by bin at every answer.
        #[test]
        fn it_is_what_the_definition_says(
            answers in prop::collection::vec((0_u32..=100, any::<bool>()), 1..60), bins in 1_usize..12,
        ) {
            let confidences: Vec<f64> = answers.iter().map(|it| f64::from(it.0) / 100.0).collect();
            let right: Vec<bool> = answers.iter().map(|it| it.1).collect();
            let found = calibration(&confidences, &right, bins).unwrap();
            let mut slow = 0.0;
            for bin in 1..=bins {
                // In hundredths, so that no border is missed by rounding: (bin − 1) / bins < c ≤ bin / bins.
                let here = answers.iter().filter(|(sure, _)| {
                    let scaled = *sure as usize * bins;
                    (scaled > 100 * (bin - 1) || (bin == 1 && *sure == 0)) && scaled <= 100 * bin
                });
                let here: Vec<_> = here.collect();
                if !here.is_empty() {
                    let sure: f64 = here.iter().map(|it| f64::from(it.0) / 100.0).sum();
                    let right = here.iter().filter(|it| it.1).count() as f64;
                    slow += (sure - right).abs() / answers.len() as f64;
                }
            }
            prop_assert!((0.0..=1.0).contains(&found.error));
            prop_assert_eq!(found.bins.iter().map(|it| it.count).sum::<usize>(), answers.len());
            // A confidence on a border may be rounded into the next bin: that moves one answer by a rounding.
            let on_border = answers.iter().any(|it| it.0 > 0 && (it.0 as usize * bins).is_multiple_of(100));
            prop_assert!(on_border || (found.error - slow).abs() < 1e-9, "{} {slow}", found.error);
        }
    }
}
