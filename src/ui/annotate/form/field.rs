//! A field for words, ahead of the state by what is being typed.

use egui::{Id, Key, Margin, TextEdit, Ui};

use crate::ui::widgets::with_escape;

/// A field for words.
#[derive(Debug, Default)]
pub(in crate::ui) struct Field {
    text: String,
    wants_focus: bool,
    has_focus: bool,
}

impl Field {
    /// Draws the field; gives what is in it, if it changed.
    pub(in crate::ui) fn show(
        &mut self,
        ui: &mut Ui,
        (id, name): (&str, &str),
        known: &str,
        rows: usize,
    ) -> Option<String> {
        // While it is typed into, the state is a frame behind, and would take the last letter away.
        if !self.has_focus {
            known.clone_into(&mut self.text);
        }
        let field = TextEdit::multiline(&mut self.text)
            .id(Id::unique(id))
            .desired_rows(rows)
            .margin(Margin::symmetric(8, 5))
            .event_filter(with_escape())
            .desired_width(f32::INFINITY);
        let response = ui.add(field).accessible_name(name);
        // After it is drawn: only what is there can be given the keyboard.
        if std::mem::take(&mut self.wants_focus) {
            response.request_focus();
            response.scroll_to_me(None);
        }
        if response.has_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            response.surrender_focus();
        }
        self.has_focus = response.has_focus();
        response.changed().then(|| self.text.clone())
    }

    /// A field that gets the cursor as soon as it is drawn.
    pub(super) fn wanting_focus() -> Self {
        Self { wants_focus: true, ..Self::default() }
    }

    /// Puts the cursor in, next frame.
    pub(in crate::ui) fn focus(&mut self) {
        self.wants_focus = true;
    }
}
