//! What Pentimento knows, without a window: documents, tools, metrics, runs, labels, studies, agents.
//!
//! The crate `pentimento` names these modules as its own; its docs have the table of all of them. They are a crate by
//! themselves so that they are built while egui and wgpu are. From [`base`] to [`metric`] they are those of
//! `pentimento-document`.

pub mod agent;
pub mod editor;
pub mod evaluate;
pub mod import;
pub mod label;
pub mod model;
pub mod run;
pub mod store;
pub mod study;
pub mod task;

pub use pentimento_document::{base, design, environment, graphictown, metric, raster, render};
