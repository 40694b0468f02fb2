//! Why something cannot be imported.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::{Cancelled, JsonLimitError};
use crate::run::recorder::RecordError;

/// Why something cannot be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There is nothing at the path.
    #[error("there is nothing at this path: {}", .0.display())]
    Missing(PathBuf),
    /// A file or folder cannot be read.
    #[error("cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: io::Error,
        /// Which.
        path: PathBuf,
    },
    /// A file is too large, too deep or no JSON.
    #[error(transparent)]
    Json(#[from] JsonLimitError),
    /// The content is not what the format says.
    #[error("{what}: {place}")]
    Content {
        /// What is wrong.
        what: String,
        /// Where: the file, and the line or entry.
        place: String,
    },
    /// A program that does a part of the work is missing or failed.
    #[error("{0}")]
    Program(String),
    /// A run cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A folder or file cannot be written.
    #[error("cannot be written: {source}; free space or choose another folder: {}", path.display())]
    Write {
        /// The cause.
        source: io::Error,
        /// Which.
        path: PathBuf,
    },
}

impl ImportError {
    /// A cause for `map_err` that names the file.
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Read { source, path: path.to_path_buf() }
    }

    /// A cause for `map_err` that names what cannot be written.
    pub(super) fn write(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Write { source, path: path.to_path_buf() }
    }

    /// What is wrong with the content at a place.
    pub(super) fn content(what: impl Into<String>, place: impl Into<String>) -> Self {
        Self::Content { what: what.into(), place: place.into() }
    }

    /// Whether the next source would fail alike: somebody stopped the import, or nothing can be written.
    pub(super) fn ends_import(&self) -> bool {
        matches!(
            self,
            Self::Cancelled(_)
                | Self::Write { .. }
                | Self::Record(RecordError::Write { .. } | RecordError::Occupied(_))
        )
    }
}
