//! What an area is filled with, and filling it.

use tiny_skia::{Color, FilterQuality, Mask, Paint, Shader};

use crate::base::{Affine, Rect, Rgba, Size};
use crate::design::Images;
use crate::render::geometry::filled_path::FilledPath;

use super::color::skia_color;
use super::surface::Surface;

/// What an area is filled with.
#[derive(Debug)]
pub(crate) enum Source {
    /// In the node's space.
    Shader(Shader<'static>),
    /// In device space: the pixels of all that is to be seen of the area.
    Texture(Surface),
}

/// Where a paint is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PaintContext<'p> {
    /// The box that gradients and pictures run over, at the node's origin.
    pub(crate) size: Size,
    pub(crate) device_from_node: Affine,
    /// The device box of what is to be seen.
    pub(crate) visible: Rect,
    pub(crate) images: &'p Images,
}

impl Source {
    /// One opaque colour: what silhouettes are painted with.
    pub(crate) const OPAQUE: Self = Self::Shader(Shader::SolidColor(Color::BLACK));

    pub(crate) fn solid(color: Rgba, opacity: f64) -> Self {
        Self::Shader(Shader::SolidColor(skia_color(color, opacity)))
    }

    /// Fills an area given in a space that `device_from_space` maps to the device. A shader as
    /// source is in that space too.
    pub(crate) fn fill(
        self,
        surface: &mut Surface,
        area: &FilledPath,
        device_from_space: Affine,
        mask: Option<&Mask>,
    ) {
        let Some(transform) = surface.transform(device_from_space) else { return };
        match self {
            Self::Shader(mut shader) => {
                // The path is moved by the same map, so gradients lie where they do in the node.
                shader.transform(transform);
                let paint = Paint { shader, ..Paint::default() };
                surface.fill_with(area, &paint, (device_from_space, transform), mask);
            }
            Self::Texture(texture) => {
                // Its pixels are those of the device already: nearest copies them as they are.
                let shader = texture.pattern(surface, FilterQuality::Nearest, 1.0, 1.0);
                let paint = Paint { shader, ..Paint::default() };
                surface.fill_with(area, &paint, (device_from_space, transform), mask);
            }
        }
    }
}
