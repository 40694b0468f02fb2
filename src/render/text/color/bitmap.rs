//! Glyphs that are pictures: the tables `CBDT` and `sbix`.

use std::sync::{Arc, OnceLock};

use parley::FontData;
use skrifa::bitmap::{BitmapData, BitmapGlyph, BitmapStrikes, Origin};
use skrifa::instance::Size as FontSize;
use skrifa::raw::TableProvider as _;
use skrifa::{FontRef, GlyphId};

use crate::base::{Affine, Pixels, Rect};
use crate::render::text::face::Face;
use crate::render::text::typesetter::{GlyphKey, Typesetter};

/// Pictures kept decoded; some 70 kB each.
const KEPT_PICTURES: usize = 512;

/// The largest picture that a font has of a glyph. It is decoded when it is drawn.
#[derive(Debug)]
pub(in crate::render) struct Bitmap {
    font: FontData,
    id: u32,
    width: u32,
    height: u32,
    decoded: OnceLock<Option<Pixels>>,
}

/// Whether the font has a picture in colours of the glyph.
pub(super) fn is_there(font: &FontRef<'_>, id: GlyphId) -> bool {
    largest(font, id).is_some()
}

/// Black and white ones of old fonts are not meant: those have outlines too.
fn largest<'f>(font: &FontRef<'f>, id: GlyphId) -> Option<BitmapGlyph<'f>> {
    let glyph = BitmapStrikes::new(font).glyph_for_size(FontSize::unscaled(), id)?;
    let has_colors = matches!(glyph.data, BitmapData::Png(_) | BitmapData::Bgra(_));
    let is_there = glyph.width > 0 && glyph.height > 0;
    let has_size = glyph.ppem_x > 0.0 && glyph.ppem_y > 0.0;
    Some(glyph).filter(|_| has_colors && is_there && has_size)
}

impl Bitmap {
    /// The picture of a glyph, and where it lies: from its pixels to ems from the glyph's origin, y
    /// down.
    pub(super) fn of(typesetter: &Typesetter, face: &Face, id: u32) -> Option<(Arc<Self>, Affine)> {
        let bitmaps = &mut typesetter.color.borrow_mut().bitmaps;
        let key = GlyphKey::new(face, id);
        if let Some(known) = bitmaps.get(&key) {
            return known.clone();
        }
        if bitmaps.len() >= KEPT_PICTURES {
            bitmaps.clear();
        }
        let found = Self::find(face, id).map(|(bitmap, place)| (Arc::new(bitmap), place));
        bitmaps.insert(key, found.clone());
        found
    }

    fn find(face: &Face, id: u32) -> Option<(Self, Affine)> {
        let font = face.font()?;
        let glyph = largest(&font, GlyphId::new(id))?;
        let units_per_em = f64::from(font.head().ok()?.units_per_em().max(1));
        let place = place(&glyph, units_per_em);
        let (width, height, decoded) = (glyph.width, glyph.height, OnceLock::new());
        let bitmap = Self { font: face.font.clone(), id, width, height, decoded };
        place.is_finite().then_some((bitmap, place))
    }

    /// All of it, in its pixels.
    pub(super) fn rect(&self) -> Rect {
        Rect::new(0.0, 0.0, f64::from(self.width), f64::from(self.height))
    }

    /// What it shows; `None` if it cannot be decoded.
    pub(in crate::render) fn pixels(&self) -> Option<Pixels> {
        self.decoded.get_or_init(|| self.decode()).clone()
    }

    fn decode(&self) -> Option<Pixels> {
        let font = FontRef::from_index(self.font.data.data(), self.font.index).ok()?;
        let glyph = largest(&font, GlyphId::new(self.id))?;
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
    let plain = |sample: u8, alpha: u8| match alpha {
        0 => 0,
        _ => (u32::from(sample) * 255 / u32::from(alpha)).min(255) as u8,
    };
    let rgba =
        samples.iter().flat_map(|[b, g, r, a]| [plain(*r, *a), plain(*g, *a), plain(*b, *a), *a]);
    Pixels::from_rgba(width, height, rgba.collect()).ok()
}
