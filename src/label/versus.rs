//! Each automatic metric against people: does it prefer what most of them prefer?
//!
//! A metric says which of a pair is better by the difference of its two scores. People say it by the final
//! answer: pairs without one are left out, and ties where only two outcomes are asked for, as CANVAS does (*with
//! final outcomes determined by majority vote, excluding cases without a majority*; a logistic regression on the
//! differences, tested on the other half of the non-tie samples).
//!
//! Source: CANVAS, section on human preference, table 4, and appendix, figure 34.

use std::collections::BTreeMap;

use crate::metric::stats::{
    Intercept, LogisticData, LogisticFit, SplitAccuracy, StatsError, auc, fit_logistic,
    kendall_tau_b, split_accuracy,
};

use super::answer::Preferred;
use super::form::Form;
use super::item::ItemId;
use super::outcome::FinalAnswer;
use super::people::Share;

/// The scores of one metric.
#[derive(Clone, Debug)]
pub struct MetricScores {
    /// Its name, such as `ssim/uniform7`.
    pub metric: String,
    /// Whether more is better; else less is.
    pub higher_is_better: bool,
    /// Of each pair the scores of its first and second, or why there is none.
    pub pairs: BTreeMap<ItemId, [Result<f64, String>; 2]>,
}

/// What people say of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairVerdict {
    /// Which is better.
    pub preferred: Preferred,
    /// How many said so; 0 if an adjudicator did against all.
    pub votes: usize,
    /// How many answered.
    pub of: usize,
}

/// What people say of every pair, by the final answers to a preference; of some nobody can tell.
pub fn verdicts(question: &str, finals: &[FinalAnswer]) -> BTreeMap<ItemId, PairVerdict> {
    let finals = finals.iter().filter(|found| found.question == question);
    let verdicts = finals.filter_map(|found| {
        let value = found.value.as_deref()?;
        let known = [Preferred::First, Preferred::Tie, Preferred::Second];
        let preferred = known.into_iter().find(|it| it.name() == value)?;
        let votes = found.votes.get(value).copied().unwrap_or(0);
        let of = found.votes.values().sum();
        Some((found.item.clone(), PairVerdict { preferred, votes, of }))
    });
    verdicts.collect()
}

/// One metric against people.
#[derive(Clone, Debug, PartialEq)]
pub struct MetricVersus {
    /// Which metric.
    pub metric: String,
    /// Pairs where it prefers what people prefer, of those where both prefer one.
    pub accuracy: Share,
    /// Pairs that it scores alike and of which people prefer one: in no accuracy.
    pub undecided: usize,
    /// The area under the curve of its differences against people's preference, ties of people aside; 0 to 1.
    pub auc: Result<f64, StatsError>,
    /// Kendall's τ-b of its differences and people's order of the two, ties too; −1 to 1.
    pub tau_b: Result<f64, StatsError>,
    /// Pairs with a verdict that it has no score of, by the reason.
    pub missing: BTreeMap<String, usize>,
    /// Pairs where it prefers the other one, the largest difference first.
    pub disagreements: Vec<Disagreement>,
}

/// A pair where a metric and people say different things.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// Which pair.
    pub item: ItemId,
    /// Which of the two the metric prefers.
    pub metric_prefers: Preferred,
    /// By how much its scores differ, above 0.
    pub difference: f64,
    /// What people say.
    pub people: PairVerdict,
}

/// Metrics against people, each by itself.
pub fn versus(
    scores: &[MetricScores],
    people: &BTreeMap<ItemId, PairVerdict>,
) -> Vec<MetricVersus> {
    scores.iter().map(|of_metric| of_metric.versus(people)).collect()
}

impl MetricScores {
    /// How much better it finds the first of a pair, or why that is not known.
    ///
    /// # Errors
    ///
    /// The reason, in words.
    pub fn difference(&self, item: &ItemId) -> Result<f64, String> {
        let scores = self.pairs.get(item).ok_or_else(|| "the pair was not scored".to_owned())?;
        let [first, second] = [scores[0].clone()?, scores[1].clone()?];
        Ok(if self.higher_is_better { first - second } else { second - first })
    }

