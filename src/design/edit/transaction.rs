//! Changes in the making.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{Affine, Size};

use super::{Edit, check, combined};
use crate::design::child_list::ChildList;
use crate::design::document::{Document, DocumentError};
use crate::design::node::{Node, NodeKind};
use crate::design::node_id::NodeId;

/// Changes in the making.
///
/// Every method either does all it says or gives an error and changes nothing. Dropped without
/// [`Transaction::commit`], the document is as it was at [`Transaction::begin`].
#[derive(Debug)]
pub struct Transaction<'a> {
    document: &'a mut Document,
    /// The touched nodes as they were.
    before: BTreeMap<NodeId, Option<Arc<Node>>>,
    roots_before: ChildList,
    last_id_before: u64,
    committed: bool,
}

impl<'a> Transaction<'a> {
    /// Starts changing `document`.
    pub fn begin(document: &'a mut Document) -> Self {
        let roots_before = document.roots().clone();
        let last_id_before = document.last_id();
        Self { document, before: BTreeMap::new(), roots_before, last_id_before, committed: false }
    }

    /// The document as it is now, changes included.
    pub fn document(&self) -> &Document {
        self.document
    }

    /// A fresh id of the form `1:n`, never given before in this document (ids of dropped
    /// transactions apart: nobody can have seen those).
    pub fn new_id(&mut self) -> NodeId {
        self.document.next_id()
    }

    /// Puts a node (its `parent` and `children` fields are ignored) into `parent`, or on the page;
    /// at `index` among the children, or on top. An index past the end is the top.
    pub fn insert(
        &mut self,
        node: Node,
        parent: Option<&NodeId>,
        index: Option<usize>,
    ) -> Result<(), DocumentError> {
        if self.document.get(&node.id).is_some() {
            return Err(DocumentError::DuplicateId(node.id));
        }
        check::numbers(&node)?;
        check::accepts_children(self.document, parent)?;
        check::room_for(self.document, 1)?;
        // All checks come before the first change: what fails leaves nothing behind.
        check::depth(self.document, parent, 1)?;
        let id = node.id.clone();
        // Links are this transaction's to make: those of a node from elsewhere would dangle.
        let mut node = Node { parent: parent.cloned(), children: ChildList::new(), ..node };
        pin(&mut node);
        self.replace(&id, Some(Arc::new(node)));
        self.link(&id, parent, index);
        Ok(())
    }

    /// Changes a node in place. `id`, `parent` and `children` are restored afterwards: structure is changed by the
    /// other methods. So are transform and size of a file or page, which have none. A change that leaves a number out
    /// of range, or a node that has children as a kind that cannot have them, is an error and does not happen.
    pub fn update(
        &mut self,
        id: &NodeId,
        change: impl FnOnce(&mut Node),
    ) -> Result<(), DocumentError> {
        // A copy is changed and checked, and put in only then: an error leaves the old node.
        let old = Arc::clone(self.document.node(id)?);
        let mut new = Node::clone(&old);
        change(&mut new);
        new.id.clone_from(&old.id);
        new.parent.clone_from(&old.parent);
        new.children.clone_from(&old.children);
        pin(&mut new);
        check::numbers(&new)?;
        if !new.children.is_empty() && new.kind != old.kind && !new.kind.is_container() {
            return Err(check::not_a_container(&new));
        }
        // What is the same again keeps its pointer, by which caches know it.
        if new != *old {
            self.replace(id, Some(Arc::new(new)));
        }
        Ok(())
    }

    /// Takes a node with its subtree out; an emptied GROUP goes too, as in Figma.
    pub fn remove(&mut self, id: &NodeId) -> Result<(), DocumentError> {
        let parent = self.document.node(id)?.parent.clone();
        self.unlink(id, parent.as_ref());
        // Gathered before the first goes: the walk needs the links.
        let subtree: Vec<NodeId> = self.document.subtree(id).map(|node| node.id.clone()).collect();
        for id in &subtree {
            self.replace(id, None);
        }
        self.remove_if_emptied_group(parent.as_ref())
    }

