//! A scene to pixels.
//!
//! Uses all that comes before it: `geometry`, `text` and `scene`. Start with [`painter`], which walks
//! the scene on a [`surface::Surface`]; [`shader`] makes of the document's paints what fills it.
//! [`repainter`] makes one picture from the one before.

pub(crate) mod clip;
pub(crate) mod color;
pub(crate) mod effect_painter;
pub(crate) mod glyph;
pub(crate) mod gradient;
pub(crate) mod image_sampler;
pub(crate) mod painted;
pub(crate) mod painter;
pub(crate) mod picture;
pub(crate) mod repainter;
pub(crate) mod shader;
pub(crate) mod source;
pub(crate) mod surface;

use crate::base::{Pixels, Rect};
use crate::render::diagnostic::Diagnostic;

/// How to draw.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RenderOptions {
    /// Pixels a unit, 0.01..=16.
    pub scale: f64,
    /// What lies under everything, RGBA; transparent by default.
    pub background: [u8; 4],
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self { scale: 1.0, background: [0, 0, 0, 0] }
    }
}

/// A picture and what could not be drawn in it.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The picture.
    pub pixels: Pixels,
    /// The box on the page that the picture shows.
    pub page_box: Rect,
    /// What was left out or replaced, and why; in paint order.
    pub diagnostics: Vec<Diagnostic>,
}
