//! Glyphs in colours of their own: `COLR` tables of both versions, and the pictures of `CBDT` and
//! `sbix`.
//!
//! A `COLR` glyph is recorded once ([`recorder`]) as a [`Figure`]: areas with their colours, in
//! layers. The painter draws it at the size it is seen at ([`drawing`]), the SVG export writes it
//! out. Of pictures the largest there is counts, made smaller as image fills are ([`bitmap`]). The
//! first palette counts. Where a font has a glyph in several forms, layers come before a picture and
//! that before an outline. Glyphs of the `SVG` table are not drawn: [`super::fonts`] takes no font
//! for a character that it has only so.

mod bitmap;
mod brush;
mod drawing;
mod figure;
mod recorder;

use std::collections::HashMap;
use std::sync::Arc;

use skrifa::{FontRef, GlyphId, MetadataProvider as _};

use crate::base::{Affine, Rect, Rgba};

use super::face::Face;
use super::glyph;
use super::layout::{PlacedGlyph, TextLayout};
use super::typesetter::{GlyphKey, ITALIC, Typesetter, UPRIGHT};
use crate::render::clip::bounds_of;

use bitmap::Bitmap;
pub(in crate::render) use brush::{Brush, Line};
pub(in crate::render) use figure::{Figure, Mark, Region};

/// A glyph of a text that has colours of its own.
#[derive(Debug)]
pub(in crate::render) struct ColoredGlyph {
    pub(in crate::render) form: Form,
    /// From the space of the form to that of the text.
    pub(in crate::render) text_from_form: Affine,
    /// The box around it in the text's space.
    pub(in crate::render) bounds: Rect,
    /// For what has the colour of the text.
    pub(in crate::render) text_color: Rgba,
}

/// Coloured glyphs that were recorded and decoded, kept only to be faster.
#[derive(Default)]
pub(super) struct ColorCache {
    figures: HashMap<GlyphKey, Option<Arc<Figure>>>,
    bitmaps: HashMap<GlyphKey, Option<(Arc<Bitmap>, Affine)>>,
}

/// What a coloured glyph is made of.
#[derive(Debug)]
pub(in crate::render) enum Form {
    /// Areas, in font units, y up.
    Figure(Arc<Figure>),
    /// A picture, in its pixels.
    Bitmap(Arc<Bitmap>),
}

/// Whether the glyph has colours of its own.
pub(super) fn is_colored(face: &Face, id: u32) -> bool {
    let is_vendored = face.font == *UPRIGHT || face.font == *ITALIC;
    !is_vendored && face.font().is_some_and(|font| has_colors(&font, GlyphId::new(id)))
}

/// Whether the font has colours for the glyph.
pub(super) fn has_colors(font: &FontRef<'_>, id: GlyphId) -> bool {
    font.color_glyphs().get(id).is_some() || bitmap::is_there(font, id)
}

/// All coloured glyphs of a text, from the top. `color_of` gives the colour of the text by the key
/// of the style override.
pub(super) fn glyphs(
    typesetter: &Typesetter,
    layout: &TextLayout,
    color_of: impl Fn(u32) -> Rgba,
) -> Vec<Arc<ColoredGlyph>> {
    let glyphs = layout.lines.iter().flat_map(|line| &line.glyphs);
    let colored = glyphs.filter_map(|placed| {
        let face = layout.faces.get(placed.face)?;
        ColoredGlyph::of(typesetter, face, placed, color_of(placed.style)).map(Arc::new)
    });
    colored.collect()
}

