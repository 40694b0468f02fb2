//! The children of a node, in versions that share what they have in common.

use std::fmt;
use std::iter::FlatMap;
use std::ops::Index;
use std::slice;
use std::sync::Arc;

use super::node_id::NodeId;

/// Most ids of a chunk: a change copies one chunk, and a pointer to each of the others.
const MOST: usize = 64;

/// Ids in paint order, bottom first.
///
/// Cloning copies a pointer for every 64 ids or so, and a change copies one chunk of them: so the
/// versions of a long list that a run leaves behind, one a call, stay small.
#[derive(Clone, Default)]
pub struct ChildList {
    /// None of them empty.
    chunks: Vec<Arc<Vec<NodeId>>>,
}

/// The ids of a [`ChildList`], bottom first.
pub type ChildIter<'l> = FlatMap<
    slice::Iter<'l, Arc<Vec<NodeId>>>,
    slice::Iter<'l, NodeId>,
    fn(&'l Arc<Vec<NodeId>>) -> slice::Iter<'l, NodeId>,
>;

impl ChildList {
    /// A list of none.
    pub const EMPTY: &'static Self = &Self::new();

    /// A list of none.
    pub const fn new() -> Self {
        Self { chunks: Vec::new() }
    }

    /// The ids, bottom first.
    pub fn iter(&self) -> ChildIter<'_> {
        self.into_iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The bottom one.
    pub fn first(&self) -> Option<&NodeId> {
        self.chunks.first()?.first()
    }

    /// The top one.
    pub fn last(&self) -> Option<&NodeId> {
        self.chunks.last()?.last()
    }

    /// The one at `index`, counted from the bottom.
    pub fn get(&self, index: usize) -> Option<&NodeId> {
        let (chunk, at) = self.place(index)?;
        self.chunks[chunk].get(at)
    }

    /// Where an id is, counted from the bottom.
    pub fn position(&self, id: &NodeId) -> Option<usize> {
        self.iter().position(|own| own == id)
    }

    /// Whether an id is there.
    pub fn contains(&self, id: &NodeId) -> bool {
        self.iter().any(|own| own == id)
    }

    /// The ids in one piece.
    pub fn to_vec(&self) -> Vec<NodeId> {
        self.iter().cloned().collect()
    }

    /// Whether the two are versions with no change between them. `false` says nothing: equal lists
    /// may have been made twice.
    pub fn is_same(&self, other: &Self) -> bool {
        let mut pairs = self.chunks.iter().zip(&other.chunks);
        self.chunks.len() == other.chunks.len() && pairs.all(|(own, other)| Arc::ptr_eq(own, other))
    }

    /// Puts an id on top.
    pub fn push(&mut self, id: NodeId) {
        match self.chunks.last_mut() {
            // Copies the chunk only if another version shares it.
            Some(chunk) if chunk.len() < MOST => Arc::make_mut(chunk).push(id),
            _ => self.chunks.push(Arc::new(vec![id])),
        }
    }

    /// Puts an id at `index`, counted from the bottom; past the end is on top.
    pub fn insert(&mut self, index: usize, id: NodeId) {
        let Some((at, within)) = self.place(index) else { return self.push(id) };
        let chunk = Arc::make_mut(&mut self.chunks[at]);
        chunk.insert(within, id);
        if chunk.len() > MOST {
            // In halves, so that the next insertions at this place find room.
            let above = chunk.split_off(MOST / 2);
            self.chunks.insert(at + 1, Arc::new(above));
        }
    }

    /// Takes an id out, wherever it is; does nothing if it is not there.
    pub fn remove(&mut self, id: &NodeId) {
        let places = self.chunks.iter().map(|chunk| chunk.iter().position(|own| own == id));
        let found = places.enumerate().find_map(|(at, within)| Some((at, within?)));
        let Some((at, within)) = found else { return };
        let chunk = Arc::make_mut(&mut self.chunks[at]);
        chunk.remove(within);
        // An empty chunk would end the ids early in `first` and `last`.
        if chunk.is_empty() {
            self.chunks.remove(at);
        }
    }

    /// Takes all of them out.
    pub fn clear(&mut self) {
        self.chunks.clear();
    }

    /// The chunk that holds the id at `index`, and where in it; `None` past the end.
    fn place(&self, index: usize) -> Option<(usize, usize)> {
        let mut rest = index;
        for (at, chunk) in self.chunks.iter().enumerate() {
            if rest < chunk.len() {
                return Some((at, rest));
            }
            rest -= chunk.len();
        }
        None
    }
}

impl Index<usize> for ChildList {
    type Output = NodeId;

    /// # Panics
    ///
    /// Past the end, as a slice does.
    fn index(&self, index: usize) -> &NodeId {
        let mut rest = index;
        for chunk in &self.chunks {
            if let Some(id) = chunk.get(rest) {
                return id;
            }
            rest -= chunk.len();
        }
        // The panic that the contract asks for, with a slice's own words.
        &[][index]
    }
}

impl<'l> IntoIterator for &'l ChildList {
    type Item = &'l NodeId;
    type IntoIter = ChildIter<'l>;

    fn into_iter(self) -> ChildIter<'l> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }
}

impl FromIterator<NodeId> for ChildList {
    fn from_iter<I: IntoIterator<Item = NodeId>>(ids: I) -> Self {
        let mut list = Self::new();
        list.extend(ids);
        list
    }
}

impl Extend<NodeId> for ChildList {
    fn extend<I: IntoIterator<Item = NodeId>>(&mut self, ids: I) {
        // One by one: only the last chunk ever grows.
        ids.into_iter().for_each(|id| self.push(id));
    }
}

impl PartialEq for ChildList {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.iter().eq(other.iter())
    }
}

