//! What could not be drawn as the document says.

use crate::design::NodeId;

/// Something that could not be drawn as the document says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Of which node.
    pub node: NodeId,
    /// What happened, for people.
    pub message: String,
}

/// Collects the diagnostics of one scene in paint order; a node says the same thing once.
#[derive(Debug, Default)]
pub(super) struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    pub(super) fn add(&mut self, node: &NodeId, message: impl Into<String>) {
        let diagnostic = Diagnostic { node: node.clone(), message: message.into() };
        let same_node = self.0.iter().rev().take_while(|other| &other.node == node);
        if !same_node.into_iter().any(|other| other.message == diagnostic.message) {
            self.0.push(diagnostic);
        }
    }

    pub(super) fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }
}
