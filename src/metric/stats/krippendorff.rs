//! Krippendorff's α of any number of raters, with missing labels.

use super::correlation::centred;
use super::error::StatsError;
use super::ratings::{Agreement, Ratings};

/// The level of measurement: how far two labels are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Different is different.
    Nominal,
    /// By how many labels were given between them, squared.
    Ordinal,
    /// By the square of their difference.
    Interval,
    /// By the square of their difference against their sum; numbers from 0.
    Ratio,
}

/// α, and on what it rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AlphaAgreement {
    /// The coefficient, at most 1.
    pub agreement: Agreement,
    /// Items with at least two labels; the others say nothing about agreement.
    pub items: usize,
    /// Labels on these items.
    pub labels: usize,
}

/// Pairs of values that the ratio level compares one by one before it gives up.
const MOST_PAIRS: usize = 200_000_000;

/// Krippendorff's α at a level of measurement.
///
/// Every rater may leave out any item; an item counts with all its labels if it has at least two.
/// Exactly 1 if labels agree on every item. Linear in the number of labels but for `Ratio`, which
/// compares all different values.
///
/// # Errors
///
/// [`StatsError::OneRater`], [`StatsError::NoOverlap`] if no item has two labels,
/// [`StatsError::Unanimous`] if there is only one label, [`StatsError::WordLabels`] for words above
/// the nominal level, [`StatsError::NegativeRatio`], [`StatsError::TooManyValues`].
///
/// Source: Krippendorff, "Computing Krippendorff's alpha-reliability", 2011; PyPI `krippendorff`.
pub fn krippendorff_alpha(ratings: &Ratings, level: Level) -> Result<AlphaAgreement, StatsError> {
    // A table without rows may still have a column for everybody.
    if ratings.raters() < 2 && ratings.items() > 0 {
        return Err(StatsError::OneRater);
    }
    // A single label on an item can neither agree nor disagree; it does not count for chance
    // either.
    let units: Vec<Vec<u32>> =
        ratings.rows().map(labels_of).filter(|unit| unit.len() > 1).collect();
    if units.is_empty() {
        return Err(StatsError::NoOverlap);
    }
    let counts = counts(&units, ratings.labels().len());
    let (observed, expected) = match level {
        Level::Nominal => nominal(&units, &counts),
        Level::Ordinal => {
            squared(&units, &counts, &mid_ranks(ratings.labels().numbers()?, &counts))
        }
        Level::Interval => squared(&units, &counts, ratings.labels().numbers()?),
        Level::Ratio => ratio(&units, &counts, ratings.labels().numbers()?)?,
    };
    let labels: usize = units.iter().map(Vec::len).sum();
    let n = labels as f64;
    // D_o and D_e of the paper, from sums over units and over all labels; chance draws without
    // putting back, hence n − 1.
    let agreement = Agreement::new(observed / n, expected / (n * (n - 1.0)))?;
    Ok(AlphaAgreement { agreement, items: units.len(), labels })
}

fn labels_of(row: &[Option<u32>]) -> Vec<u32> {
    row.iter().copied().flatten().collect()
}

/// How often each label was given on items that count.
fn counts(units: &[Vec<u32>], labels: usize) -> Vec<usize> {
    let mut counts = vec![0; labels];
    for code in units.iter().flatten() {
        counts[*code as usize] += 1;
    }
    counts
}

/// Ordinal distance is the squared difference of these: half the labels of the same value, and all
/// of smaller ones.
fn mid_ranks(numbers: &[f64], counts: &[usize]) -> Vec<f64> {
    debug_assert_eq!(numbers.len(), counts.len(), "a count for every number");
    let mut below = 0.0;
    let mut ranks = Vec::with_capacity(counts.len());
    for count in counts {
        ranks.push(below + *count as f64 / 2.0);
        below += *count as f64;
    }
    ranks
}

/// Observed and expected sums for labels that are the same or not.
fn nominal(units: &[Vec<u32>], counts: &[usize]) -> (f64, f64) {
    let observed = units.iter().map(|unit| different_pairs(unit) as f64 / (unit.len() - 1) as f64);
    let n: usize = counts.iter().sum();
    let expected = n * n - counts.iter().map(|count| count * count).sum::<usize>();
    (observed.sum(), expected as f64)
}

