//! Two groups of different people, by ranks: does one tend to have the larger values?

use super::correlation::{PMethod, average_ranks};
use super::distribution::normal_two_sided;
use super::error::{StatsError, check_finite};

/// Up to so many values in both groups, every choice of who is in which is counted.
const MOST_EXACT: usize = 50;

/// Mann and Whitney's test, also known as Wilcoxon's rank-sum test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MannWhitney {
    /// U of the first group: pairs in which its value is the larger one, ties half.
    pub u: f64,
    /// The two-sided p-value.
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The least p-value that groups of these sizes could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// The effect: the probability that a value of the first group is larger than one of the second, ties
    /// half. ½: no difference.
    pub superiority: f64,
}

/// Mann and Whitney's test of two groups, two-sided.
///
/// Of at most 50 values it is exact, also with ties: every choice of who is in which group is counted, of these
/// very ranks. Of more it is the normal distribution, its variance corrected for ties, with the correction for
/// continuity, as `scipy.stats.mannwhitneyu` has it.
///
/// # Errors
///
/// [`StatsError::EmptyGroup`], [`StatsError::NotFinite`], [`StatsError::AllTied`] where all values are equal.
///
/// Source: Mann and Whitney 1947.
pub fn mann_whitney(first: &[f64], second: &[f64]) -> Result<MannWhitney, StatsError> {
    let ranks = ranks_of_both(first, second)?;
    if ranks.iter().all(|rank| *rank == ranks[0]) {
        return Err(StatsError::AllTied);
    }
    let (n1, n2) = (first.len() as f64, second.len() as f64);
    let u = u_of_first(&ranks, first.len());
    let (p, method, least_p) = if ranks.len() <= MOST_EXACT {
        let (p, least_p) = counted(&ranks, first.len());
        (p, PMethod::Exact, least_p)
    } else {
        (asymptotic(&ranks, u, n1, n2), PMethod::Asymptotic, 0.0)
    };
    Ok(MannWhitney { u, p, method, least_p, superiority: u / (n1 * n2) })
}

/// The effect of [`mann_whitney`] alone, without its p-value, so that it can be resampled: ½ where all values are equal.
///
/// # Errors
///
/// [`StatsError::EmptyGroup`], [`StatsError::NotFinite`].
pub fn superiority(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    let ranks = ranks_of_both(first, second)?;
    Ok(u_of_first(&ranks, first.len()) / (first.len() * second.len()) as f64)
}

/// The ranks of the first group's values among all, then those of the second's.
fn ranks_of_both(first: &[f64], second: &[f64]) -> Result<Vec<f64>, StatsError> {
    for (at, group) in [first, second].into_iter().enumerate() {
        if group.is_empty() {
            return Err(StatsError::EmptyGroup { at });
        }
    }
    let values: Vec<f64> = first.iter().chain(second).copied().collect();
    check_finite(&values)?;
    Ok(average_ranks(&values))
}

/// U of the first so many ranks.
fn u_of_first(ranks: &[f64], size: usize) -> f64 {
    let n = size as f64;
    ranks.iter().take(size).sum::<f64>() - n * (n + 1.0) / 2.0
}

/// The p-value of the sum of the first `size` ranks, and the least that any choice of so many has.
fn counted(ranks: &[f64], size: usize) -> (f64, f64) {
    // Ranks are halves or wholes: doubled they are whole, and sums are counted by place.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank).round() as usize).collect();
    let most: usize = doubled.iter().sum();
    // ways[chosen][sum]: at most C(50, 25), which a float holds exactly.
    let mut ways = vec![vec![0.0_f64; most + 1]; size + 1];
    ways[0][0] = 1.0;
    for rank in &doubled {
        for chosen in (1..=size).rev() {
            for sum in (*rank..=most).rev() {
                ways[chosen][sum] += ways[chosen - 1][sum - rank];
            }
        }
    }
    let counts = &ways[size];
    let all: f64 = counts.iter().sum();
    let observed: usize = doubled.iter().take(size).sum();
    let below: f64 = counts.iter().take(observed + 1).sum();
    let above: f64 = counts.iter().skip(observed).sum();
    // The rarer of the two ends, of either group's side.
    let lowest = counts.iter().find(|count| **count > 0.0).copied().unwrap_or(all);
    let highest = counts.iter().rev().find(|count| **count > 0.0).copied().unwrap_or(all);
    let two_sided = |count: f64| (2.0 * count / all).min(1.0);
    (two_sided(below.min(above)), two_sided(lowest.min(highest)))
}

