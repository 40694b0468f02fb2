//! What somebody's attempt at a task came to.

use super::clock::{Ending, TaskClock};
use super::codesign::suggestion_ledger;
use super::event::{Happening, ParticipantKind, StudyEvent, TrialFacts};
use crate::label::{Answer, FormHash};
use crate::metric::codesign::{CoDesign, DistancePoint};

/// A form that was put to somebody.
#[derive(Clone, Debug, PartialEq)]
pub struct AskedForm {
    /// Its id.
    pub form: String,
    /// Its version.
    pub version: FormHash,
    /// After which condition, if it is about one.
    pub condition: Option<String>,
    /// What they answered; `None`: nothing.
    pub answer: Option<Answer>,
}

impl AskedForm {
    /// The forms of these events. One that was answered anew counts as it stood last.
    pub fn of(events: &[StudyEvent]) -> Vec<Self> {
        let mut asked: Vec<Self> = Vec::new();
        for event in events {
            let Happening::Answer { form, version, condition, answer } = &event.what else {
                continue;
            };
            asked.retain(|it| (&it.form, &it.condition) != (form, condition));
            let (form, condition, answer) = (form.clone(), condition.clone(), answer.clone());
            asked.push(Self { form, version: *version, condition, answer });
        }
        asked
    }
}

/// An attempt at a task.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// What was known of it beforehand.
    pub facts: TrialFacts,
    /// A person, or a script.
    pub by: ParticipantKind,
    /// How long it took.
    pub clock: TaskClock,
    /// Whether it succeeded; `None`: it was not checked.
    pub success: Option<bool>,
    /// What happened between the person and the assistant; `None`: not recorded.
    pub codesign: Option<CoDesign>,
    /// How far the design was from the ground truth, by seconds at the task; empty: not recorded.
    pub distances: Vec<DistancePoint>,
    /// What was asked after it.
    pub asked: Vec<AskedForm>,
}

impl Trial {
    /// Of a task's events; `None` if they do not say which task they are of.
    pub fn of(events: &[StudyEvent]) -> Option<Self> {
        let first = events.first()?;
        let Happening::Begun { trial } = &first.what else { return None };
        let success = events.iter().find_map(|event| match event.what {
            Happening::Checked { success, .. } => Some(success),
            _ => None,
        });
        let ledger = suggestion_ledger(events);
        Some(Self {
            facts: trial.clone(),
            by: first.by,
            clock: TaskClock::of(events),
            success,
            codesign: ledger.as_ref().map(CoDesign::of),
            distances: ledger.map(|ledger| ledger.distances()).unwrap_or_default(),
            asked: AskedForm::of(events),
        })
    }

    /// Whether it came to an end that says whether it succeeded. Who gave up or ran out of time has not, whatever a
    /// check would say, and counts without one; who was done counts once that was checked. Others say nothing of
    /// success or time.
    pub fn is_whole(&self) -> bool {
        match self.clock.ending {
            Some(Ending::GaveUp | Ending::TimedOut) => true,
            Some(Ending::Done) => self.success.is_some(),
            None => false,
        }
    }

    /// Whether it succeeded within the limit: who gives up or runs out of time has not.
    pub fn succeeded(&self) -> bool {
        self.success == Some(true) && self.clock.ending == Some(Ending::Done)
    }

    /// Seconds at it, at most the limit.
    pub fn seconds(&self) -> f64 {
        self.clock.seconds(self.facts.limit_secs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::event::Stamp;

    /// An attempt of five seconds with this end, checked or not.
    fn ended(end: Option<Happening>, checked: Option<bool>) -> Trial {
        let begun = Happening::Begun { trial: TrialFacts::of_some_task(None) };
        let checked = checked.map(|success| Happening::Checked { success, value: None });
        let all = [begun, Happening::Shown].into_iter().chain(end).chain(checked);
        let events = (0..).zip(all).map(|(at, what)| {
            let wall = "2026-01-01T09:00:00Z".to_owned();
            let at = Stamp { wall, mono_ms: at * 5_000, process: 1 };
            StudyEvent { what, by: ParticipantKind::Person, at }
        });
        Trial::of(&events.collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn who_gives_up_or_runs_out_of_time_has_failed_whether_that_was_checked_or_not() {
        for end in [Happening::GiveUp, Happening::Timeout] {
            for checked in [None, Some(true), Some(false)] {
                let trial = ended(Some(end.clone()), checked);
                assert!(trial.is_whole() && !trial.succeeded(), "{end:?}, {checked:?}");
                assert_eq!(trial.seconds(), 5.0);
            }
        }
        assert!(!ended(Some(Happening::Done), None).is_whole(), "nobody knows");
        assert!(ended(Some(Happening::Done), Some(true)).succeeded());
        assert!(ended(Some(Happening::Done), Some(false)).is_whole());
        assert!(!ended(None, None).is_whole(), "it goes on");
    }
}