/// Ordered pairs of different labels.
fn different_pairs(unit: &[u32]) -> usize {
    if let [a, b] = unit {
        return if a == b { 0 } else { 2 };
    }
    let same: usize = runs(unit).iter().map(|(_, count)| count * count).sum();
    unit.len() * unit.len() - same
}

/// Each label of an item with how often it was given.
fn runs(unit: &[u32]) -> Vec<(u32, usize)> {
    let mut sorted = unit.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(PartialEq::eq).map(|run| (run[0], run.len())).collect()
}

/// Observed and expected sums of squared differences of `values`, given by code. Both follow from
/// deviations from a mean, without looking at pairs.
fn squared(units: &[Vec<u32>], counts: &[usize], values: &[f64]) -> (f64, f64) {
    // The scale cancels; without it the squares of large numbers would overflow.
    let values = centred(values);
    let observed = units.iter().map(|unit| {
        // Σ (a − b)² over ordered pairs is 2 m Σ (a − mean)², and a unit's pairs are weighed by 1 /
        // (m − 1).
        let ordered = 2.0 * unit.len() as f64 / (unit.len() - 1) as f64;
        ordered * deviations(unit.iter().map(|code| (values[*code as usize], 1)))
    });
    let n: usize = counts.iter().sum();
    let used = values.iter().copied().zip(counts.iter().copied()).filter(|(_, count)| *count > 0);
    (observed.sum(), 2.0 * n as f64 * deviations(used))
}

/// Σ count (value − mean)². Exactly 0 for equal values.
fn deviations(values: impl Iterator<Item = (f64, usize)> + Clone) -> f64 {
    let mut values = values.peekable();
    let Some(&(origin, _)) = values.peek() else { return 0.0 };
    // Measured from one of the values, the mean of equal ones is exactly 0.
    let (mut sum, mut n) = (0.0, 0.0);
    for (value, count) in values.clone() {
        sum += (value - origin) * count as f64;
        n += count as f64;
    }
    let mean = sum / n;
    values.map(|(value, count)| count as f64 * square(value - origin - mean)).sum()
}

fn square(value: f64) -> f64 {
    value * value
}

/// Observed and expected sums for numbers from 0, pair by pair of different values.
fn ratio(units: &[Vec<u32>], counts: &[usize], values: &[f64]) -> Result<(f64, f64), StatsError> {
    let all: Vec<(u32, usize)> =
        (0..).zip(counts).filter(|(_, count)| **count > 0).map(|(at, n)| (at, *n)).collect();
    if all.iter().any(|(code, _)| values[*code as usize] < 0.0) {
        return Err(StatsError::NegativeRatio);
    }
    let units: Vec<(usize, Vec<(u32, usize)>)> =
        units.iter().map(|unit| (unit.len(), runs(unit))).collect();
    let pairs: usize =
        units.iter().map(|(_, runs)| runs).chain([&all]).map(|r| r.len().pow(2)).sum();
    // The ratio level has no mean to go by, so all pairs are compared: that is quadratic.
    if pairs > MOST_PAIRS {
        return Err(StatsError::TooManyValues { distinct: all.len(), most: MOST_PAIRS.isqrt() });
    }
    let observed = units.iter().map(|(m, runs)| ratio_pairs(runs, values) / (m - 1) as f64);
    Ok((observed.sum(), ratio_pairs(&all, values)))
}

