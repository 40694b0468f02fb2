//! What enables the commands of the table over all runs, and what they ask for.

use super::command::Effect;
use crate::workbench::{Command, ExploreCommand, ExplorePanel, Selecting, State, Workspace};

pub(super) fn explore(command: ExploreCommand) -> Effect {
    Effect::Send(Command::Explore(command))
}

pub(super) fn selecting(selecting: Selecting) -> Effect {
    explore(ExploreCommand::Select(selecting))
}

pub(super) fn has_earlier_filter(state: &State) -> bool {
    !state.explore.history.is_empty()
}

pub(super) fn has_row(state: &State) -> bool {
    state.explore.cursor.is_some()
}

pub(super) fn has_selected_rows(state: &State) -> bool {
    !state.explore.selected.is_empty()
}

pub(super) fn has_row_or_selected(state: &State) -> bool {
    has_row(state) || has_selected_rows(state)
}

pub(super) fn other_panel(state: &State) -> Effect {
    explore(ExploreCommand::Panel(match state.explore.view.panel {
        ExplorePanel::Plots => ExplorePanel::Figures,
        ExplorePanel::Figures => ExplorePanel::Plots,
    }))
}

/// Whether there is a run that an export would be of.
pub(super) fn has_runs_to_export(state: &State) -> bool {
    match state.workspace {
        Workspace::Inspect => state.selection.run.is_some(),
        Workspace::Explore => !state.explore.table.shown.is_empty(),
        Workspace::Annotate | Workspace::Assist => false,
    }
}
