//! Text of the document to lines and glyph outlines.
//!
//! [`layout`] shapes and breaks a text as its box says; [`measure`] gives the size it would take.
//! Shaping and line breaking are parley's, outlines skrifa's. The only fonts are the two vendored
//! Inter files (upright and italic), so that a text looks the same on every machine; another family
//! is replaced by Inter, and [`TextLayout::replaced_families`] says so.
//!
//! Line heights are Figma's: `Auto` is the font's ascent plus descent (1.21 em for Inter), any other
//! height is shared above and below the font's own as half-leading.

mod areas;
mod block;
mod color;
mod emoji;
mod engine;
mod face;
mod fallback;
mod family;
mod glyph;
pub(super) mod ink;
mod layout;
mod letter_case;
mod list;
mod machine;
mod placing;
mod row;
mod shaping;
mod spans;
mod style;
mod style_name;
mod truncate;
mod typeset;

use crate::base::{Rect, Size};
use crate::design::{AutoResize, TextContent};

pub use face::Face;
pub use glyph::{Coverage, coverage};
pub use layout::{Decoration, Line, PlacedGlyph, Span, TextLayout};

/// Characters of one text beyond this many are not laid out.
pub const MAX_CHARACTERS: usize = 200_000;

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

/// Lays out `content` in a box of `size`.
///
/// Lines break at `size.width`, except in a text whose width follows it
/// ([`AutoResize::WidthAndHeight`]), where only the text itself breaks lines. Alignment is within
/// `size`. A text to be truncated ends with an ellipsis where it would leave the box.
pub fn layout(content: &TextContent, size: Size) -> TextLayout {
    layout::in_box(content, size)
}

/// What `content` takes with lines broken at `width`, or only where the text says.
pub fn measure(content: &TextContent, width: Option<f64>) -> TextMeasure {
    let mut content = content.clone();
    content.style.auto_resize =
        if width.is_some() { AutoResize::Height } else { AutoResize::WidthAndHeight };
    let natural = layout(&content, Size::new(width.unwrap_or(0.0), 0.0)).natural_size();
    let size = Size::new(width.unwrap_or(natural.width.ceil()), natural.height.round());
    let lines = layout(&content, size).lines;
    TextMeasure { size, lines: lines.iter().map(Line::line_box).collect() }
}
