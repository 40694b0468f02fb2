//! What a text takes.

use crate::base::{Rect, Size};
use crate::design::{AutoResize, TextContent};

use super::layout::{self, Line};
use super::typesetter::Typesetter;

/// What a text takes.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMeasure {
    /// The size Figma gives a text that resizes itself: the width of the longest line rounded up,
    /// the sum of the line heights rounded to nearest, in whole pixels.
    pub size: Size,
    /// The boxes of the lines, from the top: each as wide as its text without trailing space, and
    /// as high as its line height. Not rounded; aligned within `size` as the style says.
    pub lines: Vec<Rect>,
}

/// See [`measure_text`](crate::render::measure_text).
pub(in crate::render) fn measure(
    typesetter: &Typesetter,
    content: &TextContent,
    width: Option<f64>,
) -> TextMeasure {
    let mut content = content.clone();
    content.style.auto_resize =
        if width.is_some() { AutoResize::Height } else { AutoResize::WidthAndHeight };
    let size = Size::new(width.unwrap_or(0.0), 0.0);
    let natural = layout::in_box(typesetter, &content, size).natural_size();
    let size = Size::new(width.unwrap_or(natural.width.ceil()), natural.height.round());
    let lines = layout::in_box(typesetter, &content, size).lines;
    TextMeasure { size, lines: lines.iter().map(Line::line_box).collect() }
}
