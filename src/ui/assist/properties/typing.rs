//! What is being typed into a field of the panel: kept until it is meant, given up with Escape.

use egui::text::CCursorRange;
use egui::text_edit::TextEditState;
use egui::{Align2, Color32, Event, Frame, Id, Key, Margin, Rect, Response, Stroke, TextEdit, Ui};

use crate::design::NodeId;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::with_escape;

/// What is being typed, and which field was typed wrong.
///
/// What was typed is meant when the field is left, whichever way but Escape; it is meant for the nodes that were shown
/// when it was begun.
#[derive(Debug, Default)]
pub(super) struct Typing {
    now: Option<Typed>,
    wrong: Option<(Id, String)>,
}

#[derive(Debug)]
struct Typed {
    id: Id,
    text: String,
    /// What stood there before.
    shown: String,
    nodes: Vec<NodeId>,
}

/// What was typed and is meant.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) text: String,
    /// What stood there before.
    pub(super) shown: String,
    /// The nodes that were shown when it was begun.
    pub(super) nodes: Vec<NodeId>,
}

/// A field, and what stands in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextSpot<'a> {
    pub(super) id: Id,
    pub(super) rect: Rect,
    pub(super) name: &'a str,
    pub(super) shown: &'a str,
    pub(super) nodes: &'a [NodeId],
    pub(super) style: (Type, Color32),
}

impl Typing {
    /// Why what was typed into this field last was refused.
    pub(super) fn why_wrong(&self, id: Id) -> Option<&str> {
        self.wrong.as_ref().filter(|(wrong, _)| *wrong == id).map(|(_, why)| why.as_str())
    }

    /// The line around this field: that of something wrong, of what is typed into, or of any other.
    pub(super) fn outline(&self, ui: &Ui, id: Id) -> Stroke {
        let tokens = tokens(ui);
        if self.why_wrong(id).is_some() {
            Stroke::new(1.0, tokens.loss)
        } else if ui.memory(|memory| memory.has_focus(id)) {
            Stroke::new(1.0, tokens.accent)
        } else {
            tokens.line()
        }
    }

    /// Says why what was typed is refused; the field shows again what stood there.
    pub(super) fn refuse(&mut self, id: Id, why: impl Into<String>) {
        self.wrong = Some((id, why.into()));
    }

    /// Other nodes are shown: what was refused is not about them.
    pub(super) fn forget_refused(&mut self) {
        self.wrong = None;
    }

    /// What was typed into this field so far, if that is something else than stood there.
    pub(super) fn take_typed(&mut self, id: Id) -> Option<Done> {
        let now = self.now.take_if(|now| now.id == id)?;
        let Typed { text, shown, nodes, .. } = now;
        (text.trim() != shown.trim()).then_some(Done { text, shown, nodes })
    }

    /// Draws the field without a ground; gives what was typed once it is meant.
    pub(super) fn show(&mut self, ui: &mut Ui, spot: TextSpot<'_>) -> (Response, Option<Done>) {
        let TextSpot { id, rect, name, shown, nodes, style: (font, ink) } = spot;
        self.follow(id, shown);
        // Taken away, so that what is around does not close as well.
        let is_left = ui.memory(|memory| memory.has_focus(id)) && take_escape(ui);
        let now = self.now.as_ref().filter(|now| now.id == id);
        let was_begun = now.is_some();
        let mut text = now.map_or_else(|| shown.to_owned(), |now| now.text.clone());
        let edit = TextEdit::singleline(&mut text)
            .id(id)
            .font(font.font())
            .text_color(ink)
            .frame(Frame::NONE)
            .margin(Margin::ZERO)
            .align(Align2::LEFT_CENTER)
            .desired_width(rect.width())
            .min_size(rect.size())
            .event_filter(with_escape());
        let name = match self.why_wrong(id) {
            Some(why) => format!("{name}: {why}"),
            None => name.to_owned(),
        };
        let response = ui.place(rect, edit).accessible_name(name);
        if is_left {
            self.now = None;
            response.surrender_focus();
            return (response, None);
        }
        if response.has_focus() && !was_begun {
            self.wrong = None;
            let (shown, nodes) = (shown.to_owned(), nodes.to_vec());
            self.now = Some(Typed { id, text, shown, nodes });
            select_all(ui, id, self.now.as_ref().map_or("", |now| now.text.as_str()));
        } else if response.changed()
            && let Some(now) = self.now.as_mut().filter(|now| now.id == id)
        {
            now.text = text;
        }
        let pressed = ui.input(|input| input.pointer.any_pressed());
        let is_pressed_elsewhere = pressed && !response.contains_pointer();
        if !was_begun || (response.has_focus() && !is_pressed_elsewhere) {
            return (response, None);
        }
        response.surrender_focus();
        let done = self.take_typed(id);
        (response, done)
    }

    /// Where nobody typed yet, what stands there changes with what is shown.
    fn follow(&mut self, id: Id, shown: &str) {
        if let Some(now) = self.now.as_mut().filter(|now| now.id == id)
            && now.text == now.shown
            && now.shown != shown
        {
            shown.clone_into(&mut now.text);
            shown.clone_into(&mut now.shown);
        }
    }
}

fn select_all(ui: &Ui, id: Id, text: &str) {
    if let Some(mut state) = TextEditState::load(ui.ctx(), id) {
        state.cursor.set_char_range(Some(CCursorRange::select_all_str(text)));
        state.store(ui.ctx(), id);
    }
}

fn take_escape(ui: &Ui) -> bool {
    ui.input_mut(|input| {
        let before = input.events.len();
        input
            .events
            .retain(|event| !matches!(event, Event::Key { key: Key::Escape, pressed: true, .. }));
        input.events.len() < before
    })
}
