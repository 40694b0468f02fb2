//! What is found, and what every rule needs to say and mend it.

use std::sync::Arc;

use crate::base::{Affine, Vector};
use crate::design::hunk::{Field, Hunk};
use crate::design::{Document, Node, NodeId};

/// Something amiss.
#[derive(Clone, Debug, PartialEq)]
pub struct Flaw {
    /// What kind of thing.
    pub kind: FlawKind,
    /// Which node it is about.
    pub node: NodeId,
    /// What is amiss, with the numbers.
    pub found: String,
    /// What mends it, all of it together.
    pub hunks: Vec<Hunk>,
}

/// What can be amiss, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FlawKind {
    /// A node that nobody sees.
    Hidden,
    /// A text that needs more room than it has.
    Overflow,
    /// A text that cannot be told from what is under it.
    Contrast,
    /// A gap of a row or column that differs from the others.
    Gap,
    /// An edge that is nearly in line with another.
    Alignment,
}

impl FlawKind {
    /// What people call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Hidden => "hidden element",
            Self::Overflow => "overflow",
            Self::Contrast => "contrast",
            Self::Gap => "uneven gap",
            Self::Alignment => "near alignment",
        }
    }
}

/// The hunk that moves a node on its page. `None` where that is not a move in its parent: in one that is
/// turned, or one that places its children itself.
pub(in crate::evaluate) fn moved(document: &Document, node: &Node, by: Vector) -> Option<Hunk> {
    let parent = node.parent.as_ref().and_then(|id| document.get(id));
    if let Some(parent) = parent {
        let is_placed = parent.auto_layout.is_some() && !node.layout_item.is_absolute;
        if is_placed || !document.absolute_transform(&parent.id).ok()?.is_translation() {
            return None;
        }
    }
    let (e, f) = (node.transform.e + by.x, node.transform.f + by.y);
    let like = Arc::new(Node { transform: Affine { e, f, ..node.transform }, ..node.clone() });
    Hunk::set(document, &node.id, Field::Place, &like)
}

/// A node in words.
pub(super) fn name(node: &Node) -> String {
    let words = node.text().map(|text| text.characters.as_str()).unwrap_or_default();
    let name = if node.name.trim().is_empty() { words } else { node.name.as_str() };
    let short: String = name.trim().chars().take(28).collect();
    let dots = if short.len() < name.trim().len() { "…" } else { "" };
    format!("\"{short}{dots}\"")
}

/// A length for people.
pub(super) fn px(length: f64) -> String {
    format!("{} px", (length * 10.0).round() / 10.0)
}
