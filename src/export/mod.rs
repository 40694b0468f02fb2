//! Runs in the formats of others: folders that published evaluators read, pictures and animations for
//! papers and talks.
//!
//! - [`canvas`]: CANVAS's benchmark and result folders, which its published evaluator reads as they are;
//! - [`ExportRun`]: a run that is exported, and [`ExportContext`], what that goes by: whoever has runs, the window's
//!   worker and the command line alike, makes all of these of them;
//! - [`frames`](frames()): the pictures of a run that are worth a place;
//! - [`ContactSheet`]: a run as a contact sheet; [`Grid`]: tasks by models; both are a [`Page`], which is written as
//!   PNG, SVG or PDF ([`drawing_file`] writes any other drawing as one of them);
//! - [`Animation`]: a run as an animated PNG, WebP or GIF, or as a video;
//! - [`layer_file`]: a layer of a design, as one of its export settings says;
//! - [`demonstrations`](demonstrations()): runs as chats with tool calls, for models to learn from;
//!   [`DemonstrationSet`]: many of them, with what is left out and why;
//! - [`table_as_parquet`]: tables as Apache Parquet.
//!
//! What is written says of itself which program made it by which command (`metadata`).
//!
//! The counterpart of [`import`](crate::import). Uses `evaluate` and what stands above it.

mod animation;
pub mod canvas;
mod contact_sheet;
mod demonstration_set;
mod demonstrations;
mod frames;
mod grid;
mod layer;
mod metadata;
mod page;
mod parquet;
mod pdf;
mod run;
mod run_animation;
mod run_grid;

pub use animation::{Animation, AnimationError};
pub use contact_sheet::{ContactSheet, ContactSheetCell, SheetOptions};
pub use demonstration_set::{DemonstrationContext, DemonstrationPairs, DemonstrationSet};
pub use demonstrations::{
    DEMONSTRATION_FORMAT, DemonstratedRun, DemonstrationError, DemonstrationOptions,
    DemonstrationPictures, DemonstrationUnit, PREFERENCE_FORMAT, demonstrations, is_taken_over,
    preference,
};
pub use frames::{Every, Frame, FrameOptions, FramesError, frames, smaller};
pub use grid::{Grid, GridCell, GridRow, LatexGrid};
pub use layer::{LayerError, layer_file, layer_file_name};
pub use metadata::described_png;
pub use page::{Page, PageError, PageForm, drawing_file, missing_letters_words};
pub use parquet::{ParquetExportError, table_as_parquet};
pub use pdf::{PdfError, svg_to_pdf};
pub use run::{ExportContext, ExportRun, PicturedRun, RunExportError, variant_of};
pub use run_animation::{AnimationOptions, Beside};
pub use run_grid::{GridBadge, GridBoxes, GridOptions};
