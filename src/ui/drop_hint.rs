//! Files dragged onto the window open: it says so while they are over it.

use egui::{Align2, Id, LayerId, Order, Stroke, StrokeKind, Ui};

use super::theme::{Type, size, tokens};
use super::widgets::paint_text;

/// Says what a drop would do while files are dragged over the window; the application around the
/// window opens what was dropped.
pub(super) fn drop_hint_ui(ui: &Ui) {
    if ui.ctx().input(|input| !input.raw.hovered_files.is_empty()) {
        hint_ui(ui);
    }
}

fn hint_ui(ui: &Ui) {
    let tokens = tokens(ui);
    let layer = LayerId::new(Order::Tooltip, Id::unique("drop_hint"));
    let painter = ui.ctx().layer_painter(layer);
    let rect = ui.ctx().content_rect();
    painter.rect_filled(rect, 0, tokens.backdrop);
    let stroke = Stroke::new(2.0, tokens.accent);
    painter.rect_stroke(rect.shrink(10.0), size::RADIUS_LARGE, stroke, StrokeKind::Inside);
    let words = "Drop to open task sets, runs or folders of pictures";
    let card = egui::Rect::from_center_size(rect.center(), egui::vec2(400.0, 56.0));
    painter.add(tokens.overlay_shadow().as_shape(card, size::RADIUS_LARGE));
    painter.rect_filled(card, size::RADIUS_LARGE, tokens.overlay);
    let style = (Type::Title, tokens.text);
    paint_text(&painter, rect.center(), Align2::CENTER_CENTER, words, style, 380.0);
}
