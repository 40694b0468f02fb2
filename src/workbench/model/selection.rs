//! What is looked at.

use serde::{Deserialize, Serialize};

use crate::run::TaskRef;

use super::ids::RunId;

/// What is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The task on the stage.
    pub task: Option<TaskRef>,
    /// The run on the stage.
    pub run: Option<RunId>,
    /// The step, 0 the start state.
    pub step: u32,
    /// The steps of the run that playing stays in and lists are narrowed to; `None`: all of them.
    pub range: Option<StepRange>,
}

/// Steps from one to another, both of them among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StepRange {
    /// The first.
    pub first: u32,
    /// The last; not before the first.
    pub last: u32,
}

impl StepRange {
    /// The steps between two, whichever comes first.
    pub fn between(one: u32, other: u32) -> Self {
        Self { first: one.min(other), last: one.max(other) }
    }

    /// The same as far as a run of this many steps has them.
    #[must_use]
    pub fn within(self, first: u32, last: u32) -> Self {
        Self { first: self.first.clamp(first, last), last: self.last.clamp(first, last) }
    }

    /// Whether a step is one of them.
    pub fn contains(self, step: u32) -> bool {
        (self.first..=self.last).contains(&step)
    }
}

/// Moving by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    /// Whether it moves.
    pub playing: bool,
    /// Steps a second.
    pub steps_per_second: f32,
    /// Whether the newest step of a live run is kept in view.
    pub follow: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { playing: false, steps_per_second: 4.0, follow: true }
    }
}
