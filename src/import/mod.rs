//! What other programs recorded, as runs.
//!
//! [`import()`] takes files and folders, asks each [`Format`] whether it knows them ([`recognize`]), by their
//! content and not by their name, and writes a run for every record it finds. What cannot be read is listed
//! in the [`ImportReport`] with its place; the rest comes in.
//!
//! - `source`, `outline`: what lies at a path, as far as it takes to tell what it is;
//! - `json`, `archive`, `tarball`, `packed`, `picture_data`: reading within limits what anybody may have written; an
//!   archive of no format of its own is read as the folder that was packed;
//! - `sink`: a run is recorded aside by the program's own recorder and comes into its place whole; its id is
//!   a hash of what is in it but its scores, so that what was imported before is found again and not doubled, and gets
//!   scores that came later;
//! - `conversation`: what message logs have in common;
//! - `formats`: one file or folder a format, one line in its table.
//!
//! What a record does not say is not made up: times, thoughts, costs and outcomes are then absent, and the
//! manifest's [`ImportRecord`](crate::run::ImportRecord) holds what is said of the run as a whole. The canvas at
//! a step is the picture that was recorded.
//!
//! Uses `run`, `environment` and `base`. Start with `formats/osworld.rs`.

mod archive;
mod conversation;
mod error;
mod formats;
mod json;
mod outline;
mod packed;
mod picture_data;
mod report;
mod sink;
mod source;
mod tarball;
mod walk;

pub use error::ImportError;
pub use formats::{FORMATS, Format};
pub use outline::JsonHead;
pub use packed::Packer;
pub use report::{ImportReport, ImportedRun, Skipped};
pub use sink::ImportProgress;
pub use source::{Certainty, Source, SourceContent};
pub use walk::{ImportRequest, import, is_importable, recognize};
