//! Coloured glyphs, and how much texts cover, in pixels.

use std::sync::Arc;

use skrifa::color::CompositeMode;
use tiny_skia::{
    BlendMode, FillRule, FilterQuality, GradientStop, LinearGradient, Mask, Paint, Path, Pattern,
    Pixmap, Point, RadialGradient, Rect as SkiaRect, Shader, SpreadMode, SweepGradient, Transform,
};

use crate::base::{Affine, Limits, Rect, Rgba, Size};
use crate::design::TextContent;
use crate::render::geometry::far_path;
use crate::render::text::glyph::areas;
use crate::render::text::glyph::brush::{Brush, GradientLine};
use crate::render::text::glyph::colored::{self, ColoredGlyph, GlyphForm};
use crate::render::text::glyph::figure::{FigurePart, PaintedArea};
use crate::render::text::layout;
use crate::render::text::typesetter::Typesetter;

use super::color::skia_color;
use super::picture;
use super::surface::Surface;

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

impl ColoredGlyph {
    /// The glyph as it is seen within `visible`, a box of device space; `None` if that is nothing.
    pub(crate) fn picture(&self, device_from_text: Affine, visible: Rect) -> Option<Surface> {
        let device_from_form = device_from_text.after(self.text_from_form);
        match &self.form {
            GlyphForm::Figure(figure) => {
                let mut surface = Surface::over(visible, 0)?;
                let transform = surface.transform(device_from_form)?;
                let canvas = Canvas { transform, text_color: self.text_color };
                canvas.draw(&figure.marks, &mut surface.pixmap);
                Some(surface)
            }
            GlyphForm::Bitmap(bitmap) => {
                picture::seen(&bitmap.pixels()?, device_from_form, visible)
            }
        }
    }
}

/// Where marks are drawn.
#[derive(Clone, Copy)]
struct Canvas {
    /// From font units to the pixels.
    transform: Transform,
    text_color: Rgba,
}

impl Canvas {
    fn draw(self, marks: &[FigurePart], to: &mut Pixmap) {
        for mark in marks {
            match mark {
                FigurePart::Fill { region, brush } => self.fill(region, brush, to),
                FigurePart::Layer { mode, marks } => self.layer(*mode, marks, to),
            }
        }
    }

    fn fill(self, region: &PaintedArea, brush: &Brush, to: &mut Pixmap) {
        let Some(mut shader) = shader(brush, self.text_color) else { return };
        shader.transform(self.transform);
        let paint = Paint { shader, ..Paint::default() };
        let mask = self.mask(&region.within, to);
        match &region.path {
            Some(path) => {
                let Some(path) = self.placed(path, to) else { return };
                to.fill_path(
                    &path,
                    &paint,
                    FillRule::Winding,
                    Transform::identity(),
                    mask.as_ref(),
                );
            }
            None => fill_all(to, &paint),
        }
    }

    fn placed(self, path: &Path, on: &Pixmap) -> Option<Path> {
        far_path::near(path, self.transform, (on.width(), on.height()))
    }

    /// What the areas have in common; `None` if there are none.
    fn mask(self, areas: &[Arc<Path>], on: &Pixmap) -> Option<Mask> {
        let (first, others) = areas.split_first()?;
        let mut mask = Mask::new(on.width(), on.height())?;
        if let Some(path) = self.placed(first, on) {
            mask.fill_path(&path, FillRule::Winding, true, Transform::identity());
        }
        for other in others {
            match self.placed(other, on) {
                Some(path) => {
                    mask.intersect_path(&path, FillRule::Winding, true, Transform::identity());
                }
                // Nothing of this area is near the picture, so nothing is common to all.
                None => mask.clear(),
            }
        }
        Some(mask)
    }

    fn layer(self, mode: CompositeMode, marks: &[FigurePart], to: &mut Pixmap) {
        let Some(mut layer) = Pixmap::new(to.width(), to.height()) else { return };
        self.draw(marks, &mut layer);
        let identity = Transform::identity();
        let (spread, quality) = (SpreadMode::Pad, FilterQuality::Nearest);
        let shader: Shader<'_> = Pattern::new(layer.as_ref(), spread, quality, 1.0, identity);
        let blend_mode = blend_mode(mode);
        fill_all(to, &Paint { shader, blend_mode, anti_alias: false, ..Paint::default() });
    }
}

/// What fills with `brush`, in font units; `None` if that is nothing.
fn shader(brush: &Brush, text: Rgba) -> Option<Shader<'static>> {
    match brush {
        Brush::Solid(hue) => Some(Shader::SolidColor(skia_color(hue.in_text(text), 1.0))),
        Brush::Gradient { line, stops, extend, font_from_line } => {
            let stops = stops
                .iter()
                .map(|(at, hue)| GradientStop::new(*at, skia_color(hue.in_text(text), 1.0)));
            line_shader(*line, stops.collect(), *extend, *font_from_line)
        }
    }
}

fn line_shader(
    line: GradientLine,
    stops: Vec<GradientStop>,
    extend: SpreadMode,
    map: Transform,
) -> Option<Shader<'static>> {
    match line {
        GradientLine::Linear { start, end } => LinearGradient::new(start, end, stops, extend, map),
        GradientLine::Radial { start: (c0, r0), end: (c1, r1) } => {
            RadialGradient::new(c0, r0, c1, r1, stops, extend, map)
        }
        GradientLine::Sweep { center, start, end } => {
            // Angles are clockwise where y runs down; here it runs up.
            // The sweep is laid around the origin and turned over there, not at the font's baseline.
            let map = map.pre_translate(center.x, center.y).pre_scale(1.0, -1.0);
            SweepGradient::new(Point::zero(), start, end, stops, extend, map)
        }
    }
}

