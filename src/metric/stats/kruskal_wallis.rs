//! Several groups of different people, by ranks.

use super::correlation::{PMethod, average_ranks};
use super::distribution::chi_squared_above;
use super::error::{StatsError, check_finite};
use super::mann_whitney::tie_sum;

/// So many ways to share the people out are counted one by one; of more, χ² stands for them.
const MOST_COUNTED: f64 = 100_000.0;
/// And of so many people at most: counting goes down a call for each.
const MOST_PEOPLE: usize = 1_000;

/// Kruskal and Wallis' test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KruskalWallis {
    /// H, corrected for ties.
    pub h: f64,
    /// Groups less one.
    pub degrees: usize,
    /// The p-value: exact of few people, else of χ².
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The p-value of χ², as SciPy has it.
    pub chi_squared_p: f64,
    /// The least p-value that groups of these sizes could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// The effect η²: the share of the variance of ranks that lies between the groups, corrected for their number;
    /// at least 0 (Tomczak and Tomczak 2014).
    pub eta_squared: f64,
}

/// Kruskal and Wallis' test of groups.
///
/// # Errors
///
/// [`StatsError::TooFew`] of fewer than two groups, [`StatsError::EmptyGroup`], [`StatsError::NotFinite`],
/// [`StatsError::AllTied`] where all values are equal.
///
/// Source: Kruskal and Wallis 1952; as `scipy.stats.kruskal`.
pub fn kruskal_wallis(groups: &[Vec<f64>]) -> Result<KruskalWallis, StatsError> {
    let Ranked { ranks, sizes, between, h } = Ranked::of(groups)?;
    let degrees = groups.len() - 1;
    let chi_squared_p = chi_squared_above(h, degrees);
    let (p, method, least_p) = if ranks.len() <= MOST_PEOPLE && ways(&sizes) <= MOST_COUNTED {
        let mut counted = PartitionCount::of(&ranks, &sizes, between);
        counted.share_out(0);
        (counted.hits / counted.all, PMethod::Exact, counted.of_largest / counted.all)
    } else {
        (chi_squared_p, PMethod::Asymptotic, 0.0)
    };
    let eta_squared = share_between(h, groups.len(), ranks.len());
    Ok(KruskalWallis { h, degrees, p, method, chi_squared_p, least_p, eta_squared })
}

/// The effect of [`kruskal_wallis`] alone, without its p-value, so that it can be resampled.
///
/// # Errors
///
/// As [`kruskal_wallis`].
pub fn eta_squared(groups: &[Vec<f64>]) -> Result<f64, StatsError> {
    let ranked = Ranked::of(groups)?;
    Ok(share_between(ranked.h, groups.len(), ranked.ranks.len()))
}

/// η² of an H of so many groups and people.
fn share_between(h: f64, groups: usize, people: usize) -> f64 {
    let (groups, n) = (groups as f64, people as f64);
    // Of as many people as groups nothing is left within them.
    if n > groups { ((h - groups + 1.0) / (n - groups)).clamp(0.0, 1.0) } else { 1.0 }
}

/// Groups by the ranks of all their values.
struct Ranked {
    /// Group by group.
    ranks: Vec<f64>,
    sizes: Vec<usize>,
    /// What H grows with.
    between: f64,
    h: f64,
}

impl Ranked {
    fn of(groups: &[Vec<f64>]) -> Result<Self, StatsError> {
        if groups.len() < 2 {
            return Err(StatsError::TooFew { what: "groups", found: groups.len(), needed: 2 });
        }
        if let Some(at) = groups.iter().position(Vec::is_empty) {
            return Err(StatsError::EmptyGroup { at });
        }
        let values: Vec<f64> = groups.iter().flatten().copied().collect();
        check_finite(&values)?;
        let ranks = average_ranks(&values);
        let n = values.len() as f64;
        let correction = 1.0 - tie_sum(&ranks) / (n * n * n - n);
        if correction <= 0.0 {
            return Err(StatsError::AllTied);
        }
        let sizes: Vec<usize> = groups.iter().map(Vec::len).collect();
        let mut at = 0;
        let mut sums = Vec::with_capacity(groups.len());
        for size in &sizes {
            sums.push(ranks.iter().skip(at).take(*size).sum::<f64>());
            at += size;
        }
        let between = squares(&sums, &sizes);
        let h = (12.0 / (n * (n + 1.0)) * between - 3.0 * (n + 1.0)) / correction;
        Ok(Self { ranks, sizes, between, h })
    }
}

