//! Labels of several raters on several items: what most of them say, and what every coefficient of
//! their agreement is made of.

use std::collections::{BTreeMap, BTreeSet};

use super::error::{StatsError, finite};

/// What the labels are, each once, in their order. The code of a label is its place here.
#[derive(Clone, Debug, PartialEq)]
pub enum Labels {
    /// Finite numbers, ascending.
    Numbers(Vec<f64>),
    /// Words, alphabetically, which says nothing about what they mean.
    Words(Vec<String>),
}

/// A table of labels: one item a row, one rater a column, cells may be missing.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    raters: usize,
    labels: Labels,
    /// Row by row: the codes.
    cells: Vec<Option<u32>>,
}

impl Labels {
    /// How many different labels there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Numbers(numbers) => numbers.len(),
            Self::Words(words) => words.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers, ascending.
    ///
    /// # Errors
    ///
    /// [`StatsError::WordLabels`], with the first word that is no number.
    pub fn numbers(&self) -> Result<&[f64], StatsError> {
        match self {
            Self::Numbers(numbers) => Ok(numbers),
            Self::Words(words) => {
                // One word among numbers makes all of them words: it is the one that somebody looks for.
                let mut others =
                    words.iter().filter(|word| !word.parse().is_ok_and(f64::is_finite));
                let example = others.next().or(words.first()).cloned().unwrap_or_default();
                Err(StatsError::WordLabels { example })
            }
        }
    }

    /// The label with this code, as text.
    pub fn text(&self, code: u32) -> Option<String> {
        match self {
            Self::Numbers(numbers) => numbers.get(code as usize).map(ToString::to_string),
            Self::Words(words) => words.get(code as usize).cloned(),
        }
    }
}

impl Ratings {
    /// Numeric labels, one item a row. Rows may be of different lengths: cells beyond are missing,
    /// and so are numbers that are not finite.
    pub fn from_numbers(rows: &[Vec<Option<f64>>]) -> Self {
        let mut numbers: Vec<f64> = rows.iter().flatten().copied().filter_map(label_of).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let (raters, cells) = coded(rows, |cell| {
            let label = label_of(*cell)?;
            // Found always, as the label was put into the list above.
            numbers.binary_search_by(|number| number.total_cmp(&label)).ok()
        });
        Self { raters, cells, labels: Labels::Numbers(numbers) }
    }

    /// Labels that are words, one item a row. Rows may be of different lengths: cells beyond are
    /// missing.
    pub fn from_words<S: AsRef<str>>(rows: &[Vec<Option<S>>]) -> Self {
        // Sorted and not by first use, so that codes do not depend on the order of items.
        let words: BTreeSet<&str> = rows.iter().flatten().flatten().map(AsRef::as_ref).collect();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let (raters, cells) = coded(rows, |cell| {
            let word = cell.as_ref()?.as_ref();
            words.binary_search_by(|known| known.as_str().cmp(word)).ok()
        });
        Self { raters, cells, labels: Labels::Words(words) }
    }

    /// How many raters there are: the columns.
    pub fn raters(&self) -> usize {
        self.raters
    }

    /// What the labels are.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// How many items there are, rated or not: the rows.
    pub fn items(&self) -> usize {
        self.cells.len().checked_div(self.raters).unwrap_or(0)
    }

    /// The codes of each item, by rater.
    pub fn rows(&self) -> impl Iterator<Item = &[Option<u32>]> {
        self.cells.chunks_exact(self.raters.max(1))
    }

    /// The codes of the items that both raters labelled.
    pub fn pairs(&self, left: usize, right: usize) -> Vec<(u32, u32)> {
        self.rows().filter_map(|row| Some(((*row.get(left)?)?, (*row.get(right)?)?))).collect()
    }
}

/// The number in a cell, if it is a label.
fn label_of(cell: Option<f64>) -> Option<f64> {
    // Adding 0 turns −0 into 0, which is the same label.
    cell.filter(|value| value.is_finite()).map(|value| value + 0.0)
}

/// The rows, all as long as the longest, coded.
fn coded<T>(rows: &[Vec<T>], code: impl Fn(&T) -> Option<usize>) -> (usize, Vec<Option<u32>>) {
    let raters = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut cells = Vec::with_capacity(raters * rows.len());
    for row in rows {
        // Filled up, so that a rater is a column and an item a chunk of equal length.
        let missing = std::iter::repeat_n(None, raters - row.len());
        let codes = row.iter().map(|cell| code(cell).and_then(|code| u32::try_from(code).ok()));
        cells.extend(codes.chain(missing));
    }
    (raters, cells)
}

