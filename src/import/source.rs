//! Something that may be imported, as far as it takes to tell what it is.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::base::open_file;
use crate::run::natural_cmp;

use super::archive::Archive;
use super::error::ImportError;
use super::outline::JsonHead;

/// How much of a file is looked at to tell what it is.
const HEAD_BYTES: u64 = 1 << 20;
/// Most entries of a folder.
const ENTRIES: usize = 100_000;

/// How sure a format is that something is of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It may be, if no other format knows it better.
    Possible,
    /// It has what only this format is known to have.
    Certain,
}

/// A file or folder, looked at but not read.
#[derive(Clone, Debug)]
pub struct Source {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is.
    pub content: SourceContent,
}

/// What lies at a path.
#[derive(Clone, Debug)]
pub enum SourceContent {
    /// A file.
    File {
        /// Its beginning, at most a megabyte.
        head: Vec<u8>,
        /// What JSON it begins with, if it does.
        outline: Option<JsonHead>,
        /// The names of the entries if it is an archive; or why it is refused.
        archive: Option<Result<BTreeSet<String>, String>>,
    },
    /// A folder: what is directly in it, hidden entries left out, in the order people would put them.
    Folder {
        /// The files.
        files: Vec<String>,
        /// The folders.
        folders: Vec<String>,
    },
}

impl Source {
    /// Looks at what lies at a path.
    pub fn look(path: &Path) -> Result<Self, ImportError> {
        let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ImportError::Missing(path.to_path_buf()),
            _ => ImportError::read(path)(error),
        })?;
        let content = if metadata.is_dir() { look_at_folder(path)? } else { look_at_file(path)? };
        Ok(Self { path: path.to_path_buf(), content })
    }

    /// Files directly in it, if it is a folder.
    pub(super) fn files(&self) -> &[String] {
        match &self.content {
            SourceContent::Folder { files, .. } => files,
            SourceContent::File { .. } => &[],
        }
    }

    /// Folders directly in it, if it is one.
    pub(super) fn folders(&self) -> &[String] {
        match &self.content {
            SourceContent::Folder { folders, .. } => folders,
            SourceContent::File { .. } => &[],
        }
    }

    /// Whether it is a folder with this file.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.files().iter().any(|file| file == name)
    }

    /// The beginning, if it is a file.
    pub(super) fn head(&self) -> &[u8] {
        match &self.content {
            SourceContent::File { head, .. } => head,
            SourceContent::Folder { .. } => &[],
        }
    }

    /// What JSON it begins with, if it is a file and does.
    pub(super) fn outline(&self) -> Option<&JsonHead> {
        match &self.content {
            SourceContent::File { outline, .. } => outline.as_ref(),
            SourceContent::Folder { .. } => None,
        }
    }

    /// The names of its entries, if it is an archive that is not refused.
    pub(super) fn entries(&self) -> Option<&BTreeSet<String>> {
        match &self.content {
            SourceContent::File { archive: Some(Ok(names)), .. } => Some(names),
            _ => None,
        }
    }

    /// Why the archive is refused, if it is.
    pub(super) fn refused(&self) -> Option<&str> {
        match &self.content {
            SourceContent::File { archive: Some(Err(why)), .. } => Some(why),
            _ => None,
        }
    }

    /// What JSON a file directly in the folder begins with.
    pub(super) fn outline_in(&self, file: &str) -> Option<JsonHead> {
        JsonHead::of(&head_of(&self.path.join(file)).ok()?)
    }

    /// Whether the beginning holds a text.
    pub(super) fn mentions(&self, text: &str) -> bool {
        contains(self.head(), text.as_bytes())
    }

    /// Its name without the extension.
    pub(super) fn stem(&self) -> String {
        let stem = self.path.file_stem().or_else(|| self.path.file_name());
        stem.map_or_else(|| "unnamed".to_owned(), |stem| stem.to_string_lossy().into_owned())
    }

    /// Its name.
    pub(super) fn name(&self) -> String {
        name_of(&self.path)
    }
}

/// The last part of a path.
pub(super) fn name_of(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len().max(1)).any(|window| window == part)
}

fn head_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut head = Vec::new();
    open_file(path)?.take(HEAD_BYTES).read_to_end(&mut head)?;
    Ok(head)
}

fn look_at_file(path: &Path) -> Result<SourceContent, ImportError> {
    let head = head_of(path).map_err(ImportError::read(path))?;
    // An archive may be empty, and then begins with its end.
    let is_archive = head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06");
    let archive = is_archive.then(|| {
        let opened = Archive::open(path).map_err(|error| error.to_string())?;
        Ok(opened.names().map(str::to_owned).collect())
    });
    let outline = if is_archive { None } else { JsonHead::of(&head) };
    Ok(SourceContent::File { head, outline, archive })
}

fn look_at_folder(path: &Path) -> Result<SourceContent, ImportError> {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for entry in std::fs::read_dir(path).map_err(ImportError::read(path))?.take(ENTRIES) {
        let entry = entry.map_err(ImportError::read(path))?;
        // A name that is no text cannot be named in a record either.
        let Ok(name) = entry.file_name().into_string() else { continue };
        if name.starts_with('.') {
            continue;
        }
        // A link is followed; whether it goes in a circle is seen by whoever goes into folders.
        match std::fs::metadata(entry.path()) {
            Ok(metadata) if metadata.is_dir() => folders.push(name),
            Ok(metadata) if metadata.is_file() => files.push(name),
            _ => {}
        }
    }
    files.sort_by(|a, b| natural_cmp(a, b));
    folders.sort_by(|a, b| natural_cmp(a, b));
    Ok(SourceContent::Folder { files, folders })
}