    /// Moves a node into another parent (or to the page) at `index` (or on top) among the children
    /// that are there without it, keeping its place on the page (if it has one: a node whose box is
    /// null in the file has none). A GROUP it leaves empty goes.
    pub fn reparent(
        &mut self,
        id: &NodeId,
        parent: Option<&NodeId>,
        index: Option<usize>,
    ) -> Result<(), DocumentError> {
        let old_parent = self.document.node(id)?.parent.clone();
        check::accepts_children(self.document, parent)?;
        check::no_cycle(self.document, id, parent)?;
        check::depth(self.document, parent, check::height(self.document, id))?;
        // Among the same siblings nothing but the order changes, and no arithmetic may move it.
        if old_parent.as_ref() == parent {
            self.unlink(id, parent);
            self.link(id, parent, index);
            return Ok(());
        }
        // In the new parent's space it has another transform for the same place on the page.
        if self.document.node(id)?.has_box() {
            let page_from_node = self.document.absolute_transform(id)?;
            let transform = self.relative_to(id, parent, page_from_node)?;
            self.update(id, |node| node.transform = transform)?;
        }
        self.unlink(id, old_parent.as_ref());
        self.change(id, |node| node.parent = parent.cloned());
        self.link(id, parent, index);
        self.remove_if_emptied_group(old_parent.as_ref())
    }

    /// Sets where a node lies by its transform to the page.
    pub fn set_absolute_transform(
        &mut self,
        id: &NodeId,
        page_from_node: Affine,
    ) -> Result<(), DocumentError> {
        let parent = self.document.node(id)?.parent.as_ref();
        // In the parent's space, which is what a node holds.
        let transform = self.relative_to(id, parent, page_from_node)?;
        self.update(id, |node| node.transform = transform)
    }

    /// A deep copy of a node with fresh ids, on top of its siblings; gives the copy's id.
    pub fn duplicate(&mut self, id: &NodeId) -> Result<NodeId, DocumentError> {
        let parent = self.document.node(id)?.parent.clone();
        let originals: Vec<Arc<Node>> = self.document.subtree(id).cloned().collect();
        // Refused as a whole, not when the last of the copies does not fit.
        check::room_for(self.document, originals.len())?;
        let copies: BTreeMap<NodeId, NodeId> =
            originals.iter().map(|node| (node.id.clone(), self.new_id())).collect();
        for original in &originals {
            let Some(id) = copies.get(&original.id) else { continue };
            // What is named and was not copied keeps its name: the parent of the topmost.
            let copy = Node {
                id: id.clone(),
                parent: original.parent.as_ref().map(|id| copies.get(id).unwrap_or(id).clone()),
                children: original
                    .children
                    .iter()
                    .map(|id| copies.get(id).unwrap_or(id).clone())
                    .collect(),
                ..Node::clone(original)
            };
            self.replace(id, Some(Arc::new(copy)));
        }
        let copy = copies.get(id).ok_or_else(|| DocumentError::UnknownNode(id.clone()))?.clone();
        self.link(&copy, parent.as_ref(), None);
        Ok(copy)
    }

    /// Ends the transaction: fits every touched GROUP to its children, and gives the edit.
    pub fn commit(mut self) -> Edit {
        // Groups first: fitting one touches its children, and with them the shapes they combine to.
        self.fit_groups();
        for id in combined::with_stale_outline(self.document, &self.before) {
            self.change(&id, combined::drop_outline);
        }
        self.committed = true;
        // A node that was touched and is as it was again is no change: an edit of nothing is empty.
        let before = std::mem::take(&mut self.before);
        let changes = before.into_iter().filter_map(|(id, before)| {
            let after = self.document.get(&id).cloned();
            (before != after).then_some((id, (before, after)))
        });
        Edit {
            changes: changes.collect(),
            roots: (std::mem::take(&mut self.roots_before), self.document.roots().clone()),
            envelope: None,
        }
    }

