//! A place with nothing in it says why, and what to do.

use egui::{Align, Layout, RichText, Ui, vec2};

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
        let above = (ui.available_height() * 0.5 - 80.0).max(16.0);
        let width = (ui.available_width() - 24.0).clamp(60.0, 380.0);
        ui.vertical_centered(|ui| {
            ui.add_space(above);
            ui.label(RichText::new(self.icon).font(Type::IconLarge.font()).color(tokens.faint));
            ui.add_space(4.0);
            ui.label(RichText::new(self.title).font(Type::Title.font()).color(tokens.text));
            ui.add_space(2.0);
            ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Center), |ui| {
                let words = RichText::new(self.words).font(Type::Body.font()).color(tokens.dim);
                ui.add(egui::Label::new(words).wrap());
            });
            ui.add_space(10.0);
            actions(ui);
        });
    }
}
