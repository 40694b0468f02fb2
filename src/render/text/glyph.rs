//! Outlines of glyphs.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

use skrifa::instance::{LocationRef, NormalizedCoord, Size as FontSize};
use skrifa::outline::{DrawSettings, OutlinePen};
use skrifa::{FontRef, GlyphId, MetadataProvider as _, raw::TableProvider as _};
use tiny_skia::{FillRule, Mask, Path, PathBuilder, Transform};

use crate::base::{Limits, Size};
use crate::design::TextContent;

use super::engine::{ITALIC, UPRIGHT};
use super::layout::{PlacedGlyph, TextLayout};

/// Outlines kept in memory, a thread; some 2 kB each.
const CACHED_OUTLINES: usize = 4096;

/// A font at a size and a place on its variation axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Whether it is the italic file.
    pub is_italic: bool,
    /// Pixels per em.
    pub size: f64,
    /// Normalised coordinates on the variation axes, in 2.14 fixed point.
    pub coords: Vec<i16>,
}

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

static FONTS: LazyLock<[Option<FontRef<'static>>; 2]> =
    LazyLock::new(|| [UPRIGHT, ITALIC].map(|file| FontRef::new(file).ok()));

/// An outline by its font, coordinates and glyph.
type Key = (bool, Vec<i16>, u32);

thread_local! {
    static OUTLINES: RefCell<HashMap<Key, Option<Rc<Path>>>> = RefCell::default();
}

impl Face {
    pub(super) fn of_run(run: &parley::layout::Run<'_, u32>) -> Self {
        let coords = run.normalized_coords().iter().map(|coord| coord.to_bits()).collect();
        let is_italic = std::ptr::eq(run.font().data.data().as_ptr(), ITALIC.as_ptr());
        Self { is_italic, size: f64::from(run.font_size()), coords }
    }

    fn font(&self) -> Option<&'static FontRef<'static>> {
        FONTS[usize::from(self.is_italic)].as_ref()
    }

    /// Pixels a font unit.
    fn scale(&self) -> f64 {
        let units = self.font().and_then(|font| font.head().ok()).map(|head| head.units_per_em());
        self.size / f64::from(units.unwrap_or(1).max(1))
    }
}

/// The outline of glyph `id` in font units, y up; `None` if it is empty.
fn outline(face: &Face, id: u32) -> Option<Rc<Path>> {
    let key = (face.is_italic, face.coords.clone(), id);
    OUTLINES.with_borrow_mut(|outlines| {
        if let Some(known) = outlines.get(&key) {
            return known.clone();
        }
        if outlines.len() >= CACHED_OUTLINES {
            outlines.clear();
        }
        let drawn = draw_outline(face, id).map(Rc::new);
        outlines.insert(key, drawn.clone());
        drawn
    })
}

fn draw_outline(face: &Face, id: u32) -> Option<Path> {
    let coords: Vec<_> = face.coords.iter().map(|bits| NormalizedCoord::from_bits(*bits)).collect();
    let location = LocationRef::new(&coords);
    let glyph = face.font()?.outline_glyphs().get(GlyphId::new(id))?;
    let mut pen = PathPen(PathBuilder::new());
    glyph.draw(DrawSettings::unhinted(FontSize::unscaled(), location), &mut pen).ok()?;
    pen.0.finish()
}

/// The outlines of `glyphs` as one path in the text's space.
pub(super) fn combined_path<'g>(
    layout: &TextLayout,
    glyphs: impl Iterator<Item = &'g PlacedGlyph>,
) -> Option<Path> {
    let mut path = PathBuilder::new();
    for glyph in glyphs {
        let Some(face) = layout.faces.get(glyph.face) else { continue };
        let Some(outline) = outline(face, glyph.id) else { continue };
        let scale = face.scale() as f32;
        let (x, y) = (glyph.x as f32, glyph.y as f32);
        let placed =
            Path::clone(&outline).transform(Transform::from_row(scale, 0.0, 0.0, -scale, x, y));
        if let Some(placed) = placed {
            path.push_path(&placed);
        }
    }
    path.finish()
}

/// How `content` covers the pixels of a box of `size`, one pixel a unit: the shape of its glyphs,
/// whatever its fills. `None` if the box has no area or is larger than a picture may be.
pub fn coverage(content: &TextContent, size: Size) -> Option<Coverage> {
    let is_picture = |extent: f64| (0.0..=f64::from(Limits::IMAGE_SIDE)).contains(&extent);
    let is_drawable = is_picture(size.width)
        && is_picture(size.height)
        && size.width * size.height <= Limits::IMAGE_PIXELS as f64;
    let mut mask =
        Mask::new(size.width.ceil() as u32, size.height.ceil() as u32).filter(|_| is_drawable)?;
    let layout = super::layout(content, size);
    for line in &layout.lines {
        if let Some(path) = combined_path(&layout, line.glyphs.iter()) {
            mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
        }
    }
    Some(Coverage { width: mask.width(), height: mask.height(), values: mask.take() })
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
