//! Selecting, undoing, copying, deleting, nudging.

use egui::Key;

use super::{act, can_redo, can_undo, desk, has_desk, has_selected};
use crate::editor::{Act, ArrangeAct, InPlace, SelectAct, Tool};
use crate::ui::commands::UiCommand;
use crate::ui::commands::table::{ctrl, ctrl_shift, key};
use crate::workbench::State;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    UndoEdit, Edit, "Undo", "Take the last step back.", [ctrl(Key::Z)], can_undo_here, |_| act(Act::Undo);
    RedoEdit, Edit, "Redo", "Do again what was taken back last.", [ctrl_shift(Key::Z)], can_redo, |_| act(Act::Redo);
    DeleteLayers, Edit, "Delete", "Take what is selected out.", [key(Key::Delete), key(Key::Backspace)], can_delete, |_| act(Act::Arrange(ArrangeAct::Delete));
    SelectSiblings, Edit, "Select all", "Select all that lies beside what is selected.", [ctrl(Key::A)], has_desk, |_| act(Act::Select(SelectAct::Siblings));
    SelectNothing, Edit, "Select nothing", "Take the selection away.", [key(Key::Escape)], can_escape, |_| act(Act::Select(SelectAct::None));
];

/// While the pen draws, the last point is taken back.
fn can_undo_here(state: &State) -> bool {
    can_undo(state) || draws(state)
}

fn can_delete(state: &State) -> bool {
    has_selected(state) || draws(state)
}

/// Escape ends what is under way, puts the tool away, or takes the selection away.
fn can_escape(state: &State) -> bool {
    let is_busy = desk(state).is_some_and(|desk| {
        let editor = &desk.editor;
        editor.is_holding()
            || editor.tool() != Tool::Move
            || !matches!(editor.in_place(), InPlace::Nothing)
    });
    is_busy || has_selected(state)
}

fn draws(state: &State) -> bool {
    desk(state).is_some_and(|desk| desk.editor.drawn_path().is_some())
}
