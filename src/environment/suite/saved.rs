//! Saved documents.

use std::sync::{Arc, OnceLock};

use crate::graphictown::Expert;

use super::sheet::Sheet;

/// A document as it was when it was saved. It never changes.
#[derive(Clone, Debug)]
pub(super) struct Saved {
    /// Its file's name, with its ending.
    pub(super) name: String,
    /// Whose program wrote it.
    pub(super) expert: Expert,
    /// The document.
    pub(super) sheet: Sheet,
    /// Nodes in it: see [`Sheet::nodes`].
    pub(super) nodes: usize,
    /// Documents inside each other: see [`Sheet::depth`].
    pub(super) depth: usize,
    /// See [`Saved::key`].
    key: OnceLock<String>,
}

impl PartialEq for Saved {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
            || (self.name == other.name
                && self.expert == other.expert
                && self.nodes == other.nodes
                && self.key() == other.key())
    }
}

impl Saved {
    /// A document under this name.
    pub(super) fn new(name: String, expert: Expert, sheet: Sheet) -> Arc<Self> {
        let (nodes, depth) = (sheet.nodes(), sheet.depth());
        Arc::new(Self { name, expert, sheet, nodes, depth, key: OnceLock::new() })
    }

    /// A hash of the document: the same for two documents that are drawn alike, whatever the file.
    pub(super) fn key(&self) -> &str {
        self.key.get_or_init(|| {
            let json = super::json::sheet_json(&self.sheet).to_string();
            blake3::hash(json.as_bytes()).to_hex().chars().take(32).collect()
        })
    }

    /// Its name's ending, without the dot.
    pub(super) fn format(&self) -> &str {
        self.name.rsplit_once('.').map_or("", |(_, ending)| ending)
    }

    /// Whether it stays editable where it is imported: the programs' own formats, and what is written
    /// as vectors. PNG and JPEG are one picture.
    pub(super) fn is_live(&self) -> bool {
        !matches!(self.format(), "png" | "jpg" | "jpeg" | "pdf")
    }
}
