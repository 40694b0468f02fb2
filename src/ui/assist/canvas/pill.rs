//! Values in pills over the picture.

use egui::{Align2, Color32, Painter, Pos2, Rect, vec2};

use crate::ui::theme::{Type, size};

/// Paints words in a pill around a place. Gives the box it took.
pub(super) fn paint_pill(
    painter: &Painter,
    at: Pos2,
    anchor: Align2,
    words: &str,
    (fill, text): (Color32, Color32),
) -> Rect {
    let galley = painter.layout_no_wrap(words.to_owned(), Type::Caption.font(), text);
    let rect = anchor.anchor_size(at, galley.size() + vec2(8.0, 4.0));
    painter.rect_filled(rect, size::RADIUS_SMALL, fill);
    painter.galley(rect.min + vec2(4.0, 2.0), galley, text);
    rect
}

/// A length as it is shown: whole, or with what it has behind the point, two digits at most.
pub(super) fn length_words(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    // Never a minus before nothing.
    format!("{}", rounded + 0.0)
}
