//! Versions of the design that have names, and which of them is looked at.

use crate::design::Document;

/// Revisions of versions that are looked at count down from here, where no editor comes to.
const VIEWED: u64 = u64::MAX;

/// A version of the design that has a name.
#[derive(Clone, Debug, PartialEq)]
pub struct DesignVersion {
    /// What it is called.
    pub name: String,
    /// When it got that, RFC 3339, UTC.
    pub at: String,
    /// The design as it was.
    pub document: Document,
}

/// What belongs to the files of a design.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DesignFiles {
    /// The versions, oldest first.
    pub versions: Vec<DesignVersion>,
    /// The one that is looked at, by its place.
    pub viewed: Option<usize>,
    /// The name that the next version gets, while it is asked for.
    pub naming: Option<String>,
}

impl DesignFiles {
    /// The version that is looked at.
    pub fn viewed(&self) -> Option<&DesignVersion> {
        self.versions.get(self.viewed?)
    }

    /// The revision of a version, by its place.
    pub(super) fn revision_of(at: usize) -> u64 {
        VIEWED - at as u64
    }

    /// The revision of what is seen.
    pub(super) fn revision(&self, of_editor: u64) -> u64 {
        self.viewed.map_or(of_editor, Self::revision_of)
    }
}
