//! Outlines of glyphs, kept by their font.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use skrifa::GlyphId;
use tiny_skia::{Path, PathBuilder, Transform};

use crate::render::text::font::face::Face;
use crate::render::text::font::glyph_forms;
use crate::render::text::layout::text_layout::{PlacedGlyph, TextLayout};

/// Outlines of glyphs kept in memory; some 2 kB each.
const KEPT_OUTLINES: usize = 4096;

/// A glyph by its font, place on the variation axes, and number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct GlyphKey {
    font: (u64, u32),
    coords: Vec<i16>,
    id: u32,
}

impl GlyphKey {
    pub(crate) fn new(face: &Face, id: u32) -> Self {
        let font = (face.font.data.id(), face.font.index);
        Self { font, coords: face.coords.clone(), id }
    }
}

/// Outlines that were drawn before, kept only to be faster.
#[derive(Debug, Default)]
pub(crate) struct OutlineCache(RefCell<HashMap<GlyphKey, Option<Arc<Path>>>>);

impl OutlineCache {
    /// The outline of glyph `id` in font units, y up; `None` if it is empty.
    pub(crate) fn get(&self, face: &Face, id: u32) -> Option<Arc<Path>> {
        let key = GlyphKey::new(face, id);
        let mut outlines = self.0.borrow_mut();
        if let Some(known) = outlines.get(&key) {
            return known.clone();
        }
        if outlines.len() >= KEPT_OUTLINES {
            outlines.clear();
        }
        let font = face.font();
        let drawn = font
            .and_then(|font| glyph_forms::draw_outline(&font, &face.coords(), GlyphId::new(id)));
        let drawn = drawn.map(Arc::new);
        // Empty ones too: a space is looked for as often as a letter.
        outlines.insert(key, drawn.clone());
        drawn
    }
}

/// The outlines of `glyphs` as one path in the text's space.
pub(crate) fn combined_path<'g>(
    outlines: &OutlineCache,
    layout: &TextLayout,
    glyphs: impl Iterator<Item = &'g PlacedGlyph>,
) -> Option<Path> {
    let mut path = PathBuilder::new();
    for glyph in glyphs {
        let Some(face) = layout.faces.get(glyph.face) else { continue };
        let Some(outline) = outlines.get(face, glyph.id) else { continue };
        if let Some(placed) = Path::clone(&outline).transform(place(face, glyph)) {
            path.push_path(&placed);
        }
    }
    path.finish()
}

/// From font units, y up, to the text's space.
pub(crate) fn place(face: &Face, glyph: &PlacedGlyph) -> Transform {
    let scale = face.scale() as f32;
    // A slant moves what is higher further right, and y runs up in the font.
    let slant = scale * face.slant as f32;
    Transform::from_row(scale, 0.0, slant, -scale, glyph.x as f32, glyph.y as f32)
}
