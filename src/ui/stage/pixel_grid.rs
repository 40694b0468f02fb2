//! Lines between the pixels of a picture, and their values, when they are large enough to be seen.

use crate::workbench::{StagePane, StagePixels};
use egui::{Align2, Painter, Rect, Stroke, pos2};

use super::geometry::PaneBox;
use crate::ui::theme::{Tokens, Type, ink_on};
use crate::ui::widgets::paint_text;

/// Points a pixel from which on the grid shows.
pub(super) const FROM_SCALE: f32 = 8.0;
/// Points a pixel from which on a value fits into it.
const VALUES_FROM: f32 = 44.0;

/// Paints the grid over what is seen of a picture.
pub(super) fn paint(
    painter: &Painter,
    tokens: &Tokens,
    pane: &PaneBox<StagePane>,
    pixels: &StagePixels,
) {
    let side = pane.picture.width() / (pixels.width() as f32).max(1.0);
    // By this picture's own pixels: one of twice the size of the reference has them half as large.
    if side < FROM_SCALE {
        return;
    }
    let seen = painter.clip_rect().intersect(pane.visible);
    let stroke = Stroke::new(1.0, tokens.pixel_grid);
    // Only what is seen: a zoomed picture has millions of pixels and a few hundred of them on the
    // screen.
    let columns = span(seen.left(), seen.right(), pane.picture.left(), side, pixels.width());
    let rows = span(seen.top(), seen.bottom(), pane.picture.top(), side, pixels.height());
    for column in columns.clone() {
        painter.vline(pane.picture.left() + column as f32 * side, seen.y_range(), stroke);
    }
    for row in rows.clone() {
        painter.hline(seen.x_range(), pane.picture.top() + row as f32 * side, stroke);
    }
    if side >= VALUES_FROM {
        for (column, row) in columns.flat_map(|column| rows.clone().map(move |row| (column, row))) {
            paint_value(painter, pane, pixels, side, [column, row]);
        }
    }
}

/// The pixels that are seen along one side.
fn span(from: f32, to: f32, start: f32, side: f32, count: u32) -> std::ops::Range<u32> {
    let [first, end] = [from, to].map(|pos| ((pos - start) / side).clamp(0.0, count as f32));
    first.floor() as u32..end.ceil() as u32
}

fn paint_value(
    painter: &Painter,
    pane: &PaneBox<StagePane>,
    pixels: &StagePixels,
    side: f32,
    [x, y]: [u32; 2],
) {
    let Some(color) = pixels.get(x, y) else { return };
    let min = pos2(pane.picture.left() + x as f32 * side, pane.picture.top() + y as f32 * side);
    let cell = Rect::from_min_size(min, egui::vec2(side, side));
    let [r, g, b, _] = color;
    let words = format!("{r:02X}{g:02X}{b:02X}");
    let style = (Type::Caption, ink_on(color));
    paint_text(painter, cell.center(), Align2::CENTER_CENTER, &words, style, side);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pixels_that_are_seen_are_drawn() {
        assert_eq!(span(100.0, 180.0, 20.0, 10.0, 400), 8..16);
        assert_eq!(span(0.0, 5.0, 20.0, 10.0, 400), 0..0);
        assert_eq!(span(0.0, 9_999.0, 20.0, 10.0, 4), 0..4);
    }
}
