//! What enables the commands of the timeline's curves and of its range, and of going back and forward; what they
//! ask for.

use super::command::Effect;
use crate::workbench::{Command, PlaybackCommand, RangeCommand, RangeKey, ScoresCommand, State};

/// Whether there is a run with something to measure it by.
pub(super) fn has_curves(state: &State) -> bool {
    state.selection.run.is_some() && state.is_measurable()
}

pub(super) fn has_range(state: &State) -> bool {
    state.selection.range.is_some()
}

pub(super) fn ranges(command: RangeCommand) -> Effect {
    Effect::Send(Command::Ranges(command))
}

/// The kept range that is marked.
fn kept_range(state: &State) -> Option<RangeKey> {
    let key = RangeKey::of(state.selected_run()?, state.selection.range?);
    state.notes.range(&key).is_some().then_some(key)
}

pub(super) fn has_kept_range(state: &State) -> bool {
    kept_range(state).is_some()
}

pub(super) fn can_keep_range(state: &State) -> bool {
    has_range(state) && kept_range(state).is_none()
}

pub(super) fn has_kept_ranges(state: &State) -> bool {
    let notes = state.selected_run().and_then(|run| state.notes.of(run));
    notes.is_some_and(|notes| !notes.ranges.is_empty())
}

/// Without a kept range that is marked, nothing that anybody notices.
pub(super) fn delete_range(state: &State) -> Effect {
    kept_range(state).map_or_else(|| clear_range(state), |key| ranges(RangeCommand::Delete(key)))
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

pub(super) fn has_link(state: &State) -> bool {
    state.link().is_some()
}
