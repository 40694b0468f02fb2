//! Panels in windows of their own.

use crate::workbench::model::{PanelWindow, State, Workspace};
use crate::workbench::protocol::WindowsCommand;

pub(super) fn windows(state: &mut State, command: WindowsCommand) {
    let windows = &mut state.windows;
    match command {
        WindowsCommand::Toggle(panel) if windows.open.contains(&panel) => dock(state, panel),
        WindowsCommand::Toggle(panel) => {
            windows.open.insert(panel);
            windows.to_front = Some(panel);
            // Who moves the table out of the room goes on where runs are stepped through.
            if panel == PanelWindow::Explore && state.workspace == Workspace::Explore {
                state.workspace = Workspace::Inspect;
            }
        }
        WindowsCommand::Dock(panel) => dock(state, panel),
        WindowsCommand::DockAll => {
            windows.open.clear();
            windows.to_front = None;
        }
        // One that is closed in the same frame stands where it stood.
        WindowsCommand::Place(panel, place) => {
            windows.places.insert(panel, place);
        }
        WindowsCommand::ToFront(panel) => {
            windows.to_front = panel.filter(|panel| windows.open.contains(panel));
        }
        WindowsCommand::SecondStage(shown) => windows.second_stage = shown,
    }
}

fn dock(state: &mut State, panel: PanelWindow) {
    state.windows.open.remove(&panel);
    state.windows.to_front = state.windows.to_front.filter(|front| *front != panel);
}

/// Whoever goes to the table finds it in its own window, if it has one: it is never shown twice.
pub(super) fn go_to_window_of_table(state: &mut State) {
    if state.workspace == Workspace::Explore && state.windows.open.contains(&PanelWindow::Explore) {
        state.workspace = Workspace::Inspect;
        state.windows.to_front = Some(PanelWindow::Explore);
    }
}
