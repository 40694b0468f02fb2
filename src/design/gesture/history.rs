//! Undo and redo.

use crate::design::document::Document;
use crate::design::edit::Edit;
use crate::design::hunk::Field;
use crate::design::node_id::NodeId;

/// What makes several edits one burst: the same kind of doing, on the same nodes, in the same field. Never
/// time alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BurstKey {
    /// What is done.
    pub kind: BurstKind,
    /// The nodes that it is done to, in the order of the selection.
    pub nodes: Vec<NodeId>,
    /// The field that it changes.
    pub field: Field,
}

/// What comes in bursts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BurstKind {
    /// Arrow keys of one direction: −1, 0 or 1 along each axis.
    Nudge(i8, i8),
    /// Letters that are typed into a text.
    Typing,
    /// A label that is dragged to change its number.
    Scrubbing,
}

/// What became of an edit that a history took in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pushed {
    /// Nothing: it changes nothing.
    Nothing,
    /// A step.
    Step,
    /// More of the burst that the last step is.
    Grown,
    /// The burst led back to where it began, and is no step any more.
    TakenBack,
}

/// What was done to a document, and can be undone.
///
/// All of it, however much that is: nothing is forgotten. A step holds the nodes that it changed, and shares them with the
/// steps around it and with the documents between them.
///
/// Edits of one [`BurstKey`] that follow each other are one step; what comes in between, an undo, or
/// [`History::end_burst`] (a text that is left, a label that is let go) ends a burst.
#[derive(Clone, Debug, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// What the last of `done` can still grow by.
    burst: Option<BurstKey>,
}

impl History {
    /// A history of nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in an edit that was made. One that changes nothing is none; any other forgets what was undone.
    pub fn push(&mut self, edit: Edit, key: Option<BurstKey>) -> Pushed {
        if edit.is_empty() {
            return Pushed::Nothing;
        }
        self.undone.clear();
        let goes_on = key.is_some() && key == self.burst;
        let pushed = match self.done.last_mut() {
            Some(last) if goes_on => {
                *last = last.followed_by(&edit);
                Pushed::Grown
            }
            _ => {
                self.done.push(edit);
                Pushed::Step
            }
        };
        // A burst that led back to where it began is no step; more of it starts anew.
        let is_nothing = self.done.last().is_some_and(Edit::is_empty);
        self.burst = key.filter(|_| !is_nothing);
        if is_nothing {
            self.done.pop();
            return Pushed::TakenBack;
        }
        pushed
    }

    /// Whether what comes next may be more of the last step.
    pub fn is_in_burst(&self) -> bool {
        self.burst.is_some()
    }

    /// Ends the burst: what comes next is a step of its own.
    pub fn end_burst(&mut self) {
        self.burst = None;
    }

    /// Undoes the last step, and gives what it did; `None` if there is none.
    pub fn undo(&mut self, document: &mut Document) -> Option<&Edit> {
        self.burst = None;
        let edit = self.done.pop()?;
        edit.inverse().apply(document);
        self.undone.push(edit);
        self.undone.last()
    }

    /// Does again what was undone last, and gives what it does; `None` if there is nothing.
    pub fn redo(&mut self, document: &mut Document) -> Option<&Edit> {
        self.burst = None;
        let edit = self.undone.pop()?;
        edit.apply(document);
        self.done.push(edit);
        self.done.last()
    }

    /// How many steps can be undone, and how many done again.
    pub fn len(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Affine, Size};
    use crate::design::edit::Transaction;
    use crate::design::node::{Node, NodeKind};
    use proptest::prelude::*;

    fn page() -> Document {
        let nodes = ["a", "b"].map(|id| {
            let mut node = Node::new(id.into(), id, NodeKind::Rectangle);
            node.size = Size::new(10.0, 10.0);
            node
        });
        Document::from_nodes(nodes).unwrap()
    }

    fn nudged(document: &mut Document, id: &str, x: f64) -> Edit {
        let mut change = Transaction::begin(document);
        // A node that is gone is not moved.
        change.update(&id.into(), |node| node.transform.e += x).ok();
        change.commit()
    }

    fn key(id: &str, x: i8) -> BurstKey {
        let nodes = vec![id.into()];
        BurstKey { kind: BurstKind::Nudge(x, 0), nodes, field: Field::Place }
    }

    fn x(document: &Document, id: &str) -> f64 {
        document.get(&id.into()).unwrap().transform.e
    }

