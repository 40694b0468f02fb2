//! Panels in windows of their own.

use crate::workbench::model::{DockedPanel, InspectorTab, PanelWindow, State, Workspace};
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
        WindowsCommand::ToggleHidden(panel) => {
            if !windows.hidden.remove(&panel) {
                windows.hidden.insert(panel);
            }
        }
        WindowsCommand::Unhide(panel) => {
            windows.hidden.remove(&panel);
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
    // Whoever docks it wants to see it.
    if let Some(docked) = panel.docked() {
        state.windows.hidden.remove(&docked);
    }
    state.windows.to_front = state.windows.to_front.filter(|front| *front != panel);
}

/// Shows a view of the inspector, and the inspector if it was hidden.
pub(super) fn show_inspector(state: &mut State, tab: InspectorTab) {
    state.settings.inspector_tab = tab;
    state.windows.hidden.remove(&DockedPanel::Inspector);
}

/// Whoever goes to the table finds it in its own window, if it has one: it is never shown twice.
pub(super) fn go_to_window_of_table(state: &mut State) {
    if state.workspace == Workspace::Explore && state.windows.open.contains(&PanelWindow::Explore) {
        state.workspace = Workspace::Inspect;
        state.windows.to_front = Some(PanelWindow::Explore);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workbench::model::{SavedSession, SecondStage, Settings, WindowPlace};
    use crate::workbench::protocol::{AnnotateCommand, Command};
    use crate::workbench::reduce::handle;

    fn send(state: &mut State, command: WindowsCommand) {
        drop(handle(state, Command::Windows(command)));
    }

    fn show(state: &mut State, workspace: Workspace) {
        drop(handle(state, Command::Annotate(AnnotateCommand::Show(workspace))));
    }

    #[test]
    fn a_panel_goes_out_and_comes_back_and_its_window_remembers_where_it_stood() {
        let mut state = State::default();
        let place =
            WindowPlace { corner: Some([30.0, 40.0]), size: [500.0, 400.0], is_maximized: false };
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Timeline));
        assert_eq!(state.windows.to_front, Some(PanelWindow::Timeline));
        send(&mut state, WindowsCommand::Place(PanelWindow::Timeline, place));
        send(&mut state, WindowsCommand::ToFront(None));
        send(&mut state, WindowsCommand::Dock(PanelWindow::Timeline));
        assert!(!state.has_window(PanelWindow::Timeline));
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Timeline));
        assert_eq!(state.windows.place(PanelWindow::Timeline), place);
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Stage));
        send(&mut state, WindowsCommand::SecondStage(SecondStage::Pinned));
        send(&mut state, WindowsCommand::DockAll);
        assert!(state.windows.open.is_empty() && state.windows.to_front.is_none());
        // What is not there cannot come to the front.
        send(&mut state, WindowsCommand::ToFront(Some(PanelWindow::Stage)));
        assert_eq!(state.windows.to_front, None);
        let session = state.session_to_save();
        assert_eq!(session.windows.place(PanelWindow::Timeline), place);
        assert_eq!(session.windows.second_stage, SecondStage::Pinned);
    }

    #[test]
    fn a_hidden_panel_shows_again_when_something_in_it_is_gone_to() {
        let mut state = State::default();
        let hide = WindowsCommand::ToggleHidden(DockedPanel::Inspector);
        send(&mut state, hide);
        send(&mut state, WindowsCommand::ToggleHidden(DockedPanel::Library));
        assert_eq!(state.session_to_save().windows.hidden, state.windows.hidden);
        drop(handle(&mut state, Command::ShowInspector(InspectorTab::Nodes)));
        assert!(state.windows.hidden.iter().eq(&[DockedPanel::Library]));
        send(&mut state, WindowsCommand::ToggleHidden(DockedPanel::Library));
        assert!(state.windows.hidden.is_empty());
        // Out and back.
        send(&mut state, hide);
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Inspector));
        send(&mut state, WindowsCommand::Dock(PanelWindow::Inspector));
        assert!(state.windows.hidden.is_empty());
    }

    #[test]
    fn the_table_is_in_one_place_only() {
        let mut state = State::default();
        show(&mut state, Workspace::Explore);
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Explore));
        assert_eq!(state.workspace, Workspace::Inspect);
        assert!(state.shows_explore() && state.shows_step());
        send(&mut state, WindowsCommand::ToFront(None));
        show(&mut state, Workspace::Explore);
        assert_eq!(state.workspace, Workspace::Inspect);
        assert_eq!(state.windows.to_front, Some(PanelWindow::Explore));
        // So does whatever goes back there, and a session that ended there.
        drop(handle(&mut state, Command::GoBack));
        assert_eq!(state.workspace, Workspace::Inspect);
        let session = SavedSession { workspace: Workspace::Explore, ..state.session_to_save() };
        let settings = Settings { session, ..Settings::default() };
        assert_eq!(State::new(settings, "runs".into()).workspace, Workspace::Inspect);
        send(&mut state, WindowsCommand::Dock(PanelWindow::Explore));
        assert!(!state.shows_explore());
        show(&mut state, Workspace::Explore);
        assert_eq!(state.workspace, Workspace::Explore);
        assert!(!state.shows_step());
        send(&mut state, WindowsCommand::Toggle(PanelWindow::Inspector));
        assert!(state.shows_step(), "beside the table, too");
    }
}
