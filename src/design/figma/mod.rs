//! Figma REST JSON in and out, lossless.
//!
//! Each node keeps the object it was read from ([`Node::source`](super::Node::source)). The writer
//! goes over a table of fields: a field whose typed value is what reading that object gives is
//! left as it stands there, present or absent; any other is written anew. So a document that was
//! not changed is written back as equal JSON, with its numbers and order of keys, and a changed one
//! differs only where it was changed.
//!
//! # What follows a change
//!
//! - When a node moves or its size changes, `absoluteBoundingBox`, `size`, `relativeTransform` and
//!   `rotation` are right for it and all its descendants. `absoluteRenderBounds` is what the caller of
//!   [`to_json_with`] says for every node that changed or holds one that did; without that it moves
//!   along with a node that only moved, is taken out where size or rotation changed, and left in
//!   ancestors.
//!   `fillGeometry` and `strokeGeometry` of nodes that are no VECTOR are taken out when the size
//!   changes.
//! - When fills change, the deprecated `background` and `backgroundColor` follow where present. A
//!   paint written anew loses its `boundVariables`. References to shared styles (`styles`) stay.
//! - When the font changes, `fontPostScriptName` goes; when the characters change, `lineTypes` and
//!   `lineIndentations` get as many entries as there are lines.
//!
//! # What is odd in a file
//!
//! Unknown types, values and fields are kept and written back. A field of the wrong type or out of
//! range is read as its default. A node without an id, or with one that is taken, gets a fresh id
//! in the document, and is written back without or with its own. All of it is noted in
//! [`Loaded::warnings`]. Only an element of `children` that is no object, and a tree with too many
//! nodes or levels, are errors.
//!
//! Start with [`from_json`]; the table is in `field`, geometry in `geometry`.

mod effect;
mod field;
mod geometry;
mod kind;
mod layout;
mod paint;
mod read;
mod text;
mod value;
mod write;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::base::Rect;

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
///
/// Sources: figma/rest-api-spec, `dist/api_types.ts`; the two shapes around a node are those the
/// evaluator of kixlab/canvas takes (`block_matcher.py`).
pub fn from_json(json: Value) -> Result<Loaded, FigmaError> {
    read::document(json)
}

/// Writes the document in the shape it came in. A document that was not changed gives equal JSON.
///
/// A document made here is written as `{"document": <node>}`; where that shape, or the shape it
/// came in, cannot hold as many top nodes as there are, as `{"nodes": …}`.
pub fn to_json(document: &Document) -> Value {
    write::document(document, None)
}

/// Writes as [`to_json`], with `absoluteRenderBounds` of every node that is not as it was read:
/// what `drawn` says, `null` where it says nothing.
pub fn to_json_with(document: &Document, drawn: &BTreeMap<NodeId, Rect>) -> Value {
    write::document(document, Some(drawn))
}

/// Writes one node with its subtree.
pub fn node_to_json(document: &Document, id: &NodeId) -> Result<Value, DocumentError> {
    write::subtree(document, id, None)
}

/// Writes one node with its subtree, and `absoluteRenderBounds` as [`to_json_with`].
pub fn node_to_json_with(
    document: &Document,
    id: &NodeId,
    drawn: &BTreeMap<NodeId, Rect>,
) -> Result<Value, DocumentError> {
    write::subtree(document, id, Some(drawn))
}