    #[test]
    fn a_burst_of_one_direction_is_one_step() {
        let (mut document, mut history) = (page(), History::new());
        for _ in 0..5 {
            let edit = nudged(&mut document, "a", 1.0);
            history.push(edit, Some(key("a", 1)));
        }
        assert_eq!(history.len(), (1, 0));
        let edit = nudged(&mut document, "a", -1.0);
        history.push(edit, Some(key("a", -1)));
        assert_eq!(history.len(), (2, 0), "another direction is another step");
        history.undo(&mut document);
        history.undo(&mut document);
        assert_eq!((document == page(), history.len()), (true, (0, 2)));
        history.redo(&mut document);
        assert_eq!(x(&document, "a"), 5.0);
    }

    #[test]
    fn what_comes_between_ends_a_burst() {
        let (mut document, mut history) = (page(), History::new());
        let edits = [("a", true), ("b", true), ("a", true), ("a", false), ("a", true)];
        for (id, is_burst) in edits {
            let edit = nudged(&mut document, id, 1.0);
            history.push(edit, is_burst.then(|| key(id, 1)));
        }
        assert_eq!(history.len(), (5, 0));
        history.end_burst();
        let edit = nudged(&mut document, "a", 1.0);
        history.push(edit, Some(key("a", 1)));
        assert_eq!(history.len(), (6, 0));
        history.undo(&mut document);
        let edit = nudged(&mut document, "a", 1.0);
        history.push(edit, Some(key("a", 1)));
        assert_eq!(history.len(), (6, 0), "not joined to what was undone to");
    }

    #[test]
    fn the_first_of_thousands_of_steps_is_undone_too() {
        let (mut document, mut history) = (page(), History::new());
        for step in 0..2_500_u32 {
            let id = if step % 2 == 0 { "a" } else { "b" };
            let edit = nudged(&mut document, id, 1.0 + f64::from(step % 7));
            history.push(edit, None);
        }
        let end = document.clone();
        assert_eq!(history.len(), (2_500, 0));
        while history.undo(&mut document).is_some() {}
        assert_eq!((document == page(), history.len()), (true, (0, 2_500)));
        while history.redo(&mut document).is_some() {}
        assert_eq!((document == end, history.len()), (true, (2_500, 0)));
    }

    #[test]
    fn what_led_nowhere_is_no_step() {
        let (mut document, mut history) = (page(), History::new());
        for by in [3.0, -3.0] {
            let edit = nudged(&mut document, "a", by);
            history.push(edit, Some(key("a", 1)));
        }
        assert_eq!(history.len(), (0, 0));
        history.push(Edit::default(), None);
        assert_eq!(history.len(), (0, 0));
        assert!(history.undo(&mut document).is_none() && history.redo(&mut document).is_none());
    }

    proptest! {
        /// Whatever is done, undoing all of it gives the start, and doing it again the end.
        #[test]
        fn undoing_all_is_the_start_and_redoing_all_the_end(
            steps in prop::collection::vec((0..6_u8, 0..2_usize, -9..9_i8), 0..30),
        ) {
            let (mut document, mut history) = (page(), History::new());
            let start = document.clone();
            for (what, which, by) in steps {
                let id = ["a", "b"][which];
                match what {
                    0 | 1 => {
                        let edit = nudged(&mut document, id, f64::from(by));
                        history.push(edit, Some(key(id, by.signum())));
                    }
                    2 => {
                        let mut change = Transaction::begin(&mut document);
                        change.remove(&id.into()).ok();
                        let edit = change.commit();
                        history.push(edit, None);
                    }
                    3 => {
                        let mut change = Transaction::begin(&mut document);
                        change.duplicate(&id.into()).ok();
                        let edit = change.commit();
                        history.push(edit, None);
                    }
                    4 => drop(history.undo(&mut document).cloned()),
                    _ => drop(history.redo(&mut document).cloned()),
                }
            }
            while history.redo(&mut document).is_some() {}
            let end = document.clone();
            while history.undo(&mut document).is_some() {}
            prop_assert_eq!(&document, &start);
            while history.redo(&mut document).is_some() {}
            prop_assert_eq!(&document, &end);
        }
    }

    #[test]
    fn places_are_restored_to_the_bit() {
        let (mut document, mut history) = (page(), History::new());
        let edit = nudged(&mut document, "a", 0.1);
        history.push(edit, Some(key("a", 1)));
        let edit = nudged(&mut document, "a", 0.2);
        history.push(edit, Some(key("a", 1)));
        assert_eq!(document.get(&"a".into()).unwrap().transform, Affine::translate(0.1 + 0.2, 0.0));
        history.undo(&mut document);
        assert_eq!(x(&document, "a").to_bits(), 0.0_f64.to_bits());
    }
}
