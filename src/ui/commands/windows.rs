//! What enables the commands of panels in windows of their own, and what they ask for.

use super::command::Effect;
use crate::workbench::{Command, DockedPanel, PanelWindow, SecondStage, State, WindowsCommand};

/// Nothing names runs while somebody labels blind, and an empty program has no panels worth a window; one that is
/// there can always be docked.
pub(super) fn can_move(state: &State, panel: PanelWindow) -> bool {
    let has_something = !state.library.sets.is_empty() || !state.library.runs.is_empty();
    state.has_window(panel) || (has_something && !state.hides_panel_windows())
}

/// Whether there is such a panel in the main window, shown or hidden.
pub(super) fn can_hide(state: &State, panel: DockedPanel) -> bool {
    let is_apart = match panel {
        DockedPanel::Library => false,
        DockedPanel::Inspector => state.has_window(PanelWindow::Inspector),
        DockedPanel::Timeline => state.has_window(PanelWindow::Timeline),
    };
    let has_something = !state.library.sets.is_empty() || !state.library.runs.is_empty();
    state.is_panel_hidden(panel) || (!is_apart && has_something)
}

pub(super) fn hide(panel: DockedPanel) -> Effect {
    windows(WindowsCommand::ToggleHidden(panel))
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