    /// The transform that puts `id`, as a child of `parent`, at a place on the page.
    fn relative_to(
        &self,
        id: &NodeId,
        parent: Option<&NodeId>,
        page_from_node: Affine,
    ) -> Result<Affine, DocumentError> {
        let Some(parent) = parent else { return Ok(page_from_node) };
        let page_from_parent = self.document.absolute_transform(parent)?;
        if page_from_parent.is_translation() {
            // Without a matrix product, so that whole pixels stay whole.
            let (e, f) =
                (page_from_node.e - page_from_parent.e, page_from_node.f - page_from_parent.f);
            return Ok(Affine { e, f, ..page_from_node });
        }
        let parent_from_page =
            page_from_parent.inverse().ok_or_else(|| DocumentError::Singular(id.clone()))?;
        Ok(parent_from_page.after(page_from_node))
    }

    fn remove_if_emptied_group(&mut self, id: Option<&NodeId>) -> Result<(), DocumentError> {
        let Some(node) = id.and_then(|id| self.document.get(id)) else { return Ok(()) };
        if node.kind == NodeKind::Group && node.children.is_empty() {
            let id = node.id.clone();
            return self.remove(&id);
        }
        Ok(())
    }

    /// Names `id` among the children of `parent`.
    fn link(&mut self, id: &NodeId, parent: Option<&NodeId>, index: Option<usize>) {
        self.change_siblings(parent, |siblings| {
            siblings.insert(index.unwrap_or(usize::MAX), id.clone());
        });
    }

    fn unlink(&mut self, id: &NodeId, parent: Option<&NodeId>) {
        self.change_siblings(parent, |siblings| siblings.remove(id));
    }

    fn change_siblings(&mut self, parent: Option<&NodeId>, change: impl FnOnce(&mut ChildList)) {
        match parent {
            None => change(self.document.roots_mut()),
            Some(parent) => self.change(parent, |node| change(&mut node.children)),
        }
    }

    /// The touched nodes as they were; `None` for those that were not there.
    pub(in crate::design) fn touched(&self) -> &BTreeMap<NodeId, Option<Arc<Node>>> {
        &self.before
    }

    /// Changes a node by what follows from other changes: without checks, so that the numbers have
    /// to be in range. Does nothing if there is no such node.
    pub(in crate::design) fn settle_node(&mut self, id: &NodeId, change: impl FnOnce(&mut Node)) {
        self.change(id, change);
    }

    /// Changes a node without checks; does nothing if there is no such node.
    fn change(&mut self, id: &NodeId, change: impl FnOnce(&mut Node)) {
        self.remember(id);
        if let Some(node) = self.document.get_mut(id) {
            change(node);
        }
    }

    fn replace(&mut self, id: &NodeId, node: Option<Arc<Node>>) {
        self.remember(id);
        self.document.put(id, node);
    }

    /// Keeps the node as it is, the first time it is about to change.
    fn remember(&mut self, id: &NodeId) {
        if !self.before.contains_key(id) {
            self.before.insert(id.clone(), self.document.get(id).cloned());
        }
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        // Rolled back by the very pointers that were there.
        if self.committed {
            return;
        }
        for (id, node) in std::mem::take(&mut self.before) {
            self.document.put(&id, node);
        }
        self.document.set_roots(std::mem::take(&mut self.roots_before));
        // Last, as putting a node back spends its id.
        self.document.set_last_id(self.last_id_before);
    }
}

impl Document {
    /// A document of these nodes, each into the `parent` it names (which must come before it) or on
    /// the page, on top of what is there. Their `children` fields are ignored.
    pub fn from_nodes(nodes: impl IntoIterator<Item = Node>) -> Result<Self, DocumentError> {
        let mut document = Self::default();
        let mut transaction = Transaction::begin(&mut document);
        for node in nodes {
            let parent = node.parent.clone();
            // An error drops the transaction, and the document with it.
            transaction.insert(node, parent.as_ref(), None)?;
        }
        transaction.commit();
        Ok(document)
    }
}

/// A file and its pages have no place and no extent.
fn pin(node: &mut Node) {
    if node.kind.is_file_or_page() {
        node.transform = Affine::IDENTITY;
        node.size = Size::default();
    }
}
