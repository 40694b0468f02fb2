//! What was read or made once and is needed again: picture files, designs of tasks, pairings.
//!
//! [`RecentlyUsed`] keeps values by what they were made of; a new kind of them is its [`CacheKey`].

use std::fmt;

use parking_lot::Mutex;

use crate::base::{CancelToken, Cancelled, FileStamp, Pixels};
use crate::design::Document;
use crate::design::diff::{Pairing, pair_by_content_until};

/// What a value was made of: of equal keys the same is made.
pub(in crate::worker) trait CacheKey: PartialEq {
    /// What is made of it; another handle on it costs little.
    type Value: Clone;

    /// How much is kept, in the unit of [`Self::cost`].
    const BUDGET: usize;

    /// What a value takes of the budget.
    fn cost(_: &Self::Value) -> usize {
        1
    }

    /// Whether what was made of the other is of no use any more once this is there.
    fn replaces(&self, other: &Self) -> bool {
        self == other
    }
}

/// Values by what they were made of, each made once; what was used longest ago is let go.
///
/// A list and not a table (nor the crate `lru`): few are kept, the budget is in bytes, and equal designs have
/// neither an order nor a hash.
pub(in crate::worker) struct RecentlyUsed<K: CacheKey>(Mutex<Vec<(K, K::Value)>>);

impl<K: CacheKey> Default for RecentlyUsed<K> {
    fn default() -> Self {
        Self(Mutex::new(Vec::new()))
    }
}

impl<K: CacheKey> fmt::Debug for RecentlyUsed<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecentlyUsed").finish_non_exhaustive()
    }
}

impl<K: CacheKey> RecentlyUsed<K> {
    /// The value of this key, made now if it is not known. Two threads that ask at once may both make
    /// it; both get it. An error leaves nothing behind.
    pub(in crate::worker) fn get_or_make<E>(
        &self,
        key: K,
        make: impl FnOnce(&K) -> Result<K::Value, E>,
    ) -> Result<K::Value, E> {
        let mut entries = self.0.lock();
        let known = entries.iter().position(|(known, _)| *known == key);
        let entry = if let Some(at) = known {
            entries.remove(at)
        } else {
            // Making takes from milliseconds to seconds, in which others find what they need.
            drop(entries);
            let value = make(&key)?;
            entries = self.0.lock();
            entries.retain(|(known, _)| !key.replaces(known));
            (key, value)
        };
        let value = entry.1.clone();
        entries.push(entry);
        let mut cost: usize = entries.iter().map(|(_, value)| K::cost(value)).sum();
        // The one just used stays though it were larger than the budget: it will be asked for again.
        while cost > K::BUDGET && entries.len() > 1 {
            cost -= K::cost(&entries.remove(0).1);
        }
        Ok(value)
    }
}

/// A picture file (a ground truth, a start state), decoded once as long as it stays as it is.
#[derive(PartialEq)]
pub(in crate::worker) struct PictureFile(pub(in crate::worker) FileStamp);

impl CacheKey for PictureFile {
    type Value = Pixels;
    /// In bytes of pixels.
    const BUDGET: usize = 128 << 20;

    fn cost(pixels: &Pixels) -> usize {
        pixels.rgba().len()
    }

    fn replaces(&self, other: &Self) -> bool {
        self.0.path() == other.0.path()
    }
}

/// The file of a task's design, read once as long as it stays as it is.
#[derive(PartialEq)]
pub(in crate::worker) struct DesignFile(pub(in crate::worker) FileStamp);

impl CacheKey for DesignFile {
    type Value = Document;
    const BUDGET: usize = 8;

    fn replaces(&self, other: &Self) -> bool {
        self.0.path() == other.0.path()
    }
}

/// Two designs whose nodes are paired by content.
///
/// A step that changed nothing (a look at the design, a call that failed) has the pairing of the one
/// before it; so has a step whose design was made again because its layers were let go.
pub(in crate::worker) struct DesignPair {
    pub(in crate::worker) before: Document,
    pub(in crate::worker) after: Document,
}

impl CacheKey for DesignPair {
    type Value = Pairing;
    /// Steps around the one on the stage.
    const BUDGET: usize = 32;
}

impl PartialEq for DesignPair {
    fn eq(&self, other: &Self) -> bool {
        let sides = [(&self.after, &other.after), (&self.before, &other.before)];
        // Going through two designs costs little beside pairing them, and mostly they share their nodes.
        sides.into_iter().all(|(one, other)| one.shares_nodes_with(other) || one == other)
    }
}

impl RecentlyUsed<DesignPair> {
    /// The pairing of two designs.
    pub(in crate::worker) fn pairing(
        &self,
        before: &Document,
        after: &Document,
        cancel: &CancelToken,
    ) -> Result<Pairing, Cancelled> {
        let pair = DesignPair { before: before.clone(), after: after.clone() };
        self.get_or_make(pair, |pair| pair_by_content_until(&pair.before, &pair.after, cancel))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Size;
    use crate::design::{Node, NodeId, NodeKind};

    #[test]
    fn a_picture_that_was_edited_is_decoded_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("truth.png");
        let files = RecentlyUsed::<PictureFile>::default();
        let mut ids = Vec::new();
        for side in [4, 4, 70] {
            if ids.len() != 1 {
                Pixels::filled(side, side, [1, 2, 3, 255]).unwrap().save_png(&path).unwrap();
            }
            let file = PictureFile(FileStamp::of(&path));
            let pixels = files.get_or_make(file, |_| Pixels::open(&path)).unwrap();
            assert_eq!(pixels.width(), side);
            ids.push(pixels.id());
        }
        assert_eq!(ids[0], ids[1], "decoded once");
        assert_eq!(files.0.lock().len(), 1, "what it was is let go");
    }

    fn design(width: f64) -> Document {
        let mut node = Node::new(NodeId::from("1:1"), "Screen", NodeKind::Frame);
        node.size = Size::new(width, 10.0);
        Document::from_nodes([node]).unwrap()
    }

    /// A raised token stops whoever pairs, not whoever looks up.
    fn raised() -> CancelToken {
        let cancel = CancelToken::new();
        cancel.cancel();
        cancel
    }

    #[test]
    fn a_pairing_is_made_once_for_equal_designs_and_anew_for_others() {
        let pairings = RecentlyUsed::default();
        let made = pairings.pairing(&design(1.0), &design(2.0), &CancelToken::new()).unwrap();
        assert_eq!(made.len(), 1);
        assert_eq!(pairings.pairing(&design(1.0), &design(2.0), &raised()), Ok(made));
        assert_eq!(pairings.pairing(&design(2.0), &design(1.0), &raised()), Err(Cancelled));
        assert_eq!(pairings.pairing(&design(1.0), &design(3.0), &raised()), Err(Cancelled));
    }

    fn pair_with(
        pairings: &RecentlyUsed<DesignPair>,
        width: usize,
        cancel: &CancelToken,
    ) -> Result<Pairing, Cancelled> {
        pairings.pairing(&design(1.0), &design(width as f64), cancel)
    }

    #[test]
    fn what_was_asked_for_longest_ago_is_let_go() {
        let pairings = RecentlyUsed::default();
        for width in 0..DesignPair::BUDGET {
            pair_with(&pairings, width, &CancelToken::new()).unwrap();
        }
        assert!(pair_with(&pairings, 0, &raised()).is_ok());
        pair_with(&pairings, DesignPair::BUDGET, &CancelToken::new()).unwrap();
        assert!(pair_with(&pairings, 0, &raised()).is_ok(), "it was asked for since");
        assert_eq!(pair_with(&pairings, 1, &raised()), Err(Cancelled));
    }
}
