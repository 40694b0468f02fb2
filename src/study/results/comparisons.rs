//! Tests of conditions against each other.
//!
//! The unit is the person: of each, a share or a mean under a condition. Between people these are groups (Kruskal and
//! Wallis, then Mann and Whitney for pairs), within people rows (Friedman, then Wilcoxon). Pairs are corrected by Holm,
//! measure by measure. Times to success are tested level by level (log-rank), as their limits differ.

use super::cells::time_to_success;
use super::counting::Counting;
use crate::metric::stats::{
    Grouping, LogisticData, MixedLogisticFit, PMethod, PersonTime, SignedRankRule, StatsError,
    fit_mixed_logistic, friedman, holm, kruskal_wallis, log_rank, mann_whitney, signed_rank_by,
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
}

/// How large a difference is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effect {
    /// What it is measured by.
    pub name: &'static str,
    /// How large it is.
    pub value: f64,
}

/// A test.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Of what.
    pub measure: Measure,
    /// Its name.
    pub test: &'static str,
    /// The places of the two conditions; `None`: of all.
    pub pair: Option<[usize; 2]>,
    /// Persons that are in it.
    pub persons: usize,
    /// What it says, or why it says nothing.
    pub finding: Result<TestFinding, StatsError>,
}

/// What a test says.
#[derive(Clone, Copy, Debug, PartialEq)]
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
    pub effect: Option<Effect>,
}

