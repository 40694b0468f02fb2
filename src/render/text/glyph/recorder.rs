//! Listens to what a `COLR` glyph paints.

use std::sync::Arc;

use skrifa::color::{Brush as FontBrush, ColorPainter, ColorStop, CompositeMode, Transform};
use skrifa::instance::LocationRef;
use skrifa::metrics::BoundingBox;
use skrifa::{FontRef, GlyphId, MetadataProvider as _};
use tiny_skia::{Path, PathBuilder, Point, Rect as SkiaRect};

use crate::base::Rgba;
use crate::render::geometry::boxes::encloses;
use crate::render::text::font::face::Face;

use super::brush::{Brush, GradientLine, Hue};
use super::figure::{FigurePart, PaintedArea, bounds_of_path};
use super::outlines::OutlineCache;

/// Marks of one glyph beyond this many are left out.
const MOST_MARKS: usize = 4096;
/// The palette entry that stands for the colour of the text.
const TEXT_COLOR: u16 = 0xFFFF;

/// What a glyph paints, bottom first; `None` if it has no colours. A glyph with a fault keeps the
/// marks before it.
pub(crate) fn record(outlines: &OutlineCache, face: &Face, id: u32) -> Option<Vec<FigurePart>> {
    let font = face.font()?;
    let glyph = font.color_glyphs().get(GlyphId::new(id))?;
    let coords = face.coords();
    let mut recorder = Recorder {
        outlines,
        face,
        palette: palette(&font),
        transforms: Vec::new(),
        clips: Vec::new(),
        open: Vec::new(),
        marks: Vec::new(),
        count: 0,
    };
    glyph.paint(LocationRef::new(&coords), &mut recorder).ok();
    // A fault in the font ends the painting wherever it was.
    while !recorder.open.is_empty() {
        recorder.pop_layer();
    }
    Some(recorder.marks)
}

fn palette(font: &FontRef<'_>) -> Vec<Rgba> {
    let palettes = font.color_palettes();
    let colors = palettes.get(0).map(|palette| palette.colors().to_vec()).unwrap_or_default();
    let rgba = colors.iter().map(|color| {
        let rgba = Rgba::from_u8([color.red, color.green, color.blue, 255]);
        rgba.with_alpha(f64::from(color.alpha) / 255.0)
    });
    rgba.collect()
}

struct Recorder<'f> {
    outlines: &'f OutlineCache,
    face: &'f Face,
    palette: Vec<Rgba>,
    transforms: Vec<tiny_skia::Transform>,
    /// `None` for an area without extent, in which nothing shows.
    clips: Vec<Option<GlyphClip>>,
    /// Layers that are not done, each with the marks below it.
    open: Vec<(CompositeMode, Vec<FigurePart>)>,
    marks: Vec<FigurePart>,
    count: usize,
}

#[derive(Clone)]
struct GlyphClip {
    path: Arc<Path>,
    /// Whether it is an upright box.
    is_box: bool,
}

