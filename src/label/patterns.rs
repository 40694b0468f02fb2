//! Krippendorff's α of many resamples: by patterns of counts instead of by items.
//!
//! What an item adds to the matrix of coincidences follows from how often each label was given to it, and
//! of such *patterns* there are few: of five answers on a scale of five, 126. A resample is how often each
//! item was drawn, so α follows from how often each pattern was. Of several questions a resample is counted once
//! for all of them ([`JointPatterns`]).

use std::collections::HashMap;

use crate::metric::stats::Level;

/// How far two labels are apart, for labels that are places in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// Different is different.
    Nominal,
    /// By how many labels were given between them, squared.
    Ordinal,
}

impl Distance {
    /// The level of measurement it is of.
    pub(super) fn level(self) -> Level {
        match self {
            Self::Nominal => Level::Nominal,
            Self::Ordinal => Level::Ordinal,
        }
    }
}

/// Items as patterns.
#[derive(Debug)]
pub(super) struct Patterns {
    /// The pattern of each item.
    of_item: Vec<u32>,
    known: Vec<Pattern>,
    /// How many different labels there are.
    labels: usize,
}

/// How often each label was given to an item.
#[derive(Debug)]
struct Pattern {
    counts: Vec<(usize, f64)>,
    /// How many labels it has, at least two.
    all: f64,
}

impl Patterns {
    /// The patterns of items, each with the codes of its labels, two or more and below `labels`.
    pub(super) fn of<'a>(items: impl IntoIterator<Item = &'a [u32]>, labels: usize) -> Self {
        let mut patterns = Self { of_item: Vec::new(), known: Vec::new(), labels };
        let mut places: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut sorted = Vec::new();
        for item in items {
            sorted.clear();
            sorted.extend_from_slice(item);
            // Who gave which answer makes no difference to α.
            sorted.sort_unstable();
            let place = places.get(&sorted).copied().unwrap_or_else(|| {
                let next = patterns.known.len() as u32;
                patterns.known.push(Pattern::of(&sorted));
                places.insert(sorted.clone(), next);
                next
            });
            patterns.of_item.push(place);
        }
        patterns
    }

    /// How many items there are.
    pub(super) fn len(&self) -> usize {
        self.of_item.len()
    }

    /// α of all items, each once; `None` where there is only one label.
    pub(super) fn alpha_of_all(&self, distance: Distance) -> Option<f64> {
        let mut times = vec![0_u32; self.known.len()];
        for pattern in &self.of_item {
            times[*pattern as usize] += 1;
        }
        self.alpha_of(&times, distance)
    }

    /// α where each pattern is there so many times.
    fn alpha_of(&self, times: &[u32], distance: Distance) -> Option<f64> {
        let drawn = times.iter().zip(&self.known).filter(|(times, _)| **times > 0);
        let drawn = drawn.map(|(times, pattern)| (f64::from(*times), pattern));
        // Whole numbers, exact in a float as far as answers can be counted.
        let mut totals = vec![0.0; self.labels];
        for (times, pattern) in drawn.clone() {
            for (label, count) in &pattern.counts {
                totals[*label] += times * count;
            }
        }
        let n: f64 = totals.iter().sum();
        let (observed, expected): (f64, f64) = match distance {
            Distance::Nominal => (
                drawn.map(|(times, pattern)| times * pattern.different()).sum(),
                n * n - totals.iter().map(|total| total * total).sum::<f64>(),
            ),
            Distance::Ordinal => {
                let ranks = mid_ranks(&totals);
                // The mean rank of all labels is n / 2 exactly.
                let squares = totals.iter().zip(&ranks).map(|(total, rank)| {
                    let apart = rank - n / 2.0;
                    total * apart * apart
                });
                (
                    drawn.map(|(times, pattern)| times * pattern.squared(&ranks)).sum(),
                    2.0 * n * squares.sum::<f64>(),
                )
            }
        };
        // D_o and D_e, as `krippendorff_alpha` has them.
        let (observed, expected) = (observed / n, expected / (n * (n - 1.0)));
        (expected > 0.0).then(|| 1.0 - observed / expected)
    }
}

/// Several tables of the same items. A resample of these is counted once, by what stands in all tables at once:
/// where people mostly agree there are few of such *joint patterns*, and never more than items.
#[derive(Debug)]
pub(super) struct JointPatterns {
    /// The joint pattern of each item.
    of_item: Vec<u32>,
    /// How many joint patterns there are.
    known: usize,
    tables: Vec<JointTable>,
}

/// One of the tables.
#[derive(Debug)]
struct JointTable {
    distance: Distance,
    patterns: Patterns,
    /// The table's own pattern in each joint pattern.
    of_joint: Vec<u32>,
}

impl JointPatterns {
    /// Of tables with equally many items, in one order or each in its own.
    pub(super) fn of(tables: Vec<(Distance, Patterns)>) -> Self {
        let items = tables.first().map_or(0, |(_, patterns)| patterns.len());
        let mut of_item = vec![0_u32; items];
        let mut known = usize::from(items > 0);
        // Each table divides further what those before it left together.
        for (_, patterns) in &tables {
            let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
            for (joint, own) in of_item.iter_mut().zip(&patterns.of_item) {
                let next = numbers.len() as u32;
                *joint = *numbers.entry((*joint, *own)).or_insert(next);
            }
            known = numbers.len();
        }
        let tables = tables.into_iter().map(|(distance, patterns)| {
            let mut of_joint = vec![0; known];
            for (joint, own) in of_item.iter().zip(&patterns.of_item) {
                of_joint[*joint as usize] = *own;
            }
            JointTable { distance, patterns, of_joint }
        });
        Self { tables: tables.collect(), of_item, known }
    }

