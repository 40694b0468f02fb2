//! The renderer: goldens, an independent judge, text, and documents that mean harm.

mod against_resvg;
mod bounds;
mod figma_files;
mod goldens;
mod hostile;
pub(super) mod picture;
mod random_design;
mod sketch;
mod svg_export;
mod text;
