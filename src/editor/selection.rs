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
    /// All siblings of what is selected; of nothing, the children of the screen. As in the two others that go by
    /// siblings, none that is locked or hidden.
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
    /// These nodes, with what the first of them lies in entered, unless that is a page or a frame on it.
    pub(super) fn of_nodes(document: &Document, nodes: Vec<NodeId>) -> Self {
        let entered = nodes.first().and_then(|first| entered_by(document, first));
        Self { nodes, entered }
    }

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

/// The container that is entered once a node is selected: what it lies in, unless that is a frame on the page.
fn entered_by(document: &Document, node: &NodeId) -> Option<NodeId> {
    let parent = document.get(node)?.parent.clone()?;
    let around = document.get(&parent)?;
    let lies_in = around.parent.as_ref().and_then(|id| document.get(id));
    let is_top = lies_in.is_none_or(|it| it.kind.is_file_or_page());
    let is_ground = around.kind.is_file_or_page() || (is_top && around.kind.is_some_frame());
    (!is_ground).then_some(parent)
}
