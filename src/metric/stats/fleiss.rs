//! Fleiss' κ of any number of raters.

use std::collections::BTreeMap;

use super::error::StatsError;
use super::ratings::{Agreement, Ratings};

/// What raters would do by chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Chance {
    /// Give each label as often as all raters together did: Fleiss' κ.
    Fleiss,
    /// Give each label that occurs equally often: Randolph's κ.
    Randolph,
}

/// κ, and on what it rests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FleissAgreement {
    /// The coefficient, within −1..=1.
    pub agreement: Agreement,
    /// Items that count.
    pub items: usize,
    /// Labels on each of them.
    pub labels_per_item: usize,
}

/// Fleiss' κ.
///
/// It needs the same number of labels, at least two, on every item, from whichever raters. Where
/// the items that have labels differ in that, only those count that every rater labelled.
///
/// # Errors
///
/// [`StatsError::OneRater`], [`StatsError::NoOverlap`] without an item with two labels,
/// [`StatsError::UnequalRatings`] if no item has a label of every rater and their numbers differ,
/// [`StatsError::Unanimous`] if only one label was given.
///
/// Source: Fleiss 1971, Randolph 2005; statsmodels `fleiss_kappa`.
pub fn fleiss_kappa(ratings: &Ratings, chance: Chance) -> Result<FleissAgreement, StatsError> {
    // A table without rows may still have a column for everybody.
    if ratings.raters() < 2 && ratings.items() > 0 {
        return Err(StatsError::OneRater);
    }
    let items = comparable_items(ratings)?;
    // The same for all, which `comparable_items` saw to.
    let labels_per_item = items.first().map_or(0, Vec::len);
    let (n, m) = (items.len() as f64, labels_per_item as f64);
    let mut totals: BTreeMap<u32, usize> = BTreeMap::new();
    let mut same_pairs = 0_usize;
    for mut item in items.iter().cloned() {
        item.sort_unstable();
        for run in item.chunk_by(PartialEq::eq) {
            same_pairs += run.len() * (run.len() - 1);
            *totals.entry(run[0]).or_default() += run.len();
        }
    }
    // Counted as whole numbers, so that complete agreement is exactly 0 / pairs.
    let pairs = items.len() * labels_per_item * (labels_per_item - 1);
    let observed = (pairs - same_pairs) as f64 / pairs as f64;
    let agreement = Agreement::new(observed, expected(&totals, n * m, chance))?;
    Ok(FleissAgreement { agreement, items: items.len(), labels_per_item })
}

/// The probability that two labels by chance differ.
fn expected(totals: &BTreeMap<u32, usize>, labels: f64, chance: Chance) -> f64 {
    if totals.len() < 2 {
        return 0.0;
    }
    match chance {
        Chance::Fleiss => {
            // statsmodels' p_e: two labels drawn with putting back.
            1.0 - totals.values().map(|count| (*count as f64 / labels).powi(2)).sum::<f64>()
        }
        Chance::Randolph => 1.0 - 1.0 / totals.len() as f64,
    }
}

/// The labels of the items that count, the same number each, at least two.
fn comparable_items(ratings: &Ratings) -> Result<Vec<Vec<u32>>, StatsError> {
    let labelled = ratings.rows().map(|row| row.iter().copied().flatten().collect::<Vec<u32>>());
    let mut items: Vec<Vec<u32>> = labelled.filter(|item| !item.is_empty()).collect();
    let most = items.iter().map(Vec::len).max().unwrap_or(0);
    if most < 2 {
        return Err(StatsError::NoOverlap);
    }
    // Fleiss' formula weighs every item alike, which only makes sense with equally many labels.
    if items.iter().any(|item| item.len() != most) {
        items.retain(|item| item.len() == ratings.raters());
    }
    if items.is_empty() { Err(StatsError::UnequalRatings) } else { Ok(items) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratings(rows: &[Vec<Option<&str>>]) -> Ratings {
        Ratings::from_words(rows)
    }

    fn fleiss(rows: &[Vec<Option<&str>>]) -> Result<FleissAgreement, StatsError> {
        fleiss_kappa(&ratings(rows), Chance::Fleiss)
    }

    proptest! {
        #[test]
        fn it_stays_in_its_range_in_any_order_of_items_and_raters(
            rows in prop::collection::vec(
                prop::collection::vec((0_u8..4).prop_map(|v| Some(f64::from(v))), 3), 2..30),
        ) {
            let turned: Vec<Vec<_>> =
                rows.iter().rev().map(|row| row.iter().rev().copied().collect()).collect();
            for chance in [Chance::Fleiss, Chance::Randolph] {
                let kappa = fleiss_kappa(&Ratings::from_numbers(&rows), chance);
                prop_assert_eq!(&kappa, &fleiss_kappa(&Ratings::from_numbers(&turned), chance));
                match kappa {
                    Ok(kappa) => prop_assert!((-1.0..=1.0).contains(&kappa.agreement.value)),
                    Err(error) => prop_assert_eq!(error, StatsError::Unanimous),
                }
            }
        }
    }

    #[test]
    fn items_that_some_raters_left_out_do_not_count_unless_all_have_as_many_labels() {
        let full = vec![Some("a"), Some("a"), Some("b")];
        let other = vec![Some("b"), Some("b"), Some("b")];
        let torn = vec![Some("a"), None, Some("b")];
        let without = fleiss(&[full.clone(), other.clone()]).unwrap();
        assert_eq!(fleiss(&[full, torn.clone(), other]).unwrap(), without);
        let rotating = [torn, vec![None, Some("a"), Some("a")], vec![Some("b"), Some("b"), None]];
        let rotating = fleiss(&rotating).unwrap();
        assert_eq!((rotating.items, rotating.labels_per_item), (3, 2));
    }

    #[test]
    fn every_undefined_case_says_why() {
        assert_eq!(fleiss(&[]), Err(StatsError::NoOverlap));
        assert_eq!(fleiss(&[vec![Some("a")]]), Err(StatsError::OneRater));
        let apart = [vec![Some("a"), None], vec![None, None]];
        assert_eq!(fleiss(&apart), Err(StatsError::NoOverlap));
        let unanimous = [vec![Some("a"); 3], vec![Some("a"); 3]];
        assert_eq!(fleiss(&unanimous), Err(StatsError::Unanimous));
        let unequal = [vec![Some("a"), Some("b"), None], vec![Some("a"), None, None]];
        assert_eq!(fleiss(&unequal), Err(StatsError::UnequalRatings));
    }
}
