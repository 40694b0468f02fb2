//! Changes so small that each can be taken or left: one field of one node, or a node as a whole.
//!
//! A [`Hunk`] holds what it makes of its field, and the node as it was when it was proposed, so that
//! it is known whether it still means what it meant ([`Hunk::standing`]). Several of them, carried out
//! together, are one [`Edit`](super::edit::Edit) ([`apply_hunks`]).
//!
//! Start with [`Hunk`]. Uses the rest of `design`.

mod apply;
mod field;

pub use apply::{Consequences, apply_hunks};
pub use field::Field;

use std::sync::Arc;

use crate::base::Affine;

use super::document::Document;
use super::node::Node;
use super::node_id::NodeId;

/// A change of one field of one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Hunk {
    /// The node; of one that is put in, the id that it gets.
    pub node: NodeId,
    /// What becomes of it.
    pub change: HunkChange,
    /// The node and its place among its siblings when this was proposed; `None` of one that is put in.
    was: Option<(Arc<Node>, usize)>,
}

/// What becomes of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum HunkChange {
    /// It is put in, with these nodes below it, parents before children; each but the first names its
    /// parent, and their `children` are ignored.
    Insert {
        /// The node and what is below it.
        nodes: Vec<Arc<Node>>,
        /// Where it goes; `None` is the page.
        parent: Option<NodeId>,
        /// Its place among the siblings, from the bottom.
        index: usize,
    },
    /// It is deleted, with everything in it.
    Remove,
    /// It goes into another parent.
    Reparent {
        /// Which; `None` is the page.
        parent: Option<NodeId>,
        /// Its place among its new siblings, from the bottom.
        index: usize,
        /// Where it lies in the new parent.
        transform: Affine,
    },
    /// It goes to another place among its siblings, counted from the bottom without it.
    Reorder {
        /// Which.
        index: usize,
    },
    /// A field becomes what it is of another node, which need not be in the document.
    Set {
        /// Which field: any but existence, parent and order.
        field: Field,
        /// The node that has it so.
        like: Arc<Node>,
    },
}

/// What of a hunk holds in a document that may have changed since it was proposed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its field is as it was, whatever else changed: it can be carried out.
    Fits,
    /// Its field is another by now.
    Overtaken,
    /// Its node, or the parent that it was to go into, is gone; or is there already.
    Gone,
}

impl Hunk {
    /// A node that is put in; see [`HunkChange::Insert`]. `None` for no nodes.
    pub fn insert(nodes: Vec<Arc<Node>>, parent: Option<NodeId>, index: usize) -> Option<Self> {
        let node = nodes.first()?.id.clone();
        Some(Self { node, change: HunkChange::Insert { nodes, parent, index }, was: None })
    }

    /// A change of a node that is there. `None` if it is not.
    pub fn new(document: &Document, node: &NodeId, change: HunkChange) -> Option<Self> {
        let was = document.get(node)?;
        let index = index_of(document, was);
        Some(Self { node: node.clone(), change, was: Some((Arc::clone(was), index)) })
    }

    /// A field of a node that becomes what it is of another. `None` if the node is not there.
    pub fn set(document: &Document, node: &NodeId, field: Field, like: &Arc<Node>) -> Option<Self> {
        Self::new(document, node, HunkChange::Set { field, like: Arc::clone(like) })
    }

    /// Which field it changes.
    pub fn field(&self) -> Field {
        match self.change {
            HunkChange::Insert { .. } | HunkChange::Remove => Field::Existence,
            HunkChange::Reparent { .. } => Field::Parent,
            HunkChange::Reorder { .. } => Field::Order,
            HunkChange::Set { field, .. } => field,
        }
    }

    /// The node as it was when this was proposed; `None` of one that is put in.
    pub fn was(&self) -> Option<&Arc<Node>> {
        self.was.as_ref().map(|(node, _)| node)
    }

