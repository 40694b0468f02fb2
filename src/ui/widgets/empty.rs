//! A place with nothing in it says why, and what to do.

use egui::{Align, Layout, Ui, vec2};

use super::text::rich_text;
use crate::ui::theme::{Type, tokens};

/// What stands in an empty place.
#[derive(Debug)]
pub(crate) struct EmptyState<'a> {
    icon: &'static str,
    title: &'a str,
    words: &'a str,
}

impl<'a> EmptyState<'a> {
    /// An icon, what is not there, and what to do.
    pub(crate) fn new(icon: &'static str, title: &'a str, words: &'a str) -> Self {
        Self { icon, title, words }
    }

    /// Shows it in the middle of the room there is, with actions below.
    pub(crate) fn show(self, ui: &mut Ui, actions: impl FnOnce(&mut Ui)) {
        let tokens = tokens(ui);
        // About the middle: how high the words are is known only when they are drawn.
        let above = (ui.available_height() * 0.5 - 80.0).max(16.0);
        let width = (ui.available_width() - 24.0).clamp(60.0, 380.0);
        ui.vertical_centered(|ui| {
            ui.add_space(above);
            ui.label(rich_text(self.icon, Type::IconLarge, tokens.faint));
            ui.add_space(4.0);
            ui.label(rich_text(self.title, Type::Title, tokens.text));
            ui.add_space(2.0);
            ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Center), |ui| {
                let words = rich_text(self.words, Type::Body, tokens.dim);
                ui.add(egui::Label::new(words).wrap());
            });
            ui.add_space(10.0);
            actions(ui);
        });
    }
}
