//! The renderer: goldens, an independent judge, text, and documents that mean harm.

mod against_resvg;
mod bounds;
mod figma_files;
mod goldens;
mod hostile;
mod picture;
mod sketch;
mod text;
