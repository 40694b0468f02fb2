//! Text of the document to lines and glyph outlines.
//!
//! [`layout_text`](super::layout_text) shapes and breaks a text as its box says;
//! [`measure_text`](super::measure_text) gives the size it would take.
//! Shaping and bidirectional order are parley's, outlines skrifa's; lines break where Chromium breaks
//! them.
//!
//! # Fonts
//!
//! The two vendored Inter files (upright and italic, weights 100 to 900) set every text in Inter, at
//! optical size 14 in any size, and in Inter Display, at 32. Other fonts of the context, those of
//! the machine or added ones, are looked for only for
//!
//! 1. a family that the document names, by name and then the nearest weight and slant; if there is
//!    none, Inter stands in and `TextLayout::replaced_families` says so; where it is too wide for the
//!    lines that the box holds, it is set narrower (`layout::fit`);
//! 2. a character that Inter lacks ([`font::fallback`] has the order of families), or that asks to be a
//!    picture with U+FE0F; if no font has it, it is drawn as a box and `TextLayout::missing` says so.
//!
//! `TextLayout::machine_families` says which were used. Weights that such a family lacks are not
//! thickened; slants are made. With the vendored fonts alone a text has the same bytes everywhere.
//!
//! # Lines
//!
//! Line heights are Figma's: `Auto` is the font's ascent plus descent (1.21 em for Inter), any other
//! height is shared above and below the font's own as half-leading ([`layout`]). Left and right are
//! those of the page in every script. A tab is four spaces. Measures of lists are in `layout/list.rs`, of
//! small capitals in [`layout::style`]; a line along letters goes below or through them without a gap, where
//! the font says.
//!
//! # Where to start
//!
//! Uses `geometry`. [`typesetter`] sets a node: [`layout`] places its glyphs in the fonts of [`font`],
//! [`glyph`] makes areas and coloured figures of them. Each uses those before it only.

pub(crate) mod font;
pub(crate) mod glyph;
pub(crate) mod layout;
pub(crate) mod typesetter;
