//! Pixels: blend modes, blurs, shrinking. What the renderers and the metrics share below any document.
//!
//! Uses `base` only. Samples are 8-bit, premultiplied where they have an alpha; everything is exact
//! integer arithmetic or rounded single operations, so that the same input gives the same bytes on
//! every machine. Start with [`Blend`] and [`gaussian`].

mod blend;
mod blur;
mod shrink;

pub use blend::Blend;
pub use blur::{Edge, MAX_SIGMA, gaussian};
pub use shrink::shrink;