    /// The locked layer that it changes, or puts something into, if it does.
    pub fn locked_in<'h>(&'h self, document: &Document) -> Option<&'h NodeId> {
        let around = match &self.change {
            HunkChange::Insert { parent, .. } | HunkChange::Reparent { parent, .. } => {
                parent.as_ref()
            }
            HunkChange::Remove | HunkChange::Reorder { .. } | HunkChange::Set { .. } => None,
        };
        std::iter::once(&self.node).chain(around).find(|id| document.is_locked(id))
    }

    /// What of it holds in this document.
    pub fn standing(&self, document: &Document) -> Standing {
        self.standing_behind(document, &[])
    }

    /// What of it holds in this document once hunks before it have put in these nodes.
    pub fn standing_behind(&self, document: &Document, made: &[&NodeId]) -> Standing {
        let Some((was, index)) = &self.was else {
            let HunkChange::Insert { parent, .. } = &self.change else { return Standing::Gone };
            let can_be =
                document.get(&self.node).is_none() && takes_in(document, parent.as_ref(), made);
            return if can_be { Standing::Fits } else { Standing::Gone };
        };
        let Some(now) = document.get(&self.node) else { return Standing::Gone };
        let holds = match &self.change {
            HunkChange::Insert { .. } => false,
            // A node that somebody works on is not taken from under the hand.
            HunkChange::Remove => Arc::ptr_eq(was, now) || is_alike(was, now),
            HunkChange::Reparent { parent, .. } => {
                if !takes_in(document, parent.as_ref(), made) {
                    return Standing::Gone;
                }
                was.parent == now.parent
            }
            HunkChange::Reorder { .. } => {
                was.parent == now.parent && *index == index_of(document, now)
            }
            HunkChange::Set { field, .. } => field.is_same(was, now),
        };
        if holds { Standing::Fits } else { Standing::Overtaken }
    }
}

/// Whether nobody changed a node. What files say of it beside that, as it was read from another, is nobody's change.
fn is_alike(was: &Node, now: &Node) -> bool {
    (&was.parent, &was.children, was.locked) == (&now.parent, &now.children, now.locked)
        && Field::ALL.into_iter().all(|field| !field.is_value() || field.is_same(was, now))
}

/// Whether there is such a parent, or will be; there always is a page.
fn takes_in(document: &Document, parent: Option<&NodeId>, made: &[&NodeId]) -> bool {
    parent.is_none_or(|parent| document.get(parent).is_some() || made.contains(&parent))
}

