//! What the stage shows and how. Numbers that are not finite change nothing.

use crate::workbench::model::{
    MOST_GAIN, MOST_SHIFT, PixelTolerance, Slot, Stage, StageView, State,
};
use crate::workbench::protocol::{PlaybackCommand, StageCommand};

use super::library::toggle;
use super::playback::playback;
use super::select::select_run;
use super::slots;

/// Least and most zoom, in screen points a picture pixel.
const ZOOM: (f32, f32) = (0.02, 64.0);

pub(super) fn stage(state: &mut State, command: StageCommand) {
    if let StageCommand::ShowDocuments(choice) = command {
        state.settings.documents = choice;
        return;
    }
    if let StageCommand::SwapSlot(at) = command {
        swap(state, at);
        return;
    }
    if slots::change(state, command) {
        return;
    }
    let stage = &mut state.stage;
    match command {
        StageCommand::Fit => {
            stage.zoom = None;
            stage.center = [0.5, 0.5];
        }
        StageCommand::Zoom(zoom) => set_view(stage, zoom, stage.center),
        StageCommand::View { zoom, center } => set_view(stage, zoom, center),
        StageCommand::ZoomBy { factor, at } => zoom_by(stage, factor, at),
        StageCommand::PanBy([x, y]) => {
            set_center(stage, [stage.center[0] + x, stage.center[1] + y]);
        }
        StageCommand::TogglePane(pane) => {
            // Programs have panes of their own only where all are chosen.
            if pane.facts().is_chosen {
                toggle(&mut stage.panes, pane);
            }
        }
        StageCommand::HeatThreshold(threshold) if threshold.is_finite() => {
            // Remembered, unlike the rest of the stage: it depends on the reader and not on the run.
            stage.heat_threshold = threshold.clamp(0.0, 1.0);
            state.settings.heat_threshold = stage.heat_threshold;
        }
        StageCommand::HeatColors(colors) => state.settings.heat_colors = colors,
        StageCommand::HeatOpacity(opacity) if opacity.is_finite() => {
            stage.heat_opacity = opacity.clamp(0.0, 1.0);
        }
        StageCommand::ToggleLoupe => stage.loupe = !stage.loupe,
        StageCommand::ToggleBoxes => stage.boxes = !stage.boxes,
        StageCommand::HoldGroundTruth(hold) => stage.hold_ground_truth = hold,
        StageCommand::Compare(view) => stage.view = view,
        StageCommand::NextView => {
            let at = StageView::ALL.iter().position(|view| *view == stage.view).unwrap_or(0);
            stage.view = StageView::ALL[(at + 1) % StageView::ALL.len()];
        }
        StageCommand::Swipe(at) if at.is_finite() => stage.swipe = at.clamp(0.0, 1.0),
        StageCommand::SwipeDown(down) => stage.swipe_down = down,
        StageCommand::Onion(share) if share.is_finite() => stage.onion = share.clamp(0.0, 1.0),
        StageCommand::Gain(gain) if gain.is_finite() => stage.gain = gain.clamp(1.0, MOST_GAIN),
        StageCommand::Lock(lock) => stage.lock = lock,
        StageCommand::Tolerate(tolerance) => {
            stage.tolerance = PixelTolerance {
                shift: tolerance.shift.min(MOST_SHIFT),
                threshold_percent: tolerance.threshold_percent.min(100),
                ..tolerance
            };
        }
        StageCommand::DrawIgnored(draws) => stage.draws_ignored = draws,
        // Numbers that are none, and what was dealt with above.
        StageCommand::HeatThreshold(_)
        | StageCommand::HeatOpacity(_)
        | StageCommand::Swipe(_)
        | StageCommand::Onion(_)
        | StageCommand::Gain(_)
        | StageCommand::ShowDocuments(_)
        | StageCommand::Against(_)
        | StageCommand::PassRows(_)
        | StageCommand::GoToDivergence
        | StageCommand::ToggleSlot(_)
        | StageCommand::ToggleStart
        | StageCommand::ToggleStep
        | StageCommand::CloseSlots
        | StageCommand::CloseSlot(_)
        | StageCommand::PinSlot(_)
        | StageCommand::SwapSlot(_) => {}
    }
}

/// Selects the run in a slot, and puts the selected one in its place; of another step of the selected one, the step.
fn swap(state: &mut State, at: u8) {
    let (selected, step) = (state.selection.run, state.selection.step);
    let runs = &state.library.runs;
    let (Some(Slot::Run { run, pinned }), Some(selected)) =
        (state.stage.slots.get_mut(usize::from(at)), selected)
    else {
        return;
    };
    if *run == selected {
        if let Some(kept) = pinned.as_mut().map(|kept| std::mem::replace(kept, step)) {
            playback(state, PlaybackCommand::Step(kept));
        }
        return;
    }
    let other = std::mem::replace(run, selected);
    // A run of another task stays only where it is pinned.
    let tasks = [other, selected].map(|run| runs.get(&run).map(|run| &run.task));
    *pinned = (tasks[0] != tasks[1]).then_some(step);
    select_run(state, other);
}

fn set_view(stage: &mut Stage, zoom: f32, center: [f32; 2]) {
    if zoom.is_finite() && zoom > 0.0 {
        stage.zoom = Some(zoom.clamp(ZOOM.0, ZOOM.1));
        set_center(stage, center);
    }
}

fn set_center(stage: &mut Stage, center: [f32; 2]) {
    if center.iter().all(|at| at.is_finite()) {
        stage.center = center.map(|at| at.clamp(0.0, 1.0));
    }
}

/// The point `at` of the picture stays where it is on the screen.
fn zoom_by(stage: &mut Stage, factor: f32, at: [f32; 2]) {
    let before = stage.zoom.unwrap_or(1.0);
    let zoom = (before * factor).clamp(ZOOM.0, ZOOM.1);
    if !(zoom.is_finite() && factor > 0.0) {
        return;
    }
    // By the zoom that was reached and not the factor: at its limits the point would drift away.
    let shrink = before / zoom;
    let center = [0, 1].map(|axis| at[axis] + (stage.center[axis] - at[axis]) * shrink);
    set_view(stage, zoom, center);
}
