//! Which experts and which actions follow each other.

use std::collections::{BTreeMap, BTreeSet};

use super::reader::Stage;

/// The experts in their order, each once as long as he stays.
pub fn experts(workflow: &Stage) -> Vec<&str> {
    let mut order: Vec<&str> =
        workflow.steps().filter_map(|(_, step)| step.expert.as_deref()).collect();
    order.dedup();
    order
}

/// The actions in their order.
pub fn actions(workflow: &Stage) -> Vec<&str> {
    workflow.steps().filter_map(|(_, step)| step.action.as_deref()).collect()
}

/// The different actions in the order of their first use: GraphicBench's Table 12, which does not say
/// so; this is the reading that gives its numbers on the released plans.
pub fn distinct_actions(workflow: &Stage) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    actions(workflow).into_iter().filter(|action| seen.insert(*action)).collect()
}

/// How often each run of `length` neighbours occurs, the most frequent first, equals by name.
/// Empty for a length of 0.
pub fn frequent_runs<'a, S: AsRef<[&'a str]>>(
    sequences: &[S],
    length: usize,
) -> Vec<(Vec<&'a str>, usize)> {
    let mut counts: BTreeMap<&[&'a str], usize> = BTreeMap::new();
    for sequence in sequences {
        // A window of 0 would be an error.
        for run in sequence.as_ref().windows(length.max(1)).filter(|_| length > 0) {
            *counts.entry(run).or_default() += 1;
        }
    }
    by_frequency(counts.into_iter().map(|(run, count)| (run.to_vec(), count)).collect())
}

/// How often each whole sequence occurs, the most frequent first: GraphicWeaver's Figure 3.
pub fn frequent_sequences<'a, S: AsRef<[&'a str]>>(sequences: &[S]) -> Vec<(Vec<&'a str>, usize)> {
    let mut counts: BTreeMap<&[&'a str], usize> = BTreeMap::new();
    for sequence in sequences {
        *counts.entry(sequence.as_ref()).or_default() += 1;
    }
    by_frequency(counts.into_iter().map(|(all, count)| (all.to_vec(), count)).collect())
}

fn by_frequency<T>(mut counts: Vec<(T, usize)>) -> Vec<(T, usize)> {
    // Stable, and the map was ordered by name: equals stay so.
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_expert_who_stays_is_named_once() {
        let stage = Stage::read(json!([
            {"expert": "a", "skill": "x"},
            {"expert": "a", "skill": "y"},
            {"expert": "b", "skill": "x"},
        ]));
        assert_eq!(experts(&stage), ["a", "b"]);
        assert_eq!(actions(&stage), ["x", "y", "x"]);
        assert_eq!(distinct_actions(&stage), ["x", "y"]);
    }

    #[test]
    fn frequent_runs_come_first_and_equals_by_name() {
        let sequences = [vec!["x", "y", "x", "y"], vec!["x"]];
        assert_eq!(frequent_runs(&sequences, 2), [(vec!["x", "y"], 2), (vec!["y", "x"], 1)]);
        assert!(frequent_runs(&sequences, 0).is_empty() && frequent_runs(&sequences, 9).is_empty());
        assert_eq!(frequent_sequences(&sequences).len(), 2);
    }
}
