//! A list that grows at its end and shares what it holds with its copies.

use std::fmt;
use std::ops::{Index, Range};

use rpds::VectorSync;

/// A list that grows at its end. A copy costs next to nothing and shares every item, so a run that is
/// being made can be given away after each turn, however long it is.
///
/// It can only be appended to and cut at its end. An item is therefore in the same place of two lists
/// only if all before it are the same in both, which is how [`Self::starts_with`] finds out without
/// looking at more than one.
#[derive(Clone)]
pub struct SharedVec<T>(VectorSync<T>);

impl<T> SharedVec<T> {
    /// How many items there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The item at this place.
    pub fn get(&self, index: usize) -> Option<&T> {
        self.0.get(index)
    }

    /// The last item.
    pub fn last(&self) -> Option<&T> {
        self.0.last()
    }

    /// All items in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator {
        self.0.iter()
    }

    /// The items at these places, as far as there are such; what lies before costs nothing.
    pub fn range(&self, range: Range<usize>) -> impl DoubleEndedIterator<Item = &T> {
        (range.start..range.end.min(self.len())).filter_map(|index| self.get(index))
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) {
        self.0.push_back_mut(item);
    }

    /// Cuts the list at its end.
    pub fn truncate(&mut self, len: usize) {
        while self.len() > len {
            self.0.drop_last_mut();
        }
    }

    /// How many items from the beginning are not only equal in both lists but held once.
    pub fn shared_with(&self, other: &Self) -> usize {
        let (mut shared, mut end) = (0, self.len().min(other.len()));
        // Once two lists part they share nothing more, so the place can be bisected. Mostly it is the
        // end of the shorter one, which is looked at first.
        let mut middle = end;
        while shared < end {
            let both = self.get(middle - 1).zip(other.get(middle - 1));
            if both.is_some_and(|(one, other)| std::ptr::eq(one, other)) {
                shared = middle;
            } else {
                end = middle - 1;
            }
            middle = (shared + end).div_ceil(2);
        }
        shared
    }
}

impl<T: PartialEq> SharedVec<T> {
    /// Whether the list begins with all of another one.
    pub fn starts_with(&self, beginning: &Self) -> bool {
        self.common_with(beginning) == beginning.len()
    }

    /// How many items from the beginning are equal in both lists. What they share is not looked at.
    pub fn common_with(&self, other: &Self) -> usize {
        let shared = self.shared_with(other);
        let ours = self.range(shared..self.len());
        let theirs = other.range(shared..other.len());
        shared + ours.zip(theirs).take_while(|(one, other)| one == other).count()
    }
}

impl<T> Default for SharedVec<T> {
    fn default() -> Self {
        Self(VectorSync::new_sync())
    }
}

impl<T: PartialEq> PartialEq for SharedVec<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.starts_with(other)
    }
}

impl<T: fmt::Debug> fmt::Debug for SharedVec<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T> Index<usize> for SharedVec<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.0[index]
    }
}

impl<T> Extend<T> for SharedVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        self.0.extend(items);
    }
}

impl<T> FromIterator<T> for SharedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Self(items.into_iter().collect())
    }
}

impl<T> From<Vec<T>> for SharedVec<T> {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<'a, T> IntoIterator for &'a SharedVec<T> {
    type Item = &'a T;
    type IntoIter = <&'a VectorSync<T> as IntoIterator>::IntoIter;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_that_grows_shares_all_that_was_there() {
        let before: SharedVec<String> = (0..10_000).map(|number| number.to_string()).collect();
        let mut after = before.clone();
        after.push("new".to_owned());
        assert_eq!(after.shared_with(&before), 10_000);
        assert!(after.starts_with(&before) && !before.starts_with(&after));
        assert_eq!(before.len(), 10_000);
    }

    #[test]
    fn lists_that_part_share_what_came_before() {
        let mut one: SharedVec<u32> = (0..100).collect();
        let mut other = one.clone();
        one.extend(0..50);
        other.extend(0..70);
        assert_eq!((one.shared_with(&other), one.common_with(&other)), (100, 150));
        other.truncate(40);
        assert_eq!(one.shared_with(&other), 40);
        let apart: SharedVec<u32> = (0..10).collect();
        assert_eq!((one.shared_with(&apart), one.common_with(&apart)), (0, 10));
    }

    #[test]
    fn a_range_ends_where_the_list_does() {
        let list: SharedVec<u32> = vec![1, 2, 3].into();
        assert_eq!(list.range(1..9).collect::<Vec<_>>(), [&2, &3]);
        assert_eq!(list.range(3..9).count(), 0);
        assert_eq!(list.range(0..2).next_back(), Some(&2));
    }
}
