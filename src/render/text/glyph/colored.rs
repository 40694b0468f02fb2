//! Glyphs in colours of their own: `COLR` tables of both versions, and the pictures of `CBDT` and
//! `sbix`.
//!
//! A `COLR` glyph is recorded once ([`recorder`]) as a [`Figure`]: areas with their colours, in layers. The painter
//! draws it at the size it is seen at (`paint::glyph`), the SVG export writes it out. Of pictures the largest there is
//! counts, made smaller as image fills are ([`bitmap`]). The first palette counts. Where a font has a glyph in several
//! forms, layers come before a picture and that before an outline. Glyphs of the `SVG` table are not drawn:
//! [`font::library`](crate::render::text::font::library) takes no font for a character that it has only so.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::base::{Affine, Rect, Rgba};
use crate::render::geometry::boxes::bounds_of;
use crate::render::text::font::face::Face;
use crate::render::text::layout::text_layout::{PlacedGlyph, TextLayout};

use super::bitmap::Bitmap;
use super::figure::Figure;
use super::outlines::{self, GlyphKey, OutlineCache};
use super::recorder;

/// A glyph of a text that has colours of its own.
#[derive(Debug)]
pub(crate) struct ColoredGlyph {
    pub(crate) form: GlyphForm,
    /// From the space of the form to that of the text.
    pub(crate) text_from_form: Affine,
    /// The box around it in the text's space.
    pub(crate) bounds: Rect,
    /// For what has the colour of the text.
    pub(crate) text_color: Rgba,
}

/// Figures kept in memory; some kB each.
const KEPT_FIGURES: usize = 1024;

/// Pictures kept decoded; some 70 kB each.
const KEPT_PICTURES: usize = 512;

/// A glyph's picture and where it lies, if its font has one.
type PlacedBitmap = Option<(Arc<Bitmap>, Affine)>;

/// Coloured glyphs that were recorded and decoded, kept only to be faster.
#[derive(Debug, Default)]
pub(crate) struct ColorCache {
    figures: RefCell<HashMap<GlyphKey, Option<Arc<Figure>>>>,
    bitmaps: RefCell<HashMap<GlyphKey, PlacedBitmap>>,
}

impl ColorCache {
    /// The figure of a glyph, if its font has one.
    fn figure(&self, outlines: &OutlineCache, face: &Face, id: u32) -> Option<Arc<Figure>> {
        let key = GlyphKey::new(face, id);
        let mut figures = self.figures.borrow_mut();
        if let Some(known) = figures.get(&key) {
            return known.clone();
        }
        // All at once: what the next picture shows comes back with it.
        if figures.len() >= KEPT_FIGURES {
            figures.clear();
        }
        let marks = recorder::record(outlines, face, id);
        let figure = marks.map(|marks| Arc::new(Figure::new(marks)));
        figures.insert(key, figure.clone());
        figure
    }

    /// The picture of a glyph as [`Bitmap::find`] gives it.
    fn bitmap(&self, face: &Face, id: u32) -> Option<(Arc<Bitmap>, Affine)> {
        let key = GlyphKey::new(face, id);
        let mut bitmaps = self.bitmaps.borrow_mut();
        if let Some(known) = bitmaps.get(&key) {
            return known.clone();
        }
        if bitmaps.len() >= KEPT_PICTURES {
            bitmaps.clear();
        }
        let found = Bitmap::find(face, id).map(|(bitmap, place)| (Arc::new(bitmap), place));
        bitmaps.insert(key, found.clone());
        found
    }
}

/// What a coloured glyph is made of.
#[derive(Debug)]
pub(crate) enum GlyphForm {
    /// Areas, in font units, y up.
    Figure(Arc<Figure>),
    /// A picture, in its pixels.
    Bitmap(Arc<Bitmap>),
}

/// All coloured glyphs of a text, from the top. `color_of` gives the colour of the text by the key
/// of the style override.
pub(crate) fn glyphs(
    outlines: &OutlineCache,
    colors: &ColorCache,
    layout: &TextLayout,
    color_of: impl Fn(u32) -> Rgba,
) -> Vec<Arc<ColoredGlyph>> {
    let glyphs = layout.lines.iter().flat_map(|line| &line.glyphs);
    let colored = glyphs.filter_map(|placed| {
        let face = layout.faces.get(placed.face)?;
        ColoredGlyph::of(outlines, colors, face, placed, color_of(placed.style)).map(Arc::new)
    });
    colored.collect()
}

