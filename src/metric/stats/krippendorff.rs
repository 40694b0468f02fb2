//! Krippendorff's α of any number of raters, with missing labels.

use super::agreement::Agreement;
use super::correlation::centred;
use super::error::StatsError;
use super::ratings::{Labels, Ratings};

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
    if ratings.raters() < 2 {
        return Err(StatsError::OneRater);
    }
    let units: Vec<Vec<u32>> =
        ratings.rows().map(labels_of).filter(|unit| unit.len() > 1).collect();
    if units.is_empty() {
        return Err(StatsError::NoOverlap);
    }
    let counts = counts(&units, ratings.labels().len());
    let (observed, expected) = match level {
        Level::Nominal => nominal(&units, &counts),
        Level::Ordinal => squared(&units, &counts, &mid_ranks(numbers(ratings)?, &counts)),
        Level::Interval => squared(&units, &counts, numbers(ratings)?),
        Level::Ratio => ratio(&units, &counts, numbers(ratings)?)?,
    };
    let labels: usize = units.iter().map(Vec::len).sum();
    let n = labels as f64;
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

fn numbers(ratings: &Ratings) -> Result<&[f64], StatsError> {
    match ratings.labels() {
        Labels::Numbers(numbers) => Ok(numbers),
        Labels::Words(words) => {
            Err(StatsError::WordLabels { example: words.first().cloned().unwrap_or_default() })
        }
    }
}

/// Ordinal distance is the squared difference of these: half the labels of the same value, and all
/// of smaller ones.
fn mid_ranks(numbers: &[f64], counts: &[usize]) -> Vec<f64> {
    let mut below = 0.0;
    let rank = |count: &usize| {
        let rank = below + *count as f64 / 2.0;
        below += *count as f64;
        rank
    };
    debug_assert_eq!(numbers.len(), counts.len(), "a count for every number");
    counts.iter().map(rank).collect()
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
    let sums = |(sum, n): (f64, f64), (value, count): (f64, usize)| {
        (sum + (value - origin) * count as f64, n + count as f64)
    };
    let (sum, n) = values.clone().fold((0.0, 0.0), sums);
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
    if pairs > MOST_PAIRS {
        return Err(StatsError::TooManyValues { distinct: all.len(), most: MOST_PAIRS.isqrt() });
    }
    let observed = units.iter().map(|(m, runs)| ratio_pairs(runs, values) / (m - 1) as f64);
    Ok((observed.sum(), ratio_pairs(&all, values)))
}

/// The sum of ratio distances over ordered pairs.
fn ratio_pairs(runs: &[(u32, usize)], values: &[f64]) -> f64 {
    let distance = |a: f64, b: f64| {
        if a == b { 0.0 } else { square((a / 2.0 - b / 2.0) / (a / 2.0 + b / 2.0)) }
    };
    let pairs = runs.iter().enumerate().flat_map(|(at, a)| runs[..at].iter().map(move |b| (a, b)));
    let sum = pairs.map(|((a, n), (b, m))| {
        (n * m) as f64 * distance(values[*a as usize], values[*b as usize])
    });
    2.0 * sum.sum::<f64>()
}

#[cfg(test)]
mod tests;
