//! Fonts as glyphs are drawn in them.

use parley::FontData;
use skrifa::attribute::Style as Slant;
use skrifa::instance::NormalizedCoord;
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use super::glyph_forms;
use super::vendored::{ITALIC, UPRIGHT};

/// A font at a size and a place on its variation axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Whether its letters are slanted.
    pub is_italic: bool,
    /// Pixels per em.
    pub size: f64,
    /// Normalised coordinates on the variation axes, in 2.14 fixed point.
    pub coords: Vec<i16>,
    /// How far upright letters are slanted to the right, per unit of height; 0 for the font's own.
    pub(crate) slant: f64,
    pub(crate) font: FontData,
}

impl Face {
    pub(crate) fn of_run(run: &parley::layout::Run<'_, u32>) -> Self {
        let coords = run.normalized_coords().iter().map(|coord| coord.to_bits()).collect();
        let font = run.font().clone();
        // The italic Inter is slanted by itself, whatever the engine would add.
        let degrees = run.synthesis().skew().filter(|_| font != *ITALIC).unwrap_or(0.0);
        let slant = f64::from(degrees).to_radians().tan();
        let is_italic = slant != 0.0 || font == *ITALIC || has_slant(&font);
        Self { is_italic, size: f64::from(run.font_size()), coords, slant, font }
    }

    pub(crate) fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.font.data.data(), self.font.index).ok()
    }

    pub(crate) fn coords(&self) -> Vec<NormalizedCoord> {
        self.coords.iter().map(|bits| NormalizedCoord::from_bits(*bits)).collect()
    }

    /// Pixels a font unit.
    pub(crate) fn scale(&self) -> f64 {
        let units = self.font().and_then(|font| Some(font.head().ok()?.units_per_em()));
        self.size / f64::from(units.unwrap_or(1).max(1))
    }

    /// Whether the glyph has colours of its own.
    pub(crate) fn is_colored(&self, id: u32) -> bool {
        let is_vendored = self.font == *UPRIGHT || self.font == *ITALIC;
        !is_vendored
            && self.font().is_some_and(|font| glyph_forms::has_colors(&font, GlyphId::new(id)))
    }

    /// Whether outer contours of its glyphs run clockwise on the screen, as in TrueType outlines.
    pub(crate) fn is_clockwise(&self) -> bool {
        self.font().is_some_and(|font| font.glyf().is_ok())
    }
}

fn has_slant(font: &FontData) -> bool {
    let font = FontRef::from_index(font.data.data(), font.index);
    font.is_ok_and(|font| font.attributes().style != Slant::Normal)
}
