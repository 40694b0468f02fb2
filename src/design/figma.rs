//! Figma REST JSON in and out, lossless.

use serde_json::Value;

use super::document::{Document, DocumentError};
use super::node::NodeId;

/// Why JSON is not a design.
#[derive(Debug, thiserror::Error)]
pub enum FigmaError {
    /// No node in it.
    #[error(
        "there is no Figma node in this JSON: expected a node, {{\"document\": node}} or {{\"nodes\": …}}"
    )]
    NoNode,
    /// A node that cannot be.
    #[error("{message} (at {path})")]
    BadNode {
        /// What is wrong.
        message: String,
        /// Where, as a JSON pointer.
        path: String,
    },
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
}

/// What was read, with what was odd about it.
#[derive(Debug)]
pub struct Loaded {
    /// The design.
    pub document: Document,
    /// Nodes or fields read with a replacement (null boxes, unknown types …), for people.
    pub warnings: Vec<String>,
}

/// Reads a whole file, a `nodes` answer or a single node.
pub fn from_json(_json: Value) -> Result<Loaded, FigmaError> {
    Err(FigmaError::NoNode)
}

/// Writes the document in the shape it came in. A document that was not changed gives equal JSON.
pub fn to_json(_document: &Document) -> Value {
    Value::Null
}

/// Writes one node with its subtree.
pub fn node_to_json(_document: &Document, _id: &NodeId) -> Result<Value, DocumentError> {
    Ok(Value::Null)
}
