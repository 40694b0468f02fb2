//! What Pentimento knows, without a window and without threads of its own: see the crate `pentimento`.

pub mod agent;
pub mod base;
pub mod design;
pub mod editor;
pub mod environment;
pub mod evaluate;
pub mod graphictown;
pub mod import;
pub mod label;
pub mod metric;
pub mod model;
pub mod raster;
pub mod render;
pub mod run;
pub mod store;
pub mod study;
pub mod task;
