//! Success and time of each level under each condition, as the figure shows them.

use std::collections::BTreeSet;

use super::counting::{Counting, Unit};
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
    /// The place of the condition in the plan; behind the plan's own come the models of
    /// [`Autonomous`](super::Autonomous).
    pub condition: usize,
    /// What is resampled.
    pub unit: Unit,
    /// How many different tasks.
    pub tasks: usize,
    /// Attempts.
    pub attempts: usize,
    /// Those that succeeded.
    pub successes: usize,
    /// Everybody who attempted any; nobody where the unit is the run.
    pub individuals: Vec<Individual>,
    /// The mean of persons' shares of success, or the share of runs; `None` without attempts.
    pub success: Option<f64>,
    /// Its interval, by resampling persons; of runs Wilson's.
    pub success_interval: Result<Interval, StatsError>,
    /// Wilson's interval of all attempts, as if each were by another person.
    pub wilson: Result<Interval, StatsError>,
    /// The mean of persons' mean times of successes, in seconds, over those who had any, or of the runs that succeeded;
    /// `None` where nobody succeeded.
    pub seconds: Option<f64>,
    /// Its interval, by resampling persons or runs.
    pub seconds_interval: Result<Interval, StatsError>,
    /// The geometric mean time of successes, in seconds.
    pub geometric_seconds: Option<f64>,
    /// The restricted mean time to success, in seconds: failures count with the whole limit. Of one level only, as
    /// limits differ.
    pub restricted_seconds: Option<f64>,
    /// Up to when that is, in seconds: the shortest limit of the level's tasks, whatever their condition.
    pub restricted_to: Option<f64>,
    /// Its interval, by resampling persons or runs.
    pub restricted_interval: Option<Result<Interval, StatsError>>,
}

/// Why Wilson's interval stands beside that of persons where it does.
pub const EQUAL_SHARES: &str = "Wilson: where all persons have the same share resamples of them are all alike, and beside \
                                their interval stands Wilson's over attempts, as if each were by another person.";

impl Cell {
    /// How many persons, or runs, it is of.
    pub fn units(&self) -> usize {
        match self.unit {
            Unit::Person => self.individuals.len(),
            Unit::Run => self.attempts,
        }
    }

    /// Whether several persons all have the same share of success. Resamples of them then all come to that share, so
    /// that their interval has no width, however few they are: [`Self::wilson`] is to stand beside it.
    pub fn has_equal_shares(&self) -> bool {
        let mut shares = self.individuals.iter().map(|it| it.success);
        let first = shares.next().filter(|_| self.individuals.len() > 1);
        first.is_some_and(|first| shares.all(|share| share == first))
    }

    /// The interval of success in words; where it has no width, as all persons have the same share, with Wilson's beside
    /// it. A dash where there is none.
    pub fn success_interval_words(&self) -> String {
        let words = |interval: &Result<Interval, StatsError>| match interval {
            Ok(it) => format!("{:.3} to {:.3}", it.low, it.high),
            Err(_) => "–".to_owned(),
        };
        let by_persons = words(&self.success_interval);
        if !self.has_equal_shares() {
            return by_persons;
        }
        format!("{by_persons}; Wilson {}", words(&self.wilson))
    }

    /// How many persons, or runs, had any success: those that the times are of.
    pub fn units_with_time(&self) -> usize {
        match self.unit {
            Unit::Person => self.individuals.iter().filter(|it| it.seconds.is_some()).count(),
            Unit::Run => self.successes,
        }
    }
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
        let of_level = counting
            .iter()
            .filter(|it| level.is_none_or(|level| plan.tasks[it.task].difficulty == level));
        let of_level: Vec<Counting<'_>> = of_level.copied().collect();
        // One for all conditions: a longer time to be slow in would make a condition the slower one. And the shortest
        // one, as nothing is known of a task beyond its limit.
        let limit = of_level.iter().map(|it| it.trial.facts.limit_secs).reduce(f64::min);
        let limit = limit.filter(|_| level.is_some());
        for condition in 0..plan.conditions.len() {
            let here = of_level.iter().filter(|it| it.condition == condition);
            let here: Vec<Counting<'_>> = here.copied().collect();
            cells.push(cell(level, condition, limit, people, &here, &bootstrap));
        }
    }
    cells
}

