//! Kendall's τ-b.

use super::correlation::{Correlation, PMethod, check_varies};
use super::distribution::normal_two_sided;
use super::error::{StatsError, check_pairs};

/// Without ties, up to this many observations have their permutations counted.
const MOST_EXACT: usize = 33;

/// Kendall's τ-b of two variables, corrected for ties, in O(n log n).
///
/// The p-value is that of `scipy.stats.kendalltau` with its default method: exact without ties, for
/// up to 33 observations or at most one pair out of order; otherwise asymptotic, its variance
/// corrected for ties.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] of fewer than two,
/// [`StatsError::Constant`].
///
/// Source: Kendall, Rank Correlation Methods, 1970; Knight 1966 for the algorithm.
pub fn kendall_tau_b(a: &[f64], b: &[f64]) -> Result<Correlation, StatsError> {
    check_pairs(a, b)?;
    check_varies(a, b)?;
    let counts = Counts::of(a, b);
    let (p, method) = counts.p();
    Ok(Correlation { value: counts.tau(), p: Ok(p), method })
}

/// How pairs of observations stand to each other.
#[derive(Debug, PartialEq)]
struct Counts {
    observations: usize,
    /// Pairs whose order is not the same in both variables.
    discordant: u64,
    /// Pairs that are tied in the one, in the other, in both.
    tied: [u64; 3],
    /// For both variables, over groups of t ties: Σ t(t−1)(t−2) and Σ t(t−1)(2t+5).
    cubes: [[f64; 2]; 2],
}

impl Counts {
    fn of(a: &[f64], b: &[f64]) -> Self {
        let mut pairs: Vec<(f64, f64)> = a.iter().zip(b).map(|(a, b)| (a + 0.0, b + 0.0)).collect();
        // Knight's algorithm: sorted by the first variable and ties by the second, every swap that
        // sorts the second is a discordant pair.
        pairs.sort_unstable_by(|x, y| x.0.total_cmp(&y.0).then(x.1.total_cmp(&y.1)));
        let in_first = group_sizes(&pairs, |x, y| x.0 == y.0);
        let in_both = group_sizes(&pairs, |x, y| x == y);
        let mut second: Vec<f64> = pairs.iter().map(|pair| pair.1).collect();
        let mut spare = second.clone();
        let discordant = sort_counting_swaps(&mut second, &mut spare);
        let in_second = group_sizes(&second, |x, y| x == y);
        Self {
            observations: pairs.len(),
            discordant,
            tied: [&in_first, &in_second, &in_both]
                .map(|sizes| sizes.iter().copied().map(pairs_of).sum()),
            cubes: [cubes(&in_first), cubes(&in_second)],
        }
    }

    fn pairs(&self) -> u64 {
        pairs_of(self.observations as u64)
    }

    /// Concordant pairs without discordant ones.
    fn balance(&self) -> f64 {
        let [first, second, both] = self.tied;
        // Pairs tied in both were taken away twice.
        let untied = self.pairs() + both - first - second;
        untied as f64 - 2.0 * self.discordant as f64
    }

    fn tau(&self) -> f64 {
        // τ-b divides by the pairs that each variable alone can order.
        let [first, second, _] = self.tied.map(|tied| (self.pairs() - tied) as f64);
        (self.balance() / (first * second).sqrt()).clamp(-1.0, 1.0)
    }

    fn p(&self) -> (f64, PMethod) {
        let rarer = self.discordant.min(self.pairs() - self.discordant);
        if self.tied == [0; 3] && (self.observations <= MOST_EXACT || rarer <= 1) {
            (exact_p(self.observations, rarer), PMethod::Exact)
        } else {
            (normal_two_sided(self.balance() / self.variance().sqrt()), PMethod::Asymptotic)
        }
    }

