//! Two models on the same tasks, by the ranks of their differences; and on the same tasks, who passes.

use super::correlation::{PMethod, average_ranks};
use super::descriptive::{mean, standard_deviation};
use super::distribution::{even_binomial_at_most, normal_two_sided};
use super::error::{StatsError, check_pairs};
use super::paired::paired_differences;

/// What is done with pairs that do not differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Zeros {
    /// They are left out before ranks are given (Wilcoxon).
    #[default]
    Dropped,
    /// They are ranked with the others, and their ranks left out (Pratt).
    Pratt,
}

/// How the signed-rank test treats zeros and ties, and up to where it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignedRankRule {
    /// What is done with pairs that do not differ.
    pub zeros: Zeros,
    /// Up to so many pairs that differ have every choice of their signs counted.
    pub most_exact: usize,
    /// Whether that is done of ties, too: of these very ranks. Else they take the normal distribution.
    pub exact_with_ties: bool,
}

impl SignedRankRule {
    /// What [`signed_rank_test`] does: exact up to 50 pairs that differ, with ties or without.
    pub const COUNTED: Self = Self { zeros: Zeros::Dropped, most_exact: 50, exact_with_ties: true };
    /// As textbooks have it: exact up to 25 pairs without ties, else the normal distribution. SciPy's `wilcoxon` is
    /// exact up to 50.
    pub const TEXTBOOK: Self =
        Self { zeros: Zeros::Dropped, most_exact: 25, exact_with_ties: false };
}

/// Wilcoxon's signed-rank test of two models, with effect sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignedRank {
    /// Pairs that differ; the others are left out, as Wilcoxon does.
    pub differing: usize,
    /// Pairs that do not.
    pub ties: usize,
    /// The sum of the ranks of the differences in favour of the first.
    pub positive: f64,
    /// The same of the second.
    pub negative: f64,
    /// The probability of sums at least as uneven, if every difference had either sign equally likely.
    pub p: f64,
    /// How the p-value was found.
    pub method: PMethod,
    /// The least p-value that so many pairs could have given: above 0.05 they are too few to say.
    pub least_p: f64,
    /// The matched-pairs rank-biserial correlation, −1..=1: the share of the sum of ranks that is in favour
    /// of the first, minus that of the second (Kerby 2014).
    pub rank_biserial: f64,
}

/// Two models on the same tasks: which of them pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassTable {
    /// Both pass.
    pub both: u64,
    /// Only the first does.
    pub only_first: u64,
    /// Only the second does.
    pub only_second: u64,
    /// Neither does.
    pub neither: u64,
}

/// Wilcoxon's signed-rank test of two models on the same tasks, two-sided.
///
/// Pairs without a difference are left out; equal differences share the mean of their ranks. Of at most 50
/// that differ, the p-value is exact, also with ties: it counts every choice of signs of these very ranks.
/// Of more it is that of the normal distribution, its variance corrected for ties, without a correction for
/// continuity, as `scipy.stats.wilcoxon` has it.
///
/// Differences are equal, or none, where they are to 10⁻¹² of the larger score, so that 0.8 − 0.7 and 0.4 − 0.3 tie.
/// SciPy ranks such by the last bits that rounding left; of differences that are given whole, with zeros for the second,
/// it finds the same.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] without tasks,
/// [`StatsError::AllTied`].
///
/// Source: Wilcoxon, *Individual comparisons by ranking methods*, 1945.
pub fn signed_rank_test(first: &[f64], second: &[f64]) -> Result<SignedRank, StatsError> {
    signed_rank_by(first, second, SignedRankRule::COUNTED)
}

