//! Success and time of each level under each condition, as the figure shows them.

use std::collections::BTreeSet;

use super::counting::Counting;
use crate::metric::stats::{
    BootstrapPlan, Interval, KaplanMeier, StatsError, TimeToSuccess, cluster_bootstrap, wilson,
};
use crate::study::folder::PersonRecord;
use crate::study::plan::StudyPlan;
use crate::study::trial::Trial;

/// A level, or all of them, under a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The level of difficulty; `None`: all.
    pub level: Option<String>,
    /// The place of the condition.
    pub condition: usize,
    /// How many different tasks.
    pub tasks: usize,
    /// Attempts.
    pub attempts: usize,
    /// Those that succeeded.
    pub successes: usize,
    /// Everybody who attempted any.
    pub individuals: Vec<Individual>,
    /// The mean of persons' shares of success; `None` without attempts.
    pub success: Option<f64>,
    /// Its interval, by resampling persons.
    pub success_interval: Result<Interval, StatsError>,
    /// Wilson's interval of all attempts, as if each were by another person.
    pub wilson: Result<Interval, StatsError>,
    /// The mean of persons' mean times of successes, in seconds; `None` where nobody succeeded.
    pub seconds: Option<f64>,
    /// Its interval, by resampling persons.
    pub seconds_interval: Result<Interval, StatsError>,
    /// The geometric mean time of successes, in seconds.
    pub geometric_seconds: Option<f64>,
    /// The restricted mean time to success, in seconds: failures count with the whole limit. Of one level only, as
    /// limits differ.
    pub restricted_seconds: Option<f64>,
    /// Its interval, by resampling persons.
    pub restricted_interval: Option<Result<Interval, StatsError>>,
}

/// Somebody's share of success and mean time.
#[derive(Clone, Debug, PartialEq)]
pub struct Individual {
    /// Who.
    pub participant: String,
    /// Attempts.
    pub attempts: usize,
    /// The share that succeeded.
    pub success: f64,
    /// The mean time of successes, in seconds; `None` without any.
    pub seconds: Option<f64>,
}

/// Every level, then all, under every condition.
pub(super) fn cells(
    plan: &StudyPlan,
    people: &[&PersonRecord],
    counting: &[Counting<'_>],
    resamples: usize,
) -> Vec<Cell> {
    let levels = plan.levels();
    let levels = levels.into_iter().map(Some).chain([None]);
    let bootstrap = BootstrapPlan { resamples, seed: plan.seed, ..BootstrapPlan::default() };
    let mut cells = Vec::new();
    for level in levels {
        for condition in 0..plan.conditions.len() {
            let here = counting.iter().filter(|it| {
                let of_level = level.is_none_or(|level| plan.tasks[it.task].difficulty == level);
                it.condition == condition && of_level
            });
            let here: Vec<Counting<'_>> = here.copied().collect();
            cells.push(cell(level, condition, people, &here, &bootstrap));
        }
    }
    cells
}

fn cell(
    level: Option<&str>,
    condition: usize,
    people: &[&PersonRecord],
    here: &[Counting<'_>],
    plan: &BootstrapPlan,
) -> Cell {
    let mut persons: Vec<Vec<Counting<'_>>> = vec![Vec::new(); people.len()];
    for it in here {
        persons[it.person].push(*it);
    }
    // Whoever did nothing here is not resampled: of a study between people that is everybody of other groups.
    let names: Vec<&PersonRecord> = people
        .iter()
        .zip(&persons)
        .filter(|(_, mine)| !mine.is_empty())
        .map(|(it, _)| *it)
        .collect();
    persons.retain(|mine| !mine.is_empty());
    let individuals = names.iter().zip(&persons).map(|(person, mine)| Individual {
        participant: person.participant.clone(),
        attempts: mine.len(),
        success: share(mine),
        seconds: mean_seconds(mine),
    });
    let individuals: Vec<Individual> = individuals.collect();
    let whole: Vec<&Counting<'_>> = persons.iter().flatten().collect();
    let successes = whole.iter().filter(|it| it.trial.succeeded()).count();
    let logs = whole.iter().filter(|it| it.trial.succeeded());
    let logs: Vec<f64> = logs.map(|it| libm::log(it.trial.seconds().max(0.001))).collect();
    let interval = |statistic: &(dyn Fn(&[&Counting<'_>]) -> Option<f64> + Sync)| {
        cluster_bootstrap(&persons, plan, statistic).map(|found| found.interval)
    };
    Cell {
        level: level.map(str::to_owned),
        condition,
        tasks: whole.iter().map(|it| it.task).collect::<BTreeSet<usize>>().len(),
        attempts: whole.len(),
        successes,
        success: mean_of_persons(&whole, |mine| Some(share(mine))),
        success_interval: interval(&|drawn| mean_of_persons(drawn, |mine| Some(share(mine)))),
        wilson: wilson(successes as u64, whole.len() as u64, 0.95),
        seconds: mean_of_persons(&whole, mean_seconds),
        seconds_interval: interval(&|drawn| mean_of_persons(drawn, mean_seconds)),
        geometric_seconds: (!logs.is_empty())
            .then(|| libm::exp(logs.iter().sum::<f64>() / logs.len() as f64)),
        restricted_seconds: level.and_then(|_| restricted(&whole)),
        restricted_interval: level.map(|_| interval(&|drawn| restricted(drawn))),
        individuals,
    }
}

fn share(attempts: &[Counting<'_>]) -> f64 {
    let successes = attempts.iter().filter(|it| it.trial.succeeded()).count();
    successes as f64 / attempts.len().max(1) as f64
}

fn mean_seconds(attempts: &[Counting<'_>]) -> Option<f64> {
    let times = attempts.iter().filter(|it| it.trial.succeeded());
    let times: Vec<f64> = times.map(|it| it.trial.seconds()).collect();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// The mean over persons, those without a value left out. A resample holds all attempts of a person one after the
/// other, and of somebody who was drawn twice all of them twice.
fn mean_of_persons(
    attempts: &[&Counting<'_>],
    of_person: impl Fn(&[Counting<'_>]) -> Option<f64>,
) -> Option<f64> {
    let mut values = Vec::new();
    for mine in attempts.chunk_by(|a, b| a.person == b.person) {
        let mine: Vec<Counting<'_>> = mine.iter().map(|it| **it).collect();
        // Somebody drawn twice in a row is one chunk, and weighs twice.
        let often = mine.iter().filter(|it| it.task == mine[0].task).count();
        values.extend(std::iter::repeat_n(of_person(&mine), often).flatten());
    }
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The restricted mean time up to the longest limit of these tasks.
fn restricted(attempts: &[&Counting<'_>]) -> Option<f64> {
    let times = attempts.iter().map(|it| time_to_success(it.trial));
    let times: Vec<TimeToSuccess> = times.collect();
    let limit = attempts.iter().map(|it| it.trial.facts.limit_secs).reduce(f64::max)?;
    Some(KaplanMeier::of(&times).ok()?.restricted_mean(limit))
}

/// An attempt's time. Who gives up early, or is done with what does not pass, will not succeed later: they count as at
/// it up to the limit.
pub(super) fn time_to_success(trial: &Trial) -> TimeToSuccess {
    let success = trial.succeeded();
    let seconds = if success { trial.seconds() } else { trial.facts.limit_secs };
    TimeToSuccess { seconds, success }
}
