//! The forms that a font has a glyph in: an outline, layers of colour, a picture.

use skrifa::bitmap::{BitmapData, BitmapGlyph, BitmapStrikes};
use skrifa::instance::{LocationRef, NormalizedCoord, Size as FontSize};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::raw::tables::glyf::Glyph;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{Path, PathBuilder};

/// Glyphs that one glyph is put together from; those of real fonts are a handful.
const MOST_PARTS: u32 = 256;

/// The outline of a glyph in font units, y up; `None` if it has none or it is empty.
pub(crate) fn draw_outline(
    font: &FontRef<'_>,
    coords: &[NormalizedCoord],
    id: GlyphId,
) -> Option<Path> {
    let glyph = font.outline_glyphs().get(id)?;
    // Asked before, as the reader's panic could not be taken back.
    if !is_sound(font, id, &mut { MOST_PARTS }) {
        return None;
    }
    let mut pen = PathPen(PathBuilder::new());
    let settings = DrawSettings::unhinted(FontSize::unscaled(), LocationRef::new(coords));
    glyph.draw(settings, &mut pen).ok()?;
    pen.0.finish()
}

/// Whether the glyph can be read: contours without points, as damaged fonts have them, end in a
/// panic of the font reader. `parts_left` bounds how many glyphs it is put together from.
fn is_sound(font: &FontRef<'_>, id: GlyphId, parts_left: &mut u32) -> bool {
    // Glyphs may be made of one another in a circle, or of ever more parts.
    *parts_left = parts_left.saturating_sub(1);
    if *parts_left == 0 {
        return false;
    }
    // Fonts with CFF outlines have no such tables.
    let (Ok(places), Ok(glyphs)) = (font.loca(None), font.glyf()) else { return true };
    match places.get_glyf(id, &glyphs) {
        Ok(Some(Glyph::Simple(glyph))) => glyph.num_points() > 0,
        Ok(Some(Glyph::Composite(glyph))) => {
            glyph.components().all(|part| is_sound(font, part.glyph.into(), parts_left))
        }
        Ok(None) | Err(_) => true,
    }
}

/// Whether the glyph has an outline, layers of colour or a picture. Glyphs of the `SVG` table have
/// none, or an empty outline.
pub(crate) fn can_be_drawn(font: &FontRef<'_>, id: GlyphId) -> bool {
    has_colors(font, id) || draw_outline(font, &[], id).is_some()
}

/// Whether the font has colours for the glyph.
pub(crate) fn has_colors(font: &FontRef<'_>, id: GlyphId) -> bool {
    font.color_glyphs().get(id).is_some() || largest_picture(font, id).is_some()
}

/// The largest picture in colours that the font has of the glyph.
/// Black and white ones of old fonts are not meant: those have outlines too.
pub(crate) fn largest_picture<'f>(font: &FontRef<'f>, id: GlyphId) -> Option<BitmapGlyph<'f>> {
    let glyph = BitmapStrikes::new(font).glyph_for_size(FontSize::unscaled(), id)?;
    let has_colors = matches!(glyph.data, BitmapData::Png(_) | BitmapData::Bgra(_));
    let is_there = glyph.width > 0 && glyph.height > 0;
    let has_size = glyph.ppem_x > 0.0 && glyph.ppem_y > 0.0;
    Some(glyph).filter(|_| has_colors && is_there && has_size)
}

struct PathPen(PathBuilder);

impl OutlinePen for PathPen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }

    fn quad_to(&mut self, cx: f32, cy: f32, x: f32, y: f32) {
        self.0.quad_to(cx, cy, x, y);
    }

    fn curve_to(&mut self, cx0: f32, cy0: f32, cx1: f32, cy1: f32, x: f32, y: f32) {
        self.0.cubic_to(cx0, cy0, cx1, cy1, x, y);
    }

    fn close(&mut self) {
        self.0.close();
    }
}