/// Wilcoxon's signed-rank test by a rule: what is done with zeros, and up to where it is exact.
///
/// Where it is not, the normal distribution stands for it, without a correction for continuity: with variance
/// n(n+1)(2n+1)/24 − Σ(t³−t)/48, over groups of t ties. What ties is that of [`signed_rank_test`].
///
/// # Errors
///
/// As [`signed_rank_test`].
///
/// Source: Wilcoxon 1945; Pratt, *Remarks on zeros and ties in the Wilcoxon signed rank procedures*, 1959.
pub fn signed_rank_by(
    first: &[f64],
    second: &[f64],
    rule: SignedRankRule,
) -> Result<SignedRank, StatsError> {
    let SignedSums { ranks, positive, negative } = SignedSums::of(first, second, rule.zeros)?;
    let count = ranks.len();
    let total = positive + negative;
    let mut sorted = ranks.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let has_ties = sorted.windows(2).any(|two| two[0] == two[1]);
    let (p, method) = if count <= rule.most_exact && (rule.exact_with_ties || !has_ties) {
        (exact_p(&ranks, positive.min(negative)), PMethod::Exact)
    } else {
        // Σ rank² / 4 is the variance with ties already taken into account.
        let variance: f64 = ranks.iter().map(|rank| rank * rank).sum::<f64>() / 4.0;
        (normal_two_sided((positive - total / 2.0) / variance.sqrt()), PMethod::Asymptotic)
    };
    Ok(SignedRank {
        differing: count,
        ties: first.len() - count,
        positive,
        negative,
        p,
        method,
        // All differences in one direction: one choice of signs of all, and its mirror.
        least_p: 2.0 * 0.5_f64.powi(i32::try_from(count).unwrap_or(i32::MAX)),
        rank_biserial: (positive - negative) / total,
    })
}

/// The effect of [`signed_rank_by`] alone, without its p-value, so that it can be resampled: pairs that do not differ are
/// left out.
///
/// # Errors
///
/// As [`signed_rank_test`].
pub fn rank_biserial(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    let sums = SignedSums::of(first, second, Zeros::Dropped)?;
    Ok((sums.positive - sums.negative) / (sums.positive + sums.negative))
}

/// The ranks of differences, and their sums by sign.
struct SignedSums {
    ranks: Vec<f64>,
    positive: f64,
    negative: f64,
}

impl SignedSums {
    fn of(first: &[f64], second: &[f64], zeros: Zeros) -> Result<Self, StatsError> {
        check_pairs(first, second)?;
        if first.is_empty() {
            return Err(StatsError::TooFew { what: "pairs", found: 0, needed: 1 });
        }
        let mut kept = paired_differences(first, second);
        kept.retain(|difference| zeros == Zeros::Pratt || *difference != 0.0);
        let sizes: Vec<f64> = kept.iter().map(|difference| difference.abs()).collect();
        // Pratt ranks the zeros, too, and leaves them out only then.
        let (differences, ranks): (Vec<f64>, Vec<f64>) =
            kept.iter().copied().zip(average_ranks(&sizes)).filter(|(d, _)| *d != 0.0).unzip();
        if differences.is_empty() {
            return Err(StatsError::AllTied);
        }
        let positive: f64 = differences
            .iter()
            .zip(&ranks)
            .filter(|(d, _)| **d > 0.0)
            .fold(0.0, |sum, (_, rank)| sum + rank);
        let negative = ranks.iter().sum::<f64>() - positive;
        Ok(Self { ranks, positive, negative })
    }
}

/// Twice the share of all choices of signs whose sum of positive ranks is at most `rarer`.
fn exact_p(ranks: &[f64], rarer: f64) -> f64 {
    // Ranks are halves or wholes: doubled they are whole, and sums are counted by place.
    let doubled: Vec<usize> = ranks.iter().map(|rank| (2.0 * rank).round() as usize).collect();
    let mut share = vec![0.0; doubled.iter().sum::<usize>() + 1];
    share[0] = 1.0;
    let mut reached = 0;
    for rank in doubled {
        // From above, so that every rank is taken once; each sign is as likely as the other.
        for sum in (0..=reached).rev() {
            let half = share[sum] / 2.0;
            share[sum] = half;
            share[sum + rank] += half;
        }
        reached += rank;
    }
    let at = (2.0 * rarer).round() as usize;
    (2.0 * share.iter().take(at + 1).sum::<f64>()).min(1.0)
}

/// Cohen's d of paired differences: their mean in units of their standard deviation. Differences that are equal to 10⁻¹²
/// of the larger score have no spread.
///
/// # Errors
///
/// [`StatsError::UnequalLengths`], [`StatsError::NotFinite`], [`StatsError::TooFew`] of fewer than two pairs,
/// [`StatsError::EqualDifferences`].
pub fn cohen_d_paired(first: &[f64], second: &[f64]) -> Result<f64, StatsError> {
    check_pairs(first, second)?;
    let differences = paired_differences(first, second);
    let deviation = standard_deviation(&differences)?;
    if deviation == 0.0 {
        return Err(StatsError::EqualDifferences);
    }
    Ok(mean(&differences)? / deviation)
}

