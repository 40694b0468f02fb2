//! Pos@K: how many metrics an edit made better.

use crate::metric::{Direction, MissingScore, Score};

/// A metric before and after an edit, each against the ground truth.
#[derive(Clone, Copy, Debug)]
pub struct EditedScore<'a> {
    /// Of the start state.
    pub before: &'a Score,
    /// Of what was made of it.
    pub after: &'a Score,
    /// Which way is better.
    pub direction: Direction,
}

/// What became of one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pos {
    /// So many metrics went up.
    At(usize),
    /// No call of the run changed anything validly: the papers' `F`.
    Failed,
}

/// What a metric that stayed where it was counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoChange {
    /// Not better: only scores that rise count (CANVAS, Analysis).
    #[default]
    IsNotBetter,
    /// Better, unless no metric changed at all: "non-negative Δ … if all metric scores remain exactly
    /// zero …, the case is considered as Pos@0" (CANVAS, Fig. 33).
    IsBetterUnlessAllStay,
}

/// The change of a score towards better: what was made minus the start state, turned round where
/// less is better. Missing where one of them is, with its reason.
///
/// Source: kixlab/canvas, `evaluation/eval_pipeline.py` (`delta_metrics`).
pub fn change(score: EditedScore<'_>) -> Score {
    match (score.before, score.after) {
        (Score::Value(before), Score::Value(after)) => match score.direction {
            Direction::HigherIsBetter => Score::from_number(after - before),
            Direction::LowerIsBetter => Score::from_number(before - after),
        },
        (Score::Missing(why), _) | (_, Score::Missing(why)) => Score::Missing(why.clone()),
    }
}

impl Pos {
    /// How many of the metrics the edit made better; the first reason if one of them is missing.
    pub fn of(scores: &[EditedScore<'_>], no_change: NoChange) -> Result<Self, MissingScore> {
        let mut changes = Vec::with_capacity(scores.len());
        for score in scores {
            match change(*score) {
                Score::Value(change) => changes.push(change),
                // A case with a gap has no K: counted without it, it could only fall.
                Score::Missing(why) => return Err(why),
            }
        }
        // Of no metrics all stay, which gives 0 by either rule.
        let all_stay = changes.iter().all(|change| *change == 0.0);
        // Exactly 0 counts as staying: the published scores are compared without a margin.
        let better = changes.iter().filter(|change| match no_change {
            NoChange::IsNotBetter => **change > 0.0,
            NoChange::IsBetterUnlessAllStay => **change >= 0.0 && !all_stay,
        });
        Ok(Self::At(better.count()))
    }
}

/// Pos@K over many cases: a row of CANVAS's Table 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PosDistribution {
    /// Cases by K, from 0.
    pub at: Vec<usize>,
    /// Failed cases.
    pub failed: usize,
}

impl PosDistribution {
    /// Counts cases of `metrics` metrics each; a K above that has its place too.
    pub fn of(metrics: usize, cases: impl IntoIterator<Item = Pos>) -> Self {
        let mut found = Self { at: vec![0; metrics.saturating_add(1)], failed: 0 };
        for case in cases {
            match case {
                Pos::Failed => found.failed += 1,
                Pos::At(k) => {
                    // More metrics than were announced: the table grows, and no case is lost.
                    if found.at.len() <= k {
                        found.at.resize(k + 1, 0);
                    }
                    found.at[k] += 1;
                }
            }
        }
        found
    }

    /// All cases, failed ones too.
    pub fn cases(&self) -> usize {
        self.at.iter().sum::<usize>() + self.failed
    }

    /// The share of the cases at K, failed ones counted among them. Undefined without cases.
    pub fn share(&self, k: usize) -> Score {
        super::counts::ratio(
            self.at.get(k).copied().unwrap_or(0),
            self.cases(),
            "there are no cases",
        )
    }

    /// The share of failed cases. Undefined without cases.
    pub fn failed_share(&self) -> Score {
        super::counts::ratio(self.failed, self.cases(), "there are no cases")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edited<'a>(before: &'a Score, after: &'a Score) -> EditedScore<'a> {
        EditedScore { before, after, direction: Direction::HigherIsBetter }
    }

    #[test]
    fn a_metric_that_stays_counts_only_by_the_figures_rule() {
        let (low, high) = (Score::Value(0.2), Score::Value(0.4));
        let scores = [edited(&low, &high), edited(&low, &low), edited(&high, &low)];
        assert_eq!(Pos::of(&scores, NoChange::IsNotBetter), Ok(Pos::At(1)));
        assert_eq!(Pos::of(&scores, NoChange::IsBetterUnlessAllStay), Ok(Pos::At(2)));
        let stays = [edited(&low, &low); 4];
        assert_eq!(Pos::of(&stays, NoChange::IsBetterUnlessAllStay), Ok(Pos::At(0)));
    }

    #[test]
    fn less_is_better_where_the_metric_says_so() {
        let (low, high) = (Score::Value(0.2), Score::Value(0.4));
        let lower = EditedScore { before: &high, after: &low, direction: Direction::LowerIsBetter };
        assert_eq!(Pos::of(&[lower], NoChange::IsNotBetter), Ok(Pos::At(1)));
    }

    #[test]
    fn a_missing_metric_is_no_decrease() {
        let missing = Score::Missing(MissingScore::NoGroundTruth);
        let scores = [edited(&missing, &Score::Value(1.0))];
        assert_eq!(Pos::of(&scores, NoChange::IsNotBetter), Err(MissingScore::NoGroundTruth));
    }

    #[test]
    fn shares_are_of_all_cases_and_sum_to_one() {
        let cases = [Pos::At(4), Pos::At(4), Pos::At(0), Pos::Failed];
        let found = PosDistribution::of(4, cases);
        assert_eq!(found.share(4), Score::Value(0.5));
        assert_eq!(found.failed_share(), Score::Value(0.25));
        let all: f64 = (0..=4).filter_map(|k| found.share(k).value()).sum();
        assert_eq!(all + 0.25, 1.0);
        assert!(PosDistribution::of(4, []).share(0).value().is_none());
    }
}
