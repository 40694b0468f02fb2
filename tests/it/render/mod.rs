//! The renderer: goldens, an independent judge, text, and documents that mean harm.

mod against_resvg;
mod bounds;
mod combined;
mod figma_files;
mod goldens;
mod hostile;
pub(super) mod picture;
mod shapes;
mod sketch;
mod text;
mod text_chromium;
mod text_typography;
