//! What is kept of runs, with of which of them it may have changed.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use super::ids::RunId;
use super::run_map::RunMap;

/// Runs by number. To read it is the map that it holds; what is made of thousands of runs is made anew of those that
/// [`Self::may_differ_since`] names.
#[derive(Clone, Debug)]
pub struct TrackedRuns<T> {
    runs: BTreeMap<RunId, T>,
    /// At which revision each was handed out to be changed; of those that were since all were.
    touched: RunMap<u64>,
    /// At which revision all were.
    all_touched: u64,
    /// At which revision one was taken out.
    removed: u64,
    revision: u64,
}

impl<T> TrackedRuns<T> {
    /// Counts changes: as long as it is the same, every run is.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Whether a run may be another than at a revision, or was not there.
    pub fn may_differ_since(&self, run: RunId, revision: u64) -> bool {
        let touched = self.touched.get(run).map_or(0, |touched| *touched);
        touched.max(self.all_touched) > revision
    }

    /// Whether a run that was there at a revision may be gone.
    pub fn may_lack_since(&self, revision: u64) -> bool {
        self.removed.max(self.all_touched) > revision
    }

    /// A run, to be changed.
    pub fn get_mut(&mut self, run: &RunId) -> Option<&mut T> {
        let entry = self.runs.get_mut(run)?;
        self.revision += 1;
        self.touched.insert(*run, self.revision);
        Some(entry)
    }

    /// Adds a run, and returns the one that had its number.
    pub fn insert(&mut self, run: RunId, entry: T) -> Option<T> {
        self.revision += 1;
        self.touched.insert(run, self.revision);
        self.runs.insert(run, entry)
    }

    /// Takes a run out.
    pub fn remove(&mut self, run: &RunId) -> Option<T> {
        self.revision += 1;
        self.removed = self.revision;
        self.runs.remove(run)
    }
}

impl<T> Default for TrackedRuns<T> {
    fn default() -> Self {
        let (runs, touched) = (BTreeMap::new(), RunMap::default());
        Self { runs, touched, all_touched: 0, removed: 0, revision: 0 }
    }
}

impl<T> Deref for TrackedRuns<T> {
    type Target = BTreeMap<RunId, T>;

    fn deref(&self) -> &Self::Target {
        &self.runs
    }
}

impl<T> DerefMut for TrackedRuns<T> {
    // Whoever is given all may change any.
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.revision += 1;
        self.all_touched = self.revision;
        self.touched.clear();
        &mut self.runs
    }
}

impl<T: PartialEq> PartialEq for TrackedRuns<T> {
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs
    }
}

impl<'a, T> IntoIterator for &'a TrackedRuns<T> {
    type Item = (&'a RunId, &'a T);
    type IntoIter = std::collections::btree_map::Iter<'a, RunId, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.runs.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut TrackedRuns<T> {
    type Item = (&'a RunId, &'a mut T);
    type IntoIter = std::collections::btree_map::IterMut<'a, RunId, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_tells_which_runs_may_have_changed() {
        let mut runs: TrackedRuns<u32> = (0..3).fold(TrackedRuns::default(), |mut runs, number| {
            runs.insert(RunId(number), number);
            runs
        });
        let differ = |runs: &TrackedRuns<u32>, since: u64| -> Vec<u32> {
            (0..3).filter(|number| runs.may_differ_since(RunId(*number), since)).collect()
        };
        assert_eq!(differ(&runs, 0), [0, 1, 2]);
        let seen = runs.revision();
        assert!(differ(&runs, seen).is_empty() && runs.get(&RunId(1)).is_some());
        assert_eq!(runs.revision(), seen);
        if let Some(run) = runs.get_mut(&RunId(1)) {
            *run = 7;
        }
        assert_eq!(differ(&runs, seen), [1]);
        let then = runs.revision();
        assert!(runs.get_mut(&RunId(9)).is_none() && runs.remove(&RunId(0)).is_some());
        assert!(runs.revision() > then && differ(&runs, then).is_empty());
        assert!(runs.may_lack_since(then) && !runs.may_lack_since(runs.revision()));
        runs.insert(RunId(0), 4);
        assert_eq!((differ(&runs, then), differ(&runs, seen)), (vec![0], vec![0, 1]));
        let then = runs.revision();
        for run in runs.values_mut() {
            *run += 1;
        }
        assert_eq!(differ(&runs, then), [0, 1, 2]);
    }
}
