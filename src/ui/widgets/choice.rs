//! Things to choose from that stand beside each other.

use egui::{Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, vec2};

use super::stable::allocate_stable_of;
use super::text::{paint_text, text_width};
use crate::ui::theme::{Type, size, tokens};

/// Whether several of what is beside each other can be chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Several {
    No,
    Yes,
}

/// One of two or more things to choose from, beside each other.
pub(crate) fn choice_ui(
    ui: &mut Ui,
    words: &str,
    name: &str,
    selected: bool,
    several: Several,
) -> Response {
    let wanted = vec2(text_width(ui, words, Type::Body).ceil() + 20.0, 26.0);
    let (rect, response) = allocate_stable_of(ui, name, wanted, Sense::click());
    let role = match several {
        Several::No => Role::RadioButton,
        Several::Yes => Role::CheckBox,
    };
    response.widget_info(|| WidgetInfo::selected(role, true, selected, name));
    card_ui(ui, rect, &response, selected);
    let tokens = tokens(ui);
    let style = (Type::Body, if selected { tokens.text } else { tokens.dim });
    let middle = egui::Align2::CENTER_CENTER;
    paint_text(ui.painter(), rect.center(), middle, words, style, rect.width());
    response
}

/// Gives rows of a menu, or of a list that drops down, words that can be read where they are chosen.
pub(crate) fn chosen_look(ui: &mut Ui) {
    let tokens = tokens(ui);
    let selection = &mut ui.visuals_mut().selection;
    selection.bg_fill = tokens.accent_wash;
    selection.stroke.color = tokens.text;
}

/// The ground of something to choose.
pub(crate) fn card_ui(ui: &Ui, rect: Rect, response: &Response, selected: bool) {
    let tokens = tokens(ui);
    let fill = if selected {
        tokens.accent_wash
    } else if response.hovered() || response.has_focus() {
        tokens.raised_hover
    } else {
        tokens.raised
    };
    let outline = if selected { Stroke::new(1.0, tokens.accent) } else { tokens.line() };
    ui.painter().rect(rect, size::RADIUS, fill, outline, StrokeKind::Inside);
    if response.has_focus() {
        let ring = Stroke::new(2.0, tokens.accent);
        ui.painter().rect_stroke(rect.expand(1.0), size::RADIUS, ring, StrokeKind::Outside);
    }
}