impl Recorder<'_> {
    fn transform(&self) -> tiny_skia::Transform {
        self.transforms.last().copied().unwrap_or_default()
    }

    fn hue(&self, palette_index: u16, alpha: f32) -> Option<Hue> {
        let alpha = f64::from(alpha).clamp(0.0, 1.0);
        if palette_index == TEXT_COLOR {
            return Some(Hue::Text(alpha));
        }
        let color = self.palette.get(usize::from(palette_index))?;
        Some(Hue::Own(color.with_alpha(color.a * alpha)))
    }

    fn stops(&self, stops: &[ColorStop]) -> Option<Vec<(f32, Hue)>> {
        let hues =
            stops.iter().map(|stop| Some((stop.offset, self.hue(stop.palette_index, stop.alpha)?)));
        hues.collect()
    }

    fn brush(&self, brush: &FontBrush<'_>) -> Option<Brush> {
        let point = |p: skrifa::raw::types::Point<f32>| Point::from_xy(p.x, p.y);
        let (line, stops, extend) = match *brush {
            FontBrush::Solid { palette_index, alpha } => {
                return self.hue(palette_index, alpha).map(Brush::Solid);
            }
            FontBrush::LinearGradient { p0, p1, color_stops, extend } => {
                (GradientLine::Linear { start: point(p0), end: point(p1) }, color_stops, extend)
            }
            FontBrush::RadialGradient { c0, r0, c1, r1, color_stops, extend } => {
                let line = GradientLine::Radial { start: (point(c0), r0), end: (point(c1), r1) };
                (line, color_stops, extend)
            }
            FontBrush::SweepGradient { c0, start_angle, end_angle, color_stops, extend } => {
                let line =
                    GradientLine::Sweep { center: point(c0), start: start_angle, end: end_angle };
                (line, color_stops, extend)
            }
        };
        Brush::gradient(line, self.stops(stops)?, extend, self.transform())
    }

    /// What all clips have in common; `None` if that is nothing.
    fn region(&self) -> Option<PaintedArea> {
        let clips: Option<Vec<&GlyphClip>> = self.clips.iter().map(Option::as_ref).collect();
        let clips = clips?;
        let Some((inner, around)) = clips.split_last() else {
            return Some(PaintedArea { path: None, within: Vec::new() });
        };
        let bounds = bounds_of_path(&inner.path);
        // A glyph's clip box cuts nothing as a rule, and would cost a mask.
        let cutting = around
            .iter()
            .filter(|clip| !(clip.is_box && encloses(bounds_of_path(&clip.path), bounds)));
        let within = cutting.map(|clip| Arc::clone(&clip.path)).collect();
        Some(PaintedArea { path: Some(Arc::clone(&inner.path)), within })
    }

    fn push_clip(&mut self, path: Option<Path>, is_box: bool) {
        let path = path.and_then(|path| path.transform(self.transform()));
        let transform = self.transform();
        let is_box = is_box && transform.kx == 0.0 && transform.ky == 0.0;
        self.clips.push(path.map(|path| GlyphClip { path: Arc::new(path), is_box }));
    }
}

impl ColorPainter for Recorder<'_> {
    fn push_transform(&mut self, transform: Transform) {
        let Transform { xx, yx, xy, yy, dx, dy } = transform;
        let inner = tiny_skia::Transform::from_row(xx, yx, xy, yy, dx, dy);
        self.transforms.push(self.transform().pre_concat(inner));
    }

    fn pop_transform(&mut self) {
        self.transforms.pop();
    }

    fn push_clip_glyph(&mut self, glyph_id: GlyphId) {
        let outline = self.outlines.get(self.face, glyph_id.to_u32());
        self.push_clip(outline.map(|path| Path::clone(&path)), false);
    }

    fn push_clip_box(&mut self, clip_box: BoundingBox) {
        let BoundingBox { x_min, y_min, x_max, y_max } = clip_box;
        let rect = SkiaRect::from_ltrb(x_min, y_min, x_max, y_max);
        self.push_clip(rect.map(PathBuilder::from_rect), true);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn fill(&mut self, brush: FontBrush<'_>) {
        self.count += 1;
        // Glyphs may use one another, so a small font can paint very much.
        if self.count > MOST_MARKS {
            return;
        }
        if let (Some(region), Some(brush)) = (self.region(), self.brush(&brush)) {
            self.marks.push(FigurePart::Fill { region, brush });
        }
    }

    fn push_layer(&mut self, composite_mode: CompositeMode) {
        self.open.push((composite_mode, std::mem::take(&mut self.marks)));
    }

    fn pop_layer(&mut self) {
        let Some((mode, below)) = self.open.pop() else { return };
        let marks = std::mem::replace(&mut self.marks, below);
        self.count += 1;
        if self.count <= MOST_MARKS {
            self.marks.push(FigurePart::Layer { mode, marks });
        }
    }
}
