//! What is looked at.

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
