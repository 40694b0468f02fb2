//! The shared folder: what the programs save and hand to one another.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::graphictown::Expert;

use super::document::{Saved, SuiteDocument};
use super::file_name::{base, key, split};

/// Most files of the folder.
pub(super) const MOST_FILES: usize = 500;

/// The folder. Cloning shares all files.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Files(Arc<BTreeMap<String, Arc<Saved>>>);

/// A file that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FoundFile {
    /// The file.
    pub(super) file: Arc<Saved>,
    /// Whether its name is the one asked for, and not only nearly.
    pub(super) is_exact: bool,
}

impl Files {
    /// The name under which a document is saved: with the format as ending, and no folder.
    pub(super) fn name_of(asked: &str, format: &str) -> String {
        let name = base(asked);
        match split(&name) {
            (_, Some(ending)) if ending == format => name,
            _ => format!("{name}.{format}"),
        }
    }

    /// Puts a file into the folder, in place of one of the same name; `false` if there is no room.
    pub(super) fn put(&mut self, file: Arc<Saved>) -> bool {
        if !self.0.contains_key(&file.name) && self.0.len() >= MOST_FILES {
            return false;
        }
        Arc::make_mut(&mut self.0).insert(file.name.clone(), file);
        true
    }

    /// The file of this name, whatever its folder and case. If there is none, the one of the same
    /// name with another ending, or with the ending twice: plans forget in which format they saved.
    pub(super) fn find(&self, asked: &str) -> Option<FoundFile> {
        let name = base(asked);
        if let Some(file) = self.0.get(&name) {
            return Some(FoundFile { file: Arc::clone(file), is_exact: true });
        }
        // By letters and digits alone, as for the pictures of a query.
        let wanted = key(asked);
        let near = self.0.values().find(|file| !wanted.is_empty() && key(&file.name) == wanted);
        near.map(|file| FoundFile { file: Arc::clone(file), is_exact: false })
    }

    /// The file that holds all of a document as it is now: of several, one that stays editable.
    pub(super) fn holding(&self, expert: Expert, document: &SuiteDocument) -> Option<&Arc<Saved>> {
        let holds =
            |file: &&Arc<Saved>| file.expert == expert && file.document.is_same_as(document);
        let mut holding = self.0.values().filter(holds);
        let first = holding.next()?;
        // The first of them by name, so that the answer does not depend on when they were saved.
        if first.is_live() {
            return Some(first);
        }
        Some(holding.find(|file| file.is_live()).unwrap_or(first))
    }

    /// All files, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Arc<Saved>> {
        self.0.values()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_gets_its_ending_once() {
        assert_eq!(Files::name_of("/path/to/Cover", "psd"), "cover.psd");
        assert_eq!(Files::name_of("cover.psd", "psd"), "cover.psd");
        assert_eq!(Files::name_of("cover.v2", "png"), "cover.v2.png");
        assert_eq!(Files::name_of("cover.psd", "pdf"), "cover.psd.pdf");
    }
}
