//! What people are asked about themselves, before the first item.

use egui::{Align, Frame, Layout, Margin, Ui, vec2};

use super::form::FormPanel;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::rich_text;
use crate::workbench::Dwell;

/// How wide the questions are.
const FORM: f32 = 560.0;

/// Draws the questions in the middle of the room.
pub(super) fn survey_ui(ui: &mut Ui, cx: &ViewContext<'_>, form: &mut FormPanel, dwell: &Dwell) {
    let Some((labels, desk)) = cx.state.annotate.at_desk() else { return };
    let tokens = tokens(ui);
    let width = (ui.available_width() - 48.0).clamp(200.0, FORM);
    ui.vertical_centered(|ui| {
        // Above the middle, where a page begins; in a low window the form gets the room.
        ui.add_space((ui.available_height() * 0.06).clamp(12.0, 48.0));
        ui.set_max_width(width);
        ui.with_layout(Layout::top_down(Align::Min), |ui| {
            ui.set_width(width);
            ui.label(rich_text("About you", Type::Display, tokens.text));
            let words = format!(
                "{} · {} · asked once. What you answer stands beside your answers in reports.",
                labels.project.name, desk.person
            );
            ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.dim)).wrap());
            ui.add_space(12.0);
            let height = (ui.available_height() - 24.0).max(120.0);
            let card = Frame::new().fill(tokens.panel).stroke(tokens.line());
            let card = card.corner_radius(size::RADIUS_LARGE).inner_margin(Margin::same(4));
            card.show(ui, |ui| {
                ui.allocate_ui(vec2(ui.available_width(), height), |ui| form.show(ui, cx, dwell));
            });
        });
    });
}
