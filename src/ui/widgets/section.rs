//! Headings inside panels.

use egui::{Align, Layout, Ui, vec2};

use super::text::{elided_label_ui, rich_text};
use crate::ui::theme::{Type, size, tokens};

/// A line across the panel.
pub(crate) fn hairline_ui(ui: &mut Ui) {
    // One point is allocated, so that nothing is drawn over the line.
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), egui::Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, tokens(ui).line());
}

/// A heading with something quiet at its right.
pub(crate) fn section_header_ui(ui: &mut Ui, title: &str, aside: &str) {
    section_header_in_ui(ui, title, aside, tokens(ui).dim);
}

/// A heading with something at its right in a colour of its own.
pub(crate) fn section_header_in_ui(ui: &mut Ui, title: &str, aside: &str, color: egui::Color32) {
    caption_row_ui(ui, |ui| {
        let title = rich_text(title, Type::Section, tokens(ui).dim);
        ui.label(title);
        if !aside.is_empty() {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                elided_label_ui(ui, aside, Type::Caption, color);
            });
        }
    });
}

/// A row of captions, as high as a row of a list.
pub(crate) fn caption_row_ui(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    let wanted = vec2(ui.available_width(), size::ROW);
    ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
        ui.set_min_height(size::ROW);
        add(ui);
    });
}