/// Σ R² / n over groups: H grows with nothing else.
fn squares(sums: &[f64], sizes: &[usize]) -> f64 {
    sums.iter().zip(sizes).map(|(sum, size)| sum * sum / *size as f64).sum()
}

/// In how many ways people can be shared out into groups of these sizes.
fn ways(sizes: &[usize]) -> f64 {
    let (mut placed, mut ways) = (0.0_f64, 1.0_f64);
    for size in sizes {
        for at in 1..=*size {
            placed += 1.0;
            ways *= placed / at as f64;
        }
    }
    ways
}

/// Counts every way to share out.
struct PartitionCount<'a> {
    ranks: &'a [f64],
    sizes: &'a [usize],
    free: Vec<usize>,
    sums: Vec<f64>,
    /// What counts as at least as uneven.
    enough: f64,
    hits: f64,
    all: f64,
    largest: f64,
    of_largest: f64,
}

impl<'a> PartitionCount<'a> {
    fn of(ranks: &'a [f64], sizes: &'a [usize], between: f64) -> Self {
        Self {
            ranks,
            sizes,
            free: sizes.to_vec(),
            sums: vec![0.0; sizes.len()],
            // Quotients round: equals must stay equal.
            enough: between * (1.0 - 1e-12),
            hits: 0.0,
            all: 0.0,
            largest: 0.0,
            of_largest: 0.0,
        }
    }

    /// Gives every group in turn the rank at this place, and below it all that follow.
    fn share_out(&mut self, at: usize) {
        let Some(rank) = self.ranks.get(at) else {
            let value = squares(&self.sums, self.sizes);
            self.all += 1.0;
            self.hits += f64::from(u8::from(value >= self.enough));
            if value > self.largest * (1.0 + 1e-12) {
                (self.largest, self.of_largest) = (value, 0.0);
            }
            self.of_largest += f64::from(u8::from(value >= self.largest * (1.0 - 1e-12)));
            return;
        };
        for group in 0..self.sizes.len() {
            if self.free[group] > 0 {
                self.free[group] -= 1;
                self.sums[group] += rank;
                self.share_out(at + 1);
                self.sums[group] -= rank;
                self.free[group] += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::stats::mann_whitney;

    #[test]
    fn of_two_groups_it_is_mann_and_whitneys_test() {
        let (a, b) = (vec![3.0, 5.0, 8.0, 8.0, 9.0], vec![1.0, 2.0, 3.0, 4.0]);
        let two = mann_whitney(&a, &b).unwrap();
        let many = kruskal_wallis(&[a, b]).unwrap();
        // Ranks of a symmetric choice: both count the same arrangements but for ties at the other end.
        assert_eq!(many.method, PMethod::Exact);
        assert!((many.p - two.p).abs() < 0.02, "{} and {}", many.p, two.p);
    }

    #[test]
    fn three_groups_of_two_are_counted_by_hand() {
        let groups = [vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]];
        let test = kruskal_wallis(&groups).unwrap();
        // 90 ways, 6 of which keep the neighbours together: the groups can be named in any order.
        assert!((test.p - 6.0 / 90.0).abs() < 1e-12 && (test.least_p - test.p).abs() < 1e-12);
        assert!((test.h - 32.0 / 7.0).abs() < 1e-12, "{}", test.h);
        assert_eq!(eta_squared(&groups), Ok(test.eta_squared));
    }

    #[test]
    fn one_person_beside_very_many_does_not_go_down_a_call_for_each() {
        let many: Vec<f64> = (0..90_000).map(f64::from).collect();
        assert_eq!(kruskal_wallis(&[vec![0.5], many]).unwrap().method, PMethod::Asymptotic);
    }

    #[test]
    fn every_undefined_case_says_why() {
        let few = StatsError::TooFew { what: "groups", found: 1, needed: 2 };
        assert_eq!(kruskal_wallis(&[vec![1.0]]), Err(few));
        assert_eq!(kruskal_wallis(&[vec![1.0], vec![]]), Err(StatsError::EmptyGroup { at: 1 }));
        assert_eq!(kruskal_wallis(&[vec![2.0], vec![2.0]]), Err(StatsError::AllTied));
    }
}
