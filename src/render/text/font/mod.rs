//! Fonts: the vendored ones, those of the machine or the document, and which of them has a character.
//!
//! Uses nothing else of `text`. Start with [`library::Fonts`].

mod collection;
pub(crate) mod emoji;
pub(crate) mod face;
pub(crate) mod fallback;
pub(crate) mod glyph_forms;
pub(crate) mod library;
pub(crate) mod vendored;
