//! The heading of the tree, and the field that narrows it.

use egui::{Align, Frame, Id, Key, Layout, Margin, Stroke, TextEdit, Ui, vec2};

use crate::ui::commands::{CommandId, command};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::{Button, Look, rich_text};

/// The field.
#[derive(Debug, Default)]
pub(super) struct SearchField {
    is_open: bool,
    text: String,
    takes_focus: bool,
    has_focus: bool,
}

impl SearchField {
    /// What is searched for.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Puts the cursor into it.
    pub(super) fn open(&mut self) {
        (self.is_open, self.takes_focus) = (true, true);
    }

    fn close(&mut self) {
        *self = Self::default();
    }

    /// Draws the heading, and the field below it while it is open; gives whether all is to be folded.
    pub(super) fn header_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, layers: usize) -> bool {
        let mut folds = false;
        let wanted = vec2(ui.available_width(), size::TOOLBAR);
        ui.allocate_ui_with_layout(wanted, Layout::left_to_right(Align::Center), |ui| {
            ui.set_min_height(size::TOOLBAR);
            ui.add_space(size::GUTTER);
            let tokens = tokens(ui);
            ui.label(rich_text("Layers", Type::Title, tokens.text));
            let count = rich_text(layers.to_string(), Type::Body, tokens.dim);
            ui.label(count).accessible_name(format!("{layers} layers"));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.spacing_mut().item_spacing.x = 0.0;
                ui.add_space(8.0);
                let fold = command(CommandId::FoldLayers);
                let button = Button::icon(icons::FOLD_ALL, fold.text).look(Look::Tool);
                let button = button.tooltip(fold.tooltip).key(fold.key(ui, cx.state));
                folds = button.show(ui).clicked();
                let search = command(CommandId::SearchLayers);
                let button = Button::icon(icons::SEARCH, search.text).look(Look::Tool);
                let button = button.tooltip(search.tooltip).key(search.key(ui, cx.state));
                if button.selected(self.is_open).show(ui).clicked() {
                    if self.is_open { self.close() } else { self.open() }
                }
            });
        });
        if self.is_open {
            self.field_ui(ui);
        }
        folds
    }

    fn field_ui(&mut self, ui: &mut Ui) {
        let tokens = tokens(ui);
        let outline = if self.has_focus { tokens.accent } else { tokens.hairline };
        let frame = Frame::new()
            .fill(tokens.raised)
            .stroke(Stroke::new(1.0, outline))
            .corner_radius(size::RADIUS)
            .outer_margin(Margin { left: 8, right: 8, top: 0, bottom: 4 })
            .inner_margin(Margin::symmetric(8, 0));
        let width = ui.available_width() - 34.0;
        let framed = frame.show(ui, |ui| {
            ui.set_width(width.max(40.0));
            ui.set_height(size::BUTTON - 2.0);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let edit = TextEdit::singleline(&mut self.text)
                    .id(Id::unique("layer_search"))
                    .frame(Frame::NONE)
                    .margin(Margin::ZERO)
                    .align(egui::Align2::LEFT_CENTER)
                    .char_limit(200)
                    .desired_width(ui.available_width())
                    .hint_text(egui::RichText::new("Search by name").color(tokens.dim));
                ui.add(edit).accessible_name("Search the layers")
            })
        });
        let response = framed.inner.inner;
        if std::mem::take(&mut self.takes_focus) {
            response.request_focus();
        }
        // By the focus of the last frame: Escape has taken it away by now.
        let escape = self.has_focus && ui.input(|input| input.key_pressed(Key::Escape));
        self.has_focus = response.has_focus();
        if escape {
            self.close();
        }
    }
}
