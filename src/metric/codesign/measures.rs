//! How people and the assistant worked together, in shares and times.

use serde::Serialize;

use super::counts::{AGES_SECS, ByAuthor, CoDesign, Count};
use super::ledger::Ledger;
use crate::metric::stats::{mean, quantile};

/// What is said of a measure of which nothing was recorded.
pub const NOT_RECORDED: &str = "not recorded";

/// Measures over a [`CoDesign`]. `None` wherever nothing was recorded that they could be of; shares are within 0 and 1.
/// Times are medians, over suggestions or tasks.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// How many suggestions were shown.
    pub shown: u32,
    /// Shown suggestions that were taken, whole or in part.
    pub acceptance: Option<f64>,
    /// Hunks that were taken, of those of shown suggestions.
    pub hunk_acceptance: Option<f64>,
    /// Time from showing a suggestion to taking or refusing it, in seconds.
    pub decision_secs: Option<f64>,
    /// Taken hunks that are as they were taken at the end.
    pub kept: Option<f64>,
    /// Taken hunks whose field the person changed later.
    pub edited_after: Option<f64>,
    /// Taken hunks whose field the person set back to what it was, by undo or by hand.
    pub undone: Option<f64>,
    /// Taken hunks that were as they were taken so long after; of those that were taken early enough.
    pub survival: Vec<Survival>,
    /// Who made what is different at the end.
    pub initiative: Option<Initiative>,
    /// Steps of the person, of all steps. What one author changes in one go is one step.
    pub person_steps: Option<f64>,
    /// Steps that the person took from the assistant, of all steps.
    pub assistant_steps: Option<f64>,
    /// Steps of the assistant alone, of all steps.
    pub assistant_alone_steps: Option<f64>,
    /// From the beginning to the first change, in seconds.
    pub first_change_secs: Option<f64>,
    /// From the beginning to the first request, in seconds.
    pub first_request_secs: Option<f64>,
    /// Requests for the next step.
    pub next_requests: u32,
    /// Requests for a reason.
    pub why_requests: u32,
    /// Requests for another way.
    pub another_requests: u32,
    /// Requests after more than ten seconds in which the person did nothing.
    pub idle_requests: u32,
    /// Wrong hunks that were taken, of those shown: reliance where none was due.
    pub over_reliance: Option<f64>,
    /// Right hunks that were left by who decided, of those shown.
    pub under_reliance: Option<f64>,
    /// The distance to the goal over time, in distance × seconds: the mean over tasks.
    pub distance_area: Option<f64>,
    /// By how much the person's changes brought the design nearer to the goal: the mean over tasks.
    pub person_nearer: Option<f64>,
    /// The same of what the person took from the assistant.
    pub assistant_nearer: Option<f64>,
    /// The same of the assistant alone.
    pub assistant_alone_nearer: Option<f64>,
    /// Steps that were taken for each that was needed.
    pub step_ratio: Option<f64>,
}

/// What is left of taken hunks at an age.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Survival {
    /// Seconds after they were taken.
    pub age_secs: f64,
    /// How many are left; `None` if none became so old.
    pub share: Option<f64>,
}

/// Shares of the fields that are different at the end from the beginning, by who made them so; they sum
/// to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Initiative {
    /// The person alone.
    pub person: f64,
    /// A suggestion that was taken and left as it was.
    pub assistant: f64,
    /// A suggestion that was taken, and changed by the person.
    pub assistant_edited: f64,
    /// The assistant, told to go on alone.
    pub assistant_alone: f64,
}

/// What a measure is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureUnit {
    /// A share of 1.
    Share,
    /// Seconds.
    Seconds,
    /// A count, or what it says itself.
    Plain,
}

