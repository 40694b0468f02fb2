//! Glyphs with colours of their own: areas and gradients where SVG has them, else pictures.

use skrifa::color::CompositeMode;
use tiny_skia::{Path, SpreadMode, Transform};

use crate::base::{Affine, Pixels, Rgba};
use crate::render::geometry::boxes::bounds_of;
use crate::render::geometry::far_path;
use crate::render::scene::SceneNode;
use crate::render::text::glyph::brush::{Brush, GradientLine};
use crate::render::text::glyph::colored::{ColoredGlyph, GlyphForm};
use crate::render::text::glyph::figure::{Figure, FigurePart, PaintedArea};

use super::exporter::{Exporter, PaintMode, SvgClip};
use super::geometry::{path_data, single_precision};
use super::markup::{Attributes, Markup};
use super::number::{coefficient, hex, matrix, rgb, share};
use super::picture;

/// Where the marks of a figure are written.
struct Pencil {
    id: String,
    sheet_from_font: Affine,
    /// The same, in the rasteriser's numbers.
    transform: Transform,
    text_color: Rgba,
}

impl Exporter<'_> {
    /// A coloured glyph; `attributes` are what the node does to it.
    pub(super) fn glyph(
        &mut self,
        node: &SceneNode<'_>,
        glyph: &ColoredGlyph,
        (clip, attributes): (&SvgClip, &Attributes),
        to: &mut Markup,
    ) {
        let mut inside = Markup::default();
        match &glyph.form {
            GlyphForm::Figure(figure) if figure.is_plain() => {
                self.figure(node, figure, glyph, &mut inside);
            }
            GlyphForm::Figure(_) | GlyphForm::Bitmap(_) => {
                self.pictured_glyph(node, glyph, clip, &mut inside);
            }
        }
        let around = attributes.clone().with_some("clip-path", clip.pending());
        if around.is_empty() {
            to.append(&inside);
        } else {
            to.around("g", &around, &inside);
        }
    }

    fn figure(
        &mut self,
        node: &SceneNode<'_>,
        figure: &Figure,
        glyph: &ColoredGlyph,
        to: &mut Markup,
    ) {
        let sheet_from_font = self.sheet_from(node).after(glyph.text_from_form);
        let Some(transform) = single_precision(sheet_from_font) else { return };
        let id = format!("glyph-{}", node.node.id);
        let pencil = Pencil { id, sheet_from_font, transform, text_color: glyph.text_color };
        self.marks(&pencil, &figure.marks, to);
    }

    fn marks(&mut self, pencil: &Pencil, marks: &[FigurePart], to: &mut Markup) {
        for mark in marks {
            match mark {
                FigurePart::Fill { region, brush } => self.mark(pencil, region, brush, to),
                FigurePart::Layer { mode: CompositeMode::SrcOver, marks } => {
                    self.marks(pencil, marks, to);
                }
                // `is_plain` lets no other mode come here.
                FigurePart::Layer { .. } => {}
            }
        }
    }

    fn mark(&mut self, pencil: &Pencil, region: &PaintedArea, brush: &Brush, to: &mut Markup) {
        let Some(data) = region.path.as_ref().and_then(|path| self.data(pencil, path)) else {
            return;
        };
        // After the data: a clip is defined for good, and there would be nothing to cut.
        let Some(clip) = self.within(pencil, region) else { return };
        let fill = match self.paint_mode {
            PaintMode::Silhouette(color) => Some(Attributes::default().with("fill", hex(color))),
            PaintMode::Colors => self.brush(pencil, brush),
        };
        let Some(fill) = fill else { return };
        to.leaf("path", &Attributes::default().with("d", data).and(&fill).and(&clip));
    }

    fn data(&self, pencil: &Pencil, path: &Path) -> Option<String> {
        let size = (self.sheet.size.width as u32, self.sheet.size.height as u32);
        let placed = far_path::near(path, pencil.transform, size)?;
        Some(path_data(&placed, self.sheet.precision))
    }

    /// The clip to the areas around a region, one within another, if there are any; `None` if nothing
    /// is left.
    fn within(&mut self, pencil: &Pencil, region: &PaintedArea) -> Option<Attributes> {
        let mut clip: Option<String> = None;
        for path in &region.within {
            let mut inside = Markup::default();
            inside.leaf("path", &Attributes::default().with("d", self.data(pencil, path)?));
            let outer = Attributes::default().with_some("clip-path", clip.as_ref());
            // Each clip refers to the one around it: so what they have in common is left.
            clip = Some(self.definitions.add(&pencil.id, "clipPath", &outer, &inside));
        }
        Some(Attributes::default().with_some("clip-path", clip))
    }

    fn brush(&mut self, pencil: &Pencil, brush: &Brush) -> Option<Attributes> {
        match brush {
            Brush::Solid(hue) => {
                let color = hue.in_text(pencil.text_color);
                let opacity = (color.a < 1.0).then(|| share(color.a));
                let fill = Attributes::default().with("fill", rgb(color));
                Some(fill.with_some("fill-opacity", opacity))
            }
            Brush::Gradient { line, stops, extend, font_from_line } => {
                let (tag, place) = line_attributes(*line)?;
                // The gradient stays in the units of the font, and its matrix brings it onto the sheet.
                let map = pencil.sheet_from_font.after(affine(*font_from_line));
                let spread = match extend {
                    SpreadMode::Pad => None,
                    SpreadMode::Repeat => Some("repeat"),
                    SpreadMode::Reflect => Some("reflect"),
                };
                let attributes = place
                    .with("gradientUnits", "userSpaceOnUse")
                    .with("gradientTransform", matrix(map))
                    .with_some("spreadMethod", spread);
                let mut inside = Markup::default();
                for (at, hue) in stops {
                    let color = hue.in_text(pencil.text_color);
                    let opacity = (color.a < 1.0).then(|| share(color.a));
                    let stop = Attributes::default().with("offset", share(f64::from(*at)));
                    let stop = stop.with("stop-color", rgb(color));
                    inside.leaf("stop", &stop.with_some("stop-opacity", opacity));
                }
                let server = self.definitions.add(&pencil.id, tag, &attributes, &inside);
                Some(Attributes::default().with("fill", server))
            }
        }
    }

    /// A picture of the glyph.
    fn pictured_glyph(
        &mut self,
        node: &SceneNode<'_>,
        glyph: &ColoredGlyph,
        clip: &SvgClip,
        to: &mut Markup,
    ) {
        let sheet_from_text = self.sheet_from(node);
        // A pixel more on every side, as far as smoothed edges reach.
        let around = bounds_of(sheet_from_text, glyph.bounds).expand(1.0);
        let Some(seen) = around.intersection(clip.bounds.expand(1.0)) else { return };
        // As fine as the pixels allow that are left to the pictures of this file.
        let (columns, rows) = picture::extent(seen, &mut self.picture_pixels_left);
        let (width, height) = (f64::from(columns), f64::from(rows));
        let stretch = Affine::scale(width / seen.width, height / seen.height);
        let device_from_sheet = stretch.after(Affine::translate(-seen.x, -seen.y));
        let all = crate::base::Rect::new(0.0, 0.0, width, height);
        let Some(mut drawn) = glyph.picture(device_from_sheet.after(sheet_from_text), all) else {
            return;
        };
        if let PaintMode::Silhouette([r, g, b]) = self.paint_mode {
            drawn.tint(Rgba::from_u8([r, g, b, 255]));
        }
        let (columns, rows) = (drawn.pixmap.width(), drawn.pixmap.height());
        let pixels = Pixels::from_rgba(columns, rows, drawn.pixmap.take_demultiplied());
        let Some(href) = pixels.ok().and_then(|pixels| picture::data_uri(&pixels)) else { return };
        let image = self.sheet.region_attributes(seen).with("preserveAspectRatio", "none");
        to.leaf("image", &image.with("href", href));
    }
}

