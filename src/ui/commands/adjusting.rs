//! What enables the commands that do by keys what a drag or a menu of the mouse does, and what they ask for.

use super::command::Effect;
use crate::workbench::{Command, MOST_GAIN, StageCommand, StageView, State};

/// How far the threshold of the heat, an edge or a mix is moved by one key.
const SHARE: f32 = 0.05;

pub(super) fn is_zoomed(state: &State) -> bool {
    state.stage.zoom.is_some() && state.selection.task.is_some()
}

/// To hundredths, as it is shown.
pub(super) fn heat_threshold(state: &State, steps: f32) -> Effect {
    let next = ((state.stage.heat_threshold + steps * SHARE) * 100.0).round() / 100.0;
    Effect::Send(Command::Stage(StageCommand::HeatThreshold(next.clamp(0.0, 1.0))))
}

/// Whether where the run and what it is compared with lie over one another there is a number to set.
pub(super) fn can_adjust(state: &State) -> bool {
    let has_number = match state.stage.view {
        StageView::Swipe | StageView::OnionSkin => true,
        // Where something is let pass, the difference is not magnified.
        StageView::Difference => state.pixel_difference_key().is_none(),
        StageView::SideBySide | StageView::Blink => false,
    };
    has_number && state.selection.run.is_some()
}

/// Moves the edge of the swipe, mixes the onion skin otherwise, or magnifies the difference more or less.
pub(super) fn adjust(state: &State, steps: f32) -> Effect {
    let stage = &state.stage;
    Effect::Send(Command::Stage(match stage.view {
        StageView::OnionSkin => StageCommand::Onion((stage.onion + steps * SHARE).clamp(0.0, 1.0)),
        // By doubling, as its buttons do.
        StageView::Difference => {
            StageCommand::Gain((stage.gain * steps.exp2()).clamp(1.0, MOST_GAIN))
        }
        StageView::Swipe | StageView::SideBySide | StageView::Blink => {
            StageCommand::Swipe((stage.swipe + steps * SHARE).clamp(0.0, 1.0))
        }
    }))
}

pub(super) fn has_open_set(state: &State) -> bool {
    state.selected_task().is_some()
}

/// Without a selected task, nothing that anybody notices.
pub(super) fn close_set(state: &State) -> Effect {
    let set = state.selection.task.as_ref().map(|task| task.set.clone());
    Effect::Send(Command::Close(set.unwrap_or_default()))
}
