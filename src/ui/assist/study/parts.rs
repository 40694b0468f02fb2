//! What the pages of studies share.

use egui::Ui;

use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{self, rich_text};
use crate::workbench::{AssistCommand, Command, StudyCommand, StudyDesk};

/// Asks for something of a study.
pub(super) fn study(cx: &ViewContext<'_>, command: StudyCommand) {
    cx.send(Command::Assist(AssistCommand::Study(command)));
}

/// A time as people read it: minutes and seconds.
pub(super) fn clock_words(millis: u64) -> String {
    widgets::clock_words(millis / 1_000)
}

/// What is not on disk, and that it is tried again.
pub(super) fn unwritten_ui(ui: &mut Ui, desk: &StudyDesk) {
    if let Some(why) = &desk.unwritten {
        let words = format!("Not saved, and tried again: {why}");
        ui.label(rich_text(words, Type::Caption, tokens(ui).warn)).on_hover_text(why);
    }
}

/// How wide pages are.
pub(super) fn page_width(ui: &Ui, most: f32) -> f32 {
    (ui.available_width() - 4.0 * size::GUTTER).clamp(200.0, most)
}
