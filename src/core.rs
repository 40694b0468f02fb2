//! What Pentimento knows, without a window: documents, tools, metrics, runs, labels, studies, agents.
//!
//! The crate `pentimento` names these modules as its own; its docs have the table of all of them. They are a crate by
//! themselves so that they are built while egui and wgpu are.

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