impl CoDesign {
    /// The measures of what was counted.
    pub fn measures(&self) -> Measures {
        let states = self.suggestions;
        // Of those shown: what nobody saw was neither taken nor refused.
        let taken = Count { part: states.accepted + states.partly, of: states.shown };
        let ByAuthor { person, assistant, assistant_alone } = self.steps;
        let of = person.saturating_add(assistant).saturating_add(assistant_alone);
        let [own, followed, alone] =
            [person, assistant, assistant_alone].map(|part| Count { part, of }.share());
        let left = self.survived.iter().zip(AGES_SECS);
        let tasks = self.distance_areas.len();
        let nearer = self.nearer;
        let nearer = [nearer.person, nearer.assistant, nearer.assistant_alone]
            .map(|sum| (tasks > 0).then(|| sum / tasks as f64));
        let [person_nearer, assistant_nearer, assistant_alone_nearer] = nearer;
        Measures {
            shown: states.shown,
            acceptance: taken.share(),
            hunk_acceptance: self.hunks.share(),
            decision_secs: median(&self.decision_secs),
            kept: self.kept.share(),
            edited_after: self.edited_after.share(),
            undone: self.undone.share(),
            survival: left
                .map(|(count, age_secs)| Survival { age_secs, share: count.share() })
                .collect(),
            initiative: self.initiative(),
            person_steps: own,
            assistant_steps: followed,
            assistant_alone_steps: alone,
            first_change_secs: median(&self.first_change_secs),
            first_request_secs: median(&self.first_request_secs),
            next_requests: self.next_requests,
            why_requests: self.why_requests,
            another_requests: self.another_requests,
            idle_requests: self.idle_requests,
            over_reliance: self.wrong_taken.share(),
            under_reliance: self.right_left.share(),
            distance_area: mean(&self.distance_areas).ok(),
            person_nearer,
            assistant_nearer,
            assistant_alone_nearer,
            step_ratio: self.steps_of_needed.share(),
        }
    }

    fn initiative(&self) -> Option<Initiative> {
        let it = self.initiative;
        let counts = [it.person, it.assistant, it.assistant_edited, it.assistant_alone];
        let of = counts.iter().sum();
        let [person, assistant, assistant_edited, assistant_alone] =
            counts.map(|part| Count { part, of }.share());
        Some(Initiative {
            person: person?,
            assistant: assistant?,
            assistant_edited: assistant_edited?,
            assistant_alone: assistant_alone?,
        })
    }
}

impl Measures {
    /// The measures of what happened.
    pub fn of(ledger: &Ledger) -> Self {
        CoDesign::of(ledger).measures()
    }

    /// All of them but the counts, in the order in which they are shown: name, value and unit.
    pub fn rows(&self) -> Vec<(String, Option<f64>, MeasureUnit)> {
        use MeasureUnit::{Plain, Seconds, Share};
        let initiative = self.initiative;
        let taken = [
            ("accepted", self.acceptance, Share),
            ("changes taken", self.hunk_acceptance, Share),
            ("time to decide", self.decision_secs, Seconds),
            ("kept", self.kept, Share),
            ("edited after", self.edited_after, Share),
            ("undone", self.undone, Share),
        ];
        let left = self.survival.iter();
        let left = left.map(|left| (format!("left after {} s", left.age_secs), left.share, Share));
        let together = [
            ("by the person", initiative.map(|it| it.person), Share),
            ("by the assistant", initiative.map(|it| it.assistant), Share),
            ("by it, then edited", initiative.map(|it| it.assistant_edited), Share),
            ("by it alone", initiative.map(|it| it.assistant_alone), Share),
            ("steps of the person", self.person_steps, Share),
            ("steps of the assistant", self.assistant_steps, Share),
            ("steps of it alone", self.assistant_alone_steps, Share),
            ("time to the first change", self.first_change_secs, Seconds),
            ("time to the first request", self.first_request_secs, Seconds),
            ("over-reliance", self.over_reliance, Share),
            ("under-reliance", self.under_reliance, Share),
            ("distance over time", self.distance_area, Plain),
            ("nearer by the person", self.person_nearer, Plain),
            ("nearer by the assistant", self.assistant_nearer, Plain),
            ("nearer by it alone", self.assistant_alone_nearer, Plain),
            ("steps for each needed", self.step_ratio, Plain),
        ];
        let named =
            |(name, value, unit): (&str, Option<f64>, MeasureUnit)| (name.to_owned(), value, unit);
        taken.map(named).into_iter().chain(left).chain(together.map(named)).collect()
    }
}

impl MeasureUnit {
    /// A value in words; what was not recorded is said to be so, never 0.
    pub fn words(self, value: Option<f64>) -> String {
        value.map_or_else(
            || NOT_RECORDED.to_owned(),
            |value| match self {
                Self::Share => format!("{:.1} %", value * 100.0),
                Self::Seconds => format!("{value:.1} s"),
                Self::Plain => format!("{value:.2}"),
            },
        )
    }
}

/// The middle one, or halfway between the two in the middle.
fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5).ok()
}
