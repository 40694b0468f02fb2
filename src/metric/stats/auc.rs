//! The area under the receiver operating characteristic.

use super::correlation::average_ranks;
use super::error::{StatsError, check_finite};

/// The probability that a score is higher where the outcome is yes than where it is no; equal scores count
/// half. Within 0..=1, ½ for scores that say nothing; exactly 1 where they tell the outcomes apart.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] of nothing,
/// [`StatsError::OneOutcome`].
///
/// Source: Mann and Whitney 1947; scikit-learn `roc_auc_score`.
pub fn auc(scores: &[f64], outcomes: &[bool]) -> Result<f64, StatsError> {
    if scores.len() != outcomes.len() {
        return Err(StatsError::UnequalLengths { left: scores.len(), right: outcomes.len() });
    }
    check_finite(scores)?;
    if scores.is_empty() {
        return Err(StatsError::TooFew { what: "observations", found: 0, needed: 1 });
    }
    let yes = outcomes.iter().filter(|outcome| **outcome).count();
    let no = outcomes.len() - yes;
    if yes == 0 || no == 0 {
        return Err(StatsError::OneOutcome { outcome: u8::from(no == 0) });
    }
    let ranks = average_ranks(scores).into_iter().zip(outcomes);
    let of_yes: f64 = ranks.filter(|(_, outcome)| **outcome).map(|(rank, _)| rank).sum();
    // The ranks among themselves aside, a rank counts the scores below.
    let below = of_yes - (yes * (yes + 1)) as f64 / 2.0;
    Ok(below / (yes as f64 * no as f64))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// As it is defined: over all pairs.
        #[test]
        fn it_is_the_share_of_pairs_in_order(
            rows in prop::collection::vec((-4_i8..4, any::<bool>()), 1..40),
        ) {
            let scores: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
            let outcomes: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let (mut ordered, mut all) = (0.0, 0.0);
            for (high, _) in rows.iter().filter(|row| row.1) {
                for (low, _) in rows.iter().filter(|row| !row.1) {
                    ordered += match high.cmp(low) {
                        std::cmp::Ordering::Greater => 1.0,
                        std::cmp::Ordering::Equal => 0.5,
                        std::cmp::Ordering::Less => 0.0,
                    };
                    all += 1.0;
                }
            }
            match auc(&scores, &outcomes) {
                Ok(found) => {
                    prop_assert!((found - ordered / all).abs() < 1e-12);
                    let turned: Vec<f64> = scores.iter().map(|score| -score).collect();
                    prop_assert!((auc(&turned, &outcomes).unwrap() + found - 1.0).abs() < 1e-12);
                }
                Err(error) => {
                    let one = matches!(error, StatsError::OneOutcome { .. });
                    prop_assert!(all == 0.0 && one);
                }
            }
        }
    }

    #[test]
    fn every_undefined_case_says_why() {
        let few = StatsError::TooFew { what: "observations", found: 0, needed: 1 };
        assert_eq!(auc(&[], &[]), Err(few));
        assert_eq!(auc(&[1.0], &[true]), Err(StatsError::OneOutcome { outcome: 1 }));
        assert_eq!(auc(&[1.0], &[]), Err(StatsError::UnequalLengths { left: 1, right: 0 }));
        assert_eq!(auc(&[f64::NAN], &[true]), Err(StatsError::NotFinite { at: 0 }));
    }
}