/// A coefficient of agreement and the two disagreements it is made of:
/// `value = 1 − observed / expected`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Agreement {
    /// 1 for perfect agreement, 0 for what chance gives, negative for less.
    pub value: f64,
    /// The mean disagreement of labels on the same item, at least 0.
    pub observed_disagreement: f64,
    /// The mean disagreement if labels were given by chance, above 0.
    pub expected_disagreement: f64,
}

impl Agreement {
    /// The coefficient of two disagreements; without any expected one it is undefined.
    pub(super) fn new(observed: f64, expected: f64) -> Result<Self, StatsError> {
        if expected == 0.0 {
            return Err(StatsError::Unanimous);
        }
        Ok(Self {
            value: finite(1.0 - observed / expected)?,
            observed_disagreement: finite(observed)?,
            expected_disagreement: finite(expected)?,
        })
    }
}

/// The outcome of a vote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Majority<L> {
    /// One label has the most votes, over half of them or not.
    Winner {
        /// That label.
        label: L,
        /// Its votes.
        votes: usize,
        /// All votes.
        of: usize,
    },
    /// Several labels have equally many and the most votes.
    Tie {
        /// Those labels, at least two, ascending.
        labels: Vec<L>,
        /// The votes of each.
        votes: usize,
        /// All votes.
        of: usize,
    },
}

/// The label with the most votes. A tie is named, never broken.
///
/// # Errors
///
/// [`StatsError::TooFew`] without votes.
pub fn majority_vote<L: Ord>(
    votes: impl IntoIterator<Item = L>,
) -> Result<Majority<L>, StatsError> {
    let mut counts: BTreeMap<L, usize> = BTreeMap::new();
    for label in votes {
        *counts.entry(label).or_default() += 1;
    }
    let of = counts.values().sum();
    // In the order of labels, not of votes: a tie is listed the same whoever voted first.
    let most = counts.values().copied().max().unwrap_or(0);
    let mut labels: Vec<L> =
        counts.into_iter().filter(|(_, count)| *count == most).map(|(label, _)| label).collect();
    match labels.pop() {
        None => Err(StatsError::TooFew { what: "votes", found: 0, needed: 1 }),
        Some(label) if labels.is_empty() => Ok(Majority::Winner { label, votes: most, of }),
        Some(last) => {
            labels.push(last);
            Ok(Majority::Tie { labels, votes: most, of })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_coded_in_their_order_and_minus_zero_is_zero() {
        let ratings = Ratings::from_numbers(&[
            vec![Some(10.0), Some(-0.0)],
            vec![Some(0.0), None],
            vec![Some(f64::NAN)],
        ]);
        assert_eq!(*ratings.labels(), Labels::Numbers(vec![0.0, 10.0]));
        assert_eq!(ratings.items(), 3);
        assert_eq!(ratings.pairs(0, 1), [(1, 0)]);
    }

    #[test]
    fn why_labels_are_no_numbers_names_the_one_that_is_none() {
        let named = |rows: &[Vec<Option<&str>>]| match Ratings::from_words(rows).labels().numbers()
        {
            Err(StatsError::WordLabels { example }) => example,
            other => panic!("{other:?}"),
        };
        assert_eq!(named(&[vec![Some("1"), Some("nan")], vec![Some("2"), Some("3")]]), "nan");
        assert_eq!(named(&[vec![Some("2"), Some("1")]]), "1");
        let numbers = Ratings::from_numbers(&[vec![Some(2.0), Some(1.0)]]);
        assert_eq!(numbers.labels().numbers(), Ok(&[1.0, 2.0][..]));
    }

    #[test]
    fn an_empty_table_has_no_items() {
        assert_eq!(Ratings::from_numbers(&[]).items(), 0);
        assert_eq!(Ratings::from_numbers(&[vec![], vec![]]).rows().count(), 0);
        assert_eq!(Ratings::from_words::<&str>(&[]).raters(), 0);
    }

    #[test]
    fn most_votes_win_and_ties_are_named() {
        let winner = Majority::Winner { label: "b", votes: 2, of: 3 };
        assert_eq!(majority_vote(["b", "a", "b"]), Ok(winner));
        let tie = Majority::Tie { labels: vec!["a", "b"], votes: 2, of: 5 };
        assert_eq!(majority_vote(["b", "a", "c", "b", "a"]), Ok(tie));
        let nobody = StatsError::TooFew { what: "votes", found: 0, needed: 1 };
        assert_eq!(majority_vote::<u8>([]), Err(nobody));
    }
}
