//! Values of one kind by key: asked for, there or failed, the oldest let go when there are too many.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::workbench::model::ids::RunId;

/// The key of a kind of value that is made elsewhere and kept as long as there is room.
pub trait ResourceKey: Clone + Ord {
    /// What it is the key of.
    type Value;

    /// How much of it is kept, in the unit of [`Self::cost`].
    const BUDGET: usize;

    /// What a value takes of the budget: bytes, or 1 where values are counted.
    fn cost(value: &Self::Value) -> usize;

    /// Whether it goes with a run that is closed or was replaced.
    fn is_of_run(&self, _: RunId) -> bool {
        false
    }

    /// Whether it goes with a task set that is closed.
    fn is_of_set(&self, _: &str) -> bool {
        false
    }
}

/// A value that was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Fetched<T> {
    /// Asked, not there yet.
    Pending,
    /// There.
    Ready(Arc<T>),
    /// Not to be had, and why.
    Failed(String),
}

/// Where a value is shown, so that it stays there while the next one is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ShownIn {
    /// The one place, or the first.
    Main,
    /// The pane of a program, by its place.
    Program(u8),
    /// A slot of the stage, by its place.
    Slot(u8),
    /// The pane of the run with other calls.
    Branch,
}

/// Values of one kind by key.
///
/// The life of an entry: absent → [`Self::want`] says that it has to be asked for → [`Fetched::Pending`]
/// → [`Self::answer`] makes it [`Fetched::Ready`] or [`Fetched::Failed`], or [`Self::cancel`] absent
/// again. A failure stays, so that nobody asks again and again, until [`Self::forget`] takes it. What is
/// ready goes when the budget is spent, what was wanted longest ago first; never what is wanted
/// now or [shown](Self::show).
#[derive(Clone, Debug)]
pub struct Resource<K: ResourceKey> {
    entries: BTreeMap<K, ResourceEntry<K::Value>>,
    /// The keys last shown.
    shown: BTreeMap<ShownIn, K>,
    /// What all that is ready costs.
    cost: usize,
    /// Grows with every want.
    clock: u64,
}

#[derive(Debug)]
struct ResourceEntry<V> {
    fetched: Fetched<V>,
    last_wanted: u64,
}

// By hand: what is kept is shared, and need not be something that can be cloned.
impl<V> Clone for ResourceEntry<V> {
    fn clone(&self) -> Self {
        let fetched = match &self.fetched {
            Fetched::Pending => Fetched::Pending,
            Fetched::Ready(value) => Fetched::Ready(Arc::clone(value)),
            Fetched::Failed(why) => Fetched::Failed(why.clone()),
        };
        Self { fetched, last_wanted: self.last_wanted }
    }
}

impl<K: ResourceKey> Default for Resource<K> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), shown: BTreeMap::new(), cost: 0, clock: 0 }
    }
}

impl<K: ResourceKey> Resource<K> {
    /// What is known of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&Fetched<K::Value>>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key).map(|entry| &entry.fetched)
    }

    /// The value of a key, if it is there.
    pub fn ready(&self, key: &K) -> Option<&Arc<K::Value>> {
        match self.get(key)? {
            Fetched::Ready(value) => Some(value),
            Fetched::Pending | Fetched::Failed(_) => None,
        }
    }

    /// Whether it is asked for and not there yet.
    pub fn is_pending(&self, key: &K) -> bool {
        matches!(self.get(key), Some(Fetched::Pending))
    }

    /// All that is known, in the order of keys.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Fetched<K::Value>)> {
        self.entries.iter().map(|(key, entry)| (key, &entry.fetched))
    }

    /// What is known of the keys, in their order.
    pub fn values(&self) -> impl Iterator<Item = &Fetched<K::Value>> {
        self.entries.values().map(|entry| &entry.fetched)
    }

    /// How many keys something is known of.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing is known of any key.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What is ready costs this much.
    pub fn cost(&self) -> usize {
        self.cost
    }

    /// Puts in what is known of a key, wanted now.
    pub fn insert(&mut self, key: K, fetched: Fetched<K::Value>) {
        // Removed first, so that what it cost is not counted twice.
        self.remove(&key);
        self.clock += 1;
        self.cost += cost_of::<K>(&fetched);
        self.entries.insert(key, ResourceEntry { fetched, last_wanted: self.clock });
    }

    /// Marks a key as wanted now. Whether it has to be asked for: nothing is known of it.
    #[must_use]
    pub(in crate::workbench) fn want(&mut self, key: &K) -> bool {
        self.clock += 1;
        match self.entries.get_mut(key) {
            // A failure is known as well: asked again, it would most likely fail again.
            Some(entry) => {
                entry.last_wanted = self.clock;
                false
            }
            None => true,
        }
    }

    /// Takes in the answer to what was asked for.
    pub(in crate::workbench) fn answer(&mut self, key: K, result: Result<Arc<K::Value>, String>) {
        let fetched = result.map_or_else(Fetched::Failed, Fetched::Ready);
        self.insert(key, fetched);
    }

    /// What was asked for does not come: nothing is known of it again.
    pub(in crate::workbench) fn cancel(&mut self, key: &K) {
        // What came meanwhile stays: it is as good as any other.
        if self.is_pending(key) {
            self.entries.remove(key);
        }
    }

    /// Remembers that a value is shown in a place; of a key that is not ready nothing is shown.
    pub(in crate::workbench) fn show(&mut self, place: ShownIn, key: K) {
        if self.ready(&key).is_some() {
            self.shown.insert(place, key);
        }
    }

    /// The key last shown in a place.
    pub fn shown(&self, place: ShownIn) -> Option<&K> {
        self.shown.get(&place)
    }

    /// Forgets what is known of some keys.
    pub(in crate::workbench) fn forget(
        &mut self,
        is_gone: impl Fn(&K, &Fetched<K::Value>) -> bool,
    ) {
        let gone = self.entries.extract_if(.., |key, entry| is_gone(key, &entry.fetched));
        self.cost -= gone.map(|(_, entry)| cost_of::<K>(&entry.fetched)).sum::<usize>();
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        // What was shown keeps its name; it is not there, and so nothing is drawn of it.
        self.entries.clear();
        self.cost = 0;
    }

    /// Lets go of what was wanted longest ago until the budget is kept, as far as that goes without
    /// what is wanted or shown now.
    pub(in crate::workbench) fn evict(&mut self, is_wanted: impl Fn(&K) -> bool) {
        if self.cost <= K::BUDGET {
            return;
        }
        let mut by_age: Vec<(u64, usize)> = Vec::new();
        for (key, entry) in &self.entries {
            let is_shown = self.shown.values().any(|shown| shown == key);
            if matches!(entry.fetched, Fetched::Ready(_)) && !is_wanted(key) && !is_shown {
                by_age.push((entry.last_wanted, cost_of::<K>(&entry.fetched)));
            }
        }
        // Sorted and not a heap: this runs only while the budget is spent, and seldom lets go of many.
        by_age.sort_unstable();
        // The clock goes on with every want, so an age names one entry.
        let mut gone: BTreeSet<u64> = BTreeSet::new();
        for (age, cost) in by_age {
            if self.cost <= K::BUDGET {
                break;
            }
            gone.insert(age);
            self.cost -= cost;
        }
        self.entries.retain(|_, entry| !gone.contains(&entry.last_wanted));
    }

    /// Forgets what is known of a key.
    pub fn remove(&mut self, key: &K) {
        if let Some(entry) = self.entries.remove(key) {
            self.cost -= cost_of::<K>(&entry.fetched);
        }
    }
}