impl TestFinding {
    /// A finding whose p-value stands for itself, until pairs are corrected.
    fn uncorrected(
        statistic: (&'static str, f64),
        p: f64,
        method: PMethod,
        least_p: f64,
        effect: Option<Effect>,
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

/// Every test of a study.
pub(super) fn compare(
    plan: &StudyPlan,
    persons: usize,
    counting: &[Counting<'_>],
) -> Vec<Comparison> {
    let mut all = Vec::new();
    for measure in [Measure::Success, Measure::LogTime] {
        let values = values(plan, persons, counting, &measure);
        match plan.arrangement {
            Arrangement::Between => between(&measure, &values, &mut all),
            Arrangement::Within => within(plan, &measure, &values, &mut all),
        }
    }
    for level in plan.levels() {
        all.push(of_times(plan, level, persons, counting));
    }
    all
}

/// For each person and condition, the value of a measure.
fn values(
    plan: &StudyPlan,
    persons: usize,
    counting: &[Counting<'_>],
    measure: &Measure,
) -> Vec<Vec<Option<f64>>> {
    // One value a person and condition: their tasks are no independent observations.
    let of = |person: usize, condition: usize| {
        let mine = counting.iter().filter(|it| it.person == person && it.condition == condition);
        let each: Vec<f64> = match measure {
            Measure::LogTime => mine
                .filter(|it| it.trial.succeeded())
                .map(|it| libm::log(it.trial.seconds().max(0.001)))
                .collect(),
            _ => mine.map(|it| f64::from(u8::from(it.trial.succeeded()))).collect(),
        };
        (!each.is_empty()).then(|| each.iter().sum::<f64>() / each.len() as f64)
    };
    (0..persons)
        .map(|person| (0..plan.conditions.len()).map(|condition| of(person, condition)).collect())
        .collect()
}

/// Every two of so many conditions.
fn pairs(conditions: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..conditions).flat_map(move |a| (a + 1..conditions).map(move |b| [a, b]))
}

fn between(measure: &Measure, values: &[Vec<Option<f64>>], all: &mut Vec<Comparison>) {
    let conditions = values.first().map_or(0, Vec::len);
    let groups: Vec<Vec<f64>> = (0..conditions)
        .map(|condition| values.iter().filter_map(|row| row[condition]).collect())
        .collect();
    let of_all = kruskal_wallis(&groups).map(|test| {
        let effect = Effect { name: "η²", value: test.eta_squared };
        TestFinding::uncorrected(("H", test.h), test.p, test.method, test.least_p, Some(effect))
    });
    all.push(Comparison {
        measure: measure.clone(),
        test: "Kruskal–Wallis",
        pair: None,
        persons: groups.iter().map(Vec::len).sum(),
        finding: of_all,
    });
    // Each pair as well, corrected together: the test over all says that something differs and not what.
    let of_pairs = pairs(conditions).map(|pair| {
        let [first, second] = pair.map(|at| &groups[at]);
        let finding = mann_whitney(first, second).map(|test| {
            let effect = Effect { name: "P(X>Y)+½P(=)", value: test.superiority };
            TestFinding::uncorrected(("U", test.u), test.p, test.method, test.least_p, Some(effect))
        });
        let persons = first.len() + second.len();
        let (measure, test) = (measure.clone(), "Mann–Whitney");
        Comparison { measure, test, pair: Some(pair), persons, finding }
    });
    all.extend(corrected(of_pairs.collect()));
}

fn within(
    plan: &StudyPlan,
    measure: &Measure,
    values: &[Vec<Option<f64>>],
    all: &mut Vec<Comparison>,
) {
    // Who lacks a condition cannot be compared with themselves.
    let rows: Vec<Vec<f64>> =
        values.iter().filter_map(|row| row.iter().copied().collect()).collect();
    let of_all = friedman(&rows, plan.seed).map(|test| {
        let effect = Effect { name: "W", value: test.w };
        TestFinding::uncorrected(
            ("χ²", test.chi_squared),
            test.p,
            test.method,
            test.least_p,
            Some(effect),
        )
    });
    all.push(Comparison {
        measure: measure.clone(),
        test: "Friedman",
        pair: None,
        persons: rows.len(),
        finding: of_all,
    });
    let of_pairs = pairs(plan.conditions.len()).map(|pair| {
        let both = values.iter().filter_map(|row| row[pair[0]].zip(row[pair[1]]));
        let (first, second): (Vec<f64>, Vec<f64>) = both.unzip();
        let test = signed_rank_by(&first, &second, SignedRankRule::TEXTBOOK);
        let finding = test.map(|test| {
            let effect = Effect { name: "rank-biserial", value: test.rank_biserial };
            TestFinding::uncorrected(
                ("W⁺", test.positive),
                test.p,
                test.method,
                test.least_p,
                Some(effect),
            )
        });
        let (measure, test) = (measure.clone(), "Wilcoxon signed rank");
        Comparison { measure, test, pair: Some(pair), persons: first.len(), finding }
    });
    all.extend(corrected(of_pairs.collect()));
}

/// The same pairs with their p-values corrected.
fn corrected(mut pairs: Vec<Comparison>) -> Vec<Comparison> {
    let p: Vec<f64> =
        pairs.iter().filter_map(|it| it.finding.as_ref().ok().map(|found| found.p)).collect();
    let mut adjusted = holm(&p).into_iter();
    for finding in pairs.iter_mut().filter_map(|it| it.finding.as_mut().ok()) {
        finding.corrected_p = adjusted.next().unwrap_or(finding.p);
    }
    pairs
}

fn of_times(
    plan: &StudyPlan,
    level: &str,
    persons: usize,
    counting: &[Counting<'_>],
) -> Comparison {
    let here = counting.iter().filter(|it| plan.tasks[it.task].difficulty == level);
    let times: Vec<PersonTime> = here
        .map(|it| PersonTime {
            person: it.person,
            condition: it.condition,
            time: time_to_success(it.trial),
        })
        .collect();
    // Who has no task of this level is not among those who could have been in time.
    let mut taking_part: Vec<usize> = times.iter().map(|time| time.person).collect();
    taking_part.sort_unstable();
    taking_part.dedup();
    let found = log_rank(&times, persons, plan.conditions.len(), plan.seed);
    let finding = found.map(|test| {
        TestFinding::uncorrected(("χ²", test.chi_squared), test.p, test.method, test.least_p, None)
    });
    let measure = Measure::TimeToSuccess(level.to_owned());
    let (test, persons) = ("log-rank", taking_part.len());
    Comparison { measure, test, pair: None, persons, finding }
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
