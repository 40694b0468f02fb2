//! From which value on a run passes, and at how many tasks which of two groups does.

use crate::metric::stats::PassTable;
use crate::metric::{Direction, VariantSpec};

/// From which value on a run passes, of values of which 1 is the best, where nobody says anything else.
const PASSES_FROM: f64 = 0.7;

/// What groups of runs are compared by.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupMetric {
    /// Its name in files and on the command line: the id of a variant, or the word of a column of *Explore*.
    pub id: String,
    /// Which way is better.
    pub direction: Direction,
    /// Smallest and largest possible value; a bound may be infinite.
    pub range: (f64, f64),
}

/// From which value on a run passes, or up to which where less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PassRule {
    /// The value.
    pub from: f64,
    /// Which way is better.
    pub direction: Direction,
}

impl From<&VariantSpec> for GroupMetric {
    fn from(variant: &VariantSpec) -> Self {
        let VariantSpec { id, direction, range, .. } = variant;
        Self { id: id.to_string(), direction: *direction, range: *range }
    }
}

impl GroupMetric {
    /// From which value on runs pass unless it is said: 0.7 of values of which 1 is the best there is, and `None` of
    /// all others.
    pub fn usual_threshold(&self) -> Option<f64> {
        let is_share = self.direction == Direction::HigherIsBetter && self.range.1 <= 1.0;
        is_share.then_some(PASSES_FROM)
    }

    /// Who passes by the value that somebody chose, or else by the usual one; `None`: nothing says it.
    pub fn rule(&self, chosen: Option<f64>) -> Option<PassRule> {
        let from = chosen.or_else(|| self.usual_threshold())?;
        Some(PassRule { from, direction: self.direction })
    }
}

impl PassRule {
    /// Whether a value passes.
    pub fn passes(self, value: f64) -> bool {
        match self.direction {
            Direction::HigherIsBetter => value >= self.from,
            Direction::LowerIsBetter => value <= self.from,
        }
    }

    /// At how many tasks which of two groups passes, by the values of both at each.
    pub fn contingency(self, both: impl Iterator<Item = (f64, f64)>) -> PassTable {
        PassTable::of(both.map(|(first, second)| (self.passes(first), self.passes(second))))
    }
}

/// What stands before the value from which, or up to which, runs pass.
pub fn threshold_word(direction: Direction) -> &'static str {
    match direction {
        Direction::HigherIsBetter => "from",
        Direction::LowerIsBetter => "up to",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_where_one_is_the_best_there_is_a_usual_value_and_less_passes_where_less_is_better() {
        let metric = |direction, range| GroupMetric { id: "x".to_owned(), direction, range };
        let share = metric(Direction::HigherIsBetter, (-1.0, 1.0));
        assert_eq!(share.usual_threshold(), Some(0.7));
        assert_eq!(share.rule(Some(0.9)).map(|rule| rule.from), Some(0.9));
        let open = metric(Direction::HigherIsBetter, (0.0, f64::INFINITY));
        let difference = metric(Direction::LowerIsBetter, (0.0, 1.0));
        assert_eq!((open.rule(None), difference.rule(None)), (None, None));
        let rule = difference.rule(Some(0.2)).unwrap();
        assert!(rule.passes(0.2) && rule.passes(0.1) && !rule.passes(0.3));
        let pairs = [(0.1, 0.3), (0.2, 0.2), (0.5, 0.1), (0.6, 0.1)];
        let counts = rule.contingency(pairs.into_iter());
        assert_eq!((counts.both, counts.only_first, counts.only_second), (1, 1, 2));
    }
}
