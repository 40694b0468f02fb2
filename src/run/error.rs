//! Why a run cannot be read.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::JsonLimitError;

use super::manifest::{FORMAT, VERSION};

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// There is neither a manifest nor a picture.
    #[error("there is no run here: neither run.json nor pictures: {}", .0.display())]
    NotARun(PathBuf),
    /// A file or the folder cannot be read.
    #[error("cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: io::Error,
        /// Which file or folder.
        path: PathBuf,
    },
    /// A file of the run is too large, too deep or not JSON.
    #[error("{source} in {}", path.display())]
    Json {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// `run.json` is of something else.
    #[error("run.json is not the manifest of a run: its format is {found}, not {FORMAT:?}: {}", path.display())]
    OtherFormat {
        /// The format it names, as JSON.
        found: String,
        /// Which file.
        path: PathBuf,
    },
    /// A newer program wrote it.
    #[error("written by a newer version ({found} > {VERSION}): update Pentimento to open {}", path.display())]
    Newer {
        /// The version it names.
        found: u64,
        /// Which file.
        path: PathBuf,
    },
    /// `run.json` says something that cannot be.
    #[error("{what}: {}", path.display())]
    BadManifest {
        /// What cannot be.
        what: String,
        /// Which file.
        path: PathBuf,
    },
}

// Each gives a function for `map_err` that puts the path to the cause.
impl RunError {
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Read { source, path: path.to_path_buf() }
    }

    pub(super) fn json(path: &Path) -> impl Fn(JsonLimitError) -> Self {
        move |source| Self::Json { source, path: path.to_path_buf() }
    }
}
