//! How the person and the assistant worked together, in numbers. What was not recorded is said to be so, never 0.

use egui::{Align, Layout, Ui};

use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{elided_label_ui, rich_text, section_header_ui};
use crate::workbench::AssistantDesk;

/// Draws the numbers.
pub(super) fn measures_ui(ui: &mut Ui, assistant: &AssistantDesk) {
    let measures = assistant.measures();
    section_header_ui(ui, "How it went", "so far");
    row_ui(ui, "suggestions shown", &measures.shown.to_string());
    let asked = [measures.next_requests, measures.why_requests, measures.another_requests];
    let [next, why, another] = asked;
    row_ui(ui, "asked: next, why, another", &format!("{next}, {why}, {another}"));
    for (name, value, unit) in measures.rows() {
        row_ui(ui, &name, &unit.words(value));
    }
    ui.add_space(6.0);
}

fn row_ui(ui: &mut Ui, name: &str, value: &str) {
    let tokens = tokens(ui);
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(rich_text(value, Type::Body, tokens.text));
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                elided_label_ui(ui, name, Type::Body, tokens.dim);
            });
        });
    });
}
