//! Runs in the formats of others: folders that published evaluators read, pictures and films for papers
//! and talks.
//!
//! - [`canvas`]: CANVAS's benchmark and result folders, which its published evaluator reads as they are;
//! - [`frames`](frames()): the pictures of a run that are worth a place;
//! - [`ContactSheet`]: a run as a contact sheet; [`Grid`]: tasks by models; both are a [`Page`], which is written as
//!   PNG, SVG or PDF ([`svg_to_pdf`]);
//! - [`Animation`]: a run as an animated PNG or WebP, or as a video.
//!
//! The counterpart of [`import`](crate::import). Uses `evaluate` and what stands above it.

mod animation;
pub mod canvas;
mod contact_sheet;
mod frames;
mod grid;
mod page;
mod pdf;

pub use animation::{Animation, AnimationError};
pub use contact_sheet::{ContactSheet, ContactSheetCell};
pub use frames::{Every, Frame, FramesError, frames, smaller};
pub use grid::{Grid, GridCell, GridRow, latex};
pub use page::{Page, PageError, PageForm};
pub use pdf::{PdfError, svg_to_pdf};
