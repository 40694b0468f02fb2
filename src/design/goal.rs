//! A design to arrive at: what of another one is still different from it, and how far that is.
//!
//! This is the one distance between designs. The assistant's steps lower it, studies record it and hold the end of a
//! task against it. They differ only in what they know of which node stands for which: the assistant was there when
//! nodes came to be and keeps its [`Pairing`], a study has two documents and pairs them anew ([`Goal::pair_as`]).
//!
//! Start with [`Goal`].

use std::collections::BTreeSet;

use super::diff::{Pairing, diff, pair_by_content, pair_by_id, pair_rest_by_content};
use super::document::Document;
use super::hunk::Field;
use super::node::Node;
use super::node_id::NodeId;

/// Whether names of layers and types of frames are part of the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Names {
    /// As a task that is about how a design looks has it.
    #[default]
    Ignored,
    /// As a task that asks for them has it.
    Counted,
}

/// Whether nodes of the same id are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameNodes {
    /// One design was made from the other.
    ById,
    /// They were made apart: what is alike is the same.
    ByContent,
}

/// A design to arrive at.
///
/// The distance from it is the sum over all that differs: 3 for a node missing or too many, 2 for words, place, turn
/// and size, 1 for each field of the look, for another parent and for the order among siblings. What is outside the
/// screen does not count, nor where the screen itself lies.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The design.
    pub document: Document,
    /// The frame that is the design.
    pub screen: NodeId,
    /// The nodes of the screen, itself among them.
    nodes: BTreeSet<NodeId>,
    names: Names,
}

/// One difference: a field of a node.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenChange {
    /// The node; `None` of one that is missing.
    pub node: Option<NodeId>,
    /// The node of the goal; `None` of one that is too many.
    pub goal: Option<NodeId>,
    /// Which field of it.
    pub field: Field,
}

impl Goal {
    /// `None` of a document without any node that could be the design.
    pub fn new(document: Document, names: Names) -> Option<Self> {
        let screen = document.main_frame()?.id.clone();
        let nodes = document.subtree(&screen).map(|node| node.id.clone()).collect();
        Some(Self { document, screen, nodes, names })
    }

    /// The same with the boxes of groups fitted to what they hold: those of files need not be, and no edit
    /// could lead there. As it is where it has nodes that nobody could put in.
    pub fn fitted(document: Document, names: Names) -> Option<Self> {
        let nodes = document.iter_depth_first().map(|node| Node::clone(node));
        Self::new(Document::from_nodes(nodes).unwrap_or(document), names)
    }

    /// What is different, in paint order, what is too many last. Only what is on the screen counts, and
    /// of the screen itself not where it lies.
    pub fn open_changes(&self, current: &Document, pairing: &Pairing) -> Vec<OpenChange> {
        let there = self.screen_of(current, pairing);
        let on_screen: BTreeSet<&NodeId> =
            there.iter().flat_map(|screen| current.subtree(screen)).map(|node| &node.id).collect();
        let mut open = Vec::new();
        for differing in diff(current, &self.document, pairing).nodes {
            // What is of other screens is not asked for; what lies too many on this one has to go.
            let counts = match (&differing.after, &differing.before) {
                (Some(goal), _) => self.nodes.contains(goal),
                (None, before) => before.as_ref().is_some_and(|id| on_screen.contains(id)),
            };
            if !counts {
                continue;
            }
            let is_screen = differing.after.as_ref() == Some(&self.screen);
            let fields = differing.changes.iter().flat_map(Field::of_change);
            let counting = fields.filter(|field| self.counts(*field, is_screen));
            open.extend(counting.map(|field| OpenChange {
                node: differing.before.clone(),
                goal: differing.after.clone(),
                field,
            }));
        }
        open
    }

    /// How many nodes the screen has, itself among them.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How far a document is from the goal: 0 for one that does not differ in anything that counts.
    pub fn distance(&self, current: &Document, pairing: &Pairing) -> u32 {
        self.open_changes(current, pairing).iter().map(|open| open.field.weight()).sum()
    }

    /// The frame of a document that is paired with the goal's screen, or else its own.
    pub fn screen_of(&self, current: &Document, pairing: &Pairing) -> Option<NodeId> {
        let paired = pairing.before(&self.screen).and_then(|id| current.get(id));
        paired.or_else(|| current.main_frame()).map(|screen| screen.id.clone())
    }

    /// Whether names and types count; whether a difference of the screen's own does.
    fn counts(&self, field: Field, is_screen: bool) -> bool {
        match field {
            Field::Name => self.names == Names::Counted && !is_screen,
            Field::Kind => self.names == Names::Counted,
            // Where the screen lies on its page is nothing of the design.
            Field::Place | Field::Parent | Field::Order | Field::Rotation => !is_screen,
            Field::Existence | Field::Size | Field::Words | Field::Style(_) => true,
        }
    }

