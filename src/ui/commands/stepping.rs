//! What enables the commands of the timeline: stepping, speed, curves, the range and those that are kept; and of going
//! back and forward; what they ask for.

use super::command::Effect;
use crate::workbench::{Command, PlaybackCommand, RangeCommand, RangeKey, ScoresCommand, State};

/// Whether there is a run with something to measure it by.
pub(super) fn has_curves(state: &State) -> bool {
    state.selection.run.is_some() && state.is_measurable()
}

pub(super) fn has_range(state: &State) -> bool {
    state.selection.range.is_some()
}

/// Speeds that the keys go through, in steps a second.
pub(crate) const SPEEDS: [f32; 6] = [0.5, 1.0, 2.0, 4.0, 10.0, 30.0];

pub(super) fn speed(state: &State, by: isize) -> Effect {
    let now = state.playback.steps_per_second;
    // From the nearest, as it may have been set elsewhere.
    let nearest = (0..SPEEDS.len()).min_by(|a, b| {
        let [a, b] = [a, b].map(|at| (SPEEDS[*at] / now).ln().abs());
        a.total_cmp(&b)
    });
    let at = nearest.unwrap_or_default().saturating_add_signed(by).min(SPEEDS.len() - 1);
    playback(PlaybackCommand::SetSpeed(SPEEDS[at]))
}

pub(super) fn has_found(state: &State) -> bool {
    !state.find.found.is_empty()
}

pub(super) fn has_noted_steps(state: &State) -> bool {
    let run = state.selected_run();
    run.and_then(|run| state.notes.of(run)).is_some_and(|notes| !notes.steps.is_empty())
}

pub(super) fn playback(command: PlaybackCommand) -> Effect {
    Effect::Send(Command::Playback(command))
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

/// A link has the folder of the run, which may name who made it: of a blind project none is copied.
pub(super) fn has_link(state: &State) -> bool {
    state.link().is_some() && !state.shows_blind_project()
}
