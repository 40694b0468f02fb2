//! What happened while somebody did a task: a line of `study.jsonl`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::label::{Answer, FormHash};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StudyEvent {
    /// What.
    #[serde(flatten)]
    pub what: Happening,
    /// Who: a person, or a script that stands for one.
    pub by: ParticipantKind,
    /// When.
    pub at: Stamp,
}

/// Who takes part.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ParticipantKind {
    /// A person.
    Person,
    /// A script, for tests and demonstrations: no result counts it unless it is asked to.
    Scripted,
}

/// When something happened, by two clocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Stamp {
    /// By the clock on the wall, RFC 3339, UTC. It may be set, and says what day it was.
    pub wall: String,
    /// Milliseconds of a clock that only goes forwards, from the start of the process. Durations are by it.
    pub mono_ms: u64,
    /// Which process: 1, and one more each time the log is opened again after a crash. Clocks of different
    /// processes have nothing in common.
    pub process: u32,
}

/// What happened. Every log begins with [`Happening::Begun`] or [`Happening::Joined`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "event")]
pub enum Happening {
    /// Somebody takes part: the first line of what is about a person and no task.
    Joined {
        /// The id of the study.
        study: String,
        /// Who, such as `P01`: never a name.
        participant: String,
        /// Their row of the plan, from 0.
        row: u32,
    },
    /// Somebody agreed to the study's text.
    Consented {
        /// Its hash.
        text: String,
    },
    /// A task begins: what is known of it beforehand.
    Begun {
        /// All of that.
        trial: TrialFacts,
    },
    /// The task is fully drawn: the clock runs.
    Shown,
    /// The first press of a button or key.
    FirstInput,
    /// The clock stands still.
    Pause {
        /// Why.
        reason: PauseReason,
    },
    /// The clock goes on.
    Resume,
    /// They are still there. Written every few seconds, so that a crash loses no more of the clock.
    Alive,
    /// The log was opened again after a crash. The clock stands still until [`Happening::Resume`].
    Recovered,
    /// They left the window where that is allowed: written down, not subtracted.
    Leaving,
    /// They came back.
    Back,
    /// They asked the assistant.
    Ask {
        /// For what.
        request: Request,
    },
    /// The assistant suggested something.
    SuggestionOffered {
        /// Its number in this task, from 1.
        suggestion: u32,
        /// Its parts, each to be taken by itself.
        hunks: Vec<Hunk>,
    },
    /// It was in view for half a second.
    SuggestionShown {
        /// Which.
        suggestion: u32,
    },
    /// All of it was taken.
    SuggestionAccepted {
        /// Which.
        suggestion: u32,
    },
    /// Some of it was taken.
    SuggestionPartly {
        /// Which.
        suggestion: u32,
        /// The places of the hunks that were.
        taken: Vec<u32>,
    },
    /// It was refused.
    SuggestionRefused {
        /// Which.
        suggestion: u32,
    },
    /// It was replaced by another, or the task was over, without a decision.
    SuggestionIgnored {
        /// Which.
        suggestion: u32,
    },
    /// The document changed under it.
    SuggestionStale {
        /// Which.
        suggestion: u32,
    },
    /// The assistant took it back.
    SuggestionWithdrawn {
        /// Which.
        suggestion: u32,
    },
    /// The document changed.
    Change {
        /// Which node.
        node: String,
        /// Which field of it; `node` where all of it came or went.
        field: String,
        /// What stood there; null: nothing.
        from: Value,
        /// What stands there now; null: nothing.
        to: Value,
        /// By whom.
        origin: Origin,
        /// Whether it took a change back.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        undo: bool,
        /// How far the document is from the ground truth now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        distance: Option<f64>,
    },
    /// They said that they are done.
    Done,
    /// They gave up.
    GiveUp,
    /// The time was up.
    Timeout,
    /// What the task's check says of the document at the end.
    Checked {
        /// Whether it succeeded.
        success: bool,
        /// The number that was held against the threshold, if the check has one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f64>,
    },
    /// A form was put to them.
    Answer {
        /// The id of the form.
        form: String,
        /// Its version.
        #[schemars(with = "String")]
        version: FormHash,
        /// After which condition, if it is about one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
        /// What they answered; null: nothing.
        #[schemars(with = "Value")]
        answer: Option<Answer>,
    },
}

/// What is known of a task before somebody begins it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TrialFacts {
    /// The id of the study.
    pub study: String,
    /// Who, such as `P01`.
    pub participant: String,
    /// Their row of the plan, from 0.
    pub row: u32,
    /// Which of their blocks of tasks, from 0.
    pub block: u32,
    /// Which of all their tasks, from 0.
    pub position: u32,
    /// The id of the condition.
    pub condition: String,
    /// The id of the task's set.
    pub set: String,
    /// Its id there.
    pub task: String,
    /// How hard it is.
    pub difficulty: String,
    /// How long they may try.
    pub limit_secs: f64,
    /// How far the start is from the ground truth, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distance: Option<f64>,
    /// How many steps the assistant's plan from the start to the ground truth has, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_steps: Option<u32>,
}

#[cfg(test)]
impl TrialFacts {
    /// Those of a task of somebody, so far from its goal at the start: for tests to which nothing else matters.
    pub(crate) fn of_some_task(distance: Option<f64>) -> Self {
        Self {
            study: "s".to_owned(),
            participant: "P01".to_owned(),
            row: 0,
            block: 0,
            position: 0,
            condition: "assisted".to_owned(),
            set: "set".to_owned(),
            task: "task".to_owned(),
            difficulty: "easy".to_owned(),
            limit_secs: 300.0,
            distance,
            least_steps: None,
        }
    }
}

/// Why the clock stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum PauseReason {
    /// They pressed the button.
    Button,
    /// A dialog is open that is not part of the task.
    Dialog,
    /// The window is not in front. Of up to two seconds it is no pause.
    Focus,
}

/// What the assistant is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// The next step, or more of it.
    Step,
    /// Why.
    Why,
    /// Another way.
    AnotherWay,
}

/// A part of a suggestion: one field of one node, or a node that comes or goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Hunk {
    /// Which node.
    pub node: String,
    /// Which field of it; `node` where all of it comes or goes.
    pub field: String,
    /// What stands there.
    pub from: Value,
    /// What would.
    pub to: Value,
    /// Whether that would bring the document nearer to the ground truth, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<bool>,
}

/// Who changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "who")]
pub enum Origin {
    /// The person.
    Person,
    /// The assistant, by a part of a suggestion that was taken.
    Suggestion {
        /// Which suggestion.
        suggestion: u32,
        /// Which part of it.
        hunk: u32,
    },
    /// The assistant alone: it was asked to do it.
    Assistant,
}

impl StudyEvent {
    /// The schema of a line, as it is in `assets/schema`.
    pub fn json_schema() -> Value {
        schemars::schema_for!(Self).to_value()
    }
}

impl Happening {
    /// Whether the task is over with it.
    pub fn ends(&self) -> bool {
        matches!(self, Self::Done | Self::GiveUp | Self::Timeout)
    }
}
