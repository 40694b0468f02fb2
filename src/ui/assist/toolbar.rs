//! Over the canvas: tools, undo, zoom.

use egui::{Align, Layout, Ui};

use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::rich_text;
use crate::workbench::AssistDesk;

/// Draws the bar.
pub(super) fn toolbar_ui(ui: &mut Ui, cx: &ViewContext<'_>, _desk: &AssistDesk, zoom: f64) {
    ui.horizontal_centered(|ui| {
        ui.add_space(8.0);
        CommandButton::icon(CommandId::UndoEdit, icons::UNDO).show(ui, cx);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.add_space(8.0);
            let words = format!("{:.0} %", zoom * 100.0);
            ui.label(rich_text(words, Type::Body, tokens(ui).dim));
        });
    });
}
