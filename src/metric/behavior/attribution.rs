//! Which tool moved a metric, and how far.

use std::collections::BTreeMap;

use super::counts::ToolUse;

/// One step with the score of what is there after it.
#[derive(Clone, Copy, Debug)]
pub struct ScoredStep<'a> {
    /// What was called; `None` for a step without a call, such as an imported picture.
    pub call: Option<ToolUse<'a>>,
    /// The score after the step; `None` where there is none, or none yet.
    pub score: Option<f64>,
}

/// How far steps moved a metric, in the metric's own unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moved {
    /// How many steps, also those that moved nothing.
    pub steps: usize,
    /// The sum of the steps up.
    pub up: f64,
    /// The sum of the steps down, at most 0.
    pub down: f64,
}

/// The change of a metric over a run, by who made it.
///
/// A change is that from the score before a step to the one after it. Where a score is missing in
/// between, nobody can say who made the change: it is in `unattributed`. So all together are the last
/// score minus the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attribution {
    /// The change at each step, `None` where it is not known.
    pub by_step: Vec<Option<f64>>,
    /// By the name of the tool.
    pub by_tool: BTreeMap<String, Moved>,
    /// By the kind of work.
    pub by_category: BTreeMap<String, Moved>,
    /// What no single call did.
    pub unattributed: Moved,
}

impl Moved {
    /// Up and down together.
    pub fn total(self) -> f64 {
        self.up + self.down
    }

    fn add(&mut self, change: f64) {
        self.steps += 1;
        self.up += change.max(0.0);
        self.down += change.min(0.0);
    }
}

impl Attribution {
    /// Attributes the changes of one metric. `start` is its score before the first step, if it has one.
    pub fn of(start: Option<f64>, steps: &[ScoredStep<'_>]) -> Self {
        let mut found = Self::default();
        let mut known = start;
        let mut has_gap = false;
        for step in steps {
            let Some(score) = step.score else {
                found.by_step.push(None);
                has_gap = true;
                continue;
            };
            let change = known.map(|before| score - before);
            // After a gap the change is the work of several steps, and no call can be named for it.
            let call = step.call.filter(|_| !has_gap);
            found.by_step.push(change.filter(|_| !has_gap));
            if let Some(change) = change {
                found.add(call.as_ref(), change);
            }
            // The next change is measured from here, gap or not.
            (known, has_gap) = (Some(score), false);
        }
        found
    }

    fn add(&mut self, call: Option<&ToolUse<'_>>, change: f64) {
        let Some((call, tool)) = call.and_then(|call| Some((call, call.tool?))) else {
            self.unattributed.add(change);
            return;
        };
        self.by_tool.entry(tool.to_owned()).or_default().add(change);
        self.by_category.entry(call.category.to_owned()).or_default().add(change);
    }

    /// All changes together: the last score minus the first.
    pub fn total(&self) -> f64 {
        // Not by categories as well: they are the same changes once more.
        self.by_tool.values().map(|moved| moved.total()).sum::<f64>() + self.unattributed.total()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn step(tool: &str, score: Option<f64>) -> ScoredStep<'_> {
        let call = ToolUse { tool: Some(tool), category: "create", failed: false };
        ScoredStep { call: Some(call), score }
    }

    #[test]
    fn each_tool_has_what_it_gained_and_lost() {
        let steps = [step("a", Some(0.75)), step("a", Some(0.5)), step("b", Some(0.5))];
        let found = Attribution::of(Some(0.5), &steps);
        assert_eq!(found.by_step, [Some(0.25), Some(-0.25), Some(0.0)]);
        assert_eq!(found.by_tool.get("a"), Some(&Moved { steps: 2, up: 0.25, down: -0.25 }));
        assert_eq!(found.by_category.get("create").map(|moved| moved.steps), Some(3));
    }

    #[test]
    fn a_change_over_a_gap_is_nobodys() {
        let found = Attribution::of(Some(0.25), &[step("a", None), step("b", Some(1.0))]);
        assert_eq!(found.by_step, [None, None]);
        assert_eq!(found.unattributed.total(), 0.75);
        assert!(found.by_tool.is_empty());
    }

    proptest! {
        #[test]
        fn all_changes_together_are_the_last_score_minus_the_first(
            values in prop::collection::vec(prop::option::weighted(0.8, 0.0..1.0f64), 1..12),
        ) {
            let steps: Vec<_> = values[1..].iter().map(|score| step("a", *score)).collect();
            let known: Vec<f64> = values.iter().copied().flatten().collect();
            let expected = known.last().zip(known.first()).map_or(0.0, |(last, first)| last - first);
            let found = Attribution::of(values[0], &steps);
            prop_assert!((found.total() - expected).abs() < 1e-9);
            prop_assert_eq!(found.by_step.len(), steps.len());
        }
    }
}
