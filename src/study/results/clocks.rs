//! Time away and pauses: what the figures of success and time leave out or hide.

use super::counting::Counting;
use crate::metric::stats::quantile;
use crate::study::clock::{STOP_REASONS, TaskClock};
use crate::study::folder::PersonRecord;
use crate::study::plan::{Help, StudyPlan};

/// How the clocks of a condition's attempts went, beside the time that they count.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionClock {
    /// Attempts that count.
    pub attempts: usize,
    /// The median over all of them of the seconds away, which are in their time; `None` where nobody may leave, and
    /// without attempts.
    pub away_secs_median: Option<f64>,
    /// Attempts in which somebody was away.
    pub attempts_away: usize,
    /// Attempts in which the clock stood still.
    pub attempts_paused: usize,
    /// For how many seconds it did in all, which are in no time, by the reasons in [`STOP_REASONS`].
    pub paused_secs: [f64; STOP_REASONS.len()],
    /// Attempts in which the wall's clock jumped: their time goes by the other one.
    pub attempts_with_jumps: usize,
    /// The attempts that had any of this.
    pub noted: Vec<AttemptClock>,
}

/// The clock of somebody's attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptClock {
    /// Whose, such as `P01`.
    pub participant: String,
    /// The place of its task in the plan.
    pub task: usize,
    /// How it went.
    pub clock: TaskClock,
}

impl ConditionClock {
    /// What is to be said of it beside the figures of success and time, a sentence each.
    pub(super) fn lines(&self, condition: &str) -> Vec<String> {
        let Self { attempts, attempts_away, attempts_paused, .. } = self;
        let away = self.away_secs_median.map(|median| {
            format!(
                "Away under {condition}: median {median:.0} s over {attempts} attempts, in {attempts_away} of which they left."
            )
        });
        let paused = (*attempts_paused > 0).then(|| {
            let kinds = STOP_REASONS.iter().zip(self.paused_secs);
            let kinds = kinds.filter(|(_, secs)| *secs > 0.0);
            let kinds = kinds.map(|((_, reason), secs)| format!(", {reason} {secs:.0} s"));
            let kinds = kinds.collect::<String>();
            format!(
                "Paused under {condition}: {attempts_paused} of {attempts} attempts, not in their seconds{kinds}."
            )
        });
        away.into_iter().chain(paused).collect()
    }
}

/// By condition, in the plan's order.
pub(super) fn clocks(
    plan: &StudyPlan,
    people: &[&PersonRecord],
    counting: &[Counting<'_>],
) -> Vec<ConditionClock> {
    let each = plan.conditions.iter().enumerate().map(|(at, condition)| {
        let here = counting.iter().filter(|it| it.condition == at);
        let here: Vec<Counting<'_>> = here.copied().collect();
        let clocks: Vec<&TaskClock> = here.iter().map(|it| &it.trial.clock).collect();
        let away: Vec<f64> = clocks.iter().map(|it| it.away_secs()).collect();
        let noted = here.iter().filter(|it| is_noted(&it.trial.clock)).map(|it| AttemptClock {
            participant: people[it.person].participant.clone(),
            task: it.task,
            clock: it.trial.clock.clone(),
        });
        ConditionClock {
            attempts: here.len(),
            // Of everybody, and not of those who left: whoever never did was away for no time.
            away_secs_median: quantile(&away, 0.5).ok().filter(|_| condition.help == Help::Web),
            attempts_away: clocks.iter().filter(|it| it.away_ms > 0).count(),
            attempts_paused: clocks.iter().filter(|it| !it.stops.is_empty()).count(),
            paused_secs: STOP_REASONS.map(|(reason, _)| {
                let stops = clocks.iter().flat_map(|it| &it.stops).filter(|it| it.reason == reason);
                stops.map(|it| it.millis).fold(0, u64::saturating_add) as f64 / 1_000.0
            }),
            attempts_with_jumps: clocks.iter().filter(|it| !it.wall_jumps_ms.is_empty()).count(),
            noted: noted.collect(),
        }
    });
    each.collect()
}

fn is_noted(clock: &TaskClock) -> bool {
    clock.away_ms > 0 || !clock.stops.is_empty() || !clock.wall_jumps_ms.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::clock::{Ending, Stop};
    use crate::study::event::{ParticipantKind, PauseReason, TrialFacts};
    use crate::study::presets::{CandidateTask, Preset, StartChoice};
    use crate::study::trial::Trial;

    #[test]
    fn time_away_is_of_all_attempts_where_people_may_leave_and_pauses_are_listed_by_their_reasons()
    {
        let candidate = CandidateTask::of_set("task");
        let plan = Preset::Psbench.plan(&[candidate], Vec::new(), StartChoice::Given, 1).unwrap();
        let trial = |away_ms, stops: &[(Option<PauseReason>, u64)]| Trial {
            facts: TrialFacts::of_some_task(None),
            by: ParticipantKind::Person,
            clock: TaskClock {
                active_ms: 90_000,
                away_ms,
                stops: stops
                    .iter()
                    .map(|(reason, millis)| Stop { reason: *reason, millis: *millis })
                    .collect(),
                ending: Some(Ending::Done),
                ..TaskClock::default()
            },
            success: Some(true),
            codesign: None,
            distances: Vec::new(),
            asked: Vec::new(),
        };
        let focus = Some(PauseReason::Focus);
        let trials = [
            (1, trial(0, &[])),
            (1, trial(12_000, &[])),
            (1, trial(30_000, &[(focus, 4_000), (None, 60_000), (focus, 3_500)])),
            (2, trial(0, &[(Some(PauseReason::Button), 5_000)])),
        ];
        let person = PersonRecord {
            participant: "P01".to_owned(),
            by: ParticipantKind::Person,
            events: Vec::new(),
            trials: Vec::new(),
        };
        let counting = trials.iter().map(|(condition, trial)| Counting {
            person: 0,
            condition: *condition,
            task: 0,
            trial,
        });
        let found = clocks(&plan, &[&person], &counting.collect::<Vec<_>>());
        let [alone, web, assisted] = found.as_slice() else { panic!("{}", found.len()) };
        assert_eq!((alone.attempts, alone.away_secs_median, alone.noted.len()), (0, None, 0));
        assert_eq!((web.attempts, web.attempts_away, web.attempts_paused), (3, 2, 1));
        assert_eq!((web.away_secs_median, web.paused_secs), (Some(12.0), [0.0, 0.0, 7.5, 60.0]));
        assert_eq!((web.noted.len(), web.noted[1].clock.stops.len()), (2, 3));
        assert_eq!((assisted.away_secs_median, assisted.attempts_paused), (None, 1));
        assert_eq!(assisted.paused_secs, [5.0, 0.0, 0.0, 0.0]);
    }
}
