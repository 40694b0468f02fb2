//! Glyphs that are pictures: the tables `CBDT` and `sbix`.

use std::sync::OnceLock;

use parley::FontData;
use skrifa::bitmap::{BitmapData, BitmapGlyph, Origin};
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, GlyphId};

use crate::base::{Affine, Pixels, Rect};
use crate::render::text::font::face::Face;
use crate::render::text::font::glyph_forms::largest_picture;

/// The largest picture that a font has of a glyph. It is decoded when it is drawn.
#[derive(Debug)]
pub(crate) struct Bitmap {
    font: FontData,
    id: u32,
    width: u32,
    height: u32,
    decoded: OnceLock<Option<Pixels>>,
}

impl Bitmap {
    /// The picture of a glyph, and where it lies: from its pixels to ems from the glyph's origin, y
    /// down.
    pub(crate) fn find(face: &Face, id: u32) -> Option<(Self, Affine)> {
        let font = face.font()?;
        let glyph = largest_picture(&font, GlyphId::new(id))?;
        let units_per_em = f64::from(font.head().ok()?.units_per_em().max(1));
        let place = place(&glyph, units_per_em);
        let (width, height, decoded) = (glyph.width, glyph.height, OnceLock::new());
        let bitmap = Self { font: face.font.clone(), id, width, height, decoded };
        // A damaged font may say anything of where its pictures lie.
        place.is_finite().then_some((bitmap, place))
    }

    /// All of it, in its pixels.
    pub(crate) fn rect(&self) -> Rect {
        Rect::new(0.0, 0.0, f64::from(self.width), f64::from(self.height))
    }

    /// What it shows; `None` if it cannot be decoded.
    pub(crate) fn pixels(&self) -> Option<Pixels> {
        self.decoded.get_or_init(|| self.decode()).clone()
    }

    fn decode(&self) -> Option<Pixels> {
        let font = FontRef::from_index(self.font.data.data(), self.font.index).ok()?;
        let glyph = largest_picture(&font, GlyphId::new(self.id))?;
        let pixels = match glyph.data {
            BitmapData::Png(png) => Pixels::decode(png).ok()?,
            BitmapData::Bgra(bytes) => from_bgra(glyph.width, glyph.height, bytes)?,
            BitmapData::Mask(_) => return None,
        };
        // Of `sbix` the size is the one that the file's header says.
        let is_as_said = (pixels.width(), pixels.height()) == (self.width, self.height);
        is_as_said.then_some(pixels)
    }
}

/// From the picture's pixels to ems from the glyph's origin, y down.
fn place(glyph: &BitmapGlyph<'_>, units_per_em: f64) -> Affine {
    let [x, y, inner_x, inner_y, ppem_x, ppem_y] = [
        glyph.bearing_x,
        glyph.bearing_y,
        glyph.inner_bearing_x,
        glyph.inner_bearing_y,
        glyph.ppem_x,
        glyph.ppem_y,
    ]
    .map(f64::from);
    let rows_above = match glyph.placement_origin {
        Origin::TopLeft => 0.0,
        Origin::BottomLeft => f64::from(glyph.height),
    };
    let origin = Affine::translate(x / units_per_em, -y / units_per_em);
    let pixels = Affine::scale(1.0 / ppem_x, 1.0 / ppem_y);
    origin.after(pixels).after(Affine::translate(inner_x, -inner_y - rows_above))
}

/// From samples that are multiplied by their alpha.
fn from_bgra(width: u32, height: u32, bytes: &[u8]) -> Option<Pixels> {
    let (samples, _) = bytes.as_chunks::<4>();
    let rgba = samples.iter().flat_map(|[b, g, r, a]| {
        let [r, g, b] = [*r, *g, *b].map(|sample| {
            (u32::from(sample) * 255).checked_div(u32::from(*a)).unwrap_or(0).min(255) as u8
        });
        [r, g, b, *a]
    });
    Pixels::from_rgba(width, height, rgba.collect()).ok()
}
