//! Glyphs of a laid out text as areas and as figures in colours of their own.
//!
//! Uses `font` and what `layout` gives. Start with [`areas::of`] and [`colored::glyphs`].

pub(crate) mod areas;
pub(crate) mod bitmap;
pub(crate) mod brush;
pub(crate) mod colored;
pub(crate) mod figure;
pub(crate) mod outlines;
mod recorder;
