//! Skills: verified scripts for tasks, how often they succeed, what they cost, and whether a judge
//! may be believed.
//!
//! Source: "Skill Discovery for software scripting automation via offline simulations" (arXiv
//! 2504.20406), section 4 and Tables 2, 6, 7 and 8.

use std::collections::BTreeSet;

use super::{MissingScore, Score};

/// success@k as the paper counts it: the share of tasks of which one of the first `k` trials
/// succeeded, 0..=1. A task with fewer trials counts with those it has, as nobody tries again what
/// succeeded. Undefined without tasks, and for a `k` of 0.
pub fn success_at_k<T: AsRef<[bool]>>(tasks: &[T], k: usize) -> Score {
    if k == 0 {
        return undefined("success at 0 trials");
    }
    mean(tasks.iter().map(|task| {
        let succeeds = task.as_ref().iter().take(k).any(|success| *success);
        f64::from(u8::from(succeeds))
    }))
}

/// The unbiased estimate of success@k from independent trials: the mean over the tasks of
/// 1 − C(n − c, k) / C(n, k), where c of n trials succeeded. Undefined where a task has fewer than
/// `k` trials.
///
/// Source: Chen et al., "Evaluating large language models trained on code", 2021, eq. 1.
pub fn unbiased_success_at_k<T: AsRef<[bool]>>(tasks: &[T], k: usize) -> Score {
    if k == 0 {
        return undefined("success at 0 trials");
    }
    if tasks.iter().any(|task| task.as_ref().len() < k) {
        return undefined("a task has fewer trials than k");
    }
    mean(tasks.iter().map(|task| some_success(task.as_ref(), k)))
}

/// The probability that `k` trials drawn without putting back hold a success.
fn some_success(trials: &[bool], k: usize) -> f64 {
    let failures = trials.iter().filter(|success| !**success).count();
    // Fewer failures than draws: every draw holds a success, and the product below would go
    // negative.
    if failures < k {
        return 1.0;
    }
    // C(f, k) / C(n, k), factor by factor so that nothing overflows.
    let none: f64 = (0..k).map(|i| (failures - i) as f64 / (trials.len() - i) as f64).product();
    1.0 - none
}

/// What answering one task cost at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RuntimeCost {
    /// Seconds until there was a script, retrieved or written.
    pub response_secs: f64,
    /// Tokens spent on it.
    pub tokens: u64,
}

/// Mean response time in seconds and mean tokens a task; undefined without tasks.
pub fn mean_cost(tasks: &[RuntimeCost]) -> (Score, Score) {
    let secs = mean(tasks.iter().map(|task| task.response_secs));
    (secs, mean(tasks.iter().map(|task| task.tokens as f64)))
}

/// What was predicted for one query, the best first, and what is right.
#[derive(Clone, Copy, Debug)]
pub struct Ranking<'a> {
    /// The prediction.
    pub predicted: &'a [&'a str],
    /// The right items, in any order.
    pub correct: &'a [&'a str],
}

