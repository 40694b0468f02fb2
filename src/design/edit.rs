//! Changes with exact inverses.
//!
//! A [`Transaction`] records the nodes it touches as they were; committed, it becomes an [`Edit`]: a
//! set of node replacements that can be applied and undone any number of times. Dropped without
//! [`Transaction::commit`], it leaves the document as it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::Affine;

use super::document::{Document, DocumentError};
use super::node::{Node, NodeId};

/// A change of a document, with what was there before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    /// For each touched node: before and after; `None` where it did not exist.
    changes: BTreeMap<NodeId, (Option<Arc<Node>>, Option<Arc<Node>>)>,
    /// The roots before and after.
    roots: (Arc<Vec<NodeId>>, Arc<Vec<NodeId>>),
}

impl Edit {
    /// The edit that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        todo!()
    }

    /// Applies the edit to the document it was made from (or, for an inverse, led to).
    pub fn apply(&self, _document: &mut Document) {
        todo!()
    }

    /// The touched nodes, in id order.
    pub fn touched(&self) -> impl Iterator<Item = &NodeId> {
        self.changes.keys()
    }
}

/// Changes in the making.
#[derive(Debug)]
pub struct Transaction<'a> {
    document: &'a mut Document,
}

impl<'a> Transaction<'a> {
    /// Starts changing `document`.
    pub fn begin(document: &'a mut Document) -> Self {
        Self { document }
    }

    /// The document as it is now, changes included.
    pub fn document(&self) -> &Document {
        self.document
    }

    /// A fresh id of the form `1:n`, never given before in this document.
    pub fn new_id(&mut self) -> NodeId {
        todo!()
    }

    /// Puts a node (its `parent` and `children` fields are ignored) into `parent`, or on the page;
    /// at `index` among the children, or on top.
    pub fn insert(
        &mut self,
        _node: Node,
        _parent: Option<&NodeId>,
        _index: Option<usize>,
    ) -> Result<(), DocumentError> {
        todo!()
    }

    /// Changes a node in place. `id`, `parent` and `children` are restored afterwards: structure is
    /// changed by the other methods.
    pub fn update(
        &mut self,
        _id: &NodeId,
        _change: impl FnOnce(&mut Node),
    ) -> Result<(), DocumentError> {
        todo!()
    }

    /// Takes a node with its subtree out; an emptied GROUP goes too, as in Figma.
    pub fn remove(&mut self, _id: &NodeId) -> Result<(), DocumentError> {
        todo!()
    }

    /// Moves a node into another parent (or to the page) at `index` (or on top), keeping its place
    /// on the page.
    pub fn reparent(
        &mut self,
        _id: &NodeId,
        _parent: Option<&NodeId>,
        _index: Option<usize>,
    ) -> Result<(), DocumentError> {
        todo!()
    }

    /// Sets where a node lies by its transform to the page.
    pub fn set_absolute_transform(
        &mut self,
        _id: &NodeId,
        _page_from_node: Affine,
    ) -> Result<(), DocumentError> {
        todo!()
    }

    /// A deep copy of a node with fresh ids, on top of its siblings; gives the copy's id.
    pub fn duplicate(&mut self, _id: &NodeId) -> Result<NodeId, DocumentError> {
        todo!()
    }

    /// Ends the transaction: fits every touched GROUP to its children, and gives the edit.
    pub fn commit(self) -> Edit {
        todo!()
    }
}
