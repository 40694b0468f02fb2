//! How the canvas is looked at.

use crate::workbench::model::{CanvasCommand, State};

/// Looks at it so; all but what is held is remembered.
pub(super) fn look(state: &mut State, command: CanvasCommand) {
    let settings = &mut state.settings.canvas;
    match command {
        CanvasCommand::Rulers(are_shown) => settings.rulers = are_shown,
        CanvasCommand::PixelGrid(is_shown) => settings.pixel_grid = is_shown,
        CanvasCommand::Outlines(are_shown) => settings.outlines = are_shown,
        CanvasCommand::HidePanels(are_hidden) => settings.hides_panels = are_hidden,
        CanvasCommand::Goal(view) => settings.goal = view,
        CanvasCommand::Snap(snaps) => {
            settings.snaps = snaps;
            if let Some(desk) = &mut state.assist.desk {
                desk.editor.set_snapping(snaps);
            }
        }
        CanvasCommand::HoldGoal(is_held) => {
            if let Some(desk) = &mut state.assist.desk {
                // Without a goal there is nothing to show.
                desk.holds_goal = is_held && desk.goal.is_some();
            }
        }
    }
}
