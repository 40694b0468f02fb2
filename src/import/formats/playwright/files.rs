//! Where the files of a trace lie: in the archive that Playwright writes, or in the folder that somebody unpacked
//! it into.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;

use crate::base::read_file_limited;
use crate::import::archive::Archive;
use crate::import::error::ImportError;
use crate::import::packed;
use crate::import::source::{Source, SourceContent, is_named};

/// The files of traces.
pub(super) enum TraceFiles {
    Archive(Archive),
    Folder {
        dir: PathBuf,
        /// The traces in it.
        traces: BTreeSet<String>,
    },
}

impl TraceFiles {
    /// Opens an archive, a folder, or the folder that one trace lies in.
    pub(super) fn open(source: &Source) -> Result<Self, ImportError> {
        let path = &source.path;
        Ok(match &source.content {
            SourceContent::File { archive: Some(_), .. } => Self::Archive(Archive::open(path)?),
            SourceContent::File { .. } => Self::Folder {
                dir: path.parent().map(PathBuf::from).unwrap_or_default(),
                traces: BTreeSet::from([source.name()]),
            },
            SourceContent::Folder { files, .. } => Self::Folder {
                dir: path.clone(),
                traces: files.iter().filter(|file| is_trace(source, file)).cloned().collect(),
            },
        })
    }

    /// The names of the traces, in order.
    pub(super) fn traces(&self) -> Vec<String> {
        match self {
            Self::Archive(archive) => {
                archive.names().filter(|name| is_named(name, "trace")).map(str::to_owned).collect()
            }
            Self::Folder { traces, .. } => traces.iter().cloned().collect(),
        }
    }

    /// Whether there is a file of this name. A name from a trace may lead anywhere: only what lies below counts.
    pub(super) fn has(&self, name: &str) -> bool {
        match self {
            Self::Archive(archive) => archive.has(name),
            Self::Folder { dir, .. } => {
                let mut parts = name.split(['/', '\\']);
                !parts.any(|part| part.is_empty() || part == ".." || part.contains(':'))
                    && dir.join(name).is_file()
            }
        }
    }

    /// Where a file is, for people.
    pub(super) fn place(&self, name: &str) -> String {
        match self {
            Self::Archive(archive) => archive.place(name),
            Self::Folder { dir, .. } => dir.join(name).display().to_string(),
        }
    }

    /// Reads a file of at most so many bytes.
    pub(super) fn read(&mut self, name: &str, limit: u64) -> Result<Vec<u8>, ImportError> {
        match self {
            Self::Archive(archive) => archive.read(name, limit),
            Self::Folder { dir, .. } => Ok(read_file_limited(&dir.join(name), limit)?),
        }
    }

    /// Reads a trace from its beginning on.
    pub(super) fn stream(&mut self, name: &str) -> Result<Box<dyn Read + '_>, ImportError> {
        match self {
            Self::Archive(archive) => Ok(Box::new(archive.stream(name)?)),
            Self::Folder { dir, .. } => {
                let path = dir.join(name);
                Ok(Box::new(packed::open(&path).map_err(ImportError::read(&path))?))
            }
        }
    }
}

/// Whether a file of a folder begins as a trace does.
pub(super) fn is_trace(folder: &Source, file: &str) -> bool {
    is_named(file, "trace")
        && folder.outline_in(file).is_some_and(|outline| {
            outline.has("type") && (outline.has("version") || outline.has("callId"))
        })
}
