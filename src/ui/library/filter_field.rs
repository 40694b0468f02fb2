//! The field that filters the library.

use egui::{Color32, Id, Key, Margin, TextBuffer, TextEdit, Ui, vec2};

use super::arrange::arrange_ui;
use crate::ui::context::ViewContext;
use crate::ui::filter_text::colored;
use crate::ui::icons;
use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{Button, Look, grouped, rich_text, with_escape};
use crate::workbench::Command;
use crate::workbench::views::LibraryRows;

/// How large the button is that clears the field.
const CLEAR: f32 = 20.0;
/// Between the parts of the field.
const GAP: f32 = 6.0;

/// What is being typed; the state has what was sent.
#[derive(Debug, Default)]
pub(super) struct FilterField {
    text: String,
    wants_focus: bool,
    has_focus: bool,
}

impl FilterField {
    /// Puts the cursor in, next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Draws the field, and below it what is wrong with the filter.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, rows: &LibraryRows<'_>) {
        // While it is typed into, the field is ahead of the state by a frame and must not be
        // overwritten.
        if !self.has_focus {
            self.text.clone_from(&cx.state.library.filter);
        }
        let tokens = tokens(ui);
        let error = rows.filter_error.as_ref();
        ui.horizontal(|ui| {
            ui.add_space(8.0);
            self.field_ui(ui, cx, tokens, error.is_some());
            ui.spacing_mut().item_spacing.x = 2.0;
            arrange_ui(ui, cx);
        });
        if let Some(error) = error {
            caption_ui(ui, &error.message, tokens.warn);
        } else if !rows.filter.is_empty() {
            let words = format!("{} of {} runs", rows.runs_shown, grouped(rows.runs_total as u64));
            if rows.runs_not_scored > 0 {
                let to_come = grouped(rows.runs_not_scored as u64);
                caption_ui(ui, &format!("{words} · {to_come} not scored yet"), tokens.warn);
            } else {
                caption_ui(ui, &words, tokens.dim);
            }
        }
    }

    fn field_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, tokens: &Tokens, wrong: bool) {
        let id = Id::unique("library_filter");
        // The menu beside it is a square button.
        let width = ui.available_width() - size::BUTTON - 12.0;
        let outline = if wrong {
            tokens.warn
        } else if self.has_focus {
            tokens.accent
        } else {
            tokens.hairline
        };
        let frame = egui::Frame::new()
            .stroke(egui::Stroke::new(1.0, outline))
            .corner_radius(size::RADIUS)
            .inner_margin(Margin::symmetric(8, 0));
        let response = frame.show(ui, |ui| {
            ui.set_width(width - 16.0);
            ui.set_height(size::BUTTON - 2.0);
            ui.horizontal_centered(|ui| {
                ui.spacing_mut().item_spacing.x = GAP;
                let icon = egui::RichText::new(icons::FILTER).font(Type::Icon.font());
                ui.label(icon.color(tokens.dim));
                self.edit_ui(ui, cx, tokens, id);
            });
        });
        // The frame answers to nothing; the field inside it does.
        let _frame: egui::Response = response.response;
    }

    fn edit_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, tokens: &Tokens, id: Id) {
        // The button and the gap before it.
        let clear_width = if self.text.is_empty() { 0.0 } else { CLEAR + GAP };
        let hint = egui::RichText::new("Filter").color(tokens.dim);
        // In one expression, because the layouter is borrowed to its end.
        let response = ui
            .add(
                TextEdit::singleline(&mut self.text)
                    .id(id)
                    .frame(egui::Frame::NONE)
                    .margin(Margin::ZERO)
                    .align(egui::Align2::LEFT_CENTER)
                    .min_size(vec2(0.0, 18.0))
                    .desired_width(ui.available_width() - clear_width)
                    .hint_text(hint)
                    .event_filter(with_escape())
                    .layouter(&mut |ui: &Ui, text: &dyn TextBuffer, _wrap: f32| {
                        let job = colored(text.as_str(), &cx.state.variants, tokens);
                        ui.painter().layout_job(job)
                    }),
            )
            .accessible_name("Filter the library");
        // Once something is typed, it would cover what came of that.
        let response = if self.text.is_empty() {
            response.on_hover_text(
                "Words, or type:replication, agent:tracer, state:failed, ssim<0.75, constraints<1",
            )
        } else {
            response
        };
        // A shortcut asks for it before the field is drawn, and only what is drawn can be given the
        // focus.
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
        }
        let escape = self.has_focus && ui.input(|input| input.key_pressed(Key::Escape));
        if escape {
            response.surrender_focus();
        }
        self.has_focus = response.has_focus();
        if response.changed() {
            cx.send(Command::SetFilter(self.text.clone()));
        }
        let clear = clear_width > 0.0
            && Button::icon(icons::CLOSE, "Clear the filter")
                .look(Look::Tool)
                .height(CLEAR)
                .tooltip("Show everything again.")
                .show(ui)
                .clicked();
        if clear || (escape && !self.text.is_empty()) {
            self.text.clear();
            cx.send(Command::SetFilter(String::new()));
        }
    }
}

fn caption_ui(ui: &mut Ui, words: &str, color: Color32) {
    ui.horizontal(|ui| {
        ui.add_space(16.0);
        // A horizontal layout would not wrap: the room has to be given.
        ui.allocate_ui(vec2(ui.available_width() - 12.0, 0.0), |ui| {
            ui.add(egui::Label::new(rich_text(words, Type::Caption, color)).wrap());
        });
    });
}
