//! Tools of the canvas.

use egui::Key;

use super::{act, has_desk};
use crate::editor::{Act, Tool};
use crate::ui::commands::UiCommand;
use crate::ui::commands::table::key;

/// What there is to do.
#[rustfmt::skip]
pub(in crate::ui::commands) static TABLE: &[UiCommand] = commands![
    TakeMove, Tools, "Move tool", "Select and move.", [key(Key::V)], has_desk, |_| act(Act::Take(Tool::Move));
];
