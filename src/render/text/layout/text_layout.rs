//! A text that is laid out: lines and placed glyphs.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::base::{Rect, Size};
use crate::design::TextDecoration;
use crate::render::text::font::face::Face;

/// A text in its box: lines from the top, in the box's space.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TextLayout {
    /// The lines, from the top.
    pub lines: Vec<Line>,
    /// The fonts that [`PlacedGlyph::face`] counts.
    pub faces: Vec<Face>,
    /// Families that Inter stands in for, each once.
    pub replaced_families: Vec<String>,
    /// How Inter in their place was narrowed to keep to the lines that the box holds, if it was.
    pub fitting: Option<Fitting>,
    /// Other families that glyphs are from, each once: another machine may show another
    /// picture.
    pub machine_families: Vec<String>,
    /// Characters that no font at hand has a glyph for, each once; they are drawn as boxes.
    pub missing: Vec<char>,
    /// Whether characters beyond [`MAX_CHARACTERS`](crate::render::MAX_CHARACTERS) were left out.
    pub is_cut: bool,
    /// The characters that are set: in the letters they are shown in, cut where the text is cut,
    /// without the markers of lists.
    pub text: String,
    /// The styles of `text`; they cover it in order.
    pub spans: Vec<Span>,
    /// See [`Self::natural_size`].
    pub(crate) natural_size: Size,
}

/// How much narrower the letters of a substituted font are than the document says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fitting {
    /// Space after each character beside what is asked for, in ems.
    pub tracking: f64,
    /// Size of the letters over what is asked for.
    pub scale: f64,
}

/// Characters in one style.
#[derive(Clone, Debug, PartialEq)]
pub struct Span {
    /// Bytes of [`TextLayout::text`].
    pub range: Range<usize>,
    /// Key of the style override, 0 for none.
    pub style: u32,
    /// The family that the document names.
    pub family: String,
    /// 100..=900.
    pub weight: f64,
    /// Slanted.
    pub is_italic: bool,
    /// Pixels an em of its glyphs: less than the document says in small capitals.
    pub font_size: f64,
    /// Optical size that Inter is set in.
    pub optical_size: f64,
    /// Pixels after each character.
    pub letter_spacing: f64,
    /// A line along the text.
    pub decoration: TextDecoration,
    /// OpenType features by tag, 0 for off.
    pub features: BTreeMap<String, u32>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Top of the line's box.
    pub top: f64,
    /// Height of the line's box.
    pub height: f64,
    /// Where letters stand.
    pub baseline_y: f64,
    /// Left end of the text, without the marker of a list.
    pub x0: f64,
    /// Right end of the text, without trailing space.
    pub x1: f64,
    /// The bytes of the set text that it holds.
    pub text_range: Range<usize>,
    /// Its glyphs, from the left; none for space. A list's marker comes last.
    pub glyphs: Vec<PlacedGlyph>,
    /// Lines below and through its letters.
    pub decorations: Vec<Decoration>,
}

/// One glyph in its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedGlyph {
    /// Number within the font.
    pub id: u32,
    /// Origin on the baseline.
    pub x: f64,
    /// Origin on the baseline.
    pub y: f64,
    /// How far the next glyph stands, letter spacing included.
    pub advance: f64,
    /// Which of [`TextLayout::faces`].
    pub face: usize,
    /// Key of the style override its character has, 0 for none.
    pub style: u32,
    /// First byte in [`TextLayout::text`] of what it shows; of a list's marker, that of its item.
    pub text_start: usize,
}

/// A line along the text, over the space between words too.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Decoration {
    /// What it covers.
    pub area: Rect,
    /// Key of the style override of its characters, 0 for none.
    pub style: u32,
}

impl Line {
    /// Its box: as wide as the text without trailing space, as high as the line.
    pub fn line_box(&self) -> Rect {
        Rect::new(self.x0, self.top, self.x1 - self.x0, self.height)
    }
}

impl TextLayout {
    /// What the text takes, not rounded: the width of the longest line with its indentation, and the
    /// height of all lines with the space between paragraphs.
    pub fn natural_size(&self) -> Size {
        self.natural_size
    }
}
