//! What is different between two documents.
//!
//! Nodes are paired first ([`Pairing`]), by id where ids mean the same in both (the design before
//! and after a change, one step and the next), else by what they are (a generated screen and its
//! ground truth); then every pair is compared, and what has no partner was added or removed.
//!
//! Places are compared within the parent, so that what is in a frame that moved did not move itself;
//! within the screen where the parent is another. Among siblings, the fewest possible count as
//! reordered (those outside a longest common order).
//!
//! Start with [`diff`].

mod content;
mod near;
mod order;
mod pairing;
mod style;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::base::{Point, Size};

use super::document::Document;
use super::node::Node;
use super::node_id::NodeId;

pub use content::{pair_by_content, pair_by_content_until, pair_rest_by_content};
pub use pairing::{Pairing, pair_by_id};
pub use style::StyleField;

pub(in crate::design) use near::is_near;

/// What is different between two documents, in paint order: of the later one, with what was removed
/// after it in the order of the earlier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Diff {
    /// The nodes that are not the same in both.
    pub nodes: Vec<NodeDiff>,
    /// How many nodes have a partner.
    pub paired: usize,
}

/// A node that is not the same in both.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDiff {
    /// Its id in the earlier document; `None` if it was added.
    pub before: Option<NodeId>,
    /// Its id in the later document; `None` if it was removed.
    pub after: Option<NodeId>,
    /// What is different; never empty.
    pub changes: Vec<Change>,
}

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Only in the later document.
    Added,
    /// Only in the earlier document.
    Removed,
    /// Of another kind, by Figma's names.
    Retyped {
        /// Earlier.
        from: String,
        /// Later.
        to: String,
    },
    /// With another name.
    Renamed {
        /// Earlier.
        from: String,
        /// Later.
        to: String,
    },
    /// In another parent; `None` is the page.
    Reparented {
        /// Earlier, by the earlier document's ids.
        from: Option<NodeId>,
        /// Later, by the later document's ids.
        to: Option<NodeId>,
    },
    /// At another place among its siblings, counted from the bottom.
    Reordered {
        /// Earlier.
        from: usize,
        /// Later.
        to: usize,
    },
    /// Elsewhere: the left top corner of its box in its parent, or on the screen if the parent is
    /// another.
    Moved {
        /// Earlier.
        from: Point,
        /// Later.
        to: Point,
    },
    /// Turned, flipped or skewed otherwise; in degrees, counter-clockwise.
    Turned {
        /// Earlier.
        from: f64,
        /// Later.
        to: f64,
    },
    /// Of another size, in its own space.
    Resized {
        /// Earlier.
        from: Size,
        /// Later.
        to: Size,
    },
    /// With other words.
    Rewritten {
        /// Earlier.
        from: String,
        /// Later.
        to: String,
    },
    /// Looking otherwise.
    Restyled {
        /// In what.
        fields: Vec<StyleField>,
    },
}

impl Diff {
    /// Whether nothing is different.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What is different of a node of the later document.
    pub fn of_later(&self, id: &NodeId) -> Option<&NodeDiff> {
        self.nodes.iter().find(|node| node.after.as_ref() == Some(id))
    }

    /// What is different of a node of the earlier document.
    pub fn of_earlier(&self, id: &NodeId) -> Option<&NodeDiff> {
        self.nodes.iter().find(|node| node.before.as_ref() == Some(id))
    }
}

/// Compares two documents whose nodes are paired.
///
/// Takes time in proportion to the nodes and their depth (and a little more where siblings were
/// mixed).
pub fn diff(before: &Document, after: &Document, pairing: &Pairing) -> Diff {
    let screens = [before, after].map(Document::main_frame);
    let differ = Differ { before, after, pairing, screens };
    let moved = differ.reordered();
    let later = after.iter_depth_first().filter_map(|node| differ.later(node, &moved));
    let removed = before.iter_depth_first().filter_map(|node| differ.removed(node));
    Diff { nodes: later.chain(removed).collect(), paired: pairing.len() }
}

/// Where a node was among its siblings, and where it is, by its later id.
type Moves = BTreeMap<NodeId, (usize, usize)>;

struct Differ<'a> {
    before: &'a Document,
    after: &'a Document,
    pairing: &'a Pairing,
    /// Of both, looked for once.
    screens: [Option<&'a Arc<Node>>; 2],
}

