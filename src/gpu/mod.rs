//! Drawing on the graphics card: the shaders of `shaders/` as egui's paint callbacks.
//!
//! [`overlay_shape`] lays two pictures over one another, [`heat_shape`] draws a map in colours; what they
//! show is said by `raster::overlay`, which computes the same pixels without a graphics card. Samples
//! are uploaded when they are first drawn and let go with the [`Samples`] they were made of.
//!
//! Uses `base` and `raster`. Start with [`Target`], without which nothing here can draw.

mod draw;
mod resources;
mod samples;

pub use draw::{HeatDraw, OverlayDraw, heat_shape, overlay_shape};
pub use samples::{DifferenceSamples, Samples};

use eframe::egui_wgpu::RenderState;
use eframe::wgpu::TextureFormat;

/// What the shaders draw into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    format: TextureFormat,
}

impl Target {
    /// The target of a window.
    pub fn of(state: &RenderState) -> Self {
        Self { format: state.target_format }
    }
}
