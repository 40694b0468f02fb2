//! A name that is typed over in the tree.

use egui::text::{CCursor, CCursorRange};
use egui::{
    Align2, EventFilter, Frame, Id, Key, Margin, Modifiers, Rect, Stroke, TextEdit, Ui, UiBuilder,
    vec2,
};

use crate::design::NodeId;
use crate::ui::theme::{Type, size, tokens};
use crate::ui::widgets::with_escape;

/// A name that is being typed.
#[derive(Clone, Debug)]
pub(super) struct Renaming {
    /// Of which layer.
    pub(super) node: NodeId,
    text: String,
    /// The field was not drawn yet.
    is_new: bool,
}

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Renamed {
    /// It is still typed.
    No,
    /// It is to be kept.
    Kept,
    /// It is to be kept, and the next layer's is to be typed.
    KeptWithNext,
    /// The old one stays.
    Dropped,
}

impl Renaming {
    /// Begins with the name as it is.
    pub(super) fn new(node: NodeId, name: &str) -> Self {
        Self { node, text: name.to_owned(), is_new: true }
    }

    /// What was typed.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Draws the field in the room of the name.
    pub(super) fn show(&mut self, ui: &mut Ui, place: Rect) -> Renamed {
        let id = Id::unique(("layer_name", self.node.as_str()));
        let had_focus = ui.memory(|memory| memory.has_focus(id));
        let (mut with_next, mut escape) = (false, false);
        if had_focus {
            ui.input_mut(|input| {
                with_next = input.consume_key(Modifiers::NONE, Key::Tab);
                escape = input.consume_key(Modifiers::NONE, Key::Escape);
            });
        }
        let edit = TextEdit::singleline(&mut self.text)
            .id(id)
            .font(Type::Body.font())
            .margin(Margin::ZERO)
            .align(Align2::LEFT_CENTER)
            .char_limit(1_000)
            .event_filter(EventFilter { tab: true, ..with_escape() });
        let tokens = tokens(ui);
        let frame = Frame::new()
            .fill(tokens.panel)
            .stroke(Stroke::new(1.0, tokens.accent))
            .corner_radius(size::RADIUS_SMALL)
            .inner_margin(Margin::symmetric(4, 0));
        // A part of its own: the rows stand where they stood.
        let place = UiBuilder::new().max_rect(place.shrink2(vec2(0.0, 1.0)));
        let edit = edit.desired_width(f32::INFINITY).frame(frame);
        let response = ui.new_child(place).add(edit).accessible_name("Name of the layer");
        if std::mem::take(&mut self.is_new) {
            response.request_focus();
            select_all(ui, id, self.text.chars().count());
            return Renamed::No;
        }
        if escape {
            response.surrender_focus();
            Renamed::Dropped
        } else if with_next {
            Renamed::KeptWithNext
        } else if response.lost_focus() || !response.has_focus() && had_focus {
            Renamed::Kept
        } else {
            Renamed::No
        }
    }
}

fn select_all(ui: &Ui, id: Id, length: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let whole = CCursorRange::two(CCursor::new(0_usize), CCursor::new(length));
    state.cursor.set_char_range(Some(whole));
    state.store(ui.ctx(), id);
}
