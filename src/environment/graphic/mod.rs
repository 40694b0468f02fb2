//! SVG to nodes: what `create_graphic` draws on the canvas, and the given pictures of the suite that
//! are drawings.
//!
//! The SVG is read by `usvg`, which resolves styles, units, references and text ([`source`]); [`shapes`]
//! turns what is left into GROUPs and VECTORs, as Figma's `createNodeFromSvg` does; an embedded PNG or
//! JPEG becomes a RECTANGLE filled with it. Nothing is read from outside: other pictures are left out,
//! and text is set in the vendored Inter. What cannot be taken over is counted in [`Omitted`].
//! [`Graphic`] is an SVG as a document of its own, at any size.
//!
//! Whoever wrote the SVG may mean harm: bytes, elements with everything that refers to them, nesting,
//! rules of style, markers, dashes, embedded pixels and, for a [`Graphic`], paint on paint are bounded, each
//! before the work is done. Uses `design`, `render` and `base`.

mod error;
mod omitted;
mod paint;
mod shapes;
mod source;
mod spread;
mod standalone;

pub(super) use error::GraphicError;
pub(super) use omitted::Omitted;
pub(super) use paint::tidy;
pub(super) use shapes::draw;
pub(super) use source::parse;
pub(super) use standalone::Graphic;
pub use standalone::{SvgError, draw_svg, svg_design};