fn asymptotic(ranks: &[f64], u: f64, n1: f64, n2: f64) -> f64 {
    let n = n1 + n2;
    let ties = tie_sum(ranks);
    let variance = n1 * n2 / 12.0 * ((n + 1.0) - ties / (n * (n - 1.0)));
    // The larger of both U's, half a step nearer to the middle.
    let z = (u.max(n1 * n2 - u) - n1 * n2 / 2.0 - 0.5) / variance.sqrt();
    if z <= 0.0 { 1.0 } else { normal_two_sided(z) }
}

/// Σ t³ − t over groups of t equal ranks.
pub(super) fn tie_sum(ranks: &[f64]) -> f64 {
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let groups = sorted.chunk_by(PartialEq::eq).map(|group| group.len() as f64);
    groups.map(|tied| tied * tied * tied - tied).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every choice of who is in the first group, written down.
    fn by_counting(values: &[f64], size: usize) -> f64 {
        let ranks = average_ranks(values);
        let observed: f64 = ranks[..size].iter().sum();
        let sums = (0..1_u32 << values.len()).filter(|set| set.count_ones() as usize == size);
        let sums: Vec<f64> = sums
            .map(|set| {
                let chosen = ranks.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
                chosen.map(|(_, rank)| rank).sum()
            })
            .collect();
        let below = sums.iter().filter(|sum| **sum <= observed).count();
        let above = sums.iter().filter(|sum| **sum >= observed).count();
        (2.0 * below.min(above) as f64 / sums.len() as f64).min(1.0)
    }

    proptest! {
        #[test]
        fn the_exact_p_counts_every_choice(
            values in prop::collection::vec(0_i8..7, 2..11), cut in 1_usize..10,
        ) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let size = cut.min(values.len() - 1);
            let (first, second) = values.split_at(size);
            match mann_whitney(first, second) {
                Ok(test) => {
                    prop_assert!((test.p - by_counting(&values, size)).abs() < 1e-12);
                    let back = mann_whitney(second, first).unwrap();
                    prop_assert!((back.p - test.p).abs() < 1e-12);
                    prop_assert!((back.superiority + test.superiority - 1.0).abs() < 1e-12);
                    prop_assert_eq!(superiority(first, second), Ok(test.superiority));
                    prop_assert!(test.p >= test.least_p - 1e-12);
                }
                Err(error) => {
                    prop_assert_eq!(error, StatsError::AllTied);
                    prop_assert_eq!(superiority(first, second), Ok(0.5));
                }
            }
        }
    }

    #[test]
    fn groups_of_three_cannot_say_and_groups_of_four_can() {
        let test = mann_whitney(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((test.u, test.superiority), (9.0, 1.0));
        assert!((test.p - 0.1).abs() < 1e-12 && (test.least_p - 0.1).abs() < 1e-12);
        let four = mann_whitney(&[5.0, 6.0, 7.0, 8.0], &[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert!((four.least_p - 2.0 / 70.0).abs() < 1e-12);
    }

    #[test]
    fn the_asymptotic_p_meets_the_exact_one() {
        let first: Vec<f64> = (0..25).map(|at| f64::from(at * 7 % 25)).collect();
        let second: Vec<f64> = (0..25).map(|at| f64::from(at * 11 % 29) + 3.25).collect();
        let exact = mann_whitney(&first, &second).unwrap();
        let more: Vec<f64> = second.iter().copied().chain([12.1]).collect();
        let about = mann_whitney(&first, &more).unwrap();
        assert_eq!((exact.method, about.method), (PMethod::Exact, PMethod::Asymptotic));
        assert!((exact.p - about.p).abs() < 0.05, "{} and {}", exact.p, about.p);
    }

    #[test]
    fn every_undefined_case_says_why() {
        assert_eq!(mann_whitney(&[], &[1.0]), Err(StatsError::EmptyGroup { at: 0 }));
        assert_eq!(mann_whitney(&[1.0], &[]), Err(StatsError::EmptyGroup { at: 1 }));
        assert_eq!(mann_whitney(&[1.0], &[f64::NAN]), Err(StatsError::NotFinite { at: 1 }));
        assert_eq!(mann_whitney(&[1.0, 1.0], &[1.0]), Err(StatsError::AllTied));
        assert_eq!(superiority(&[1.0], &[]), Err(StatsError::EmptyGroup { at: 1 }));
    }
}
