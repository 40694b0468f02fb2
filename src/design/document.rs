//! The nodes by id, shared between snapshots.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::base::{Affine, Rect};

use super::node::{Node, NodeId};

/// A design: a forest of nodes. A whole file has one root, the DOCUMENT node, with its CANVAS pages
/// as children; a page being worked on, or a single exported node, has its top nodes as roots.
///
/// Cloning is cheap (two pointers), so a clone *is* a snapshot; the first change after a clone
/// copies the table of pointers, never the nodes. All changes go through
/// [`edit::Transaction`](super::edit::Transaction).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    nodes: Arc<BTreeMap<NodeId, Arc<Node>>>,
    roots: Arc<Vec<NodeId>>,
    next_id: u64,
    envelope: Arc<Envelope>,
}

/// The JSON around the nodes, so that a file is written back in the shape it came in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Envelope {
    /// Where the nodes were in the JSON.
    pub shape: EnvelopeShape,
    /// The other fields, as they stood.
    pub fields: Map<String, Value>,
}

/// Where the nodes were in the JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EnvelopeShape {
    /// `{"document": <node>}`: a whole file, or one node in a `document` field.
    #[default]
    Document,
    /// `{"nodes": {"<id>": {"document": <node>}}}`: answers of the `nodes` endpoint.
    Nodes,
    /// The node itself.
    Bare,
}

/// Why a document refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DocumentError {
    /// No node has this id.
    #[error("no node with id {0}")]
    UnknownNode(NodeId),
    /// A node of this id exists.
    #[error("a node with id {0} exists already")]
    DuplicateId(NodeId),
    /// The kind of the node cannot have children.
    #[error("{id} is a {kind} and cannot have children")]
    NotAContainer {
        /// Which node.
        id: NodeId,
        /// Its type.
        kind: String,
    },
    /// A node cannot be put into itself or its own subtree.
    #[error("{0} cannot be put into itself or one of its own descendants")]
    Cycle(NodeId),
    /// More than [`Limits::NODES`](crate::base::Limits::NODES) nodes, or deeper than
    /// [`Limits::NODE_DEPTH`](crate::base::Limits::NODE_DEPTH).
    #[error("the design would have too many nodes or nest too deep ({0})")]
    TooLarge(String),
    /// A number that is NaN, infinite or out of range.
    #[error("{what} must be a finite number within ±10,000,000, not {value}")]
    BadNumber {
        /// Which field.
        what: &'static str,
        /// What was given.
        value: f64,
    },
}

impl Document {
    /// The node of this id.
    pub fn get(&self, id: &NodeId) -> Option<&Arc<Node>> {
        self.nodes.get(id)
    }

    /// The node of this id, or the error that names it.
    pub fn node(&self, id: &NodeId) -> Result<&Arc<Node>, DocumentError> {
        self.get(id).ok_or_else(|| DocumentError::UnknownNode(id.clone()))
    }

    /// Children of the page, bottom first.
    pub fn roots(&self) -> &[NodeId] {
        &self.roots
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes in paint order: depth first, parents before children, bottom first.
    pub fn iter_depth_first(&self) -> impl Iterator<Item = &Arc<Node>> {
        let mut stack: Vec<&NodeId> = self.roots.iter().rev().collect();
        std::iter::from_fn(move || {
            loop {
                let node = self.nodes.get(stack.pop()?);
                if let Some(node) = node {
                    stack.extend(node.children.iter().rev());
                    return Some(node);
                }
            }
        })
    }

    /// From the node's own space to the page.
    pub fn absolute_transform(&self, id: &NodeId) -> Result<Affine, DocumentError> {
        let mut node = self.node(id)?;
        let mut page_from_node = node.transform;
        while let Some(parent) = &node.parent {
            node = self.node(parent)?;
            page_from_node = node.transform.after(page_from_node);
        }
        Ok(page_from_node)
    }

    /// Figma's `absoluteBoundingBox`: the box around the node's own rectangle, on the page.
    pub fn absolute_box(&self, id: &NodeId) -> Result<Rect, DocumentError> {
        Ok(self.absolute_transform(id)?.bounds_of(self.node(id)?.size))
    }
}
