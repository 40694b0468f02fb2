//! Tests of conditions against each other.
//!
//! The unit is the person: of each, a share or a mean under a condition. Between people these are groups (Kruskal and
//! Wallis, then Mann and Whitney for pairs), within people rows (Friedman, then Wilcoxon). Pairs are corrected by Holm,
//! measure by measure. Times to success are tested level by level (log-rank), as their limits differ. The interval of an
//! effect is of that same effect in resamples of persons.

use std::collections::BTreeSet;

use super::cells::{restricted, time_to_success};
use super::counting::{Counting, Unit};
use crate::metric::stats::{
    BootstrapPlan, Grouping, Interval, LogisticData, MixedLogisticFit, PMethod, PersonTime,
    SignedRankRule, StatsError, cluster_bootstrap, eta_squared, fit_mixed_logistic, friedman, holm,
    kendall_w, kruskal_wallis, log_rank, mann_whitney, rank_biserial, signed_rank_by, superiority,
};
use crate::study::plan::{Arrangement, StudyPlan};

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Each person's share of success.
    Success,
    /// Each person's mean logarithm of the time of successes.
    LogTime,
    /// The time to success of a level, failures censored at their limit.
    TimeToSuccess(String),
}

impl Measure {
    /// Its name in tables and files.
    pub fn name(&self) -> String {
        match self {
            Self::Success => "success".to_owned(),
            Self::LogTime => "log time of successes".to_owned(),
            Self::TimeToSuccess(level) => format!("time to success, {level}"),
        }
    }

    /// Whether it is of an attempt.
    fn counts(&self, attempt: &Counting<'_>) -> bool {
        *self != Self::LogTime || attempt.trial.succeeded()
    }
}

/// How large a difference is.
#[derive(Clone, Debug, PartialEq)]
pub struct EffectSize {
    /// What it is measured by.
    pub name: &'static str,
    /// How large it is.
    pub value: f64,
    /// Its interval, by resampling persons. What cannot be below 0 (η², W) has one that says how large it is, and not
    /// whether there is any.
    pub interval: Result<Interval, StatsError>,
}

/// A test.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionComparison {
    /// Of what.
    pub measure: Measure,
    /// Its name.
    pub test: &'static str,
    /// The places of the two conditions; `None`: of all.
    pub pair: Option<[usize; 2]>,
    /// What is exchanged and resampled.
    pub unit: Unit,
    /// Persons that are in it.
    pub persons: usize,
    /// Different tasks of theirs that are in it.
    pub tasks: usize,
    /// What it says, or why it says nothing.
    pub finding: Result<TestFinding, StatsError>,
}

/// What a test says.
#[derive(Clone, Debug, PartialEq)]
pub struct TestFinding {
    /// The statistic, with its name.
    pub statistic: (&'static str, f64),
    /// The p-value.
    pub p: f64,
    /// How it was found.
    pub method: PMethod,
    /// The p-value corrected for all pairs of the measure (Holm); of tests of all conditions the same.
    pub corrected_p: f64,
    /// The least p-value that so few persons could have given.
    pub least_p: f64,
    /// How large the difference is.
    pub effect: Option<EffectSize>,
}

impl TestFinding {
    /// A finding whose p-value stands for itself, until pairs are corrected.
    fn uncorrected(
        statistic: (&'static str, f64),
        p: f64,
        method: PMethod,
        least_p: f64,
        effect: Option<EffectSize>,
    ) -> Self {
        Self { statistic, p, method, corrected_p: p, least_p, effect }
    }

    /// Whether there are too few to say anything: no outcome could have come below 0.05.
    pub fn is_too_small(&self) -> bool {
        self.least_p > 0.05
    }
}

/// A logistic model of success with random persons and tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedModel {
    /// What it is of.
    pub name: &'static str,
    /// The fit, or why there is none.
    pub fit: Result<MixedLogisticFit, StatsError>,
}

/// A person's value under each condition; `None` where there is none.
type PersonRow = Vec<Option<f64>>;

/// What the tests of a study are made of.
struct Tests<'a> {
    plan: &'a StudyPlan,
    /// All persons, those without an attempt, too.
    persons: usize,
    counting: &'a [Counting<'a>],
    bootstrap: BootstrapPlan,
}

