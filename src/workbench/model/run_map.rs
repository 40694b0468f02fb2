//! Values of the library's runs, found at once.

use super::ids::RunId;

/// Values by run, in the order of their numbers. The library numbers runs from 0 as it opens them, so a value lies at
/// its run's number; runs of labelling projects, whose numbers are large, belong into another kind of map.
#[derive(Clone, Debug, PartialEq)]
pub struct RunMap<T> {
    places: Vec<Option<T>>,
    len: usize,
}

impl<T> RunMap<T> {
    /// How many runs have a value.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value of a run, if it has one.
    pub fn get(&self, run: RunId) -> Option<&T> {
        self.places.get(run.0 as usize)?.as_ref()
    }

    /// The same, to be changed.
    pub fn get_mut(&mut self, run: RunId) -> Option<&mut T> {
        self.places.get_mut(run.0 as usize)?.as_mut()
    }

    /// Gives a run a value, and returns what it had before.
    pub fn insert(&mut self, run: RunId, value: T) -> Option<T> {
        let place = run.0 as usize;
        if self.places.len() <= place {
            self.places.resize_with(place + 1, || None);
        }
        let before = self.places[place].replace(value);
        self.len += usize::from(before.is_none());
        before
    }

    /// Keeps the values of the runs that are meant.
    pub fn retain(&mut self, is_kept: impl Fn(RunId) -> bool) {
        for (place, number) in self.places.iter_mut().zip(0..) {
            if place.is_some() && !is_kept(RunId(number)) {
                *place = None;
                self.len -= 1;
            }
        }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.places.clear();
        self.len = 0;
    }

    /// Every run with its value.
    pub fn iter(&self) -> impl Iterator<Item = (RunId, &T)> {
        let places = self.places.iter().zip(0..);
        places.filter_map(|(value, number)| Some((RunId(number), value.as_ref()?)))
    }

    /// Every value, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.places.iter_mut().flatten()
    }

    /// Every value.
    pub fn values(&self) -> impl Iterator<Item = &T> {
        self.places.iter().flatten()
    }
}

impl<T> Default for RunMap<T> {
    fn default() -> Self {
        Self { places: Vec::new(), len: 0 }
    }
}

impl<T> FromIterator<(RunId, T)> for RunMap<T> {
    fn from_iter<I: IntoIterator<Item = (RunId, T)>>(values: I) -> Self {
        let mut map = Self::default();
        for (run, value) in values {
            map.insert(run, value);
        }
        map
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_is_a_map(acts in prop::collection::vec((0_u32..12, prop::option::of(0_u8..9)), 0..40)) {
            let (mut map, mut slow) = (RunMap::default(), BTreeMap::new());
            for (number, value) in acts {
                if let Some(value) = value {
                    let before = slow.insert(RunId(number), value);
                    prop_assert_eq!(map.insert(RunId(number), value), before);
                } else {
                    // Every third run goes.
                    map.retain(|run| run.0 % 3 != number % 3);
                    slow.retain(|run, _| run.0 % 3 != number % 3);
                }
                prop_assert_eq!(map.len(), slow.len());
                prop_assert_eq!(map.is_empty(), slow.is_empty());
                prop_assert!(map.iter().eq(slow.iter().map(|(run, value)| (*run, value))));
                prop_assert!(map.values().eq(slow.values()));
                prop_assert_eq!(map.get(RunId(number)), slow.get(&RunId(number)));
            }
            let again: RunMap<u8> = slow.into_iter().collect();
            prop_assert!(again.iter().eq(map.iter()));
        }
    }
}