impl PartialEq<[NodeId]> for ChildList {
    fn eq(&self, other: &[NodeId]) -> bool {
        self.iter().eq(other)
    }
}

impl<const N: usize> PartialEq<[NodeId; N]> for ChildList {
    fn eq(&self, other: &[NodeId; N]) -> bool {
        self.iter().eq(other)
    }
}

impl<const N: usize> PartialEq<[NodeId; N]> for &ChildList {
    fn eq(&self, other: &[NodeId; N]) -> bool {
        self.iter().eq(other)
    }
}

impl fmt::Debug for ChildList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn id(n: usize) -> NodeId {
        NodeId::new(n.to_string())
    }

    /// How many chunks of the one are not in the other.
    fn own_chunks(list: &ChildList, other: &ChildList) -> usize {
        let own = list
            .chunks
            .iter()
            .filter(|chunk| !other.chunks.iter().any(|theirs| Arc::ptr_eq(theirs, chunk)));
        own.count()
    }

    #[derive(Clone, Debug)]
    enum Change {
        Push,
        Insert(usize),
        Remove(usize),
    }

    fn changes() -> impl Strategy<Value = Vec<Change>> {
        let change = prop_oneof![
            2 => Just(Change::Push),
            4 => (0..400usize).prop_map(Change::Insert),
            2 => (0..400usize).prop_map(Change::Remove),
        ];
        prop::collection::vec(change, 0..400)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn it_is_a_vector_whatever_is_done_to_it(start in 0..200usize, changes in changes()) {
            let mut plain: Vec<NodeId> = (1000..1000 + start).map(id).collect();
            let mut list: ChildList = plain.iter().cloned().collect();
            for (n, change) in changes.into_iter().enumerate() {
                let before = list.clone();
                match change {
                    Change::Push => {
                        plain.push(id(n));
                        list.push(id(n));
                    }
                    Change::Insert(at) => {
                        plain.insert(at.min(plain.len()), id(n));
                        list.insert(at, id(n));
                    }
                    Change::Remove(at) => {
                        let gone = plain.get(at).cloned().unwrap_or_else(|| id(9999));
                        plain.retain(|own| *own != gone);
                        list.remove(&gone);
                    }
                }
                prop_assert!(own_chunks(&list, &before) <= 2);
                prop_assert!(list.chunks.iter().all(|chunk| (1..=MOST).contains(&chunk.len())));
            }
            prop_assert_eq!(list.to_vec(), plain.clone());
            prop_assert_eq!((list.len(), list.is_empty()), (plain.len(), plain.is_empty()));
            prop_assert_eq!((list.first(), list.last()), (plain.first(), plain.last()));
            prop_assert!(list.iter().rev().eq(plain.iter().rev()));
            for at in 0..plain.len() + 2 {
                prop_assert_eq!(list.get(at), plain.get(at));
            }
            prop_assert!(list == *plain);
        }
    }

    #[test]
    fn lists_are_equal_however_they_were_made() {
        let appended: ChildList = (0..130).map(id).collect();
        let mut inserted = ChildList::new();
        (0..130).rev().for_each(|n| inserted.insert(0, id(n)));
        assert_eq!(appended, inserted);
        assert!(!appended.is_same(&inserted) && appended.is_same(&appended.clone()));
        assert_eq!((appended.position(&id(100)), appended.contains(&id(130))), (Some(100), false));
        inserted.remove(&id(7));
        assert_ne!(appended, inserted);
        assert_eq!(
            format!("{:?}", (0..2).map(id).collect::<ChildList>()),
            format!("{:?}", [id(0), id(1)])
        );
    }
}
