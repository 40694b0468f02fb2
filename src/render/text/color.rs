//! Glyphs in colours of their own: the layers of `COLR` tables, versions 0 and 1.
//!
//! What is drawn otherwise: a gradient is the mean of its stops; of nested clips only the innermost
//! counts; layers lie over one another whatever their compositing. Pictures in fonts (`CBDT`, `sbix`,
//! `SVG`) are not drawn: [`super::machine`] takes no font for a character that it has only so.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use skrifa::color::{Brush, ColorPainter, ColorStop, CompositeMode, Transform};
use skrifa::instance::LocationRef;
use skrifa::metrics::BoundingBox;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{FillRule, Path};

use crate::base::Rgba;
use crate::design::Paint;

use super::super::shape::FilledPath;
use super::engine::{ITALIC, UPRIGHT};
use super::face::Face;
use super::glyph;
use super::layout::{PlacedGlyph, TextLayout};

/// Layers of one glyph beyond this many are left out.
const MOST_LAYERS: usize = 4096;
/// Colours beyond this many are drawn as the text is; there are some hundreds in a font.
const MOST_COLORS: usize = 65_536;
/// The palette entry that stands for the colour of the text.
const TEXT_COLOR: u16 = 0xFFFF;

/// A part of a coloured glyph.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) area: FilledPath,
    /// `None` for what has the colour of the text.
    pub(super) paint: Option<&'static Paint>,
    /// Key of the style override its character has.
    pub(super) style: u32,
}

/// Whether the glyph has colours of its own.
pub(super) fn is_colored(face: &Face, id: u32) -> bool {
    let is_vendored = face.font == *UPRIGHT || face.font == *ITALIC;
    let glyph = |font: FontRef<'_>| font.color_glyphs().get(GlyphId::new(id)).is_some();
    !is_vendored && face.font().is_some_and(glyph)
}

/// The layers of all coloured glyphs of a text, bottom first.
pub(super) fn layers(layout: &TextLayout) -> Vec<Layer> {
    let glyphs = layout.lines.iter().flat_map(|line| &line.glyphs);
    glyphs.flat_map(|glyph| placed_layers(layout, glyph)).collect()
}

fn placed_layers(layout: &TextLayout, glyph: &PlacedGlyph) -> Vec<Layer> {
    let Some(face) = layout.faces.get(glyph.face) else { return Vec::new() };
    if !is_colored(face, glyph.id) {
        return Vec::new();
    }
    let place = glyph::place(face, glyph);
    let placed = glyph_layers(face, glyph.id).into_iter().filter_map(|(path, color)| {
        let area = FilledPath::new(path.transform(place)?, FillRule::Winding);
        Some(Layer { area, paint: color.and_then(paint_of), style: glyph.style })
    });
    placed.collect()
}

/// Outlines in font units with their colours, `None` for that of the text; bottom first.
fn glyph_layers(face: &Face, id: u32) -> Vec<(Path, Option<Rgba>)> {
    let Some(font) = face.font() else { return Vec::new() };
    let Some(glyph) = font.color_glyphs().get(GlyphId::new(id)) else { return Vec::new() };
    let coords = face.coords();
    let mut painter = LayerPainter {
        face,
        palette: palette(&font),
        transforms: Vec::new(),
        clips: Vec::new(),
        layers: Vec::new(),
    };
    // A glyph with a fault keeps the layers before it.
    glyph.paint(LocationRef::new(&coords), &mut painter).ok();
    painter.layers
}

fn palette(font: &FontRef<'_>) -> Vec<Rgba> {
    let palettes = font.color_palettes();
    let colors = palettes.get(0).map(|palette| palette.colors().to_vec()).unwrap_or_default();
    let rgba = colors.iter().map(|color| {
        let mut rgba = Rgba::from_u8([color.red, color.green, color.blue, 255]);
        rgba.a = f64::from(color.alpha) / 255.0;
        rgba
    });
    rgba.collect()
}

/// A paint that lives as long as the program, as the fonts of the machine do: a scene's ink refers to
/// paints of the document, and these are in none. There are no more than [`MOST_COLORS`].
fn paint_of(color: Rgba) -> Option<&'static Paint> {
    static PAINTS: Mutex<BTreeMap<[u8; 4], &'static Paint>> = Mutex::new(BTreeMap::new());
    let byte = |channel: f64| (channel.clamp(0.0, 1.0) * 255.0).round() as u8;
    let key = [byte(color.r), byte(color.g), byte(color.b), byte(color.a)];
    let mut paints = PAINTS.lock().unwrap_or_else(PoisonError::into_inner);
    if !paints.contains_key(&key) && paints.len() >= MOST_COLORS {
        return None;
    }
    Some(paints.entry(key).or_insert_with(|| Box::leak(Box::new(Paint::solid(color)))))
}