impl Differ<'_> {
    fn later(&self, now: &Node, moved: &Moves) -> Option<NodeDiff> {
        let was = self.pairing.before(&now.id).and_then(|id| self.before.get(id));
        // Added is all there is to say of a node that was not there: no place, no look.
        let (before, changes) = match was {
            None => (None, vec![Change::Added]),
            Some(was) => (Some(was.id.clone()), self.changes(was, now, moved)),
        };
        (!changes.is_empty()).then(|| NodeDiff { before, after: Some(now.id.clone()), changes })
    }

    fn removed(&self, was: &Node) -> Option<NodeDiff> {
        let is_gone = self.pairing.after(&was.id).is_none();
        is_gone.then(|| NodeDiff {
            before: Some(was.id.clone()),
            after: None,
            changes: vec![Change::Removed],
        })
    }

    fn changes(&self, was: &Node, now: &Node, moved: &Moves) -> Vec<Change> {
        let mut changes = Vec::new();
        // By name: what else a kind holds (arcs, tips, letters) is a matter of style or words.
        let (from, to) = (was.kind.type_name(), now.kind.type_name());
        if from != to {
            changes.push(Change::Retyped { from: from.to_owned(), to: to.to_owned() });
        }
        if was.name != now.name {
            changes.push(Change::Renamed { from: was.name.clone(), to: now.name.clone() });
        }
        // Places are told apart from structure: what moved with its parent did not move itself.
        let stays = self.has_same_parent(was, now);
        if !stays {
            let (from, to) = (was.parent.clone(), now.parent.clone());
            changes.push(Change::Reparented { from, to });
        }
        if let Some((from, to)) = moved.get(&now.id) {
            changes.push(Change::Reordered { from: *from, to: *to });
        }
        changes.extend(self.placement(was, now, stays));
        if let (Some(from), Some(to)) = (was.text(), now.text())
            && from.characters != to.characters
        {
            let (from, to) = (from.characters.clone(), to.characters.clone());
            changes.push(Change::Rewritten { from, to });
        }
        let fields = style::differing(was, now);
        if !fields.is_empty() {
            changes.push(Change::Restyled { fields });
        }
        changes
    }

    fn has_same_parent(&self, was: &Node, now: &Node) -> bool {
        match (&was.parent, &now.parent) {
            (None, None) => true,
            (Some(was), Some(now)) => self.pairing.after(was) == Some(now),
            _ => false,
        }
    }

    fn placement(&self, was: &Node, now: &Node, stays: bool) -> Vec<Change> {
        let mut changes = Vec::new();
        if !was.has_box() || !now.has_box() {
            return changes;
        }
        let [screen_was, screen_now] = self.screens;
        let are_screens = screen_was.is_some_and(|screen| screen.id == was.id)
            && screen_now.is_some_and(|screen| screen.id == now.id);
        // Of designs made apart, the place of the screen on its page means nothing.
        let lies_anywhere = self.pairing.made_apart && are_screens;
        let corners = if stays {
            [was, now].map(|node| node.transform.bounds_of(node.size).origin())
        } else {
            [
                corner_on_screen(self.before, screen_was, was),
                corner_on_screen(self.after, screen_now, now),
            ]
        };
        let [from, to] = corners;
        if !lies_anywhere && (!is_near(from.x, to.x) || !is_near(from.y, to.y)) {
            changes.push(Change::Moved { from, to });
        }
        // In another parent the same angle has another number.
        let (a, b) = (was.transform, now.transform);
        let linear = [(a.a, b.a), (a.b, b.b), (a.c, b.c), (a.d, b.d)];
        let turned = linear.iter().any(|(was, now)| (was - now).abs() > 1e-5);
        if turned && stays {
            let [from, to] = [was, now].map(|node| node.transform.rotation_degrees());
            changes.push(Change::Turned { from, to });
        }
        let (from, to) = (was.size, now.size);
        if !is_near(from.width, to.width) || !is_near(from.height, to.height) {
            changes.push(Change::Resized { from, to });
        }
        changes
    }

    /// The nodes that are at another place among the siblings that stayed with them.
    fn reordered(&self) -> Moves {
        // Each family once, the page's own included.
        let parents: BTreeSet<Option<&NodeId>> =
            self.after.iter_depth_first().map(|node| node.parent.as_ref()).collect();
        let places = places_among_siblings(self.before);
        parents.into_iter().flat_map(|parent| self.reordered_in(parent, &places)).collect()
    }

    fn reordered_in(
        &self,
        parent: Option<&NodeId>,
        places_before: &BTreeMap<&NodeId, usize>,
    ) -> Moves {
        let siblings = self.after.children_of(parent);
        let stayed: Vec<(&NodeId, usize, usize)> = siblings
            .iter()
            .enumerate()
            .filter_map(|(at, id)| {
                let was = self.before.get(self.pairing.before(id)?)?;
                let now = self.after.get(id)?;
                let old_at = places_before.get(&was.id)?;
                self.has_same_parent(was, now).then_some((id, *old_at, at))
            })
            .collect();
        let places: Vec<usize> = stayed.iter().map(|(_, old, _)| *old).collect();
        // Those outside a longest common order are the fewest that can have moved.
        let in_order = order::longest_rising(&places);
        let moved = stayed.iter().enumerate().filter(|(at, _)| !in_order.contains(at));
        moved.map(|(_, (id, old, new))| ((*id).clone(), (*old, *new))).collect()
    }
}

/// Where every node is among its siblings, counted from the bottom.
fn places_among_siblings(document: &Document) -> BTreeMap<&NodeId, usize> {
    let below = document.iter_depth_first().map(|node| &node.children);
    let families = std::iter::once(document.roots()).chain(below);
    families.flat_map(|family| family.iter().enumerate().map(|(at, id)| (id, at))).collect()
}

/// The left top corner of a node's box, from that of the screen.
fn corner_on_screen(document: &Document, screen: Option<&Arc<Node>>, node: &Node) -> Point {
    let own = document.absolute_box(&node.id).unwrap_or_default();
    let screen = screen.and_then(|screen| document.absolute_box(&screen.id).ok());
    let screen = screen.unwrap_or_default();
    Point::new(own.x - screen.x, own.y - screen.y)
}
