//! Notes on the step and on the run.

use egui::{Align, Id, Layout, Margin, TextEdit, Ui};

use super::parts::quiet_ui;
use crate::ui::commands::{CommandButton, CommandId};
use crate::ui::context::ViewContext;
use crate::ui::icons;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{Look, caption_row_ui, rich_text, with_escape};
use crate::workbench::{Command, Note, NoteKey};

/// A field for a note, ahead of the state by what is being typed.
#[derive(Debug, Default)]
pub(super) struct NoteField {
    /// What the text is on.
    key: Option<NoteKey>,
    text: String,
    wants_focus: bool,
    has_focus: bool,
}

impl NoteField {
    /// Puts the cursor in, next frame.
    pub(super) fn focus(&mut self) {
        self.wants_focus = true;
    }

    /// Draws the note on the step, or on the run as a whole.
    pub(super) fn show(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, step: Option<u32>) {
        let Some(run) = cx.state.selected_run() else { return };
        let key = NoteKey::of(run, step);
        let note = cx.state.notes.note(&key);
        // Another step's note is another text, whatever was typed here.
        if self.key.as_ref() != Some(&key) || !self.has_focus {
            self.text = note.map(|note| note.text.clone()).unwrap_or_default();
            self.key = Some(key.clone());
        }
        let is_starred = note.is_some_and(|note| note.is_starred);
        let (title, star) = match step {
            Some(_) => ("Note on the step", CommandId::StarStep),
            None => ("Note on the run", CommandId::StarRun),
        };
        caption_row_ui(ui, |ui| {
            ui.label(rich_text(title, Type::Section, tokens(ui).dim));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                CommandButton::icon(star, icons::STAR)
                    .look(Look::Tool)
                    .selected(is_starred)
                    .show(ui, cx);
            });
        });
        self.field_ui(ui, cx, key, is_starred);
        if let Some(problem) = &cx.state.notes.problem {
            ui.add_space(4.0);
            quiet_ui(ui, &format!("Notes last only until the window is closed: {problem}."));
        }
    }

    fn field_ui(&mut self, ui: &mut Ui, cx: &ViewContext<'_>, key: NoteKey, is_starred: bool) {
        let (name, hint) = match key.step {
            Some(_) => ("Note on the step", "What you found at this step"),
            None => ("Note on the run", "What you found in this run"),
        };
        let hint = rich_text(hint, Type::Body, tokens(ui).dim);
        // As many rows as it has: an empty note takes one.
        let field = TextEdit::multiline(&mut self.text)
            .id(Id::unique(("note", key.step.is_some())))
            .desired_rows(1)
            .margin(Margin::symmetric(8, 5))
            .hint_text(hint)
            .event_filter(with_escape())
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name(name);
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
            response.scroll_to_me(None);
        }
        if response.has_focus() && ui.input(|input| input.key_pressed(egui::Key::Escape)) {
            response.surrender_focus();
        }
        self.has_focus = response.has_focus();
        if response.changed() {
            let note = Note { is_starred, text: self.text.clone() };
            cx.send(Command::PutNote(key, note));
        }
    }
}