fn cell(
    level: Option<&str>,
    condition: usize,
    limit: Option<f64>,
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
    let times = whole.iter().filter(|it| it.trial.succeeded());
    let times: Vec<f64> = times.map(|it| it.trial.seconds()).collect();
    let interval = |statistic: &(dyn Fn(&[&Counting<'_>]) -> Option<f64> + Sync)| {
        cluster_bootstrap(&persons, plan, statistic).map(|found| found.interval)
    };
    Cell {
        level: level.map(str::to_owned),
        condition,
        unit: Unit::Person,
        tasks: whole.iter().map(|it| it.task).collect::<BTreeSet<usize>>().len(),
        attempts: whole.len(),
        successes,
        success: mean_of_persons(&whole, |mine| Some(share(mine))),
        success_interval: interval(&|drawn| mean_of_persons(drawn, |mine| Some(share(mine)))),
        wilson: wilson(successes as u64, whole.len() as u64, 0.95),
        seconds: mean_of_persons(&whole, mean_seconds),
        seconds_interval: interval(&|drawn| mean_of_persons(drawn, mean_seconds)),
        geometric_seconds: geometric_mean(&times),
        restricted_seconds: limit.and_then(|limit| restricted(&whole, limit)),
        restricted_to: limit,
        restricted_interval: level.map(|_| interval(&|drawn| restricted(drawn, limit?))),
        individuals,
    }
}

/// The geometric mean of times in seconds; `None` without any.
pub(super) fn geometric_mean(times: &[f64]) -> Option<f64> {
    // Nothing takes no time at all: a logarithm of 0 would be the whole mean.
    let logs = times.iter().map(|seconds| libm::log(seconds.max(0.001)));
    (!times.is_empty()).then(|| libm::exp(logs.sum::<f64>() / times.len() as f64))
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

/// The restricted mean time up to a limit that none of these tasks has less of.
pub(super) fn restricted(attempts: &[&Counting<'_>], limit: f64) -> Option<f64> {
    let times = attempts.iter().map(|it| time_to_success(it.trial));
    let times: Vec<TimeToSuccess> = times.collect();
    Some(KaplanMeier::of(&times).ok()?.restricted_mean(limit))
}

/// An attempt's time. Who gives up early, or is done with what does not pass, will not succeed later: they count as at
/// it up to the limit.
pub(super) fn time_to_success(trial: &Trial) -> TimeToSuccess {
    let success = trial.succeeded();
    let seconds = if success { trial.seconds() } else { trial.facts.limit_secs };
    TimeToSuccess { seconds, success }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::clock::{Ending, TaskClock};
    use crate::study::event::{ParticipantKind, TrialFacts};
    use crate::study::presets::{CandidateTask, Preset, StartChoice};

    fn attempt(seconds: u64, limit_secs: f64, success: bool) -> Trial {
        let ending = Some(if success { Ending::Done } else { Ending::TimedOut });
        Trial {
            facts: TrialFacts { limit_secs, ..TrialFacts::of_some_task(None) },
            by: ParticipantKind::Person,
            clock: TaskClock { active_ms: seconds * 1_000, ending, ..TaskClock::default() },
            success: Some(success),
            codesign: None,
            distances: Vec::new(),
            asked: Vec::new(),
        }
    }

    #[test]
    fn conditions_are_held_to_one_limit_where_their_tasks_have_several() {
        let candidates = ["short", "long"].map(|id| CandidateTask {
            difficulty: Some("easy".to_owned()),
            ..CandidateTask::of_set(id)
        });
        let places = vec!["tasks".to_owned()];
        let plan = Preset::Psbench.plan(&candidates, places, StartChoice::Given, 1).unwrap();
        // Two persons a condition, and each condition at a task with a limit of its own.
        let trials = [
            attempt(60, 100.0, true),
            attempt(100, 100.0, false),
            attempt(60, 300.0, true),
            attempt(250, 300.0, true),
        ];
        let people = [0, 1, 2, 3].map(|at| PersonRecord {
            participant: format!("P{at}"),
            by: ParticipantKind::Person,
            events: Vec::new(),
            trials: Vec::new(),
        });
        let people: Vec<&PersonRecord> = people.iter().collect();
        let counting = trials.iter().enumerate().map(|(person, trial)| Counting {
            person,
            condition: person / 2,
            task: person / 2,
            trial,
        });
        let counting: Vec<Counting<'_>> = counting.collect();
        let cells = cells(&plan, &people, &counting, 100);
        let [short, long, nobody, all, ..] = cells.as_slice() else { panic!("{}", cells.len()) };
        // Up to 100 s both are as fast: 60 and more than 100.
        assert_eq!((short.restricted_to, long.restricted_to), (Some(100.0), Some(100.0)));
        assert_eq!((short.restricted_seconds, long.restricted_seconds), (Some(80.0), Some(80.0)));
        assert_eq!((short.units_with_time(), long.units_with_time()), (1, 2));
        assert_eq!(nobody.restricted_seconds, None);
        assert!(nobody.restricted_interval.as_ref().is_some_and(Result::is_err));
        assert_eq!((all.level.as_ref(), all.restricted_to), (None, None));
    }

    #[test]
    fn of_persons_with_equal_shares_the_resamples_have_no_width_and_wilsons_interval_has() {
        let candidates = ["one", "two"].map(|id| CandidateTask {
            difficulty: Some("easy".to_owned()),
            ..CandidateTask::of_set(id)
        });
        let plan = Preset::Psbench.plan(&candidates, Vec::new(), StartChoice::Given, 1).unwrap();
        let people = [0, 1, 2, 3, 4, 5, 6, 7].map(|at| PersonRecord {
            participant: format!("P{at}"),
            by: ParticipantKind::Person,
            events: Vec::new(),
            trials: Vec::new(),
        });
        let people: Vec<&PersonRecord> = people.iter().collect();
        let (success, failure) = (attempt(60, 300.0, true), attempt(300, 300.0, false));
        // Eight persons succeed at both tasks; under the next condition one of them fails at one.
        let of = |condition: usize, person: usize, task: usize| {
            let fails = (condition, person, task) == (1, 3, 0);
            Counting { person, condition, task, trial: if fails { &failure } else { &success } }
        };
        let counting = [0, 1]
            .into_iter()
            .flat_map(|condition| (0..16).map(move |at: usize| (condition, at / 2, at % 2)));
        let counting = counting.map(|(condition, person, task)| of(condition, person, task));
        let counting: Vec<Counting<'_>> = counting.collect();
        let cells = cells(&plan, &people, &counting, 200);
        let [equal, unequal, nobody, ..] = cells.as_slice() else { panic!("{}", cells.len()) };
        let interval = equal.success_interval.as_ref().unwrap();
        assert_eq!((equal.successes, interval.low, interval.high), (16, 1.0, 1.0));
        assert!(equal.has_equal_shares());
        let wilson = equal.wilson.as_ref().unwrap();
        assert!((wilson.low - 0.806).abs() < 0.001 && wilson.high > 0.999, "{wilson:?}");
        assert!(!unequal.has_equal_shares() && !nobody.has_equal_shares());
    }
}
