//! Why there is no picture, and what in one is drawn otherwise than the document says.

use crate::base::PixelsError;
use crate::design::{DocumentError, NodeId};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// There is nothing to draw.
    #[error("there is nothing to draw: {0}")]
    Empty(String),
    /// The document has no such node.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// The picture would be too large.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The scale is out of range.
    #[error("scale must be within 0.01 and 16, not {0}")]
    Scale(f64),
}

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