/// The sum of ratio distances over ordered pairs.
fn ratio_pairs(runs: &[(u32, usize)], values: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (at, &(code, count)) in runs.iter().enumerate() {
        for &(other, others) in &runs[..at] {
            let (a, b) = (values[code as usize], values[other as usize]);
            // Halved first, as the sum of two large numbers would overflow. Of two zeros it is 0.
            let distance =
                if a == b { 0.0 } else { square((a / 2.0 - b / 2.0) / (a / 2.0 + b / 2.0)) };
            sum += (count * others) as f64 * distance;
        }
    }
    // Every pair in both orders.
    2.0 * sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::stats::Labels;
    use crate::metric::stats::cohen::{Weighting, cohen_kappa};

    const ALL: [Level; 4] = [Level::Nominal, Level::Ordinal, Level::Interval, Level::Ratio];

    fn alpha_of(rows: &[Vec<Option<f64>>], level: Level) -> Result<f64, StatsError> {
        krippendorff_alpha(&Ratings::from_numbers(rows), level).map(|alpha| alpha.agreement.value)
    }

    /// Krippendorff 2011 as it is written: coincidences of all pairs, then distances of all values.
    fn slow_alpha(rows: &[Vec<Option<f64>>], level: Level) -> f64 {
        let ratings = Ratings::from_numbers(rows);
        let Labels::Numbers(values) = ratings.labels() else { panic!("numbers were given") };
        let k = values.len();
        let mut coincidences = vec![vec![0.0; k]; k];
        for unit in ratings.rows().map(labels_of).filter(|unit| unit.len() > 1) {
            for (i, a) in unit.iter().enumerate() {
                for (j, b) in unit.iter().enumerate().filter(|(j, _)| *j != i) {
                    assert_ne!(i, j);
                    coincidences[*a as usize][*b as usize] += 1.0 / (unit.len() - 1) as f64;
                }
            }
        }
        let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
        let n: f64 = totals.iter().sum();
        let (mut observed, mut expected) = (0.0, 0.0);
        for a in 0..k {
            for b in 0..k {
                let distance = slow_distance(level, a, b, values, &totals);
                observed += coincidences[a][b] * distance;
                expected += totals[a] * totals[b] * distance;
            }
        }
        1.0 - (n - 1.0) * observed / expected
    }

    fn slow_distance(level: Level, a: usize, b: usize, values: &[f64], totals: &[f64]) -> f64 {
        let (low, high) = (a.min(b), a.max(b));
        let apart = match level {
            _ if a == b => 0.0,
            Level::Nominal => 1.0,
            Level::Ordinal => {
                totals[low..=high].iter().sum::<f64>() - f64::midpoint(totals[low], totals[high])
            }
            Level::Interval => values[a] - values[b],
            Level::Ratio => (values[a] - values[b]) / (values[a] + values[b]),
        };
        apart * apart
    }

    fn tables() -> impl Strategy<Value = Vec<Vec<Option<f64>>>> {
        let cell = prop::option::weighted(0.8, (0_u8..6).prop_map(f64::from));
        (2_usize..5).prop_flat_map(move |raters| {
            prop::collection::vec(prop::collection::vec(cell.clone(), raters), 2..25)
        })
    }

    proptest! {
        #[test]
        fn sums_over_counts_give_what_the_coincidence_matrix_gives(rows in tables()) {
            for level in ALL {
                match krippendorff_alpha(&Ratings::from_numbers(&rows), level) {
                    Ok(alpha) => {
                        let value = alpha.agreement.value;
                        prop_assert!((value - slow_alpha(&rows, level)).abs() < 1e-10, "{level:?}");
                        prop_assert!(value <= 1.0);
                    }
                    Err(error) => prop_assert!(
                        matches!(error, StatsError::NoOverlap | StatsError::Unanimous), "{error}"
                    ),
                }
            }
        }

        #[test]
        fn raters_and_items_may_stand_in_any_order(rows in tables()) {
            let turned: Vec<Vec<Option<f64>>> =
                rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
            for level in ALL {
                match (alpha_of(&rows, level), alpha_of(&turned, level)) {
                    (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-12),
                    (a, b) => prop_assert_eq!(a, b),
                }
            }
        }

        #[test]
        fn interval_alpha_does_not_mind_unit_and_origin(rows in tables()) {
            let other: Vec<Vec<Option<f64>>> = rows
                .iter()
                .map(|row| row.iter().map(|cell| cell.map(|value| 1e200 * (3.0 - value))).collect())
                .collect();
            match (alpha_of(&rows, Level::Interval), alpha_of(&other, Level::Interval)) {
                (Ok(a), Ok(b)) => prop_assert!((a - b).abs() < 1e-9),
                (a, b) => prop_assert_eq!(a, b),
            }
        }

        /// With two raters and nothing missing, expected disagreement pools both raters' labels (Scott's
        /// π) and is taken without replacement; where both used labels equally often, π is κ.
        #[test]
        fn for_two_raters_with_equal_marginals_alpha_follows_from_kappa(
            labels in prop::collection::vec(0_u32..4, 2..30), turn in 0_usize..30,
        ) {
            let mut other = labels.clone();
            other.rotate_left(turn % labels.len());
            let pairs: Vec<(u32, u32)> = labels.iter().copied().zip(other).collect();
            let rows: Vec<_> = pairs
                .iter()
                .map(|&(a, b)| vec![Some(f64::from(a)), Some(f64::from(b))])
                .collect();
            let alpha = krippendorff_alpha(&Ratings::from_numbers(&rows), Level::Nominal);
            match (cohen_kappa(&pairs, Weighting::Plain), alpha) {
                (Ok(kappa), Ok(alpha)) => {
                    let n = 2.0 * pairs.len() as f64;
                    let expected = 1.0 - (1.0 - kappa.value) * (n - 1.0) / n;
                    prop_assert!((alpha.agreement.value - expected).abs() < 1e-12);
                }
                (kappa, alpha) => prop_assert_eq!(kappa.map(|_| ()), alpha.map(|_| ())),
            }
        }
    }

    fn numbers_of(rows: &[&[f64]]) -> Ratings {
        let rows: Vec<Vec<Option<f64>>> =
            rows.iter().map(|row| row.iter().copied().map(Some).collect()).collect();
        Ratings::from_numbers(&rows)
    }

    #[test]
    fn full_agreement_is_exactly_one_at_every_level() {
        for level in ALL {
            let ratings = numbers_of(&[&[0.1; 3], &[0.7; 3], &[1e9; 3], &[0.0; 3]]);
            assert_eq!(krippendorff_alpha(&ratings, level).unwrap().agreement.value, 1.0);
        }
    }

    #[test]
    fn every_undefined_case_says_why() {
        fn alpha(ratings: &Ratings, level: Level) -> StatsError {
            krippendorff_alpha(ratings, level).unwrap_err()
        }
        for level in ALL {
            assert_eq!(alpha(&numbers_of(&[]), level), StatsError::NoOverlap);
            assert_eq!(alpha(&numbers_of(&[&[1.0], &[2.0]]), level), StatsError::OneRater);
            assert_eq!(alpha(&numbers_of(&[&[5.0; 2], &[5.0; 2]]), level), StatsError::Unanimous);
            let apart = [vec![Some(1.0), None], vec![None, Some(2.0)]];
            assert_eq!(alpha(&Ratings::from_numbers(&apart), level), StatsError::NoOverlap);
        }
        let negative = numbers_of(&[&[-1.0, 2.0], &[1.0, 1.0]]);
        assert_eq!(alpha(&negative, Level::Ratio), StatsError::NegativeRatio);
    }

    #[test]
    fn words_have_a_nominal_alpha_only() {
        let words = [vec![Some("yes"), Some("yes")], vec![Some("no"), Some("yes")]];
        let words = Ratings::from_words(&words);
        assert!(krippendorff_alpha(&words, Level::Nominal).is_ok());
        for level in [Level::Ordinal, Level::Interval, Level::Ratio] {
            let error = krippendorff_alpha(&words, level).unwrap_err();
            assert_eq!(error, StatsError::WordLabels { example: "no".to_owned() });
        }
    }

    #[test]
    fn too_many_ratios_are_refused_in_time() {
        let rows: Vec<_> =
            (0..20_000).map(|i| vec![Some(f64::from(i)), Some(f64::from(i))]).collect();
        let error = krippendorff_alpha(&Ratings::from_numbers(&rows), Level::Ratio).unwrap_err();
        assert!(matches!(error, StatsError::TooManyValues { distinct: 20_000, .. }), "{error}");
    }
}
