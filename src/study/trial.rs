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

    /// Whether it came to its end and was checked: others say nothing of success or time.
    pub fn is_whole(&self) -> bool {
        self.clock.ending.is_some() && self.success.is_some()
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
