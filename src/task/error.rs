//! Why a task set or a task cannot be had.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::{Cancelled, JsonLimitError, PixelsError};

use super::file::{FORMAT, VERSION};

/// Why a task set or a task cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum TaskError {
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The path leads nowhere.
    #[error("there is nothing at {}", .0.display())]
    Missing(PathBuf),
    /// A file or folder cannot be read.
    #[error("cannot be read: {source}: {}", path.display())]
    Read {
        /// The cause.
        source: io::Error,
        /// Which one.
        path: PathBuf,
    },
    /// Neither a task set, nor a run, nor pictures were found.
    #[error("there is nothing to open here: expected taskset.json, run.json, a folder of pictures, the CANVAS dataset, GraphicBench's queries, or a folder of these: {}", .0.display())]
    Nothing(PathBuf),
    /// A file is too large, too deep or not JSON.
    #[error("{source} in {}", path.display())]
    Json {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// The JSON is of something else.
    #[error("not a task set: its format is {found}, not {FORMAT:?}: {}", path.display())]
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
    /// It says something that cannot be.
    #[error("{what}: {}", path.display())]
    BadSet {
        /// What cannot be.
        what: String,
        /// Which file.
        path: PathBuf,
    },
    /// A picture of a task cannot be shown.
    #[error("{source}: {}", path.display())]
    Picture {
        /// The cause.
        source: PixelsError,
        /// Which file.
        path: PathBuf,
    },
}

// Each gives a function for `map_err` that puts the path to the cause.
impl TaskError {
    pub(super) fn read(path: &Path) -> impl Fn(io::Error) -> Self {
        move |source| Self::Read { source, path: path.to_path_buf() }
    }

    pub(super) fn json(path: &Path) -> impl Fn(JsonLimitError) -> Self {
        move |source| Self::Json { source, path: path.to_path_buf() }
    }

    pub(super) fn picture(path: &Path) -> impl Fn(PixelsError) -> Self {
        move |source| Self::Picture { source, path: path.to_path_buf() }
    }
}
