//! Outlines of glyphs.

use skrifa::instance::{LocationRef, NormalizedCoord, Size as FontSize};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::raw::TableProvider as _;
use skrifa::raw::tables::glyf::Glyph;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{Mask, Path, PathBuilder, Transform};

use crate::base::{Affine, Limits, Rect, Rgba, Size};
use crate::design::TextContent;

use super::areas;
use super::color::{self, ColoredGlyph};
use super::face::Face;
use super::layout::{self, PlacedGlyph, TextLayout};
use super::typesetter::Typesetter;

/// How much of each pixel a text covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Rows from the top, 0 for none and 255 for all of a pixel.
    pub values: Vec<u8>,
}

/// Glyphs that one glyph is put together from; those of real fonts are a handful.
const MOST_PARTS: u32 = 256;

/// The outline of a glyph in font units, y up; `None` if it has none or it is empty.
pub(super) fn draw_outline(
    font: &FontRef<'_>,
    coords: &[NormalizedCoord],
    id: GlyphId,
) -> Option<Path> {
    let glyph = font.outline_glyphs().get(id)?;
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
    *parts_left = parts_left.saturating_sub(1);
    if *parts_left == 0 {
        return false;
    }
    let (Ok(places), Ok(glyphs)) = (font.loca(None), font.glyf()) else { return true };
    match places.get_glyf(id, &glyphs) {
        Ok(Some(Glyph::Simple(glyph))) => glyph.num_points() > 0,
        Ok(Some(Glyph::Composite(glyph))) => {
            glyph.components().all(|part| is_sound(font, part.glyph.into(), parts_left))
        }
        Ok(None) | Err(_) => true,
    }
}

/// The outlines of `glyphs` as one path in the text's space.
pub(super) fn combined_path<'g>(
    typesetter: &Typesetter,
    layout: &TextLayout,
    glyphs: impl Iterator<Item = &'g PlacedGlyph>,
) -> Option<Path> {
    let mut path = PathBuilder::new();
    for glyph in glyphs {
        let Some(face) = layout.faces.get(glyph.face) else { continue };
        let Some(outline) = typesetter.outline(face, glyph.id) else { continue };
        if let Some(placed) = Path::clone(&outline).transform(place(face, glyph)) {
            path.push_path(&placed);
        }
    }
    path.finish()
}

/// From font units, y up, to the text's space.
pub(super) fn place(face: &Face, glyph: &PlacedGlyph) -> Transform {
    let scale = face.scale() as f32;
    let slant = scale * face.slant as f32;
    Transform::from_row(scale, 0.0, slant, -scale, glyph.x as f32, glyph.y as f32)
}

/// See [`text_coverage`](crate::render::text_coverage).
pub(in crate::render) fn coverage(
    typesetter: &Typesetter,
    content: &TextContent,
    size: Size,
) -> Option<Coverage> {
    let is_picture = |extent: f64| (0.0..=f64::from(Limits::IMAGE_SIDE)).contains(&extent);
    let is_drawable = is_picture(size.width)
        && is_picture(size.height)
        && size.width * size.height <= Limits::IMAGE_PIXELS as f64;
    let mut mask =
        Mask::new(size.width.ceil() as u32, size.height.ceil() as u32).filter(|_| is_drawable)?;
    let layout = layout::in_box(typesetter, content, size);
    for (_, area) in areas::of(typesetter, &layout) {
        mask.fill_path(&area.path, area.rule, true, Transform::identity());
    }
    for glyph in color::glyphs(typesetter, &layout, |_| Rgba::BLACK) {
        add_to(&mut mask, &glyph);
    }
    Some(Coverage { width: mask.width(), height: mask.height(), values: mask.take() })
}

/// Covers what a coloured glyph covers.
fn add_to(mask: &mut Mask, glyph: &ColoredGlyph) {
    let (width, height) = (mask.width(), mask.height());
    let all = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
    let Some(visible) = glyph.bounds.expand(1.0).intersection(all) else { return };
    let Some(picture) = glyph.picture(Affine::IDENTITY, visible) else { return };
    let at = picture.device_box();
    let (left, top) = (at.x as usize, at.y as usize);
    let rows = mask.data_mut().chunks_mut(width as usize).skip(top);
    let drawn = picture.pixmap.pixels().chunks(picture.pixmap.width() as usize);
    for (row, drawn) in rows.zip(drawn) {
        for (covered, pixel) in row.iter_mut().skip(left).zip(drawn) {
            *covered = (*covered).max(pixel.alpha());
        }
    }
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
