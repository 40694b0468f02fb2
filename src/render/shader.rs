//! Paints of the document to what the rasteriser fills with.

use tiny_skia::{Color, Shader};

use crate::base::{Affine, Pixels, Rect, Rgba, Size};
use crate::design::{BlendMode, ImageFilters, ImagePaint, Images, Paint, PaintKind};
use crate::raster::Blend;

use super::gradient;
use super::picture::PicturePaint;
use super::surface::Surface;

/// What stands for a picture that is not at hand: the grey that the pictures of the published
/// CANVAS designs show in their place (the most frequent grey of its target pictures).
pub(super) const PICTURE_PLACEHOLDER: Rgba =
    Rgba { r: 128.0 / 255.0, g: 128.0 / 255.0, b: 128.0 / 255.0, a: 1.0 };

/// What an area is filled with.
#[derive(Debug)]
pub(super) enum Source {
    /// In the node's space.
    Shader(Shader<'static>),
    /// In device space: the pixels of all that is to be seen of the area.
    Texture(Surface),
}

/// Where a paint is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'p> {
    /// The box that gradients and pictures run over, at the node's origin.
    pub(super) size: Size,
    pub(super) device_from_node: Affine,
    /// The device box of what is to be seen.
    pub(super) visible: Rect,
    pub(super) images: &'p Images,
}

impl Source {
    /// One opaque colour: what silhouettes are painted with.
    pub(super) const OPAQUE: Self = Self::Shader(Shader::SolidColor(Color::BLACK));

    /// What `paint` fills with; `None` if that is nothing. `opacity` is multiplied with its own.
    pub(super) fn of(paint: &Paint, place: Place<'_>, opacity: f64) -> Option<Self> {
        let opacity = unit(paint.opacity) * unit(opacity);
        match &paint.kind {
            PaintKind::Solid(color) => Some(Self::solid(*color, opacity)),
            PaintKind::Image(image) => match picture_of(image, place.images) {
                Some(picture) => {
                    PicturePaint { image, picture, place, opacity }.texture().map(Self::Texture)
                }
                None => Some(Self::solid(PICTURE_PLACEHOLDER, opacity)),
            },
            PaintKind::Gradient(gradient) => gradient::source(gradient, place, opacity),
            PaintKind::Other(_) => None,
        }
    }

    /// What of `paint` is there at all, opaque: what casts a shadow.
    pub(super) fn silhouette_of(paint: &Paint, place: Place<'_>) -> Option<Self> {
        let is_there = match &paint.kind {
            PaintKind::Solid(color) => color.a > 0.0,
            PaintKind::Gradient(gradient) => gradient.stops.iter().any(|stop| stop.color.a > 0.0),
            PaintKind::Image(_) => {
                return Self::of(&Paint { opacity: 1.0, ..paint.clone() }, place, 1.0);
            }
            PaintKind::Other(_) => false,
        };
        is_there.then_some(Self::OPAQUE)
    }

    pub(super) fn solid(color: Rgba, opacity: f64) -> Self {
        Self::Shader(Shader::SolidColor(skia_color(color, opacity)))
    }
}

/// Whether the paint changes anything at all.
pub(super) fn is_seen(paint: &Paint) -> bool {
    let is_drawn = !matches!(paint.kind, PaintKind::Other(_));
    paint.visible && paint.opacity > 0.0 && is_drawn
}

/// What of the paint is drawn differently from what it says, for people.
pub(super) fn limitation(paint: &Paint, images: &Images) -> Option<String> {
    match &paint.kind {
        PaintKind::Image(image) if picture_of(image, images).is_none() => {
            let name = image.image_ref.as_deref().unwrap_or("without a name");
            let name: String = name.chars().take(80).collect();
            Some(format!("the picture {name} is not there: grey stands in its place"))
        }
        PaintKind::Image(image) if is_approximated(image.filters) => {
            let message = "temperature, tint, highlights and shadows of its picture are drawn \
                           approximately";
            Some(message.to_owned())
        }
        PaintKind::Other(kind) => Some(format!("a paint of type {kind} is not drawn")),
        PaintKind::Image(_) | PaintKind::Gradient(_) | PaintKind::Solid(_) => None,
    }
}

fn is_approximated(filters: ImageFilters) -> bool {
    let ImageFilters { temperature, tint, highlights, shadows, .. } = filters;
    [temperature, tint, highlights, shadows].iter().any(|value| *value != 0.0)
}

pub(super) fn picture_of<'i>(image: &ImagePaint, images: &'i Images) -> Option<&'i Pixels> {
    images.get(image.image_ref.as_deref()?).map(AsRef::as_ref)
}

pub(super) fn skia_color(color: Rgba, opacity: f64) -> Color {
    let color = Rgba::new(color.r, color.g, color.b, color.a * opacity);
    let [r, g, b, a] = [color.r, color.g, color.b, color.a].map(|channel| channel as f32);
    Color::from_rgba(r, g, b, a).unwrap_or(Color::TRANSPARENT)
}

/// `value` clamped into 0..=1; what is not a number counts as 1, the default of every opacity.
pub(super) fn unit(value: f64) -> f64 {
    if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
}

/// How pixels mix in this mode.
pub(super) fn blend(mode: BlendMode) -> Blend {
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
