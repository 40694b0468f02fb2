//! What stands beside the run on the stage.

use std::path::PathBuf;
use std::sync::Arc;

use crate::run::TaskRef;
use crate::workbench::model::{
    Against, MOST_SLOTS, NoticeLevel, PictureKey, RunId, Slot, SlotLock, Stage, State,
};
use crate::workbench::protocol::StageCommand;

/// Carries out what is about slots; whether the command was.
pub(super) fn change(state: &mut State, command: StageCommand) -> bool {
    match command {
        StageCommand::ToggleSlot(run) => toggle_run(state, run),
        StageCommand::ToggleStart => toggle(state, Slot::Start),
        StageCommand::ToggleStep => {
            if let Some(slot) = state.slot_of_step() {
                toggle(state, slot);
            }
        }
        StageCommand::CloseSlots => {
            state.stage.slots.clear();
            state.stage.against = Against::GroundTruth;
        }
        StageCommand::CloseSlot(at) => close(&mut state.stage, at),
        StageCommand::PinSlot(at) => pin(state, at),
        StageCommand::Against(against) => set_against(state, against),
        StageCommand::PassRows(rows) => pass_rows(state, rows),
        StageCommand::GoToDivergence => go_to_divergence(state),
        _ => return false,
    }
    // What stands beside a run that stands in for a missing one was chosen for it: from now on it is what is looked at.
    state.in_flight.stands_in = false;
    true
}

/// Puts a picture file beside the run.
pub(super) fn add_file(state: &mut State, path: PathBuf) {
    let slot = Slot::File(Arc::from(path));
    state.in_flight.stands_in = false;
    if !state.stage.slots.contains(&slot) {
        toggle(state, slot);
    }
}

/// Takes away what belongs to another task than the one selected now.
pub(super) fn keep_those_of(state: &mut State, task: &TaskRef) {
    let runs = &state.library.runs;
    let mut at = 0;
    while let Some(slot) = state.stage.slots.get(at) {
        let stays = match slot {
            // Who pins a run wants to see it whatever else is selected.
            Slot::Run { run, pinned: None } => runs.get(run).is_some_and(|run| run.task == *task),
            Slot::Run { run, .. } => runs.contains_key(run),
            Slot::Start | Slot::File(_) => true,
        };
        if stays {
            at += 1;
        } else {
            close(&mut state.stage, at as u8);
        }
    }
}

fn toggle_run(state: &mut State, run: RunId) {
    let of_run = |slot: &Slot| matches!(slot, Slot::Run { run: it, .. } if *it == run);
    if let Some(at) = state.stage.slots.iter().position(of_run) {
        close(&mut state.stage, at as u8);
    } else if state.library.runs.contains_key(&run) {
        toggle(state, Slot::Run { run, pinned: None });
    }
}

fn toggle(state: &mut State, slot: Slot) {
    let slots = &mut state.stage.slots;
    if let Some(at) = slots.iter().position(|it| *it == slot) {
        close(&mut state.stage, at as u8);
    } else if slots.len() < MOST_SLOTS {
        slots.push(slot);
    } else {
        let words = format!(
            "{MOST_SLOTS} pictures stand beside the run, and no more fit: close one of them first"
        );
        state.notify(NoticeLevel::Warning, words);
    }
}

fn close(stage: &mut Stage, at: u8) {
    if usize::from(at) >= stage.slots.len() {
        return;
    }
    stage.slots.remove(usize::from(at));
    stage.against = match stage.against {
        Against::Slot(against) if against == at => Against::GroundTruth,
        Against::Slot(against) if against > at => Against::Slot(against - 1),
        against => against,
    };
}

fn pin(state: &mut State, at: u8) {
    let Some(slot) = state.stage.slots.get(usize::from(at)) else { return };
    let shown = state.slot_picture(slot, state.selection.step);
    if let (Some(Slot::Run { pinned, .. }), Some(PictureKey::Step(_, step))) =
        (state.stage.slots.get_mut(usize::from(at)), shown)
    {
        *pinned = if pinned.is_some() { None } else { Some(step) };
    }
}

/// One clock for all runs: each goes to the last step it has in these rows.
fn pass_rows(state: &mut State, rows: u32) {
    let Some(aligned) = state.aligned_runs() else { return };
    let rows = rows.min(aligned.alignment.rows.len() as u32);
    let step = aligned.alignment.step_after(0, rows as usize);
    state.stage.lock = SlotLock::Alignment;
    state.stage.rows_passed = Some(rows);
    // Somebody moved by hand: the end is not gone to any more once it is known.
    state.in_flight.to_last_of = None;
    state.playback.playing = false;
    state.selection.step = step.min(state.last_step()).max(state.first_step());
}

/// All runs after the row in which they diverge.
fn go_to_divergence(state: &mut State) {
    let aligned = state.aligned_runs();
    let Some(divergence) = aligned.and_then(|aligned| aligned.alignment.divergence.as_ref()) else {
        return;
    };
    let rows = divergence.row.map_or(0, |row| row as u32 + 1);
    pass_rows(state, rows);
}

fn set_against(state: &mut State, against: Against) {
    if let Against::Slot(at) = against
        && usize::from(at) >= state.stage.slots.len()
    {
        return;
    }
    state.stage.against = against;
}