fn numbers(named: &[(&str, f32)]) -> Attributes {
    // Fonts may say what no gradient can have; the default then stands.
    let finite = named.iter().filter(|(_, value)| value.is_finite());
    finite.fold(Attributes::default(), |attributes, (name, value)| {
        attributes.with(name, coefficient(f64::from(*value)))
    })
}

/// The element of a gradient with where it lies; `None` for one around a centre.
fn line_attributes(line: GradientLine) -> Option<(&'static str, Attributes)> {
    match line {
        GradientLine::Linear { start, end } => {
            let place = [("x1", start.x), ("y1", start.y), ("x2", end.x), ("y2", end.y)];
            Some(("linearGradient", numbers(&place)))
        }
        GradientLine::Radial { start: (focus, inner), end: (center, radius) } => {
            let end = [("cx", center.x), ("cy", center.y), ("r", radius)];
            let start = [("fx", focus.x), ("fy", focus.y), ("fr", inner)];
            Some(("radialGradient", numbers(&end).and(&numbers(&start))))
        }
        GradientLine::Sweep { .. } => None,
    }
}

fn affine(map: Transform) -> Affine {
    let [a, b, c, d, e, f] = [map.sx, map.ky, map.kx, map.sy, map.tx, map.ty].map(f64::from);
    Affine { a, b, c, d, e, f }
}
