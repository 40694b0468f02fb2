//! Pairings by content, each made once.

use std::sync::{Mutex, PoisonError};

use crate::base::{CancelToken, Cancelled};
use crate::design::Document;
use crate::design::diff::{Pairing, pair_by_content_until};

/// How many are kept: steps around the one on the stage.
const PAIRINGS: usize = 32;

/// The pairings of the pairs of designs that were asked for last.
///
/// A step that changed nothing (a look at the design, a call that failed) has the pairing of the one
/// before it; so has a step whose design was made again because its outline was let go.
#[derive(Debug, Default)]
pub(in crate::worker) struct Pairings(Mutex<Vec<Known>>);

#[derive(Debug)]
struct Known {
    before: Document,
    after: Document,
    pairing: Pairing,
}

impl Pairings {
    /// The pairing of two designs, made now if it is not known. No lock is held meanwhile; one that
    /// is stopped leaves nothing behind.
    pub(in crate::worker) fn of(
        &self,
        before: &Document,
        after: &Document,
        cancel: &CancelToken,
    ) -> Result<Pairing, Cancelled> {
        if let Some(pairing) = self.known(before, after) {
            return Ok(pairing);
        }
        let pairing = pair_by_content_until(before, after, cancel)?;
        self.put(Known { before: before.clone(), after: after.clone(), pairing: pairing.clone() });
        Ok(pairing)
    }

    fn known(&self, before: &Document, after: &Document) -> Option<Pairing> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |it: &Known| is_same(&it.after, after) && is_same(&it.before, before);
        let at = known.iter().position(is_it)?;
        // What was asked for last is let go last.
        let found = known.remove(at);
        let pairing = found.pairing.clone();
        known.push(found);
        Some(pairing)
    }

    fn put(&self, new: Known) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.push(new);
        if known.len() > PAIRINGS {
            known.remove(0);
        }
    }
}

/// Looking through two designs costs little beside pairing them.
fn is_same(one: &Document, other: &Document) -> bool {
    one.shares_nodes_with(other) || one == other
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::{Node, NodeId, NodeKind};

    fn design(width: f64) -> Document {
        let mut node = Node::new(NodeId::from("1:1"), "Screen", NodeKind::Frame);
        node.size = Size::new(width, 10.0);
        Document::from_nodes([node]).unwrap()
    }

    fn raised() -> CancelToken {
        let cancel = CancelToken::new();
        cancel.cancel();
        cancel
    }

    #[test]
    fn a_pairing_is_made_once_for_equal_designs_and_anew_for_others() {
        let pairings = Pairings::default();
        let made = pairings.of(&design(1.0), &design(2.0), &CancelToken::new()).unwrap();
        assert_eq!(made.len(), 1);
        // A raised token stops whoever pairs, not whoever looks up.
        assert_eq!(pairings.of(&design(1.0), &design(2.0), &raised()), Ok(made));
        assert_eq!(pairings.of(&design(2.0), &design(1.0), &raised()), Err(Cancelled));
        assert_eq!(pairings.of(&design(1.0), &design(3.0), &raised()), Err(Cancelled));
    }

    #[test]
    fn what_was_asked_for_longest_ago_is_let_go() {
        let pairings = Pairings::default();
        let ask = |width: usize, cancel: &CancelToken| {
            pairings.of(&design(1.0), &design(width as f64), cancel)
        };
        for width in 0..PAIRINGS {
            ask(width, &CancelToken::new()).unwrap();
        }
        assert!(ask(0, &raised()).is_ok());
        ask(PAIRINGS, &CancelToken::new()).unwrap();
        assert!(ask(0, &raised()).is_ok(), "it was asked for since");
        assert_eq!(ask(1, &raised()), Err(Cancelled));
    }
}
