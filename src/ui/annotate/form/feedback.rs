//! What is told of an answer to an item to learn by.

use egui::{Frame, Margin, Stroke, Ui};

use super::proposal::value_words;
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::rich_text;
use crate::workbench::{Desk, views};

/// Draws it, once the answer is on disk.
pub(super) fn feedback_ui(ui: &mut Ui, cx: &ViewContext<'_>, desk: &Desk) {
    let Some(feedback) = views::feedback(cx.state) else { return };
    let tokens = tokens(ui);
    let (icon, title, ink) = if feedback.is_right {
        (icons::DONE, "As it should be", tokens.gain)
    } else {
        (icons::INFO, "It should be", tokens.warn)
    };
    let frame = Frame::new()
        .fill(tokens.raised)
        .stroke(Stroke::new(1.0, ink))
        .corner_radius(size::RADIUS_LARGE)
        .inner_margin(Margin::symmetric(12, 8));
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.spacing_mut().item_spacing.y = 4.0;
        ui.horizontal(|ui| {
            ui.label(rich_text(icon, Type::Icon, ink));
            ui.label(rich_text(title, Type::Strong, tokens.text));
        });
        // What was right needs no second look: only of a wrong answer it is said what it should be.
        for question in feedback.form.questions.iter().filter(|_| !feedback.is_right) {
            let Some(value) = feedback.known.values.get(&question.id) else { continue };
            let text = question.text.in_language(&desk.language);
            let words = format!("{text} {}", value_words(question, value, desk));
            ui.add(egui::Label::new(rich_text(words, Type::Body, tokens.text)).wrap());
        }
        if !feedback.known.note.is_empty() {
            let note = rich_text(&feedback.known.note, Type::Body, tokens.text);
            ui.add(egui::Label::new(note).wrap());
        }
        let words = "An item to learn by: it counts in no result. Answer it again, or go on.";
        ui.add(egui::Label::new(rich_text(words, Type::Caption, tokens.dim)).wrap());
    });
    ui.add_space(8.0);
}
