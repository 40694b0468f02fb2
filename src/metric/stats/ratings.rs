//! Labels of several raters on several items.

use std::collections::BTreeSet;

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
        // Adding 0 turns −0 into 0, which is the same label.
        let cell = |value: &Option<f64>| value.filter(|v| v.is_finite()).map(|v| v + 0.0);
        let mut numbers: Vec<f64> = rows.iter().flatten().filter_map(cell).collect();
        numbers.sort_unstable_by(f64::total_cmp);
        numbers.dedup();
        let code = |value: &Option<f64>| {
            let value = cell(value)?;
            numbers.binary_search_by(|number| number.total_cmp(&value)).ok()
        };
        let (raters, cells) = coded(rows, code);
        Self { raters, cells, labels: Labels::Numbers(numbers) }
    }

    /// Labels that are words, one item a row. Rows may be of different lengths: cells beyond are
    /// missing.
    pub fn from_words<S: AsRef<str>>(rows: &[Vec<Option<S>>]) -> Self {
        let words: BTreeSet<&str> = rows.iter().flatten().flatten().map(AsRef::as_ref).collect();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        let code = |cell: &Option<S>| {
            let word = cell.as_ref()?.as_ref();
            words.binary_search_by(|known| known.as_str().cmp(word)).ok()
        };
        let (raters, cells) = coded(rows, code);
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
        let cell = |row: &[Option<u32>], rater: usize| row.get(rater).copied().flatten();
        self.rows().filter_map(|row| Some((cell(row, left)?, cell(row, right)?))).collect()
    }
}

/// The rows, all as long as the longest, coded.
fn coded<T>(rows: &[Vec<T>], code: impl Fn(&T) -> Option<usize>) -> (usize, Vec<Option<u32>>) {
    let raters = rows.iter().map(Vec::len).max().unwrap_or(0);
    let mut cells = Vec::with_capacity(raters * rows.len());
    for row in rows {
        let missing = std::iter::repeat_n(None, raters - row.len());
        let codes = row.iter().map(|cell| code(cell).and_then(|code| u32::try_from(code).ok()));
        cells.extend(codes.chain(missing));
    }
    (raters, cells)
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
    fn an_empty_table_has_no_items() {
        assert_eq!(Ratings::from_numbers(&[]).items(), 0);
        assert_eq!(Ratings::from_numbers(&[vec![], vec![]]).rows().count(), 0);
        assert_eq!(Ratings::from_words::<&str>(&[]).raters(), 0);
    }
}
