//! Selecting, undoing, copying, deleting, nudging.

use egui::Key;

use super::{act, can_redo, can_undo, has_desk, has_selected};
use crate::editor::{Act, ArrangeAct, SelectAct};
use crate::ui::commands::UiCommand;
use crate::ui::commands::table::{ctrl, ctrl_shift, key};

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    UndoEdit, Edit, "Undo", "Take the last step back.", [ctrl(Key::Z)], can_undo, |_| act(Act::Undo);
    RedoEdit, Edit, "Redo", "Do again what was taken back last.", [ctrl_shift(Key::Z)], can_redo, |_| act(Act::Redo);
    DeleteLayers, Edit, "Delete", "Take what is selected out.", [key(Key::Delete), key(Key::Backspace)], has_selected, |_| act(Act::Arrange(ArrangeAct::Delete));
    SelectSiblings, Edit, "Select all", "Select all that lies beside what is selected.", [ctrl(Key::A)], has_desk, |_| act(Act::Select(SelectAct::Siblings));
    SelectNothing, Edit, "Select nothing", "Take the selection away.", [key(Key::Escape)], has_selected, |_| act(Act::Select(SelectAct::None));
];
