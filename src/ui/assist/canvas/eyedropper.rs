//! The eyedropper: what color the picture has under the pointer.

use egui::{Align2, CursorIcon, Painter, Rect, Response, Stroke, StrokeKind, Ui, vec2};

use super::picture::CanvasPicture;
use super::view::CanvasView;
use crate::base::Rgba;
use crate::editor::{Act, PropertyAct, Tool};
use crate::ui::assist::acting::act;
use crate::ui::context::ViewContext;
use crate::ui::theme::{Type, tokens};
use crate::ui::widgets::{paint_text, say};
use crate::workbench::AssistDesk;

/// The side of the sample beside the pointer.
const SAMPLE: f32 = 24.0;

/// Picks with the eyedropper; whether it is in hand.
pub(super) fn pick(
    ui: &Ui,
    cx: &ViewContext<'_>,
    desk: &AssistDesk,
    view: CanvasView,
    response: &Response,
    picture: &CanvasPicture,
) -> bool {
    if desk.editor.tool() != Tool::Eyedropper {
        return false;
    }
    let Some(pos) = response.hover_pos() else { return true };
    ui.ctx().set_cursor_icon(CursorIcon::Crosshair);
    if let Some(color) = picture.color_at(view.to_page(pos))
        && response.clicked()
    {
        act(cx, Act::Property(PropertyAct::PickColor(color)));
    }
    true
}

/// Paints a sample of what would be picked, beside the pointer.
pub(super) fn paint(
    ui: &Ui,
    painter: &Painter,
    desk: &AssistDesk,
    view: CanvasView,
    response: &Response,
    picture: &CanvasPicture,
) {
    let Some(pos) = response.hover_pos().filter(|_| desk.editor.tool() == Tool::Eyedropper) else {
        return;
    };
    let Some(color) = picture.color_at(view.to_page(pos)) else { return };
    let tokens = tokens(ui);
    let rect = Rect::from_min_size(pos + vec2(12.0, 12.0), vec2(SAMPLE + 72.0, SAMPLE + 8.0));
    painter.rect_filled(rect, 6.0, tokens.overlay);
    painter.rect_stroke(rect, 6.0, Stroke::new(1.0, tokens.hairline), StrokeKind::Inside);
    let sample = Rect::from_min_size(rect.min + vec2(4.0, 4.0), vec2(SAMPLE, SAMPLE));
    painter.rect_filled(sample, 4.0, shown(color));
    let at = sample.right_center() + vec2(8.0, 0.0);
    let words = color.to_hex();
    paint_text(painter, at, Align2::LEFT_CENTER, &words, (Type::Mono, tokens.text), 64.0);
    say(ui, "eyedropper", rect, &format!("Color under the pointer: {words}"));
}

fn shown(color: Rgba) -> egui::Color32 {
    let [r, g, b, a] = color.to_u8();
    egui::Color32::from_rgba_unmultiplied(r, g, b, a)
}
