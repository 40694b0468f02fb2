//! Moving over the steps.

use crate::workbench::derive::views;
use crate::workbench::model::{State, StepRange};
use crate::workbench::protocol::PlaybackCommand;

/// Slowest and fastest playing, in steps a second.
const SPEED: (f32, f32) = (0.5, 30.0);

pub(super) fn playback(state: &mut State, command: PlaybackCommand) {
    if state.selection.run.is_none() {
        return;
    }
    let now = state.selection.step;
    let target = match command {
        PlaybackCommand::Step(step) | PlaybackCommand::JumpTo(step) => Some(step),
        PlaybackCommand::StepBy(by) => Some(now.saturating_add_signed(by)),
        PlaybackCommand::TurnBy(by) => turn_end(state, by),
        PlaybackCommand::First => Some(state.first_step()),
        PlaybackCommand::Last => {
            // Whoever goes to the end of a live run wants to see it grow.
            state.playback.follow = true;
            Some(state.last_step())
        }
        PlaybackCommand::NextLoss => views::next_loss(state),
        PlaybackCommand::PreviousLoss => views::previous_loss(state),
        PlaybackCommand::NextGain => views::next_gain(state),
        PlaybackCommand::PreviousGain => views::previous_gain(state),
        PlaybackCommand::Best => {
            let best = state.selected_run().zip(state.curve_variant());
            best.and_then(|(run, variant)| views::best_step(run, variant)).map(|(step, _)| step)
        }
        PlaybackCommand::NextError => views::next_error(state),
        PlaybackCommand::NextNote => views::next_note(state),
        PlaybackCommand::PreviousNote => views::previous_note(state),
        PlaybackCommand::Tick => return tick(state),
        PlaybackCommand::TogglePlay => return toggle_play(state),
        PlaybackCommand::SetFollow(follow) => return set_follow(state, follow),
        PlaybackCommand::SetSpeed(speed) => return set_speed(state, speed),
        PlaybackCommand::SetRange(range) => return set_range(state, range),
        PlaybackCommand::BeginRange => {
            let end = state.selection.range.map_or(state.last_step(), |range| range.last);
            return set_range(state, Some(StepRange { first: now, last: end.max(now) }));
        }
        PlaybackCommand::EndRange => {
            let start = state.selection.range.map_or(state.first_step(), |range| range.first);
            return set_range(state, Some(StepRange { first: start.min(now), last: now }));
        }
    };
    if let Some(step) = target {
        // Somebody moved by hand: the end is not gone to any more once it is known.
        state.in_flight.to_last_of = None;
        go_to(state, step);
    }
}

fn go_to(state: &mut State, step: u32) {
    state.selection.step = step.min(state.last_step()).max(state.first_step());
}

/// Keeps playing and lists within these steps, as far as the run has them.
fn set_range(state: &mut State, range: Option<StepRange>) {
    let (first, last) = (state.first_step(), state.last_step());
    state.selection.range = range.map(|range| range.within(first, last));
}

/// The first and the last step that are played.
fn played(state: &State) -> StepRange {
    let all = StepRange { first: state.first_step(), last: state.last_step() };
    state.selection.range.unwrap_or(all)
}

fn toggle_play(state: &mut State) {
    let steps = played(state);
    state.playback.playing = !state.playback.playing && state.last_step() > 0;
    // Playing from the end begins anew, as players do; and from outside a range, at its start.
    let is_at_end = state.selection.step >= steps.last;
    if state.playback.playing && (is_at_end || !steps.contains(state.selection.step)) {
        state.selection.step = steps.first;
    }
}

/// One step on, once the picture of this one is there: playing shows every step. Stops at the end, or goes
/// round in the range.
fn tick(state: &mut State) {
    if !state.playback.playing || state.is_stage_pending() {
        return;
    }
    let steps = played(state);
    if state.selection.step < steps.last {
        state.selection.step += 1;
    } else if state.selection.range.is_some() && steps.first < steps.last {
        state.selection.step = steps.first;
    } else {
        state.playback.playing = false;
    }
}

fn set_follow(state: &mut State, follow: bool) {
    state.playback.follow = follow;
    if follow {
        // As far as the run goes, which may be further by now than it was drawn.
        go_to(state, u32::MAX);
    }
}

fn set_speed(state: &mut State, speed: f32) {
    if speed.is_finite() {
        state.playback.steps_per_second = speed.clamp(SPEED.0, SPEED.1);
    }
}

/// The last step of the turn this many turns away; in the middle of a turn its own end comes first.
fn turn_end(state: &State, by: i32) -> Option<u32> {
    let run = state.selected_run()?.loaded.as_ref()?;
    let now = state.selection.step;
    let ends = run
        .turns
        .iter()
        // An answer without a call has no step to go to.
        .filter(|turn| turn.step_count > 0)
        .filter_map(|turn| u32::try_from(turn.first_step.checked_add(turn.step_count)?).ok());
    // No turn away is no move at all.
    let away = by.unsigned_abs().checked_sub(1)? as usize;
    if by > 0 {
        let later: Vec<u32> = ends.filter(|end| *end > now).collect();
        later.get(away).or(later.last()).copied()
    } else {
        // The start state ends what was before the first turn.
        let mut earlier: Vec<u32> = std::iter::once(0).chain(ends).filter(|e| *e < now).collect();
        earlier.reverse();
        earlier.get(away).or(earlier.last()).copied()
    }
}
