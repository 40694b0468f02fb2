//! Colours and blend modes of the document in the words of the rasteriser.

use tiny_skia::{Color, PremultipliedColorU8};

use crate::base::Rgba;
use crate::design::BlendMode;
use crate::raster::Blend;

pub(crate) fn skia_color(color: Rgba, opacity: f64) -> Color {
    let color = Rgba::new(color.r, color.g, color.b, color.a * opacity);
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(|channel| channel as f32);
    Color::from_rgba(r, g, b, a).unwrap_or(Color::TRANSPARENT)
}

pub(crate) fn premultiplied(color: Rgba) -> PremultipliedColorU8 {
    let [r, g, b, alpha] = [color.r * color.a, color.g * color.a, color.b * color.a, color.a]
        .map(|value| (value * 255.0).round().clamp(0.0, 255.0) as u8);
    // Rounding must not leave a channel above its alpha: the rasteriser takes no such pixel.
    let [r, g, b] = [r, g, b].map(|channel| channel.min(alpha));
    PremultipliedColorU8::from_rgba(r, g, b, alpha).unwrap_or(PremultipliedColorU8::TRANSPARENT)
}

/// How pixels mix in this mode.
pub(crate) fn blend(mode: BlendMode) -> Blend {
    match mode {
        BlendMode::PassThrough | BlendMode::Normal => Blend::Normal,
        BlendMode::Darken => Blend::Darken,
        BlendMode::Multiply => Blend::Multiply,
        BlendMode::LinearBurn => Blend::LinearBurn,
        BlendMode::ColorBurn => Blend::ColorBurn,
        BlendMode::Lighten => Blend::Lighten,
        BlendMode::Screen => Blend::Screen,
        BlendMode::LinearDodge => Blend::PlusLighter,
        BlendMode::ColorDodge => Blend::ColorDodge,
        BlendMode::Overlay => Blend::Overlay,
        BlendMode::SoftLight => Blend::SoftLight,
        BlendMode::HardLight => Blend::HardLight,
        BlendMode::Difference => Blend::Difference,
        BlendMode::Exclusion => Blend::Exclusion,
        BlendMode::Hue => Blend::Hue,
        BlendMode::Saturation => Blend::Saturation,
        BlendMode::Color => Blend::Color,
        BlendMode::Luminosity => Blend::Luminosity,
    }
}
