//! The renderer: goldens, an independent judge, text, and documents that mean harm.

mod against_resvg;
mod blending;
mod bounds;
mod combined;
mod effects;
mod figma_files;
mod filters;
mod goldens;
mod gradients;
mod hostile;
mod masks;
pub(super) mod picture;
mod picture_fills;
pub(super) mod random_design;
mod repainting;
mod same_bytes;
mod shapes;
pub(super) mod sketch;
pub(super) mod svg_export;
mod text;
mod text_bidi;
mod text_chromium;
mod text_colour;
mod text_typography;
