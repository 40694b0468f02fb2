//! Text in its box: styles, paragraphs, lines, glyphs in their places.
//!
//! Uses `font`. Start with [`in_box`], which goes from [`spans`] (characters, styles, paragraphs) over
//! [`block`] (shaped and broken) and [`truncate`] to [`placing`] and [`row`].

mod block;
mod family;
mod fit;
mod list;
mod placing;
mod row;
pub(crate) mod shaper;
pub(crate) mod spans;
pub(crate) mod style;
pub(crate) mod text_layout;
mod truncate;

use std::ops::Range;

use crate::base::{Rect, Size};
use crate::design::{AutoResize, TextContent, TextStyle, VerticalAlign};

use block::Block;
use family::Typeface;
use shaper::Shaper;
use spans::Prepared;
use text_layout::{Line, Span, TextLayout};

/// See [`layout_text`](crate::render::layout_text).
pub(crate) fn in_box(shaper: &Shaper, content: &TextContent, size: Size) -> TextLayout {
    set(shaper, content, size, Substitute::FitsBox)
}

/// What a font that stands in for another does where it is too wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Substitute {
    /// It is made narrower: the box was made for the font that is missing.
    FitsBox,
    /// It takes the room it needs: the box is yet to be found.
    TakesRoom,
}

pub(crate) fn set(
    shaper: &Shaper,
    content: &TextContent,
    size: Size,
    substitute: Substitute,
) -> TextLayout {
    let is_drawable = style::is_font_size(content.style.font_size) && size.is_finite();
    if content.characters.is_empty() || !is_drawable {
        return TextLayout::default();
    }
    let mut prepared = Prepared::new(shaper.fonts(), content);
    let mut fitting = None;
    if substitute == Substitute::FitsBox
        && let Some((fitted, by)) = fit::to_lines(shaper, &content.style, &prepared, size)
    {
        (prepared, fitting) = (fitted, Some(by));
    }
    let width = block::breaking_width(&content.style, size);
    let blocks = block::blocks(shaper, &content.style, &prepared, width);
    let layout = match truncate::to_fit(shaper, &content.style, &prepared, &blocks, size) {
        None => placed(shaper, content, &prepared, &blocks, size),
        // The rest of the text is gone from the layout, so the kept lines are broken anew with the
        // ellipsis.
        Some(cut) => {
            let blocks = block::blocks(shaper, &content.style, &cut, width);
            placed(shaper, content, &cut, &blocks, size)
        }
    };
    TextLayout { fitting, ..layout }
}

fn placed(
    shaper: &Shaper,
    content: &TextContent,
    prepared: &Prepared,
    blocks: &[Block<'_>],
    size: Size,
) -> TextLayout {
    let mut layout = TextLayout { is_cut: prepared.is_cut, ..TextLayout::default() };
    layout.replaced_families = replaced_families(prepared);
    layout.natural_size.height =
        blocks.iter().map(|block| block.space_above + block.height()).sum();
    // Negative where the text is higher than its box.
    let mut top = (size.height - layout.natural_size.height) * share_above(&content.style);
    for block in blocks {
        top = placing::place(
            shaper,
            block,
            prepared,
            top + block.space_above,
            (size, &content.style),
            &mut layout,
        );
    }
    layout.text.clone_from(&prepared.text);
    layout.spans = prepared.spans.iter().filter_map(|entry| span(entry, prepared)).collect();
    layout
}

/// How much of the spare height lies above the text. A text higher than its box leaves it at the
/// other side, or at both.
fn share_above(style: &TextStyle) -> f64 {
    match style.vertical_align {
        VerticalAlign::Top => 0.0,
        VerticalAlign::Center => 0.5,
        VerticalAlign::Bottom => 1.0,
    }
}

fn replaced_families(prepared: &Prepared) -> Vec<String> {
    let mut replaced: Vec<String> = Vec::new();
    for (_, index) in &prepared.spans {
        let Some(setting) = prepared.settings.get(*index) else { continue };
        let family = &setting.style.family;
        if setting.face == Typeface::Replaced && !replaced.contains(family) {
            replaced.push(family.clone());
        }
    }
    replaced
}

/// What a span says of its letters.
fn span((range, index): &(Range<usize>, usize), prepared: &Prepared) -> Option<Span> {
    let setting = prepared.settings.get(*index)?;
    let style = &setting.style;
    Some(Span {
        range: range.clone(),
        style: style.key,
        family: style.family.clone(),
        weight: f64::from(style.weight),
        is_italic: style.is_italic,
        font_size: style.glyph_size(),
        optical_size: f64::from(setting.face.optical_size()),
        letter_spacing: style.letter_spacing,
        decoration: style.decoration,
        features: style.opentype.clone(),
    })
}

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
pub(crate) fn measure(shaper: &Shaper, content: &TextContent, width: Option<f64>) -> TextMeasure {
    let mut content = content.clone();
    content.style.auto_resize =
        if width.is_some() { AutoResize::Height } else { AutoResize::WidthAndHeight };
    let size = Size::new(width.unwrap_or(0.0), 0.0);
    // First in a box without height, only for its size; then in that box, where alignment says
    // where the lines lie.
    let natural = set(shaper, &content, size, Substitute::TakesRoom).natural_size();
    let size = Size::new(width.unwrap_or(natural.width.ceil()), natural.height.round());
    let lines = set(shaper, &content, size, Substitute::TakesRoom).lines;
    TextMeasure { size, lines: lines.iter().map(Line::line_box).collect() }
}