    /// α of each table of the items at these places, counted as often as they stand there; `None` where there is
    /// only one label. Equal to `krippendorff_alpha` but for rounding.
    pub(super) fn alphas(&self, places: &[usize]) -> Vec<Option<f64>> {
        let mut drawn = vec![0_u32; self.known];
        for place in places {
            drawn[self.of_item[*place] as usize] += 1;
        }
        let alphas = self.tables.iter().map(|table| {
            // Sums of whole numbers: they are the same however the items are put together.
            let mut times = vec![0_u32; table.patterns.known.len()];
            for (own, drawn) in table.of_joint.iter().zip(&drawn) {
                times[*own as usize] += drawn;
            }
            table.patterns.alpha_of(&times, table.distance)
        });
        alphas.collect()
    }
}

impl Pattern {
    /// `item` is sorted.
    fn of(item: &[u32]) -> Self {
        let runs = item.chunk_by(PartialEq::eq);
        let counts = runs.map(|run| (run[0] as usize, run.len() as f64)).collect();
        Self { counts, all: item.len() as f64 }
    }

    /// Coincidences of different labels.
    fn different(&self) -> f64 {
        let same: f64 = self.counts.iter().map(|(_, count)| count * count).sum();
        (self.all * self.all - same) / (self.all - 1.0)
    }

    /// Squared differences of these values over all coincidences.
    fn squared(&self, values: &[f64]) -> f64 {
        let Some((first, _)) = self.counts.first() else { return 0.0 };
        // Measured from one of them: ranks are half numbers, so these sums are exact.
        let origin = values[*first];
        let (mut sum, mut squares) = (0.0, 0.0);
        for (label, count) in &self.counts {
            let apart = values[*label] - origin;
            sum += count * apart;
            squares += count * apart * apart;
        }
        2.0 * (self.all * squares - sum * sum) / (self.all - 1.0)
    }
}

/// Half the labels of the same value, and all of smaller ones.
fn mid_ranks(totals: &[f64]) -> Vec<f64> {
    let mut below = 0.0;
    let ranks = totals.iter().map(|total| {
        let rank = below + total / 2.0;
        below += total;
        rank
    });
    ranks.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::metric::stats::{Ratings, StatsError, krippendorff_alpha};

    proptest! {
        /// The same as α of the drawn rows, whatever is drawn.
        #[test]
        fn alpha_of_a_resample_is_that_of_its_rows(
            items in prop::collection::vec(prop::collection::vec(0_u32..6, 2..6), 1..30),
            drawn in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
        ) {
            let patterns = Patterns::of(items.iter().map(Vec::as_slice), 6);
            prop_assert!(patterns.known.len() <= items.len());
            let places: Vec<usize> = drawn.iter().map(|it| it.index(items.len())).collect();
            let rows: Vec<Vec<Option<f64>>> = places
                .iter()
                .map(|place| items[*place].iter().map(|it| Some(f64::from(*it))).collect())
                .collect();
            let again = Patterns::of(items.iter().map(Vec::as_slice), 6);
            let both = [Distance::Nominal, Distance::Ordinal];
            let joint = JointPatterns::of(both.into_iter().zip([patterns, again]).collect());
            for (distance, fast) in both.into_iter().zip(joint.alphas(&places)) {
                let slow = krippendorff_alpha(&Ratings::from_numbers(&rows), distance.level());
                match (fast, slow) {
                    (Some(fast), Ok(slow)) => {
                        let apart = (fast - slow.agreement.value).abs();
                        prop_assert!(apart < 1e-12, "{distance:?}: {fast} {slow:?}");
                    }
                    (fast, slow) => prop_assert!(
                        fast.is_none() && slow == Err(StatsError::Unanimous),
                        "{distance:?}: {fast:?}"
                    ),
                }
            }
        }
    }

    /// The table of one of three questions.
    fn table_of(items: &[Vec<[u32; 3]>], at: usize) -> (Distance, Patterns) {
        let rows: Vec<Vec<u32>> =
            items.iter().map(|item| item.iter().map(|labels| labels[at]).collect()).collect();
        let distance = if at == 1 { Distance::Ordinal } else { Distance::Nominal };
        (distance, Patterns::of(rows.iter().map(Vec::as_slice), 5))
    }

    proptest! {
        /// Each table of several has what it has alone, whatever the others are: to the last bit.
        #[test]
        fn tables_counted_together_are_as_each_alone(
            items in prop::collection::vec(prop::collection::vec([0_u32..2, 0..5, 0..3], 2..5), 1..40),
            drawn in prop::collection::vec(any::<prop::sample::Index>(), 1..60),
        ) {
            let places: Vec<usize> = drawn.iter().map(|it| it.index(items.len())).collect();
            let together = JointPatterns::of((0..3).map(|at| table_of(&items, at)).collect());
            prop_assert!(together.known <= items.len());
            let alone = (0..3).flat_map(|at| {
                JointPatterns::of(vec![table_of(&items, at)]).alphas(&places)
            });
            prop_assert_eq!(together.alphas(&places), alone.collect::<Vec<_>>());
        }
    }

    #[test]
    fn items_with_equal_counts_are_one_pattern() {
        let items: [&[u32]; 4] = [&[0, 1, 0], &[1, 0, 0], &[0, 1], &[2, 2]];
        let patterns = Patterns::of(items, 3);
        assert_eq!((patterns.of_item, patterns.known.len()), (vec![0, 0, 1, 2], 3));
    }
}
