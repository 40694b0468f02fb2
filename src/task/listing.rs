//! What is directly in a folder.

use std::io;
use std::path::{Path, PathBuf};

use crate::run::natural_cmp;

/// Most entries of one folder that are looked at.
const ENTRIES: usize = 200_000;

/// The files and folders directly in a folder, each in natural order; hidden ones are left out.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
}

impl Listing {
    /// Reads a folder. Links count as what they lead to; names that are not Unicode are left out.
    pub(super) fn read(dir: &Path) -> io::Result<Self> {
        let mut listing = Self::default();
        for entry in std::fs::read_dir(dir)?.take(ENTRIES) {
            let entry = entry?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name.starts_with('.') {
                continue;
            }
            let mut is_dir = entry.file_type()?.is_dir();
            if entry.file_type()?.is_symlink() {
                is_dir = entry.path().is_dir();
            }
            if is_dir { listing.folders.push(name) } else { listing.files.push(name) }
        }
        listing.files.sort_by(|a, b| natural_cmp(a, b));
        listing.folders.sort_by(|a, b| natural_cmp(a, b));
        Ok(listing)
    }

    /// Whether there is a file of this name.
    pub(super) fn has_file(&self, name: &str) -> bool {
        self.files.iter().any(|file| file == name)
    }

    /// The path of the file, if there is one of this name.
    pub(super) fn path_of(&self, dir: &Path, name: &str) -> Option<PathBuf> {
        self.has_file(name).then(|| dir.join(name))
    }
}