/// Every test of a study; `resamples` are those of an effect's interval.
pub(super) fn compare(
    plan: &StudyPlan,
    persons: usize,
    counting: &[Counting<'_>],
    resamples: usize,
) -> Vec<ConditionComparison> {
    let bootstrap = BootstrapPlan { resamples, seed: plan.seed, ..BootstrapPlan::default() };
    let tests = Tests { plan, persons, counting, bootstrap };
    let measures = [Measure::Success, Measure::LogTime].into_iter();
    let of_measures = measures.flat_map(|measure| tests.of_measure(&measure));
    let of_levels = plan.levels().into_iter().flat_map(|level| tests.of_times(level));
    of_measures.chain(of_levels).collect()
}

impl Tests<'_> {
    /// One test of all conditions, then one of each pair: the first says that something differs and not what.
    fn of_measure(&self, measure: &Measure) -> Vec<ConditionComparison> {
        let rows = self.rows(measure);
        let all: Vec<usize> = (0..self.plan.conditions.len()).collect();
        let pairs = pairs(all.len()).map(|pair| self.compared(measure, &rows, &pair, Some(pair)));
        let of_pairs = corrected(pairs.collect());
        [self.compared(measure, &rows, &all, None)].into_iter().chain(of_pairs).collect()
    }

    /// For each person and condition, the value of a measure.
    fn rows(&self, measure: &Measure) -> Vec<PersonRow> {
        // One value a person and condition: their tasks are no independent observations.
        let of = |person: usize, condition: usize| {
            let mine = self.counting.iter().filter(|it| {
                it.person == person && it.condition == condition && measure.counts(it)
            });
            let each: Vec<f64> = match measure {
                Measure::LogTime => {
                    mine.map(|it| libm::log(it.trial.seconds().max(0.001))).collect()
                }
                _ => mine.map(|it| f64::from(u8::from(it.trial.succeeded()))).collect(),
            };
            (!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64)
        };
        let conditions = self.plan.conditions.len();
        (0..self.persons)
            .map(|person| (0..conditions).map(|condition| of(person, condition)).collect())
            .collect()
    }

    /// The test of these conditions, as the study is arranged.
    fn compared(
        &self,
        measure: &Measure,
        rows: &[PersonRow],
        conditions: &[usize],
        pair: Option<[usize; 2]>,
    ) -> ConditionComparison {
        let taking_part = rows.iter().filter(|row| self.is_in(row, conditions));
        let taking_part: Vec<&PersonRow> = taking_part.collect();
        let (test, finding) = match (self.plan.arrangement, pair) {
            (Arrangement::Between, None) => {
                ("Kruskal–Wallis", self.kruskal_wallis(&taking_part, conditions))
            }
            (Arrangement::Between, Some(pair)) => {
                ("Mann–Whitney", self.mann_whitney(&taking_part, pair))
            }
            (Arrangement::Within, None) => ("Friedman", self.friedman(&taking_part)),
            (Arrangement::Within, Some(pair)) => {
                ("Wilcoxon signed rank", self.signed_rank(&taking_part, pair))
            }
        };
        let attempts = self.counting.iter().filter(|it| {
            measure.counts(it)
                && conditions.contains(&it.condition)
                && self.is_in(&rows[it.person], conditions)
        });
        ConditionComparison {
            measure: measure.clone(),
            test,
            pair,
            unit: Unit::Person,
            persons: taking_part.len(),
            tasks: tasks_of(attempts),
            finding,
        }
    }

    /// Whether somebody is among those compared.
    fn is_in(&self, row: &[Option<f64>], conditions: &[usize]) -> bool {
        let mut values = conditions.iter().map(|at| row[*at]);
        match self.plan.arrangement {
            Arrangement::Between => values.any(|value| value.is_some()),
            // Who lacks a condition cannot be compared with themselves.
            Arrangement::Within => values.all(|value| value.is_some()),
        }
    }

    fn kruskal_wallis(
        &self,
        rows: &[&PersonRow],
        conditions: &[usize],
    ) -> Result<TestFinding, StatsError> {
        let test = kruskal_wallis(&groups(rows, conditions))?;
        let interval = self.interval(rows, |drawn| eta_squared(&groups(drawn, conditions)).ok());
        let effect = EffectSize { name: "η²", value: test.eta_squared, interval };
        let statistic = ("H", test.h);
        Ok(TestFinding::uncorrected(statistic, test.p, test.method, test.least_p, Some(effect)))
    }

    fn mann_whitney(
        &self,
        rows: &[&PersonRow],
        [first, second]: [usize; 2],
    ) -> Result<TestFinding, StatsError> {
        let test = mann_whitney(&group(rows, first), &group(rows, second))?;
        let interval = self
            .interval(rows, |drawn| superiority(&group(drawn, first), &group(drawn, second)).ok());
        let effect = EffectSize { name: "P(X>Y)+½P(=)", value: test.superiority, interval };
        let statistic = ("U", test.u);
        Ok(TestFinding::uncorrected(statistic, test.p, test.method, test.least_p, Some(effect)))
    }

    fn friedman(&self, rows: &[&PersonRow]) -> Result<TestFinding, StatsError> {
        let test = friedman(&whole(rows), self.plan.seed)?;
        let interval = self.interval(rows, |drawn| Some(kendall_w(&whole(drawn)).ok()?.w));
        let effect = EffectSize { name: "W", value: test.w, interval };
        let statistic = ("χ²", test.chi_squared);
        Ok(TestFinding::uncorrected(statistic, test.p, test.method, test.least_p, Some(effect)))
    }

    fn signed_rank(
        &self,
        rows: &[&PersonRow],
        [first, second]: [usize; 2],
    ) -> Result<TestFinding, StatsError> {
        let (a, b) = (group(rows, first), group(rows, second));
        let test = signed_rank_by(&a, &b, SignedRankRule::TEXTBOOK)?;
        let interval = self.interval(rows, |drawn| {
            rank_biserial(&group(drawn, first), &group(drawn, second)).ok()
        });
        let effect = EffectSize { name: "rank-biserial", value: test.rank_biserial, interval };
        let statistic = ("W⁺", test.positive);
        Ok(TestFinding::uncorrected(statistic, test.p, test.method, test.least_p, Some(effect)))
    }

    /// The interval of a statistic of persons' rows.
    fn interval(
        &self,
        rows: &[&PersonRow],
        statistic: impl Fn(&[&PersonRow]) -> Option<f64> + Sync,
    ) -> Result<Interval, StatsError> {
        let persons: Vec<Vec<&PersonRow>> = rows.iter().map(|row| vec![*row]).collect();
        let found = cluster_bootstrap(&persons, &self.bootstrap, |drawn| {
            let drawn: Vec<&PersonRow> = drawn.iter().map(|row| **row).collect();
            statistic(&drawn)
        });
        Ok(found?.interval)
    }

    /// The times to success of a level: of all conditions, then of each pair.
    fn of_times(&self, level: &str) -> Vec<ConditionComparison> {
        let here = self.counting.iter().filter(|it| self.plan.tasks[it.task].difficulty == level);
        let here: Vec<Counting<'_>> = here.copied().collect();
        let all: Vec<usize> = (0..self.plan.conditions.len()).collect();
        let pairs = pairs(all.len()).map(|pair| self.log_rank(level, &here, &pair, Some(pair)));
        let of_pairs = corrected(pairs.collect());
        [self.log_rank(level, &here, &all, None)].into_iter().chain(of_pairs).collect()
    }

    fn log_rank(
        &self,
        level: &str,
        here: &[Counting<'_>],
        conditions: &[usize],
        pair: Option<[usize; 2]>,
    ) -> ConditionComparison {
        // As the cells have it: one for all conditions, also where only two are compared.
        let limit = here.iter().map(|it| it.trial.facts.limit_secs).reduce(f64::min);
        // Who has no task of this level is not among those who could have been in time.
        let mut persons: Vec<Vec<Counting<'_>>> = vec![Vec::new(); self.persons];
        let mut times = Vec::new();
        for it in here {
            let Some(condition) = conditions.iter().position(|at| *at == it.condition) else {
                continue;
            };
            persons[it.person].push(*it);
            times.push(PersonTime {
                person: it.person,
                condition,
                time: time_to_success(it.trial),
            });
        }
        persons.retain(|mine| !mine.is_empty());
        let found = log_rank(&times, self.persons, conditions.len(), self.plan.seed);
        let finding = found.map(|test| {
            let of_pair = pair.zip(limit);
            let effect =
                of_pair.and_then(|(pair, limit)| self.restricted_effect(&persons, pair, limit));
            let statistic = ("χ²", test.chi_squared);
            TestFinding::uncorrected(statistic, test.p, test.method, test.least_p, effect)
        });
        ConditionComparison {
            measure: Measure::TimeToSuccess(level.to_owned()),
            test: "log-rank",
            pair,
            unit: Unit::Person,
            persons: persons.len(),
            tasks: tasks_of(persons.iter().flatten()),
            finding,
        }
    }

    /// By how much the restricted mean time to success of the first condition is the longer one.
    fn restricted_effect(
        &self,
        persons: &[Vec<Counting<'_>>],
        pair: [usize; 2],
        limit: f64,
    ) -> Option<EffectSize> {
        let whole: Vec<&Counting<'_>> = persons.iter().flatten().collect();
        let value = restricted_difference(&whole, pair, limit)?;
        let found = cluster_bootstrap(persons, &self.bootstrap, |drawn| {
            restricted_difference(drawn, pair, limit)
        });
        let interval = found.map(|found| found.interval);
        Some(EffectSize { name: "restricted mean, difference in s", value, interval })
    }
}

/// The values of a condition that there are.
fn group(rows: &[&PersonRow], condition: usize) -> Vec<f64> {
    rows.iter().filter_map(|row| row[condition]).collect()
}

fn groups(rows: &[&PersonRow], conditions: &[usize]) -> Vec<Vec<f64>> {
    conditions.iter().map(|condition| group(rows, *condition)).collect()
}

/// The rows that have a value under every condition.
fn whole(rows: &[&PersonRow]) -> Vec<Vec<f64>> {
    rows.iter().filter_map(|row| row.iter().copied().collect()).collect()
}

/// How many different tasks these attempts are of.
fn tasks_of<'a, 'b: 'a>(attempts: impl Iterator<Item = &'a Counting<'b>>) -> usize {
    attempts.map(|it| it.task).collect::<BTreeSet<usize>>().len()
}

fn restricted_difference(attempts: &[&Counting<'_>], pair: [usize; 2], limit: f64) -> Option<f64> {
    let [first, second] = pair.map(|condition| {
        let here = attempts.iter().copied().filter(|it| it.condition == condition);
        restricted(&here.collect::<Vec<_>>(), limit)
    });
    Some(first? - second?)
}

/// Every two of so many conditions.
fn pairs(conditions: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..conditions).flat_map(move |a| (a + 1..conditions).map(move |b| [a, b]))
}

/// The same pairs with their p-values corrected.
fn corrected(mut pairs: Vec<ConditionComparison>) -> Vec<ConditionComparison> {
    let p: Vec<f64> =
        pairs.iter().filter_map(|it| it.finding.as_ref().ok().map(|found| found.p)).collect();
    let mut adjusted = holm(&p).into_iter();
    for finding in pairs.iter_mut().filter_map(|it| it.finding.as_mut().ok()) {
        finding.corrected_p = adjusted.next().unwrap_or(finding.p);
    }
    pairs
}

/// Success by condition and level, with persons and tasks random: with every level's own effect of a condition, and
/// with one for all.
pub(super) fn mixed(plan: &StudyPlan, counting: &[Counting<'_>]) -> Vec<MixedModel> {
    let grouping = Grouping {
        persons: counting.iter().map(|it| it.person).collect(),
        tasks: counting.iter().map(|it| it.task).collect(),
    };
    // Both: small studies often have too little for the interaction, and the plain model still fits.
    let models = [("condition × difficulty", true), ("condition + difficulty", false)];
    let models = models.into_iter().map(|(name, with_interaction)| {
        let data = data(plan, counting, with_interaction);
        let fit = data.and_then(|data| fit_mixed_logistic(&data, &grouping));
        MixedModel { name, fit }
    });
    models.collect()
}

/// Columns of 0 and 1: conditions and levels against the first of each, and their products.
fn data(
    plan: &StudyPlan,
    counting: &[Counting<'_>],
    with_interaction: bool,
) -> Result<LogisticData, StatsError> {
    let levels = plan.levels();
    let is_level = |it: &Counting<'_>, level: &str| plan.tasks[it.task].difficulty == level;
    let mut columns: Vec<(String, Vec<f64>)> = Vec::new();
    // The first condition and the first level are what the others are held against.
    for (at, condition) in plan.conditions.iter().enumerate().skip(1) {
        let column = counting.iter().map(|it| f64::from(u8::from(it.condition == at)));
        columns.push((condition.id.clone(), column.collect()));
    }
    for level in levels.iter().skip(1) {
        let column = counting.iter().map(|it| f64::from(u8::from(is_level(it, level))));
        columns.push(((*level).to_owned(), column.collect()));
    }
    let conditions = plan.conditions.iter().enumerate().skip(1).filter(|_| with_interaction);
    for (at, condition) in conditions {
        for level in levels.iter().skip(1) {
            let both = counting.iter().map(|it| it.condition == at && is_level(it, level));
            let column = both.map(|both| f64::from(u8::from(both)));
            columns.push((format!("{} × {level}", condition.id), column.collect()));
        }
    }
    LogisticData::new(columns, counting.iter().map(|it| it.trial.succeeded()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::clock::{Ending, TaskClock};
    use crate::study::event::{ParticipantKind, TrialFacts};
    use crate::study::presets::{CandidateTask, Preset, StartChoice};
    use crate::study::trial::Trial;

    /// Five persons a condition at one task, and one who did nothing: the first condition is faster than the second, and
    /// nobody succeeds under the third.
    fn compared() -> Vec<ConditionComparison> {
        let candidate =
            CandidateTask { difficulty: Some("easy".to_owned()), ..CandidateTask::of_set("task") };
        let places = vec!["tasks".to_owned()];
        let plan = Preset::Psbench.plan(&[candidate], places, StartChoice::Given, 1).unwrap();
        let trials = [10, 15, 20, 25, 30, 50, 55, 60, 65, 70, 0, 0, 0, 0, 0].map(|seconds| {
            let success = seconds > 0;
            let ending = Some(if success { Ending::Done } else { Ending::TimedOut });
            Trial {
                facts: TrialFacts { limit_secs: 100.0, ..TrialFacts::of_some_task(None) },
                by: ParticipantKind::Person,
                clock: TaskClock { active_ms: seconds * 1_000, ending, ..TaskClock::default() },
                success: Some(success),
                codesign: None,
                distances: Vec::new(),
                asked: Vec::new(),
            }
        });
        let counting = trials.iter().enumerate().map(|(person, trial)| Counting {
            person,
            condition: person / 5,
            task: 0,
            trial,
        });
        compare(&plan, 16, &counting.collect::<Vec<_>>(), 400)
    }

    fn effect(comparison: &ConditionComparison) -> (f64, Interval) {
        let effect = comparison.finding.as_ref().unwrap().effect.as_ref().unwrap();
        (effect.value, effect.interval.clone().unwrap())
    }

    #[test]
    fn every_test_says_its_persons_tasks_and_the_interval_of_its_effect() {
        let all = compared();
        let names = all.iter().map(|it| (it.test, it.pair, it.persons, it.tasks));
        let names: Vec<(&str, Option<[usize; 2]>, usize, usize)> = names.collect();
        let [first, second, third] = [[0, 1], [0, 2], [1, 2]].map(Some);
        assert_eq!(names[0], ("Kruskal–Wallis", None, 15, 1));
        assert_eq!(names[1..3], [("Mann–Whitney", first, 10, 1), ("Mann–Whitney", second, 10, 1)]);
        // Who had no success is in no test of its time.
        assert_eq!(names[4], ("Kruskal–Wallis", None, 10, 1));
        assert_eq!(names[6], ("Mann–Whitney", second, 5, 1));
        assert_eq!(names[8], ("log-rank", None, 15, 1));
        assert_eq!(names[9..], [first, second, third].map(|pair| ("log-rank", pair, 10, 1)));
        assert!(all.iter().all(|it| it.unit == Unit::Person));
        // Nobody of the first is slower than anybody of the second, whoever is drawn.
        assert_eq!(effect(&all[5]), (0.0, Interval { low: 0.0, high: 0.0 }));
        let (value, interval) = effect(&all[0]);
        assert!(value > 0.99 && interval.low > 0.99 && interval.high <= 1.0, "{interval:?}");
    }

    #[test]
    fn times_to_success_are_compared_pair_by_pair_with_what_is_saved() {
        let all = compared();
        let pairs: Vec<&ConditionComparison> =
            all.iter().filter(|it| it.test == "log-rank" && it.pair.is_some()).collect();
        // Restricted means of 20, 60 and the whole limit of 100 s.
        for (pair, saved) in pairs.iter().zip([-40.0, -80.0, -40.0]) {
            let (value, interval) = effect(pair);
            assert!((value - saved).abs() < 1e-9, "{pair:?}");
            assert!(interval.low <= value && value <= interval.high, "{pair:?}");
            assert!(interval.low > saved - 30.0 && interval.high < saved + 30.0, "{pair:?}");
        }
        let found = pairs.iter().map(|it| it.finding.as_ref().unwrap());
        let p: Vec<f64> = found.clone().map(|it| it.p).collect();
        let corrected: Vec<f64> = found.map(|it| it.corrected_p).collect();
        assert_eq!(corrected, holm(&p));
        let overall = all.iter().find(|it| it.test == "log-rank" && it.pair.is_none()).unwrap();
        assert_eq!(overall.finding.as_ref().unwrap().effect, None);
    }
}
