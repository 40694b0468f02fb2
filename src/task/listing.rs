//! What is directly in a folder.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::run::natural_cmp;

/// Most entries of one folder that are looked at.
const ENTRIES: usize = 200_000;

/// The files and folders directly in a folder, each in natural order; hidden ones are left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    pub(super) files: Vec<String>,
    pub(super) folders: Vec<String>,
    /// The folders that are links to folders.
    links: BTreeSet<String>,
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
            // The kind comes with the entry, which a link has to be followed for: only links cost a
            // call.
            let mut is_dir = entry.file_type()?.is_dir();
            if entry.file_type()?.is_symlink() {
                is_dir = entry.path().is_dir();
                if is_dir {
                    listing.links.insert(name.clone());
                }
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

    /// The real path of one of the folders, given that of this one. Only links ask the system.
    pub(super) fn real_path_of(&self, real_dir: &Path, folder: &str) -> io::Result<PathBuf> {
        let path = real_dir.join(folder);
        if self.links.contains(folder) { path.canonicalize() } else { Ok(path) }
    }

    /// The path of the file, if there is one of this name.
    pub(super) fn path_of(&self, dir: &Path, name: &str) -> Option<PathBuf> {
        self.has_file(name).then(|| dir.join(name))
    }
}