impl PassTable {
    /// Counts, task by task, who passes.
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut table = Self { both: 0, only_first: 0, only_second: 0, neither: 0 };
        for pair in pairs {
            *match pair {
                (true, true) => &mut table.both,
                (true, false) => &mut table.only_first,
                (false, true) => &mut table.only_second,
                (false, false) => &mut table.neither,
            } += 1;
        }
        table
    }

    /// All tasks.
    pub fn tasks(&self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// McNemar's test, exact and two-sided: the probability that the tasks on which only one passes are
    /// shared at least as unevenly, if either were as likely.
    ///
    /// # Errors
    ///
    /// [`StatsError::AllTied`] where there is no such task.
    ///
    /// Source: McNemar 1947, with the binomial distribution in place of χ².
    pub fn mcnemar(&self) -> Result<f64, StatsError> {
        let trials = self.only_first + self.only_second;
        if trials == 0 {
            return Err(StatsError::AllTied);
        }
        let rarer = self.only_first.min(self.only_second);
        Ok((2.0 * even_binomial_at_most(rarer, trials)).min(1.0))
    }
}

/// Holm's correction of several p-values: each as it stands against the same level as one alone, in the order
/// given.
///
/// Source: Holm, *A simple sequentially rejective multiple test procedure*, 1979.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 0.0_f64;
    for (at, place) in order.into_iter().enumerate() {
        // Never smaller than that of a smaller p: what is not rejected stops all that follow.
        least = least.max((p.len() - at) as f64 * p[place]).min(1.0);
        adjusted[place] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every choice of signs, written down.
    fn by_counting(ranks: &[f64], rarer: f64) -> f64 {
        let all = 1_u32 << ranks.len();
        let below = (0..all).filter(|signs| {
            let chosen = ranks.iter().enumerate().filter(|(at, _)| signs >> at & 1 == 1);
            chosen.map(|(_, rank)| rank).sum::<f64>() <= rarer + 1e-9
        });
        let below = below.count();
        (2.0 * below as f64 / f64::from(all)).min(1.0)
    }

    proptest! {
        #[test]
        fn the_exact_p_counts_every_choice_of_signs(
            pairs in prop::collection::vec((0_i8..9, 0_i8..9), 1..12),
        ) {
            let (a, b): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(a, b)| (f64::from(a), f64::from(b))).unzip();
            match signed_rank_test(&a, &b) {
                Ok(test) => {
                    let differences = a.iter().zip(&b).map(|(a, b)| (a - b).abs());
                    let sizes: Vec<f64> = differences.filter(|size| *size > 0.0).collect();
                    let slow = by_counting(&average_ranks(&sizes), test.positive.min(test.negative));
                    prop_assert!((test.p - slow).abs() < 1e-12, "{} and {slow}", test.p);
                    let back = signed_rank_test(&b, &a).unwrap();
                    prop_assert_eq!(back.p, test.p);
                    prop_assert_eq!(back.rank_biserial, -test.rank_biserial);
                    prop_assert_eq!(rank_biserial(&a, &b), Ok(test.rank_biserial));
                    prop_assert!((-1.0..=1.0).contains(&test.rank_biserial));
                }
                Err(error) => prop_assert_eq!(error, StatsError::AllTied),
            }
        }

        #[test]
        fn holm_keeps_the_order_and_never_makes_a_p_smaller(
            p in prop::collection::vec(0.0_f64..1.0, 0..12),
        ) {
            let adjusted = holm(&p);
            for (a, before) in adjusted.iter().zip(&p) {
                prop_assert!(a >= before && *a <= 1.0);
            }
            for (at, a) in p.iter().enumerate() {
                for (other, b) in p.iter().enumerate() {
                    prop_assert!(a > b || adjusted[at] <= adjusted[other]);
                }
            }
        }
    }

    #[test]
    fn the_asymptotic_p_meets_the_exact_one_where_both_are_known() {
        let a: Vec<f64> = (0..50).map(|at| f64::from(at * 7 % 50)).collect();
        let b: Vec<f64> = (0..50).map(|at| f64::from(at * 11 % 53) + 0.25).collect();
        let exact = signed_rank_test(&a, &b).unwrap();
        let more: Vec<f64> = a.iter().copied().chain([1.0]).collect();
        let other: Vec<f64> = b.iter().copied().chain([1.001]).collect();
        let about = signed_rank_test(&more, &other).unwrap();
        assert_eq!((exact.method, about.method), (PMethod::Exact, PMethod::Asymptotic));
        assert!((exact.p - about.p).abs() < 0.02, "{} and {}", exact.p, about.p);
    }

    #[test]
    fn known_examples_have_their_published_values() {
        // Wilcoxon's own heights of cross- and self-fertilised maize (Darwin), as in SciPy's documentation:
        // statistic 24, p = 0.04125976562.
        let d = [
            6.0, 8.0, 14.0, 16.0, 23.0, 24.0, 28.0, 29.0, 41.0, -48.0, 49.0, 56.0, 60.0, -67.0,
            75.0,
        ];
        let test = signed_rank_test(&d, &[0.0; 15]).unwrap();
        assert_eq!(test.positive.min(test.negative), 24.0);
        assert!((test.p - 0.041_259_765_625).abs() < 1e-12, "{}", test.p);
        let table = PassTable { both: 135, only_first: 18, only_second: 32, neither: 29 };
        assert!((table.mcnemar().unwrap() - 0.0649).abs() < 5e-5);
        assert_eq!(table.tasks(), 214);
        assert_eq!(PassTable::of([(true, true)]).mcnemar(), Err(StatsError::AllTied));
        // As in R's p.adjust(method = "holm").
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, known) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - known).abs() < 1e-12);
        }
        assert!((cohen_d_paired(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0]).unwrap() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn zeros_and_ties_go_by_the_rule() {
        let (a, b) = ([0.0, 0.0, 1.0, -2.0, 3.0, 4.0], [0.0; 6]);
        let pratt = SignedRankRule { zeros: Zeros::Pratt, ..SignedRankRule::TEXTBOOK };
        let dropped = signed_rank_by(&a, &b, SignedRankRule::TEXTBOOK).unwrap();
        let ranked = signed_rank_by(&a, &b, pratt).unwrap();
        assert_eq!((dropped.positive, dropped.negative), (8.0, 2.0));
        assert_eq!((ranked.positive, ranked.negative, ranked.ties), (14.0, 4.0, 2));
        assert_eq!((dropped.least_p, dropped.method), (0.125, PMethod::Exact));
        let tied = signed_rank_by(&[1.0, 1.0, 2.0], &[0.0; 3], SignedRankRule::TEXTBOOK).unwrap();
        assert_eq!(tied.method, PMethod::Asymptotic);
        assert_eq!(signed_rank_by(&[1.0], &[1.0], pratt), Err(StatsError::AllTied));
    }

    #[test]
    fn equal_decimal_differences_tie_though_their_floats_differ() {
        // 0.1 each, as floats 0.10000000000000009, 0.10000000000000003 and 0.09999999999999998; the fourth is none.
        let (a, b) = ([0.8, 0.4, 0.5, 0.1 + 0.2, 0.2], [0.7, 0.3, 0.6, 0.3, 0.7]);
        let test = signed_rank_test(&a, &b).unwrap();
        assert_eq!((test.differing, test.ties), (4, 1));
        // The three share rank 2, and the last has rank 4.
        assert_eq!((test.positive, test.negative), (4.0, 6.0));
        assert_eq!(test.p, signed_rank_test(&[1.0, 1.0, -1.0, -5.0], &[0.0; 4]).unwrap().p);
        assert_eq!(rank_biserial(&a, &b), Ok(test.rank_biserial));
        assert_eq!(cohen_d_paired(&a[..2], &b[..2]), Err(StatsError::EqualDifferences));
    }

    #[test]
    fn every_undefined_case_says_why() {
        assert_eq!(signed_rank_test(&[1.0], &[1.0]), Err(StatsError::AllTied));
        assert!(matches!(signed_rank_test(&[], &[]), Err(StatsError::TooFew { .. })));
        assert_eq!(signed_rank_test(&[f64::NAN], &[1.0]), Err(StatsError::NotFinite { at: 0 }));
        assert!(matches!(cohen_d_paired(&[1.0], &[0.0]), Err(StatsError::TooFew { .. })));
        assert!(cohen_d_paired(&[1.0, 2.0], &[0.0, 1.0]).is_err());
        assert!(holm(&[]).is_empty());
    }
}
