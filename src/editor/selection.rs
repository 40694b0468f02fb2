//! What is selected, and how far in.

use crate::design::{Document, NodeId};

/// What is selected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// The nodes, each once, in the order they were selected.
    pub nodes: Vec<NodeId>,
    /// The container whose children a click selects; `None`: those of the top frames.
    pub entered: Option<NodeId>,
}

/// Another selection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectAct {
    /// These nodes alone.
    Only(Vec<NodeId>),
    /// This one too, or not any more.
    Toggle(NodeId),
    /// All siblings of what is selected; of nothing, the children of the screen.
    Siblings,
    /// Those of the siblings that are not.
    Inverse,
    /// Nothing.
    None,
    /// What lies in it.
    Children,
    /// What it lies in.
    Parent,
    /// The next sibling, or the one before.
    SiblingBy(i32),
}

impl Selection {
    /// Without what is not there.
    pub(super) fn keep_existing(&mut self, document: &Document) {
        self.nodes.retain(|id| document.get(id).is_some());
        self.entered = self.entered.take().filter(|id| document.get(id).is_some());
    }

    /// The only node that is selected.
    pub fn only(&self) -> Option<&NodeId> {
        match self.nodes.as_slice() {
            [only] => Some(only),
            _ => None,
        }
    }
}