    /// Pairs a document's nodes with those of the goal: by id where most ids mean the same in both, as
    /// of a design that was made from the goal or has become it; then by what they are.
    pub fn pair(&self, current: &Document) -> Pairing {
        let mut pairing = pair_by_id(current, &self.document);
        pairing.retain(|was, now| self.can_become(current, was, now));
        let alike = pairing.iter().filter(|(was, now)| self.is_alike(current, was, now)).count();
        let fewest = current.len().min(self.document.len());
        if alike * 2 < fewest {
            pairing = pair_by_content(current, &self.document);
            pairing.retain(|was, now| self.can_become(current, was, now));
        }
        // The screens are the same thing, whatever their ids are.
        if let Some(screen) = current.main_frame()
            && self.can_become(current, &screen.id, &self.screen)
        {
            pairing.insert(&screen.id, &self.screen);
        }
        self.pair_more(current, &pairing)
    }

    /// Pairs a document's nodes with those of the goal by what is known of both: by id where one was made from the
    /// other and a node can have become the one of its id, then by what they are.
    pub fn pair_as(&self, current: &Document, same: SameNodes) -> Pairing {
        match same {
            SameNodes::ById => {
                let mut pairing = pair_by_id(current, &self.document);
                pairing.retain(|was, now| self.can_become(current, was, now));
                self.pair_more(current, &pairing)
            }
            SameNodes::ByContent => self.pair(current),
        }
    }

    /// Pairs what has no partner yet, if that brings the goal nearer: a node that was made by hand
    /// where one is missing.
    pub fn pair_more(&self, current: &Document, known: &Pairing) -> Pairing {
        let mut known = known.clone();
        // What is gone has no partner any more.
        known.retain(|was, now| current.get(was).is_some() && self.document.get(now).is_some());
        let mut more = pair_rest_by_content(current, &self.document, &known);
        more.retain(|was, now| self.can_become(current, was, now));
        if more.len() == known.len() {
            return known;
        }
        let is_nearer = self.distance(current, &more) < self.distance(current, &known);
        if is_nearer { more } else { known }
    }

    /// Whether two nodes of one id are likely to be one node: where ids only count up, as those of two
    /// designs that were drawn apart do, the same id says nothing.
    fn is_alike(&self, current: &Document, was: &NodeId, now: &NodeId) -> bool {
        let (Some(was), Some(now)) = (current.get(was), self.document.get(now)) else {
            return false;
        };
        let says_the_same = was.text().is_some() && Field::Words.is_same(was, now);
        let lies_the_same = Field::Place.is_same(was, now) && Field::Size.is_same(was, now);
        was.name == now.name || says_the_same || lies_the_same
    }

    /// Whether changes of its fields can make the one node of the other.
    fn can_become(&self, current: &Document, was: &NodeId, now: &NodeId) -> bool {
        let (Some(was), Some(now)) = (current.get(was), self.document.get(now)) else {
            return false;
        };
        // One kind of frame may become another.
        let are_frames = was.kind.is_some_frame() && now.kind.is_some_frame();
        was.kind.type_name() == now.kind.type_name() || are_frames
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::edit::Transaction;
    use crate::design::node::{NodeKind, node_in_box as node};

    fn screen() -> Document {
        Document::from_nodes([
            node("1:1", NodeKind::Frame, None, [0.0, 0.0, 200.0, 200.0]),
            node("1:2", NodeKind::Rectangle, Some("1:1"), [10.0, 10.0, 40.0, 40.0]),
            node(
                "1:3",
                NodeKind::Ellipse(crate::design::EllipseArc::WHOLE),
                Some("1:1"),
                [60.0; 4],
            ),
        ])
        .unwrap()
    }

    fn distance(current: &Document, same: SameNodes) -> u32 {
        let goal = Goal::new(screen(), Names::Ignored).unwrap();
        goal.distance(current, &goal.pair_as(current, same))
    }

    fn changed(change: impl FnOnce(&mut Transaction<'_>)) -> Document {
        let mut document = screen();
        let mut transaction = Transaction::begin(&mut document);
        change(&mut transaction);
        transaction.commit();
        document
    }

    #[test]
    fn nothing_differs_of_the_goal_itself_and_each_field_has_its_weight() {
        let moved = changed(|change| {
            change.update(&"1:2".into(), |node| node.transform.e += 5.0).unwrap();
            change.update(&"1:3".into(), |node| node.opacity = 0.5).unwrap();
        });
        let removed = changed(|change| change.remove(&"1:3".into()).unwrap());
        for same in [SameNodes::ById, SameNodes::ByContent] {
            assert_eq!(distance(&screen(), same), 0);
            assert_eq!(distance(&moved, same), 2 + 1, "{same:?}");
            assert_eq!(distance(&removed, same), 3, "{same:?}");
        }
    }

    #[test]
    fn names_and_where_the_screen_lies_do_not_count() {
        let other = changed(|change| {
            change.update(&"1:1".into(), |node| node.transform.e += 500.0).unwrap();
            change.update(&"1:2".into(), |node| node.name = "Renamed".to_owned()).unwrap();
        });
        assert_eq!(distance(&other, SameNodes::ById), 0);
    }

    #[test]
    fn what_was_deleted_and_drawn_again_is_there_again() {
        let gone = screen().get(&"1:3".into()).unwrap().clone();
        let again = changed(|change| {
            change.remove(&"1:3".into()).unwrap();
            let id = change.new_id();
            change.insert(Node { id, ..Node::clone(&gone) }, Some(&"1:1".into()), None).unwrap();
        });
        assert_eq!(distance(&again, SameNodes::ById), 0);
    }
}