    fn versus(&self, people: &BTreeMap<ItemId, PairVerdict>) -> MetricVersus {
        let mut found = MetricVersus {
            metric: self.metric.clone(),
            accuracy: Share::default(),
            undecided: 0,
            auc: Err(StatsError::NoOverlap),
            tau_b: Err(StatsError::NoOverlap),
            missing: BTreeMap::new(),
            disagreements: Vec::new(),
        };
        let (mut differences, mut outcomes) = (Vec::new(), Vec::new());
        let (mut all, mut order) = (Vec::new(), Vec::new());
        for (item, verdict) in people {
            let difference = match self.difference(item) {
                Ok(difference) => difference,
                // By its reason, so that the table can say of how many pairs a score is missing, and why.
                Err(why) => {
                    *found.missing.entry(why).or_default() += 1;
                    continue;
                }
            };
            all.push(difference);
            // First, tie, second as 1, 0, −1.
            order.push(f64::from(1 - verdict.preferred as i32));
            // Ties are part of τ-b, which corrects for them, but they cannot be hit or missed.
            if verdict.preferred == Preferred::Tie {
                continue;
            }
            differences.push(difference);
            outcomes.push(verdict.preferred == Preferred::First);
            // Exactly equal scores are no preference: to toss a coin would make the accuracy depend on the seed.
            let metric_prefers = match difference.total_cmp(&0.0) {
                _ if difference == 0.0 => {
                    found.undecided += 1;
                    continue;
                }
                std::cmp::Ordering::Less => Preferred::Second,
                _ => Preferred::First,
            };
            let is_hit = metric_prefers == verdict.preferred;
            found.accuracy.hits += u64::from(is_hit);
            found.accuracy.of += 1;
            if !is_hit {
                found.disagreements.push(Disagreement {
                    item: item.clone(),
                    metric_prefers,
                    difference: difference.abs(),
                    people: verdict.clone(),
                });
            }
        }
        // Those first of which the metric was surest: they are the ones worth a look.
        found.disagreements.sort_by(|a, b| b.difference.total_cmp(&a.difference));
        found.auc = auc(&differences, &outcomes);
        found.tau_b = kendall_tau_b(&all, &order).map(|tau| tau.value);
        found
    }
}

/// Metrics against the first preference of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct AgainstPeople {
    /// Which question.
    pub question: String,
    /// Pairs with an answer.
    pub pairs: usize,
    /// Those of them that are ties.
    pub ties: usize,
    /// Each metric by itself.
    pub metrics: Vec<MetricVersus>,
    /// Several at once.
    pub regression: PreferenceRegression,
}

impl AgainstPeople {
    /// `None` if the form asks for no preference. `columns` names the metrics of the regression; one without
    /// any score is left out of it.
    pub fn of(
        form: &Form,
        finals: &[FinalAnswer],
        scores: &[MetricScores],
        columns: &[String],
    ) -> Option<Self> {
        let question = form.preference()?;
        let people = verdicts(&question.id, finals);
        let metrics = versus(scores, &people);
        // One without any score would leave every pair out.
        let columns = scores.iter().filter(|it| columns.contains(&it.metric));
        let columns = columns.filter(|of| {
            let found = metrics.iter().find(|it| it.metric == of.metric);
            found.is_some_and(|it| it.accuracy.of > 0 || it.undecided > 0)
        });
        let columns: Vec<&MetricScores> = columns.collect();
        Some(Self {
            question: question.id.clone(),
            pairs: people.len(),
            ties: people.values().filter(|it| it.preferred == Preferred::Tie).count(),
            regression: regression(&columns, &people, 0),
            metrics,
        })
    }
}

/// The regression of people's preferences on the differences of several metrics at once.
#[derive(Clone, Debug, PartialEq)]
pub struct PreferenceRegression {
    /// The metrics, one column each.
    pub metrics: Vec<String>,
    /// Pairs with all of their scores, ties of people aside.
    pub pairs: usize,
    /// Pairs that lack one.
    pub left_out: usize,
    /// Without an intercept: which of a pair comes first says nothing.
    pub fit: Result<LogisticFit, StatsError>,
    /// The same of columns with mean 0 and standard deviation 1, so that coefficients can be compared, and
    /// with an intercept, as their origin has moved.
    pub standardised: Result<LogisticFit, StatsError>,
    /// Fitted to a random half, tested on the other.
    pub split: Result<SplitAccuracy, StatsError>,
}

