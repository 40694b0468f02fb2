//! One answer that can be chosen, with its key.

use egui::{
    Align2, Color32, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};

use crate::ui::theme::{Tokens, Type, size, tokens};
use crate::ui::widgets::{allocate_stable_of, paint_text, text_width};

/// How high an answer is in a list.
pub(super) const OPTION: f32 = 28.0;
/// The cap of a key.
const CAP: f32 = 18.0;

/// How an answer is filled and outlined.
fn look_of(tokens: &Tokens, is_on: bool, response: &Response) -> (Color32, Stroke) {
    let fill = match (is_on, response.hovered()) {
        (true, _) => tokens.accent_wash,
        (false, true) => tokens.raised_hover,
        (false, false) => tokens.raised,
    };
    (fill, if is_on { Stroke::new(1.5, tokens.accent) } else { tokens.line() })
}

/// Draws an answer of this size: its words in the middle behind its key, outlined if it is the one.
pub(in crate::ui) fn option_ui(
    ui: &mut Ui,
    key: Option<char>,
    words: &str,
    is_on: bool,
    wanted: Vec2,
) -> Response {
    let tokens = tokens(ui);
    let (rect, response) = allocate_stable_of(ui, words, wanted, Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, words));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let (fill, line) = look_of(tokens, is_on, &response);
    let painter = ui.painter();
    painter.rect(rect, size::RADIUS, fill, line, StrokeKind::Inside);
    if response.has_focus() {
        let ring = Stroke::new(1.5, tokens.accent);
        painter.rect_stroke(rect.expand(1.5), size::RADIUS + 1, ring, StrokeKind::Outside);
    }
    let cap = if key.is_some() { CAP + 8.0 } else { 0.0 };
    let text = text_width(ui, words, Type::Medium);
    let room = rect.width() - 16.0;
    // Without room for both the words stand alone: the key is on the sheet of keys too.
    let (cap, shown) = if cap + text > room && text > room * 0.6 && room < 60.0 {
        (0.0, None)
    } else {
        (cap, key)
    };
    let width = (cap + text).min(room);
    let left = rect.center().x - width * 0.5;
    if let Some(key) = shown {
        let center = egui::pos2(left + CAP * 0.5, rect.center().y);
        cap_ui(ui, center, key);
    }
    let at = egui::pos2(left + cap, rect.center().y);
    let style = (Type::Medium, tokens.text);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, words, style, room - cap + 2.0);
    response
}

/// Draws an answer of a list: its key at the left, its words behind it, and something quiet at the right. `sense`:
/// whether it can be dragged, too.
pub(in crate::ui) fn row_option_ui(
    ui: &mut Ui,
    (key, sense): (Option<char>, Sense),
    words: &str,
    aside: &str,
    is_on: bool,
) -> Response {
    let tokens = tokens(ui);
    let wanted = vec2(ui.available_width(), OPTION);
    let (rect, response) = allocate_stable_of(ui, words, wanted, sense);
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, is_on, words));
    if !ui.is_rect_visible(rect) {
        return response;
    }
    let (fill, line) = look_of(tokens, is_on, &response);
    ui.painter().rect(rect, size::RADIUS, fill, line, StrokeKind::Inside);
    let mut left = rect.left() + 8.0;
    if let Some(key) = key {
        cap_ui(ui, egui::pos2(left + CAP * 0.5, rect.center().y), key);
        left += CAP + 8.0;
    }
    // What stands at the right is measured first: the words get what it leaves.
    let aside_width = text_width(ui, aside, Type::Caption);
    let room = rect.right() - left - aside_width - 14.0;
    let style = (Type::Body, tokens.text);
    let at = egui::pos2(left, rect.center().y);
    paint_text(ui.painter(), at, Align2::LEFT_CENTER, words, style, room);
    let right = rect.right_center() - vec2(8.0, 0.0);
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), right, Align2::RIGHT_CENTER, aside, style, aside_width + 2.0);
    response
}

fn cap_ui(ui: &Ui, center: egui::Pos2, key: char) {
    let tokens = tokens(ui);
    let cap = Rect::from_center_size(center, vec2(CAP, CAP));
    ui.painter().rect(cap, size::RADIUS_SMALL, tokens.panel, tokens.line(), StrokeKind::Inside);
    let words = key.to_ascii_uppercase().to_string();
    let style = (Type::Caption, tokens.dim);
    paint_text(ui.painter(), cap.center(), Align2::CENTER_CENTER, &words, style, CAP);
}