impl ColoredGlyph {
    pub(crate) fn of(
        outlines: &OutlineCache,
        colors: &ColorCache,
        face: &Face,
        placed: &PlacedGlyph,
        text_color: Rgba,
    ) -> Option<Self> {
        // First, as nearly all glyphs are plain and need no look into the caches.
        if !face.is_colored(placed.id) {
            return None;
        }
        let text_from_font = affine(outlines::place(face, placed));
        if let Some(figure) = colors.figure(outlines, face, placed.id) {
            let bounds = bounds_of(text_from_font, figure.bounds?);
            let form = GlyphForm::Figure(figure);
            return Some(Self { form, text_from_form: text_from_font, bounds, text_color });
        }
        let (bitmap, em_from_picture) = colors.bitmap(face, placed.id)?;
        let scale = face.size;
        let text_from_em = Affine { a: scale, d: scale, ..Affine::translate(placed.x, placed.y) };
        let text_from_form = text_from_em.after(em_from_picture);
        let bounds = bounds_of(text_from_form, bitmap.rect());
        Some(Self { form: GlyphForm::Bitmap(bitmap), text_from_form, bounds, text_color })
    }
}

fn affine(map: tiny_skia::Transform) -> Affine {
    let [a, b, c, d, e, f] = [map.sx, map.ky, map.kx, map.sy, map.tx, map.ty].map(f64::from);
    Affine { a, b, c, d, e, f }
}

#[cfg(test)]
mod tests {
    use parley::FontData;
    use parley::fontique::Blob;

    use super::*;
    use crate::render::text::font::vendored::UPRIGHT;
    use crate::render::text::glyph::brush::{Brush, GradientLine, Hue};
    use crate::render::text::glyph::figure::FigurePart;

    const VERSION_0: &[u8] = include_bytes!("../../../../tests/data/fonts/colour-v0.ttf");
    const VERSION_1: &[u8] = include_bytes!("../../../../tests/data/fonts/colour-v1.ttf");
    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };

    /// What the fonts' only coloured glyph paints: left end, width and brush.
    fn marks_of(file: &'static [u8]) -> Vec<(f32, f32, Brush)> {
        let font = FontData::new(Blob::new(Arc::new(file)), 0);
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!(face.is_colored(1) && !face.is_colored(2));
        let figure =
            ColorCache::default().figure(&OutlineCache::default(), &face, 1).map(|figure| {
                assert!(figure.is_plain());
                let fills = figure.marks.iter().filter_map(|mark| match mark {
                    FigurePart::Fill { region, brush } => {
                        Some((region.path.as_ref()?.bounds(), brush))
                    }
                    FigurePart::Layer { .. } => None,
                });
                fills.map(|(bounds, brush)| (bounds.x(), bounds.width(), brush.clone())).collect()
            });
        figure.unwrap_or_default()
    }

    #[test]
    fn layers_lie_one_over_another_and_may_have_the_colour_of_the_text() {
        let own = Brush::Solid(Hue::Own(RED));
        let text = Brush::Solid(Hue::Text(1.0));
        assert_eq!(marks_of(VERSION_0), [(0.0, 1000.0, own), (250.0, 500.0, text)]);
    }

    #[test]
    fn layers_are_moved_and_have_gradients() {
        let marks = marks_of(VERSION_1);
        assert_eq!(marks.len(), 3);
        assert_eq!(marks[0], (0.0, 1000.0, Brush::Solid(Hue::Own(RED))));
        assert_eq!(marks[1].0, 350.0);
        assert!(matches!(marks[2].2, Brush::Gradient { line: GradientLine::Linear { .. }, .. }));
    }

    #[test]
    fn a_vendored_letter_has_no_colours() {
        let font = UPRIGHT.clone();
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!((0..100).all(|id| !face.is_colored(id)));
    }
}
