//! The files that are written, and what may go wrong.

use std::path::{Path, PathBuf};

use crate::base::{Cancelled, replace_file};
use crate::evaluate::CanvasError;
use crate::export::RunExportError;

/// Why something cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CanvasExportError {
    /// A run cannot be drawn.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// A file cannot be written.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The folder holds what no export wrote.
    #[error(
        "there is {}, which no export for CANVAS wrote, and nothing is written over it: choose another folder, or move \
         it away from {}",
        found.display(),
        dir.display()
    )]
    Foreign {
        /// What, from the folder on.
        found: PathBuf,
        /// The folder.
        dir: PathBuf,
    },
    /// A picture cannot be encoded.
    #[error(transparent)]
    Pixels(#[from] crate::base::PixelsError),
    /// A run cannot be read.
    #[error(transparent)]
    Run(#[from] RunExportError),
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The evaluator cannot read such a run.
    #[error("{0}")]
    NotReadable(String),
}

/// Writes a file and the folders it lies in.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), CanvasExportError> {
    let folder = path.parent().unwrap_or(path);
    let made = std::fs::create_dir_all(folder).and_then(|()| replace_file(path, bytes));
    made.map_err(|source| CanvasExportError::Write { path: path.to_path_buf(), source })
}

/// Writes a value as the published runner does: with two spaces a level.
pub(super) fn write_json(path: &Path, value: &serde_json::Value) -> Result<(), CanvasExportError> {
    let text = serde_json::to_string_pretty(value).map_err(std::io::Error::other);
    match text {
        Ok(text) => write(path, text.as_bytes()),
        Err(source) => Err(CanvasExportError::Write { path: path.to_path_buf(), source }),
    }
}
