//! Documents and pixels: what is drawn of them, the tools that change them, the metrics that compare them.
//!
//! The crate `pentimento-core` names these modules as its own. They are a crate by themselves as they ask for nothing that
//! talks to others, so that they are built while HTTP, SQLite and networks are, and not again where a change is above them.

pub mod base;
pub mod design;
pub mod environment;
pub mod graphictown;
pub mod metric;
pub mod raster;
pub mod render;
