//! The tools that were used against those that people say are needed.

use std::collections::BTreeSet;

use crate::metric::{MissingScore, Score};

use super::counts::ratio;

/// How the tools that were used agree with the annotated ones, each tool counted once.
///
/// Source: CANVAS, Table 3; kixlab/canvas, `evaluation/metrics/tool_usage/tool_usage_metric.py`
/// (which rounds to four decimals; this does not).
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAgreement {
    /// The share of the used tools that are annotated; 0 if none was used, as published.
    pub precision: Score,
    /// The share of the annotated tools that were used.
    pub recall: Score,
    /// Tools that are both, over those that are either: `human_hit_rate`.
    pub hit_rate: Score,
    /// Annotated and not used.
    pub unused: Vec<String>,
    /// Used and not annotated.
    pub unexpected: Vec<String>,
}

impl ToolAgreement {
    /// Compares two sets of tools. Without annotated tools nothing is defined.
    pub fn of<'a>(
        used: impl IntoIterator<Item = &'a str>,
        annotated: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let used: BTreeSet<&str> = used.into_iter().collect();
        let annotated: BTreeSet<&str> = annotated.into_iter().collect();
        let both = used.intersection(&annotated).count();
        let either = used.union(&annotated).count();
        let share = |whole: usize| match annotated.len() {
            0 => Score::Missing(MissingScore::Undefined("no tools are annotated".to_owned())),
            _ if whole == 0 => Score::Value(0.0),
            _ => ratio(both, whole, ""),
        };
        let names = |names: std::collections::btree_set::Difference<'_, &str>| {
            names.map(|name| (*name).to_owned()).collect()
        };
        Self {
            precision: share(used.len()),
            recall: share(annotated.len()),
            hit_rate: share(either),
            unused: names(annotated.difference(&used)),
            unexpected: names(used.difference(&annotated)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_tools_count_once() {
        let found = ToolAgreement::of(["a", "b", "a", "c"], ["a", "d"]);
        assert_eq!(found.precision, Score::Value(1.0 / 3.0));
        assert_eq!(found.recall, Score::Value(0.5));
        assert_eq!(found.hit_rate, Score::Value(0.25));
        assert_eq!(
            (found.unused, found.unexpected),
            (vec!["d".into()], vec!["b".into(), "c".into()])
        );
    }

    #[test]
    fn nothing_used_is_wrong_and_nothing_annotated_is_undefined() {
        let none = ToolAgreement::of([], ["a"]);
        assert_eq!((none.precision, none.hit_rate), (Score::Value(0.0), Score::Value(0.0)));
        assert!(ToolAgreement::of(["a"], []).precision.value().is_none());
    }
}