/// Fits the regression of CANVAS's table 4: preferred is the first (1) or the second (0), by the differences
/// of these metrics.
pub fn regression(
    scores: &[&MetricScores],
    people: &BTreeMap<ItemId, PairVerdict>,
    seed: u64,
) -> PreferenceRegression {
    let metrics: Vec<String> = scores.iter().map(|it| it.metric.clone()).collect();
    let (mut rows, mut outcomes, mut left_out) = (Vec::new(), Vec::new(), 0);
    for (item, verdict) in people {
        if verdict.preferred == Preferred::Tie {
            continue;
        }
        let row: Result<Vec<f64>, String> = scores.iter().map(|it| it.difference(item)).collect();
        match row {
            Ok(row) => {
                rows.push(row);
                outcomes.push(verdict.preferred == Preferred::First);
            }
            // Listwise deletion, as usual for regressions.
            Err(_) => left_out += 1,
        }
    }
    let columns = metrics.iter().enumerate();
    let columns =
        columns.map(|(at, name)| (name.clone(), rows.iter().map(|row| row[at]).collect()));
    let data = LogisticData::new(columns, outcomes);
    let data = data.as_ref().map_err(Clone::clone);
    PreferenceRegression {
        metrics,
        pairs: rows.len(),
        left_out,
        // An error of the data is the error of all three fits: it is handed on and not asked again.
        fit: data.clone().and_then(|data| fit_logistic(data, Intercept::Without)),
        standardised: data
            .clone()
            .and_then(|data| fit_logistic(&data.standardised()?, Intercept::With)),
        split: data.and_then(|data| split_accuracy(data, Intercept::Without, seed)),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scores(metric: &str, higher_is_better: bool, pairs: &[[Option<f64>; 2]]) -> MetricScores {
        let pairs = pairs.iter().enumerate().map(|(at, pair)| {
            let scores = pair.map(|it| it.ok_or_else(|| "no picture".to_owned()));
            (ItemId(format!("{at:03}")), scores)
        });
        MetricScores { metric: metric.to_owned(), higher_is_better, pairs: pairs.collect() }
    }

    fn people(said: &[Preferred]) -> BTreeMap<ItemId, PairVerdict> {
        let said = said.iter().enumerate().map(|(at, preferred)| {
            (ItemId(format!("{at:03}")), PairVerdict { preferred: *preferred, votes: 2, of: 3 })
        });
        said.collect()
    }

    #[test]
    fn what_a_metric_says_is_held_against_what_people_say() {
        use Preferred::{First, Second, Tie};
        let some = |a: f64, b: f64| [Some(a), Some(b)];
        let pairs = [
            some(0.9, 0.1),
            some(0.25, 0.5),
            some(0.5, 0.5),
            some(0.2, 0.1),
            [Some(0.5), None],
            some(0.0, 0.25),
        ];
        let people = people(&[First, First, Second, Tie, Second, Second]);
        let found = versus(&[scores("ssim/uniform7", true, &pairs)], &people).swap_remove(0);
        assert_eq!(found.accuracy, Share { hits: 2, of: 3 });
        assert_eq!((found.undecided, found.missing["no picture"]), (1, 1));
        let [wrong] = found.disagreements.as_slice() else { panic!("{found:?}") };
        assert_eq!((&*wrong.item.0, wrong.metric_prefers, wrong.people.votes), ("001", Second, 2));
        assert_eq!(wrong.difference, 0.25);
        // 0.8 and −¼ where the first is preferred, 0 and −¼ where the second is: 1 + 1 + 0 + ½ of 4.
        assert!((found.auc.clone().unwrap() - 2.5 / 4.0).abs() < 1e-12, "{found:?}");
        // Of one where less is better, all turns round.
        let turned = versus(&[scores("mse", false, &pairs)], &people).swap_remove(0);
        assert_eq!(turned.accuracy, Share { hits: 1, of: 3 });
        assert!((turned.tau_b.unwrap() + found.tau_b.unwrap()).abs() < 1e-12);
    }

    #[test]
    fn a_metric_without_scores_says_why_and_is_no_zero() {
        let people = people(&[Preferred::First, Preferred::Second]);
        let none = scores("blip", true, &[[None, None], [None, None]]);
        let found = versus(std::slice::from_ref(&none), &people).swap_remove(0);
        assert_eq!((found.accuracy.value(), found.missing["no picture"]), (None, 2));
        assert!(found.auc.is_err() && found.tau_b.is_err());
        let fit = regression(&[&none], &people, 0);
        assert!(fit.fit.is_err() && fit.split.is_err() && fit.left_out == 2);
    }

    proptest! {
        /// Which of a pair comes first changes neither accuracy nor what a regression without intercept says.
        #[test]
        fn the_order_of_pairs_says_nothing(
            drawn in prop::collection::vec((0_u8..8, 0_u8..8, 0_u8..3, any::<bool>()), 1..60),
        ) {
            let preferred = [Preferred::First, Preferred::Tie, Preferred::Second];
            let pairs: Vec<[Option<f64>; 2]> =
                drawn.iter().map(|it| [Some(f64::from(it.0)), Some(f64::from(it.1))]).collect();
            let said: Vec<Preferred> = drawn.iter().map(|it| preferred[usize::from(it.2)]).collect();
            let turned_pairs = drawn.iter().zip(&pairs);
            let turned_pairs: Vec<[Option<f64>; 2]> =
                turned_pairs.map(|(it, [a, b])| if it.3 { [*b, *a] } else { [*a, *b] }).collect();
            let turned_said = drawn.iter().map(|it| {
                preferred[usize::from(if it.3 { 2 - it.2 } else { it.2 })]
            });
            let turned_said: Vec<Preferred> = turned_said.collect();
            let (one, other) = (scores("m", true, &pairs), scores("m", true, &turned_pairs));
            let (people, turned) = (people(&said), people(&turned_said));
            let a = one.versus(&people);
            let b = other.versus(&turned);
            prop_assert_eq!((a.accuracy, a.undecided), (b.accuracy, b.undecided));
            prop_assert_eq!(a.disagreements.len() as u64, a.accuracy.of - a.accuracy.hits);
            let fits = [regression(&[&one], &people, 1).fit, regression(&[&other], &turned, 1).fit];
            match fits {
                [Ok(a), Ok(b)] => {
                    let apart = a.terms[0].coefficient - b.terms[0].coefficient;
                    prop_assert!(apart.abs() < 1e-6, "{a:?} {b:?}");
                }
                [a, b] => prop_assert_eq!(a.is_err(), b.is_err()),
            }
        }
    }
}