/// The place of a node among its siblings, from the bottom.
fn index_of(document: &Document, node: &Node) -> usize {
    document.children_of(node.parent.as_ref()).position(&node.id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::diff::StyleField;
    use crate::design::edit::Transaction;
    use crate::design::layout::lay_out_all;
    use crate::design::measure::SquareLetters;
    use crate::design::node::{NodeKind, node_in_box as node};
    use crate::design::{AutoLayout, Direction};

    /// A screen with a row of two and a card.
    fn screen() -> Document {
        let mut row = node("row", NodeKind::Frame, Some("screen"), [0.0, 0.0, 100.0, 20.0]);
        let layout = AutoLayout { counter_hugs: false, ..AutoLayout::new(Direction::Horizontal) };
        row.auto_layout = Some(Box::new(layout));
        let mut document = Document::from_nodes([
            node("screen", NodeKind::Frame, None, [0.0, 0.0, 200.0, 200.0]),
            row,
            node("a", NodeKind::Rectangle, Some("row"), [0.0, 0.0, 20.0, 20.0]),
            node("b", NodeKind::Rectangle, Some("row"), [20.0, 0.0, 20.0, 20.0]),
            node("card", NodeKind::Frame, Some("screen"), [10.0, 60.0, 80.0, 80.0]),
        ])
        .unwrap();
        let mut change = Transaction::begin(&mut document);
        lay_out_all(&mut change, &"screen".into(), &SquareLetters);
        change.commit();
        document
    }

    fn like(document: &Document, id: &str, change: impl FnOnce(&mut Node)) -> Arc<Node> {
        let mut node = Node::clone(document.get(&id.into()).unwrap());
        change(&mut node);
        Arc::new(node)
    }

    #[test]
    fn what_was_carried_out_is_undone_to_the_very_same_document() {
        let start = screen();
        let mut document = start.clone();
        let wide = like(&start, "a", |a| (a.size, a.opacity) = (Size::new(40.0, 20.0), 0.5));
        let moved = like(&start, "card", |card| card.transform = Affine::translate(30.0, 90.0));
        let new = node("new", NodeKind::Ellipse(crate::design::EllipseArc::WHOLE), None, [0.0; 4]);
        let hunks = [
            Hunk::set(&start, &"a".into(), Field::Size, &wide).unwrap(),
            Hunk::set(&start, &"a".into(), Field::Style(StyleField::Opacity), &wide).unwrap(),
            Hunk::set(&start, &"card".into(), Field::Place, &moved).unwrap(),
            Hunk::insert(vec![Arc::new(new)], Some("card".into()), 0).unwrap(),
            Hunk::new(&start, &"b".into(), HunkChange::Reorder { index: 0 }).unwrap(),
        ];
        let edit =
            apply_hunks(&mut document, &hunks, Consequences::Settle, &SquareLetters).unwrap();
        assert_eq!(document.get(&"a".into()).unwrap().size, Size::new(40.0, 20.0));
        // The row lies in its new order, one behind the other.
        assert_eq!(document.get(&"a".into()).unwrap().transform.e, 20.0);
        assert!(document.get(&"new".into()).is_some());
        edit.inverse().apply(&mut document);
        assert_eq!(document, start);
    }

    #[test]
    fn without_consequences_only_the_field_changes() {
        let start = screen();
        let mut document = start.clone();
        let wide = like(&start, "a", |a| a.size = Size::new(40.0, 20.0));
        let hunk = Hunk::set(&start, &"a".into(), Field::Size, &wide).unwrap();
        apply_hunks(&mut document, [&hunk], Consequences::Leave, &SquareLetters).unwrap();
        assert_eq!(document.get(&"a".into()).unwrap().size, Size::new(40.0, 20.0));
        assert_eq!(document.get(&"b".into()).unwrap().transform.e, 20.0, "not pushed away");
    }

    #[test]
    fn all_of_them_happen_or_none() {
        let start = screen();
        let mut document = start.clone();
        let faint = like(&start, "a", |a| a.opacity = 0.5);
        let bad = like(&start, "b", |b| b.opacity = 7.0);
        let hunks = [("a", &faint), ("b", &bad)].map(|(id, like)| {
            Hunk::set(&start, &id.into(), Field::Style(StyleField::Opacity), like).unwrap()
        });
        apply_hunks(&mut document, &hunks, Consequences::Settle, &SquareLetters).unwrap_err();
        assert_eq!(document, start);
    }

    #[test]
    fn a_hunk_fits_as_long_as_its_own_field_is_as_it_was() {
        let start = screen();
        let wanted = like(&start, "card", |card| {
            (card.size, card.opacity) = (Size::new(9.0, 9.0), 0.5);
        });
        let hunks = [Field::Size, Field::Style(StyleField::Opacity)]
            .map(|field| Hunk::set(&start, &"card".into(), field, &wanted).unwrap());
        let remove = Hunk::new(&start, &"card".into(), HunkChange::Remove).unwrap();
        let mut document = start.clone();
        let mut change = Transaction::begin(&mut document);
        change.update(&"card".into(), |card| card.opacity = 0.25).unwrap();
        change.commit();
        assert_eq!(hunks[0].standing(&document), Standing::Fits);
        assert_eq!(hunks[1].standing(&document), Standing::Overtaken);
        assert_eq!(remove.standing(&document), Standing::Overtaken);
        let mut change = Transaction::begin(&mut document);
        change.remove(&"card".into()).unwrap();
        change.commit();
        assert_eq!(hunks.map(|hunk| hunk.standing(&document)), [Standing::Gone; 2]);
    }

    #[test]
    fn every_field_can_be_copied_so_that_it_is_the_same() {
        let mut from = node("from", NodeKind::Text(Box::default()), None, [3.0, 4.0, 5.0, 6.0]);
        (from.visible, from.opacity, from.is_mask, from.clips_content) = (false, 0.5, true, true);
        from.transform = Affine::translate(3.0, 4.0).after(Affine::rotate(0.4));
        from.stroke.paints = vec![crate::design::Paint::solid(crate::base::Rgba::BLACK)];
        (from.stroke.weight, from.stroke.dashes) = (3.0, vec![2.0, 1.0]);
        from.corner_smoothing = 0.6;
        let text = from.text_mut().unwrap();
        text.characters = "Good evening".to_owned();
        text.style.font_size = 30.0;
        text.style.letter_spacing = 2.0;
        text.style.case = crate::design::TextCase::Upper;
        for field in Field::ALL.into_iter().filter(|field| field.is_value()) {
            let mut to = node("to", NodeKind::Text(Box::default()), None, [0.0, 0.0, 1.0, 1.0]);
            field.copy(&from, &mut to);
            assert!(field.is_same(&from, &to), "{field:?}");
        }
    }
}