fn fill_all(pixmap: &mut Pixmap, paint: &Paint<'_>) {
    let size = (pixmap.width() as f32, pixmap.height() as f32);
    if let Some(all) = SkiaRect::from_xywh(0.0, 0.0, size.0, size.1) {
        pixmap.fill_rect(all, paint, Transform::identity(), None);
    }
}

fn blend_mode(mode: CompositeMode) -> BlendMode {
    match mode {
        CompositeMode::Clear => BlendMode::Clear,
        CompositeMode::Src => BlendMode::Source,
        CompositeMode::Dest => BlendMode::Destination,
        CompositeMode::DestOver => BlendMode::DestinationOver,
        CompositeMode::SrcIn => BlendMode::SourceIn,
        CompositeMode::DestIn => BlendMode::DestinationIn,
        CompositeMode::SrcOut => BlendMode::SourceOut,
        CompositeMode::DestOut => BlendMode::DestinationOut,
        CompositeMode::SrcAtop => BlendMode::SourceAtop,
        CompositeMode::DestAtop => BlendMode::DestinationAtop,
        CompositeMode::Xor => BlendMode::Xor,
        CompositeMode::Plus => BlendMode::Plus,
        CompositeMode::Screen => BlendMode::Screen,
        CompositeMode::Overlay => BlendMode::Overlay,
        CompositeMode::Darken => BlendMode::Darken,
        CompositeMode::Lighten => BlendMode::Lighten,
        CompositeMode::ColorDodge => BlendMode::ColorDodge,
        CompositeMode::ColorBurn => BlendMode::ColorBurn,
        CompositeMode::HardLight => BlendMode::HardLight,
        CompositeMode::SoftLight => BlendMode::SoftLight,
        CompositeMode::Difference => BlendMode::Difference,
        CompositeMode::Exclusion => BlendMode::Exclusion,
        CompositeMode::Multiply => BlendMode::Multiply,
        CompositeMode::HslHue => BlendMode::Hue,
        CompositeMode::HslSaturation => BlendMode::Saturation,
        CompositeMode::HslColor => BlendMode::Color,
        CompositeMode::HslLuminosity => BlendMode::Luminosity,
        // A mode that is not known is drawn over what is there, which is better than not at all.
        _ => BlendMode::SourceOver,
    }
}

/// See [`text_coverage`](crate::render::text_coverage).
pub(crate) fn text_coverage(
    typesetter: &Typesetter,
    content: &TextContent,
    size: Size,
) -> Option<Coverage> {
    let longest = f64::from(Limits::IMAGE_SIDE);
    // A text box of a broken file may be a million pixels wide.
    let is_drawable = [size.width, size.height].iter().all(|it| (0.0..=longest).contains(it))
        && size.width * size.height <= Limits::IMAGE_PIXELS as f64;
    let mut mask =
        Mask::new(size.width.ceil() as u32, size.height.ceil() as u32).filter(|_| is_drawable)?;
    let layout = layout::in_box(&typesetter.shaper, content, size);
    for (_, area) in areas::of(&typesetter.outlines, &layout) {
        mask.fill_path(&area.path, area.rule, true, Transform::identity());
    }
    for glyph in colored::glyphs(&typesetter.outlines, &typesetter.colors, &layout, |_| Rgba::BLACK)
    {
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
            // Glyphs seldom overlap; where they do, the more opaque one counts.
            *covered = (*covered).max(pixel.alpha());
        }
    }
}

#[cfg(test)]
mod tests {
    use parley::FontData;
    use parley::fontique::Blob;
    use proptest::prelude::*;

    use super::*;
    use crate::render::text::font::face::Face;
    use crate::render::text::glyph::colored::ColorCache;
    use crate::render::text::glyph::outlines::OutlineCache;
    use crate::render::text::layout::text_layout::PlacedGlyph;

    const VERSION_0: &[u8] = include_bytes!("../../../tests/data/fonts/colour-v0.ttf");
    const VERSION_1: &[u8] = include_bytes!("../../../tests/data/fonts/colour-v1.ttf");
    const OTHERS: [&[u8]; 3] = [
        include_bytes!("../../../tests/data/fonts/gradients.ttf"),
        include_bytes!("../../../tests/data/fonts/pictures-cbdt.ttf"),
        include_bytes!("../../../tests/data/fonts/pictures-sbix.ttf"),
    ];
    const RED: Rgba = Rgba { r: 1.0, g: 0.0, b: 0.0, a: 1.0 };
    /// Draws the first glyphs of a font at 20 pixels an em.
    fn draw(file: Vec<u8>) -> usize {
        let font = FontData::new(Blob::new(Arc::new(file)), 0);
        let face = Face { is_italic: false, size: 20.0, coords: Vec::new(), slant: 0.0, font };
        let (outlines, colors) = (OutlineCache::default(), ColorCache::default());
        let colored = (0..8).filter_map(|id| {
            let (x, y, advance) = (10.0, 30.0, 20.0);
            let placed = PlacedGlyph { id, x, y, advance, face: 0, style: 0, text_start: 0 };
            let glyph = ColoredGlyph::of(&outlines, &colors, &face, &placed, RED)?;
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
}