/// Hit@k: the share of queries with a right item among the first `k`, 0..=1. Queries without a right
/// item cannot be answered and do not count; undefined where none is left, and for a `k` of 0.
pub fn hit_at_k(queries: &[Ranking<'_>], k: usize) -> Score {
    over_answerable(queries, k, |found, _| f64::from(u8::from(found > 0)))
}

/// The share of the right items among the first `k`, averaged over queries: the other reading of
/// "how often the correct items are within the top-k".
pub fn recall_at_k(queries: &[Ranking<'_>], k: usize) -> Score {
    over_answerable(queries, k, |found, correct| found as f64 / correct as f64)
}

fn over_answerable(
    queries: &[Ranking<'_>],
    k: usize,
    value: impl Fn(usize, usize) -> f64,
) -> Score {
    if k == 0 {
        return undefined("a hit among 0 items");
    }
    mean(queries.iter().filter_map(|query| {
        // Sets, as an item that is predicted twice is found once.
        let correct: BTreeSet<&str> = query.correct.iter().copied().collect();
        let first: BTreeSet<&str> = query.predicted.iter().take(k).copied().collect();
        let found = correct.intersection(&first).count();
        (!correct.is_empty()).then(|| value(found, correct.len()))
    }))
}

/// A judge's yes and no against people's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Confusion {
    /// Both say yes.
    pub true_positives: usize,
    /// The judge says yes, people no.
    pub false_positives: usize,
    /// The judge says no, people yes.
    pub false_negatives: usize,
    /// Both say no.
    pub true_negatives: usize,
}

impl Confusion {
    /// Counts pairs of (judge, people).
    pub fn of(pairs: impl IntoIterator<Item = (bool, bool)>) -> Self {
        let mut counts = Self::default();
        for pair in pairs {
            *match pair {
                (true, true) => &mut counts.true_positives,
                (true, false) => &mut counts.false_positives,
                (false, true) => &mut counts.false_negatives,
                (false, false) => &mut counts.true_negatives,
            } += 1;
        }
        counts
    }

    /// Of what the judge calls a success, the share that people do too.
    pub fn precision(self) -> Score {
        let all = self.true_positives + self.false_positives;
        share(self.true_positives, all, "the judge never says yes")
    }

    /// Of what people call a success, the share that the judge does too.
    pub fn recall(self) -> Score {
        let all = self.true_positives + self.false_negatives;
        share(self.true_positives, all, "people never say yes")
    }

    /// The harmonic mean of precision and recall; undefined where neither ever says yes.
    pub fn f1(self) -> Score {
        // From the counts: by way of precision and recall it would be undefined where only one of
        // them is.
        let all = 2 * self.true_positives + self.false_positives + self.false_negatives;
        share(2 * self.true_positives, all, "nobody ever says yes")
    }

    /// The share of equal answers.
    pub fn accuracy(self) -> Score {
        let equal = self.true_positives + self.true_negatives;
        let all = equal + self.false_positives + self.false_negatives;
        share(equal, all, "there are no answers")
    }
}

fn share(part: usize, whole: usize, why_not: &str) -> Score {
    if whole == 0 { undefined(why_not) } else { Score::from_number(part as f64 / whole as f64) }
}

fn mean(values: impl Iterator<Item = f64>) -> Score {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 {
        return undefined("there is nothing to take a mean of");
    }
    Score::from_number(sum / count as f64)
}

fn undefined(why: &str) -> Score {
    Score::Missing(MissingScore::Undefined(why.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_papers_success_at_k_looks_at_the_first_trials() {
        let tasks = [vec![true], vec![false, false, true], vec![false, false, false]];
        assert_eq!(success_at_k(&tasks, 1), Score::Value(1.0 / 3.0));
        assert_eq!(success_at_k(&tasks, 3), Score::Value(2.0 / 3.0));
        assert!(success_at_k(&tasks, 0).value().is_none());
        assert!(success_at_k::<Vec<bool>>(&[], 1).value().is_none());
    }

    #[test]
    fn the_unbiased_estimate_wants_k_trials() {
        // 1 − C(2, 2) / C(3, 2) = 2/3.
        let found = unbiased_success_at_k(&[[true, false, false]], 2).value().unwrap();
        assert!((found - 2.0 / 3.0).abs() < 1e-12);
        assert!(unbiased_success_at_k(&[[true]], 2).value().is_none());
    }

    #[test]
    fn table_8_comes_out() {
        let pairs =
            [(40, (true, true)), (10, (false, true)), (4, (true, false)), (68, (false, false))];
        let all = pairs.into_iter().flat_map(|(count, pair)| std::iter::repeat_n(pair, count));
        let found = Confusion::of(all);
        assert_eq!(found.recall(), Score::Value(0.8));
        assert!((found.precision().value().unwrap() - 0.909).abs() < 5e-4);
        assert_eq!(found.accuracy(), Score::Value(108.0 / 122.0));
        assert!(Confusion::default().f1().value().is_none());
    }

    #[test]
    fn one_right_item_is_a_hit_and_recall_wants_all() {
        let queries = [
            Ranking { predicted: &["a", "b", "c"], correct: &["b", "z"] },
            Ranking { predicted: &["a"], correct: &["q"] },
            Ranking { predicted: &["a"], correct: &[] },
        ];
        assert_eq!(hit_at_k(&queries, 2), Score::Value(0.5));
        assert_eq!(recall_at_k(&queries, 2), Score::Value(0.25));
        assert_eq!(hit_at_k(&queries, 1), Score::Value(0.0));
        assert!(hit_at_k(&[], 1).value().is_none());
    }

    #[test]
    fn costs_are_means() {
        let (secs, tokens) = mean_cost(&[
            RuntimeCost { response_secs: 0.5, tokens: 100 },
            RuntimeCost { response_secs: 1.5, tokens: 0 },
        ]);
        assert_eq!((secs, tokens), (Score::Value(1.0), Score::Value(50.0)));
    }

    proptest! {
        #[test]
        fn more_trials_never_hurt_and_all_trials_agree(
            trials in prop::collection::vec(any::<bool>(), 1..20),
        ) {
            let mut last = 0.0;
            for k in 1..=trials.len() {
                let found = unbiased_success_at_k(&[&trials], k).value().unwrap();
                prop_assert!((last - 1e-12..=1.0).contains(&found));
                last = found;
            }
            prop_assert_eq!(success_at_k(&[&trials], trials.len()), Score::from_number(last));
        }
    }
}
