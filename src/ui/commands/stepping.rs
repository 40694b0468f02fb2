//! What enables the commands of the timeline's curves and of its range, and of going back and forward; what they
//! ask for.

use super::command::Effect;
use crate::workbench::{Command, PlaybackCommand, ScoresCommand, State};

/// Whether there is a run with something to measure it by.
pub(super) fn has_curves(state: &State) -> bool {
    state.selection.run.is_some() && state.is_measurable()
}

pub(super) fn has_range(state: &State) -> bool {
    state.selection.range.is_some()
}

pub(super) fn switch_changes(state: &State) -> Effect {
    let are_shown = state.settings.shows_changes;
    Effect::Send(Command::Scores(ScoresCommand::ShowChanges(!are_shown)))
}

pub(super) fn clear_range(_: &State) -> Effect {
    Effect::Send(Command::Playback(PlaybackCommand::SetRange(None)))
}

pub(super) fn can_go_back(state: &State) -> bool {
    !state.history.past().is_empty()
}

pub(super) fn can_go_forward(state: &State) -> bool {
    !state.history.future().is_empty()
}

/// A link has the folder of the run, which may name who made it: of a blind project none is copied.
pub(super) fn has_link(state: &State) -> bool {
    state.link().is_some() && !state.shows_blind_project()
}