impl ColoredGlyph {
    fn of(
        typesetter: &Typesetter,
        face: &Face,
        placed: &PlacedGlyph,
        text_color: Rgba,
    ) -> Option<Self> {
        if !is_colored(face, placed.id) {
            return None;
        }
        let text_from_font = affine(glyph::place(face, placed));
        if let Some(figure) = figure::of_glyph(typesetter, face, placed.id) {
            let bounds = bounds_of(text_from_font, figure.bounds?);
            let form = Form::Figure(figure);
            return Some(Self { form, text_from_form: text_from_font, bounds, text_color });
        }
        let (bitmap, em_from_picture) = Bitmap::of(typesetter, face, placed.id)?;
        let scale = face.size;
        let text_from_em = Affine { a: scale, d: scale, ..Affine::translate(placed.x, placed.y) };
        let text_from_form = text_from_em.after(em_from_picture);
        let bounds = bounds_of(text_from_form, bitmap.rect());
        Some(Self { form: Form::Bitmap(bitmap), text_from_form, bounds, text_color })
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
    use proptest::prelude::*;

    use super::*;

    const VERSION_0: &[u8] = include_bytes!("../../../../tests/data/fonts/colour-v0.ttf");
    const VERSION_1: &[u8] = include_bytes!("../../../../tests/data/fonts/colour-v1.ttf");
    const OTHERS: [&[u8]; 3] = [
        include_bytes!("../../../../tests/data/fonts/gradients.ttf"),
        include_bytes!("../../../../tests/data/fonts/pictures-cbdt.ttf"),
        include_bytes!("../../../../tests/data/fonts/pictures-sbix.ttf"),
    ];
    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };

    fn typesetter() -> Typesetter {
        Typesetter::new(Arc::default())
    }

    /// What the fonts' only coloured glyph paints: left end, width and brush.
    fn marks_of(file: &'static [u8]) -> Vec<(f32, f32, Brush)> {
        let font = FontData::new(Blob::new(Arc::new(file)), 0);
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!(is_colored(&face, 1) && !is_colored(&face, 2));
        let figure = figure::of_glyph(&typesetter(), &face, 1).map(|figure| {
            assert!(figure.is_plain());
            let fills = figure.marks.iter().filter_map(|mark| match mark {
                Mark::Fill { region, brush } => Some((region.path.as_ref()?.bounds(), brush)),
                Mark::Layer { .. } => None,
            });
            fills.map(|(bounds, brush)| (bounds.x(), bounds.width(), brush.clone())).collect()
        });
        figure.unwrap_or_default()
    }

    #[test]
    fn layers_lie_one_over_another_and_may_have_the_colour_of_the_text() {
        let own = Brush::Solid(brush::Hue::Own(RED));
        let text = Brush::Solid(brush::Hue::Text(1.0));
        assert_eq!(marks_of(VERSION_0), [(0.0, 1000.0, own), (250.0, 500.0, text)]);
    }

    #[test]
    fn layers_are_moved_and_have_gradients() {
        let marks = marks_of(VERSION_1);
        assert_eq!(marks.len(), 3);
        assert_eq!(marks[0], (0.0, 1000.0, Brush::Solid(brush::Hue::Own(RED))));
        assert_eq!(marks[1].0, 350.0);
        assert!(matches!(marks[2].2, Brush::Gradient { line: Line::Linear { .. }, .. }));
    }

    /// Draws the first glyphs of a font at 20 pixels an em.
    fn draw(file: Vec<u8>) -> usize {
        let font = FontData::new(Blob::new(Arc::new(file)), 0);
        let face = Face { is_italic: false, size: 20.0, coords: Vec::new(), slant: 0.0, font };
        let typesetter = typesetter();
        let colored = (0..8).filter_map(|id| {
            let (x, y, advance) = (10.0, 30.0, 20.0);
            let placed = PlacedGlyph { id, x, y, advance, face: 0, style: 0, text_start: 0 };
            let glyph = ColoredGlyph::of(&typesetter, &face, &placed, RED)?;
            glyph.picture(Affine::scale(1.5, 1.5), Rect::new(0.0, 0.0, 60.0, 60.0))
        });
        colored.count()
    }

    #[test]
    fn every_coloured_glyph_of_the_fonts_is_drawn() {
        assert_eq!(OTHERS.map(|file| draw(file.to_vec())), [5, 1, 1]);
    }

    proptest! {
        #[test]
        fn a_damaged_font_does_no_harm(
            font in 0_usize..5,
            damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12),
        ) {
            let [a, b, c] = OTHERS;
            let mut file = [VERSION_0, VERSION_1, a, b, c][font].to_vec();
            for (at, byte) in damages {
                let at = at.index(file.len());
                file[at] = byte;
            }
            draw(file);
        }
    }

    #[test]
    fn a_vendored_letter_has_no_colours() {
        let font = UPRIGHT.clone();
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!((0..100).all(|id| !is_colored(&face, id)));
    }
}