/// Gathers what a glyph paints.
struct LayerPainter<'f> {
    face: &'f Face,
    palette: Vec<Rgba>,
    transforms: Vec<tiny_skia::Transform>,
    clips: Vec<Option<Path>>,
    layers: Vec<(Path, Option<Rgba>)>,
}

impl LayerPainter<'_> {
    fn transform(&self) -> tiny_skia::Transform {
        self.transforms.last().copied().unwrap_or_default()
    }

    fn color(&self, palette_index: u16, alpha: f32) -> Option<Rgba> {
        let color = self.palette.get(usize::from(palette_index)).copied();
        let color = color.filter(|_| palette_index != TEXT_COLOR)?;
        Some(color.with_alpha(color.a * f64::from(alpha)))
    }

    fn mean(&self, stops: &[ColorStop]) -> Option<Rgba> {
        let colors: Option<Vec<_>> =
            stops.iter().map(|stop| self.color(stop.palette_index, stop.alpha)).collect();
        let colors = colors.filter(|colors| !colors.is_empty())?;
        let mean = |channel: fn(&Rgba) -> f64| {
            colors.iter().map(channel).sum::<f64>() / colors.len() as f64
        };
        Some(Rgba::new(mean(|c| c.r), mean(|c| c.g), mean(|c| c.b), mean(|c| c.a)))
    }
}

impl ColorPainter for LayerPainter<'_> {
    fn push_transform(&mut self, transform: Transform) {
        let Transform { xx, yx, xy, yy, dx, dy } = transform;
        let inner = tiny_skia::Transform::from_row(xx, yx, xy, yy, dx, dy);
        self.transforms.push(self.transform().pre_concat(inner));
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }

    fn push_clip_glyph(&mut self, glyph_id: GlyphId) {
        let outline = glyph::outline(self.face, glyph_id.to_u32());
        let path = outline.and_then(|path| Path::clone(&path).transform(self.transform()));
        self.clips.push(path);
    }

    fn push_clip_box(&mut self, _clip_box: BoundingBox) {
        // Bounds of the glyph; what it paints lies within.
        let around = self.clips.last().cloned().flatten();
        self.clips.push(around);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn fill(&mut self, brush: Brush<'_>) {
        let Some(Some(path)) = self.clips.last() else { return };
        if self.layers.len() >= MOST_LAYERS {
            return;
        }
        let color = match brush {
            Brush::Solid { palette_index, alpha } => self.color(palette_index, alpha),
            Brush::LinearGradient { color_stops, .. }
            | Brush::RadialGradient { color_stops, .. }
            | Brush::SweepGradient { color_stops, .. } => self.mean(color_stops),
        };
        self.layers.push((path.clone(), color));
    }

    fn push_layer(&mut self, _composite_mode: CompositeMode) {}
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parley::FontData;
    use parley::fontique::Blob;

    use super::*;

    const VERSION_0: &[u8] = include_bytes!("../../../tests/data/fonts/colour-v0.ttf");
    const VERSION_1: &[u8] = include_bytes!("../../../tests/data/fonts/colour-v1.ttf");
    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };

    /// The layers of the fonts' only coloured glyph: left end, width and colour.
    fn layers_of(file: &'static [u8]) -> Vec<(f32, f32, Option<Rgba>)> {
        let font = FontData::new(Blob::new(Arc::new(file)), 0);
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!(is_colored(&face, 1) && !is_colored(&face, 2));
        let layers = glyph_layers(&face, 1).into_iter();
        layers.map(|(path, color)| (path.bounds().x(), path.bounds().width(), color)).collect()
    }

    #[test]
    fn layers_lie_one_over_another_and_may_have_the_colour_of_the_text() {
        assert_eq!(layers_of(VERSION_0), [(0.0, 1000.0, Some(RED)), (250.0, 500.0, None)]);
    }

    #[test]
    fn layers_are_moved_and_gradients_are_the_mean_of_their_stops() {
        let blue = Rgba { r: 0.0, g: 0.0, b: 1.0, a: 128.0 / 255.0 };
        let layers = layers_of(VERSION_1);
        assert_eq!(layers.len(), 3);
        assert_eq!(layers[0], (0.0, 1000.0, Some(RED)));
        assert_eq!((layers[1].0, layers[1].2), (350.0, Some(blue)));
        assert_eq!(layers[2], (250.0, 500.0, Some(RED)));
    }

    #[test]
    fn a_colour_has_one_paint() {
        let (one, two) = (paint_of(RED), paint_of(RED));
        assert!(one.zip(two).is_some_and(|(one, two)| std::ptr::eq(one, two)));
    }

    #[test]
    fn a_vendored_letter_has_no_colours() {
        let font = UPRIGHT.clone();
        let face = Face { is_italic: false, size: 10.0, coords: Vec::new(), slant: 0.0, font };
        assert!((0..100).all(|id| !is_colored(&face, id)));
    }
}
