//! How much was done and with what, and the tools that people say are needed.

use std::collections::{BTreeMap, BTreeSet};

use crate::metric::{MissingScore, Score};

/// One call of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolUse<'a> {
    /// The name of the tool; `None` if there is no such tool, as the published harness records it.
    pub tool: Option<&'a str>,
    /// The kind of work.
    pub category: &'a str,
    /// Whether it failed.
    pub failed: bool,
}

/// What an agent did in one run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Answers of the model.
    pub turns: usize,
    /// Those with at least one call: what the CANVAS code calls `step_count`.
    pub turns_with_calls: usize,
    /// Calls, failed ones too: `tool_call_count` there.
    pub calls: usize,
    /// Calls that failed.
    pub failures: usize,
    /// Each tool that was called. Calls of tools that do not exist are not here.
    pub by_tool: BTreeMap<String, ToolCounts>,
    /// Each kind of work.
    pub by_category: BTreeMap<String, ToolCounts>,
}

/// How often a tool was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolCounts {
    /// Calls, failed ones too.
    pub calls: usize,
    /// Calls that failed.
    pub failures: usize,
}

impl Counts {
    /// Counts the calls of each turn.
    ///
    /// Source: kixlab/canvas, `evaluation/metrics/tool_usage/tool_usage_metric.py`.
    pub fn of<'a, T: AsRef<[ToolUse<'a>]>>(turns: &[T]) -> Self {
        let mut counts = Self { turns: turns.len(), ..Self::default() };
        for turn in turns {
            let calls = turn.as_ref();
            // The last answer of a run makes no call as a rule, and the published step count leaves
            // it out.
            counts.turns_with_calls += usize::from(!calls.is_empty());
            for call in calls {
                counts.add(call);
            }
        }
        counts
    }

    fn add(&mut self, call: &ToolUse<'_>) {
        self.calls += 1;
        self.failures += usize::from(call.failed);
        // A tool that does not exist counts as a call, not towards diversity.
        if let Some(tool) = call.tool {
            self.by_tool.entry(tool.to_owned()).or_default().add(call.failed);
        }
        self.by_category.entry(call.category.to_owned()).or_default().add(call.failed);
    }

    /// How many different tools were called: `unique_tool_count`, tool diversity in the paper.
    pub fn tool_diversity(&self) -> usize {
        self.by_tool.len()
    }

    /// Calls for each turn that made any: `tool_efficiency`. A run without calls has none.
    pub fn call_efficiency(&self) -> Score {
        ratio(self.calls, self.turns_with_calls, "no turn made a call")
    }

    /// The share of calls that did not fail. A run without calls has none.
    pub fn call_success(&self) -> Score {
        ratio(self.calls - self.failures, self.calls, "there are no calls")
    }
}

impl ToolCounts {
    fn add(&mut self, failed: bool) {
        self.calls += 1;
        self.failures += usize::from(failed);
    }
}

/// A share, or that there is nothing to have a share of.
pub(super) fn ratio(part: usize, whole: usize, why_not: &str) -> Score {
    if whole == 0 {
        return Score::Missing(MissingScore::Undefined(why_not.to_owned()));
    }
    Score::from_number(part as f64 / whole as f64)
}

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
        let wholes = [used.len(), annotated.len(), either];
        let [precision, recall, hit_rate] = wholes.map(|whole| match whole {
            _ if annotated.is_empty() => {
                Score::Missing(MissingScore::Undefined("no tools are annotated".to_owned()))
            }
            // 0 and not undefined, as published: to use nothing can be wrong.
            0 => Score::Value(0.0),
            _ => ratio(both, whole, ""),
        });
        let unused = annotated.difference(&used).map(|name| (*name).to_owned()).collect();
        let unexpected = used.difference(&annotated).map(|name| (*name).to_owned()).collect();
        Self { precision, recall, hit_rate, unused, unexpected }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(tool: Option<&str>, failed: bool) -> ToolUse<'_> {
        ToolUse { tool, category: "create", failed }
    }

    #[test]
    fn calls_are_counted_by_turn_tool_and_category() {
        let turns = [
            vec![call(Some("create_text"), false), call(Some("create_text"), true)],
            vec![],
            vec![call(None, true)],
        ];
        let counts = Counts::of(&turns);
        assert_eq!((counts.turns, counts.turns_with_calls), (3, 2));
        assert_eq!((counts.calls, counts.failures, counts.tool_diversity()), (3, 2, 1));
        assert_eq!(counts.by_category.get("create").map(|c| c.calls), Some(3));
        assert_eq!(counts.call_efficiency(), Score::Value(1.5));
        assert_eq!(counts.call_success(), Score::Value(1.0 / 3.0));
    }

    #[test]
    fn a_run_without_calls_has_no_ratios() {
        let counts = Counts::of::<Vec<ToolUse<'_>>>(&[vec![]]);
        assert!(counts.call_efficiency().value().is_none());
        assert!(counts.call_success().value().is_none());
    }

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
