//! Pixels: blend modes, blurs, shrinking, the filters of photo editors. What the renderers, the
//! environments and the metrics share below any document.
//!
//! Uses `base` only. Samples are 8-bit, premultiplied where they have an alpha; everything is exact
//! integer arithmetic or rounded single operations, so that the same input gives the same bytes on
//! every machine. Start with [`Blend`], [`gaussian`] and [`filter::Filter`].

mod blend;
mod blur;
pub mod filter;
pub mod overlay;
mod shrink;

pub use blend::Blend;
pub use blur::{Edge, MAX_SIGMA, gaussian};
pub use shrink::shrink;
