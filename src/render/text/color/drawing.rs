//! Coloured glyphs to pixels.

use skrifa::color::CompositeMode;
use tiny_skia::{
    BlendMode, FillRule, FilterQuality, Mask, Paint, Path, Pattern, Pixmap, Rect as SkiaRect,
    Shader, SpreadMode, Transform,
};

use crate::base::{Affine, Rect, Rgba};

use super::brush::Brush;
use super::figure::{Figure, Mark, Region};
use super::{ColoredGlyph, Form};
use crate::render::far_path;
use crate::render::picture;
use crate::render::surface::Surface;

impl ColoredGlyph {
    /// The glyph as it is seen within `visible`, a box of device space; `None` if that is nothing.
    pub(in crate::render) fn picture(
        &self,
        device_from_text: Affine,
        visible: Rect,
    ) -> Option<Surface> {
        let device_from_form = device_from_text.after(self.text_from_form);
        match &self.form {
            Form::Figure(figure) => figure.draw(device_from_form, visible, self.text_color),
            Form::Bitmap(bitmap) => picture::seen(&bitmap.pixels()?, device_from_form, visible),
        }
    }
}

impl Figure {
    fn draw(&self, device_from_font: Affine, visible: Rect, text_color: Rgba) -> Option<Surface> {
        let mut surface = Surface::over(visible, 0)?;
        let canvas = Canvas { transform: surface.transform(device_from_font)?, text_color };
        canvas.draw(&self.marks, &mut surface.pixmap);
        Some(surface)
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
    fn draw(self, marks: &[Mark], to: &mut Pixmap) {
        for mark in marks {
            match mark {
                Mark::Fill { region, brush } => self.fill(region, brush, to),
                Mark::Layer { mode, marks } => self.layer(*mode, marks, to),
            }
        }
    }

    fn fill(self, region: &Region, brush: &Brush, to: &mut Pixmap) {
        let Some(mut shader) = brush.shader(self.text_color) else { return };
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
    fn mask(self, areas: &[std::sync::Arc<Path>], on: &Pixmap) -> Option<Mask> {
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
                None => mask.clear(),
            }
        }
        Some(mask)
    }

    fn layer(self, mode: CompositeMode, marks: &[Mark], to: &mut Pixmap) {
        let Some(mut layer) = Pixmap::new(to.width(), to.height()) else { return };
        self.draw(marks, &mut layer);
        let identity = Transform::identity();
        let (spread, quality) = (SpreadMode::Pad, FilterQuality::Nearest);
        let shader: Shader<'_> = Pattern::new(layer.as_ref(), spread, quality, 1.0, identity);
        let blend_mode = blend_mode(mode);
        fill_all(to, &Paint { shader, blend_mode, anti_alias: false, ..Paint::default() });
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
        _ => BlendMode::SourceOver,
    }
}
