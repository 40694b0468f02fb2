//! Changes with exact inverses.
//!
//! A [`Transaction`] records the nodes it touches as they were; committed, it becomes an [`Edit`]: a
//! set of node replacements that can be applied and undone any number of times. Dropped without
//! [`Transaction::commit`], it leaves the document as it was.
//!
//! Nodes are immutable behind their pointers, so "as it was" means the very same pointers: an
//! inverse is exact by construction, with no arithmetic to undo.

mod check;
mod combined;
mod fit;
mod resize;
mod transaction;

#[cfg(test)]
pub(super) mod tests;

pub use transaction::Transaction;

pub use check::numbers as check_numbers;
pub(super) use resize::{Resized, resize};

use std::collections::BTreeMap;
use std::sync::Arc;

use super::child_list::ChildList;
use super::document::Document;
use super::envelope::Envelope;
use super::node::Node;
use super::node_id::NodeId;

/// A node before and after; `None` where it did not exist.
type NodeChange = (Option<Arc<Node>>, Option<Arc<Node>>);

/// A change of a document, with what was there before.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Edit {
    changes: BTreeMap<NodeId, NodeChange>,
    /// The roots before and after.
    roots: (ChildList, ChildList),
    /// The JSON around the nodes before and after, where it is another.
    envelope: Option<(Arc<Envelope>, Arc<Envelope>)>,
}

/// Both, where they differ.
fn changed_envelope(
    (before, after): (&Arc<Envelope>, &Arc<Envelope>),
) -> Option<(Arc<Envelope>, Arc<Envelope>)> {
    (before != after).then(|| (Arc::clone(before), Arc::clone(after)))
}

impl Edit {
    /// The edit that leads from one document to another, such as one that replaces it.
    pub fn between(before: &Document, after: &Document) -> Self {
        let nodes = before.iter_depth_first().chain(after.iter_depth_first());
        // What is in both comes twice and means the same change: the map keeps one of them.
        let changes = nodes.filter_map(|node| {
            let change = (before.get(&node.id).cloned(), after.get(&node.id).cloned());
            (change.0 != change.1).then(|| (node.id.clone(), change))
        });
        Self {
            changes: changes.collect(),
            roots: (before.roots().clone(), after.roots().clone()),
            envelope: changed_envelope((before.shared_envelope(), after.shared_envelope())),
        }
    }

    /// The edit that makes these changes and leads to these roots and this envelope. Nothing follows from it: who makes
    /// it has seen to all that.
    pub(super) fn of_changes(
        changes: impl IntoIterator<Item = (NodeId, NodeChange)>,
        roots: (ChildList, ChildList),
        envelope: (&Arc<Envelope>, &Arc<Envelope>),
    ) -> Self {
        let changes = changes.into_iter().filter(|(_, (before, after))| before != after);
        Self { changes: changes.collect(), roots, envelope: changed_envelope(envelope) }
    }

    /// The edit that undoes this one.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let changes = self.changes.iter();
        Self {
            changes: changes
                .map(|(id, (before, after))| (id.clone(), (after.clone(), before.clone())))
                .collect(),
            roots: (self.roots.1.clone(), self.roots.0.clone()),
            envelope: self.envelope.clone().map(|(before, after)| (after, before)),
        }
    }

    /// Applies the edit to the document it was made from (or, for an inverse, led to).
    ///
    /// On another document the touched nodes are replaced all the same, and what names them may
    /// dangle; accessors skip what is not there.
    pub fn apply(&self, document: &mut Document) {
        for (id, (_, after)) in &self.changes {
            document.put(id, after.clone());
        }
        // The order of the roots is no node's, and comes with the edit.
        document.set_roots(self.roots.1.clone());
        if let Some((_, after)) = &self.envelope {
            document.set_shared_envelope(Arc::clone(after));
        }
    }

    /// The edit that does what this one does and then the next, which was made where this one led to.
    #[must_use]
    pub fn followed_by(&self, next: &Self) -> Self {
        let mut changes = self.changes.clone();
        for (id, (before, after)) in &next.changes {
            // What was there before the first of the two is there after undoing both.
            let before = changes.get(id).map_or(before, |(first, _)| first).clone();
            changes.insert(id.clone(), (before, after.clone()));
        }
        changes.retain(|_, (before, after)| before != after);
        let envelope = match (&self.envelope, &next.envelope) {
            (Some((before, _)), Some((_, after))) => Some((Arc::clone(before), Arc::clone(after))),
            (first, next) => next.clone().or_else(|| first.clone()),
        };
        Self {
            changes,
            roots: (self.roots.0.clone(), next.roots.1.clone()),
            envelope: envelope.filter(|(before, after)| before != after),
        }
    }

    /// The touched nodes, in id order.
    pub fn touched(&self) -> impl Iterator<Item = &NodeId> {
        self.changes.keys()
    }

    /// Whether nothing is different after it.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.roots.0 == self.roots.1 && self.envelope.is_none()
    }
}
