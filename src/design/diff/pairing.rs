//! Which node of one document is which of the other.

use std::collections::BTreeMap;

use crate::design::document::Document;
use crate::design::node_id::NodeId;

/// Pairs of nodes of an earlier and a later document; each node is in one pair at most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairing {
    after: BTreeMap<NodeId, NodeId>,
    before: BTreeMap<NodeId, NodeId>,
    /// Whether the documents were made apart, so that where the screen lies on its page says nothing.
    pub(super) made_apart: bool,
}

impl Pairing {
    /// No pairs yet, of documents made apart.
    pub(super) fn made_apart() -> Self {
        Self { made_apart: true, ..Self::default() }
    }

    /// The later node of an earlier one.
    pub fn after(&self, before: &NodeId) -> Option<&NodeId> {
        self.after.get(before)
    }

    /// The earlier node of a later one.
    pub fn before(&self, after: &NodeId) -> Option<&NodeId> {
        self.before.get(after)
    }

    /// The pairs, by the earlier id.
    pub fn iter(&self) -> impl Iterator<Item = (&NodeId, &NodeId)> {
        self.after.iter()
    }

    /// How many pairs there are.
    pub fn len(&self) -> usize {
        self.after.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.after.is_empty()
    }

    /// Keeps only the pairs of which this holds.
    pub fn retain(&mut self, mut holds: impl FnMut(&NodeId, &NodeId) -> bool) {
        self.after.retain(|before, after| holds(before, after));
        let after = &self.after;
        self.before.retain(|later, earlier| after.get(&*earlier) == Some(later));
    }

    fn has(&self, before: &NodeId, after: &NodeId) -> bool {
        self.after.contains_key(before) || self.before.contains_key(after)
    }

    /// Adds a pair, unless one of the two is in another already.
    pub fn insert(&mut self, before: &NodeId, after: &NodeId) {
        // The first pair wins: callers insert the most certain ones first.
        if !self.has(before, after) {
            self.after.insert(before.clone(), after.clone());
            self.before.insert(after.clone(), before.clone());
        }
    }
}

/// Pairs nodes of the same id: for two states of one document.
pub fn pair_by_id(before: &Document, after: &Document) -> Pairing {
    let mut pairing = Pairing::default();
    for node in before.iter_depth_first().filter(|node| after.get(&node.id).is_some()) {
        pairing.insert(&node.id, &node.id);
    }
    pairing
}