    /// The variance of the balance if the variables are independent.
    fn variance(&self) -> f64 {
        let n = self.observations as f64;
        // Kendall 1970, as in SciPy's `kendalltau`: the second and third term are 0 without ties in
        // both.
        let m = n * (n - 1.0);
        let [[cube_a, square_a], [cube_b, square_b]] = self.cubes;
        let [first, second, _] = self.tied.map(|tied| tied as f64);
        (m * (2.0 * n + 5.0) - square_a - square_b) / 18.0
            + 2.0 * first * second / m
            + cube_a * cube_b / (9.0 * m * (n - 2.0))
    }
}

fn pairs_of(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

/// The sizes of groups of neighbours that are the same.
fn group_sizes<T>(sorted: &[T], same: impl Fn(&T, &T) -> bool) -> Vec<u64> {
    sorted.chunk_by(same).map(|group| group.len() as u64).collect()
}

fn cubes(sizes: &[u64]) -> [f64; 2] {
    let sizes = sizes.iter().map(|size| *size as f64);
    [
        sizes.clone().map(|t| t * (t - 1.0) * (t - 2.0)).sum(),
        sizes.map(|t| t * (t - 1.0) * (2.0 * t + 5.0)).sum(),
    ]
}

/// Sorts by merging, and counts the pairs that were out of order. `spare` has the same length.
fn sort_counting_swaps(values: &mut [f64], spare: &mut [f64]) -> u64 {
    let middle = values.len() / 2;
    if middle == 0 {
        return 0;
    }
    let mut swaps = sort_counting_swaps(&mut values[..middle], &mut spare[..middle])
        + sort_counting_swaps(&mut values[middle..], &mut spare[middle..]);
    let (mut left, mut right) = (0, middle);
    for slot in spare.iter_mut() {
        let take_right = right < values.len() && (left == middle || values[right] < values[left]);
        let from = if take_right { &mut right } else { &mut left };
        *slot = values[*from];
        *from += 1;
        if take_right {
            // It overtakes everything that is left of the left half. Equals stay, as a tie is no
            // swap.
            swaps += (middle - left) as u64;
        }
    }
    values.copy_from_slice(spare);
    swaps
}

/// The probability that a random permutation has at most `rarer` discordant pairs, or at most as
/// many concordant ones.
fn exact_p(observations: usize, rarer: u64) -> f64 {
    if rarer <= 1 {
        // 1 permutation has none, n − 1 have one: of n!, 1 or n of them at either end.
        let factorial =
            (2..=observations as u64 - rarer).fold(1.0, |product, n| product * n as f64);
        return (2.0 / factorial).min(1.0);
    }
    if 2 * rarer >= pairs_of(observations as u64) {
        return 1.0;
    }
    // By one element more at a time: it may stand behind 0 ..= n − 1 of the others. Dividing at once
    // by the number of places gives probabilities, which do not overflow.
    let places = rarer as usize + 1;
    let mut chances = vec![0.0; places];
    chances[0] = 1.0;
    for n in 2..=observations {
        let mut sums = vec![0.0; places + 1];
        for at in 0..places {
            sums[at + 1] = sums[at] + chances[at];
        }
        for (at, chance) in chances.iter_mut().enumerate() {
            *chance = (sums[at + 1] - sums[(at + 1).saturating_sub(n)]) / n as f64;
        }
    }
    (2.0 * chances.iter().sum::<f64>()).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Every pair looked at.
    fn slow_counts(a: &[f64], b: &[f64]) -> (u64, [u64; 3]) {
        let (mut discordant, mut tied) = (0, [0; 3]);
        for i in 0..a.len() {
            for j in 0..i {
                let (in_a, in_b) = (a[i] - a[j], b[i] - b[j]);
                discordant += u64::from(in_a * in_b < 0.0);
                tied[0] += u64::from(in_a == 0.0);
                tied[1] += u64::from(in_b == 0.0);
                tied[2] += u64::from(in_a == 0.0 && in_b == 0.0);
            }
        }
        (discordant, tied)
    }

    /// Every permutation looked at.
    fn slow_exact_p(observations: usize, rarer: u64) -> f64 {
        let mut counts = (0, 0);
        permute(&mut (0..observations).collect(), 0, &mut |order: &[usize]| {
            let numbers: Vec<f64> = order.iter().map(|at| *at as f64).collect();
            let sorted: Vec<f64> = (0..observations).map(|at| at as f64).collect();
            let (discordant, _) = slow_counts(&sorted, &numbers);
            let extreme = discordant.min(pairs_of(observations as u64) - discordant) <= rarer;
            counts = (counts.0 + u64::from(extreme), counts.1 + 1);
        });
        counts.0 as f64 / counts.1 as f64
    }

    fn permute(order: &mut Vec<usize>, from: usize, each: &mut impl FnMut(&[usize])) {
        if from == order.len() {
            return each(order);
        }
        for at in from..order.len() {
            order.swap(from, at);
            permute(order, from + 1, each);
            order.swap(from, at);
        }
    }

    proptest! {
        #[test]
        fn sorting_counts_what_looking_at_all_pairs_counts(
            pairs in prop::collection::vec((-9_i8..9, -9_i8..9), 0..60),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            let counts = Counts::of(&a, &b);
            prop_assert_eq!((counts.discordant, counts.tied), slow_counts(&a, &b));
        }

        #[test]
        fn tau_is_symmetric_and_turns_with_a_variable(
            pairs in prop::collection::vec((-20_i8..20, -20_i8..20), 2..60),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            if let Ok(tau) = kendall_tau_b(&a, &b) {
                prop_assert!((-1.0..=1.0).contains(&tau.value));
                prop_assert!((0.0..=1.0).contains(&tau.p.clone().unwrap()));
                prop_assert_eq!(&kendall_tau_b(&b, &a).unwrap(), &tau);
                prop_assert_eq!(kendall_tau_b(&a, &a).unwrap().value, 1.0);
                let turned: Vec<f64> = a.iter().map(|a| -a).collect();
                prop_assert_eq!(kendall_tau_b(&turned, &b).unwrap().value, -tau.value);
            }
        }
    }

    #[test]
    fn exact_p_values_are_those_of_all_permutations() {
        for observations in 2..=7 {
            for rarer in 0..=pairs_of(observations as u64) / 2 {
                let (fast, slow) =
                    (exact_p(observations, rarer), slow_exact_p(observations, rarer));
                assert!((fast - slow).abs() < 1e-14, "{observations} {rarer}: {fast} {slow}");
            }
        }
    }

    #[test]
    fn the_method_is_the_one_scipy_takes() {
        fn method(a: &[f64], b: &[f64]) -> PMethod {
            kendall_tau_b(a, b).unwrap().method
        }
        let line: Vec<f64> = (0..40).map(f64::from).collect();
        assert_eq!(method(&line, &line), PMethod::Exact);
        let mut shuffled = line.clone();
        shuffled.swap(0, 5);
        assert_eq!(method(&line, &shuffled), PMethod::Asymptotic);
        assert_eq!(method(&line[..33], &shuffled[..33]), PMethod::Exact);
        assert_eq!(method(&[1.0, 1.0, 2.0], &[1.0, 2.0, 3.0]), PMethod::Asymptotic);
    }

    #[test]
    fn every_undefined_case_says_why() {
        let constant = kendall_tau_b(&[1.0; 3], &[1.0, 2.0, 3.0]);
        assert_eq!(constant, Err(StatsError::Constant { which: "first" }));
        let infinite = kendall_tau_b(&[1.0, 2.0], &[f64::INFINITY; 2]);
        assert_eq!(infinite, Err(StatsError::NotFinite { at: 0 }));
        assert!(matches!(kendall_tau_b(&[], &[]), Err(StatsError::TooFew { .. })));
    }
}
