//! What enables the commands of panels in windows of their own, and what they ask for.

use super::command::Effect;
use crate::workbench::{Command, PanelWindow, SecondStage, State, WindowsCommand};

/// Nothing names runs while somebody labels blind, and an empty program has no panels worth a window; one that is
/// there can always be docked.
pub(super) fn can_move(state: &State, panel: PanelWindow) -> bool {
    let has_something = !state.library.sets.is_empty() || !state.library.runs.is_empty();
    state.has_window(panel) || (has_something && !state.hides_panel_windows())
}

pub(super) fn has_windows(state: &State) -> bool {
    !state.windows.open.is_empty()
}

pub(super) fn has_second_stage(state: &State) -> bool {
    state.has_window(PanelWindow::Stage)
}

pub(super) fn move_panel(panel: PanelWindow) -> Effect {
    windows(WindowsCommand::Toggle(panel))
}

pub(super) fn windows(command: WindowsCommand) -> Effect {
    Effect::Send(Command::Windows(command))
}

pub(super) fn next_second_stage(state: &State) -> Effect {
    windows(WindowsCommand::SecondStage(match state.windows.second_stage {
        SecondStage::All => SecondStage::Pinned,
        SecondStage::Pinned => SecondStage::All,
    }))
}