/// Only what is there costs something.
fn cost_of<K: ResourceKey>(fetched: &Fetched<K::Value>) -> usize {
    match fetched {
        Fetched::Ready(value) => K::cost(value),
        Fetched::Pending | Fetched::Failed(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    impl ResourceKey for u8 {
        type Value = usize;
        const BUDGET: usize = 100;

        fn cost(value: &usize) -> usize {
            *value
        }
    }

    #[test]
    fn a_key_is_asked_for_once_and_again_only_when_it_was_cancelled_or_forgotten() {
        let mut resource = Resource::<u8>::default();
        assert!(resource.want(&1));
        resource.insert(1, Fetched::Pending);
        assert!(!resource.want(&1));
        resource.cancel(&1);
        assert!(resource.want(&1));
        resource.answer(1, Err("the disk is gone".to_owned()));
        assert!(!resource.want(&1), "a failure is not asked for again");
        resource.forget(|_, fetched| matches!(fetched, Fetched::Failed(_)));
        assert!(resource.want(&1));
        resource.answer(1, Ok(Arc::new(5)));
        resource.cancel(&1);
        assert_eq!(
            resource.ready(&1).map(|value| **value),
            Some(5),
            "only what is pending is cancelled"
        );
    }

    #[test]
    fn what_was_wanted_longest_ago_goes_first() {
        let mut resource = Resource::<u8>::default();
        for key in 1..=3 {
            resource.answer(key, Ok(Arc::new(40)));
        }
        assert!(!resource.want(&1));
        resource.evict(|_| false);
        let left: Vec<u8> = resource.iter().map(|(key, _)| *key).collect();
        assert_eq!(left, [1, 3]);
    }

    #[test]
    fn what_is_shown_stays_and_nothing_is_shown_that_is_not_there() {
        let mut resource = Resource::<u8>::default();
        resource.insert(7, Fetched::Pending);
        resource.show(ShownIn::Main, 7);
        assert_eq!(resource.shown(ShownIn::Main), None);
        resource.answer(7, Ok(Arc::new(90)));
        resource.show(ShownIn::Main, 7);
        resource.answer(8, Ok(Arc::new(90)));
        resource.evict(|_| false);
        assert!(resource.ready(&7).is_some() && resource.ready(&8).is_none());
    }

    proptest! {
        #[test]
        fn the_budget_holds_but_for_what_is_wanted_or_shown(
            steps in prop::collection::vec((0u8..6, 0u8..12, 0usize..60), 1..80),
            wanted in prop::collection::btree_set(0u8..12, 0..4),
        ) {
            let mut resource = Resource::<u8>::default();
            for (what, key, cost) in steps {
                match what {
                    0 => drop(resource.want(&key)),
                    1 => resource.insert(key, Fetched::Pending),
                    2 => resource.answer(key, Ok(Arc::new(cost))),
                    3 => resource.answer(key, Err("no".to_owned())),
                    4 => resource.cancel(&key),
                    _ => resource.show(ShownIn::Main, key),
                }
                let before: Vec<u8> = resource.iter().map(|(key, _)| *key).collect();
                resource.evict(|key| wanted.contains(key));
                let (mut cost, mut kept) = (0, 0);
                for key in 0..12 {
                    let ready = resource.ready(&key).map_or(0, |value| **value);
                    cost += ready;
                    if wanted.contains(&key) || resource.shown(ShownIn::Main) == Some(&key) {
                        kept += ready;
                    }
                }
                prop_assert_eq!(cost, resource.cost());
                prop_assert!(cost <= u8::BUDGET || cost == kept);
                for key in before.iter().filter(|key| wanted.contains(key)) {
                    prop_assert!(resource.get(key).is_some(), "what is wanted was let go");
                }
            }
        }
    }
}
