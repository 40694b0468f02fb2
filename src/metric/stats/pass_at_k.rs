//! pass@k: whether one of k attempts succeeds.

use super::error::StatsError;

/// The unbiased estimate of the probability that at least one of `k` attempts succeeds, from `attempts`
/// of which `successes` did: 1 − C(n − c, k) / C(n, k), in 0..=1.
///
/// Chen et al., *Evaluating Large Language Models Trained on Code* (2021), section 2.1, in the product form
/// of their appendix, which does not overflow.
///
/// # Errors
///
/// [`StatsError::TooFew`] where k is 0 or there are fewer than `k` attempts, or fewer than successes.
pub fn pass_at_k(attempts: usize, successes: usize, k: usize) -> Result<f64, StatsError> {
    let needed = k.max(successes).max(1);
    if k == 0 || attempts < needed {
        return Err(StatsError::TooFew { what: "attempts", found: attempts, needed });
    }
    let failures = attempts - successes;
    if failures < k {
        return Ok(1.0);
    }
    let all_fail: f64 = (failures + 1..=attempts).map(|at| 1.0 - k as f64 / at as f64).product();
    Ok(1.0 - all_fail)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The share of all choices of k among n attempts that hold one of the first c.
    fn by_counting(attempts: usize, successes: usize, k: usize) -> f64 {
        let chosen = (0_u32..1 << attempts).filter(|set| set.count_ones() as usize == k);
        let (mut all, mut passing) = (0.0, 0.0);
        for set in chosen {
            all += 1.0;
            passing += f64::from(u8::from(set & ((1 << successes) - 1) != 0));
        }
        passing / all
    }

    proptest! {
        #[test]
        fn it_is_the_share_of_choices_that_hold_a_success(
            attempts in 1_usize..12,
            successes in 0_usize..12,
            k in 1_usize..12,
        ) {
            prop_assume!(successes <= attempts && k <= attempts);
            let value = pass_at_k(attempts, successes, k).unwrap();
            prop_assert!((value - by_counting(attempts, successes, k)).abs() < 1e-12);
        }

        #[test]
        fn it_stays_in_its_range_and_grows_with_k_and_with_successes(
            attempts in 1_usize..2_000,
            successes in 0_usize..2_000,
            k in 1_usize..2_000,
        ) {
            prop_assume!(successes < attempts && k < attempts);
            let value = pass_at_k(attempts, successes, k).unwrap();
            prop_assert!((0.0..=1.0).contains(&value));
            prop_assert!(pass_at_k(attempts, successes, k + 1).unwrap() >= value - 1e-12);
            prop_assert!(pass_at_k(attempts, successes + 1, k).unwrap() >= value - 1e-12);
        }
    }

    #[test]
    fn what_cannot_be_estimated_is_an_error() {
        assert!(pass_at_k(3, 1, 4).is_err());
        assert!(pass_at_k(3, 1, 0).is_err());
        assert!(pass_at_k(2, 3, 1).is_err());
        assert_eq!(pass_at_k(3, 0, 3), Ok(0.0));
        assert_eq!(pass_at_k(3, 1, 3), Ok(1.0));
    }
}
