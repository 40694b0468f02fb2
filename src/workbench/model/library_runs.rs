//! The runs of the library, with which of them may have changed.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};

use super::ids::RunId;
use super::library::LibraryRun;
use super::run_map::RunMap;

/// Runs by number. To read it is the map that it holds; what is made of thousands of runs is made anew of those that
/// [`Self::may_differ_since`] names.
#[derive(Clone, Debug, Default)]
pub struct LibraryRuns {
    runs: BTreeMap<RunId, LibraryRun>,
    /// At which revision each was handed out to be changed; of those that were since all were.
    touched: RunMap<u64>,
    /// At which revision all were.
    all_touched: u64,
    /// At which revision one was taken out.
    removed: u64,
    revision: u64,
}

impl LibraryRuns {
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
    pub fn get_mut(&mut self, run: &RunId) -> Option<&mut LibraryRun> {
        let entry = self.runs.get_mut(run)?;
        self.revision += 1;
        self.touched.insert(*run, self.revision);
        Some(entry)
    }

    /// Adds a run, and returns the one that had its number.
    pub fn insert(&mut self, run: RunId, entry: LibraryRun) -> Option<LibraryRun> {
        self.revision += 1;
        self.touched.insert(run, self.revision);
        self.runs.insert(run, entry)
    }

    /// Takes a run out.
    pub fn remove(&mut self, run: &RunId) -> Option<LibraryRun> {
        self.revision += 1;
        self.removed = self.revision;
        self.runs.remove(run)
    }
}

impl Deref for LibraryRuns {
    type Target = BTreeMap<RunId, LibraryRun>;

    fn deref(&self) -> &Self::Target {
        &self.runs
    }
}

impl DerefMut for LibraryRuns {
    // Whoever is given all may change any.
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.revision += 1;
        self.all_touched = self.revision;
        self.touched.clear();
        &mut self.runs
    }
}

impl PartialEq for LibraryRuns {
    fn eq(&self, other: &Self) -> bool {
        self.runs == other.runs
    }
}

impl<'a> IntoIterator for &'a LibraryRuns {
    type Item = (&'a RunId, &'a LibraryRun);
    type IntoIter = std::collections::btree_map::Iter<'a, RunId, LibraryRun>;

    fn into_iter(self) -> Self::IntoIter {
        self.runs.iter()
    }
}

impl<'a> IntoIterator for &'a mut LibraryRuns {
    type Item = (&'a RunId, &'a mut LibraryRun);
    type IntoIter = std::collections::btree_map::IterMut<'a, RunId, LibraryRun>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest, TaskRef};
    use crate::workbench::model::RunState;

    #[test]
    fn it_tells_which_runs_may_have_changed() {
        let mut runs = LibraryRuns::default();
        let manifest = Manifest::new(TaskRef::new("screens", "login"), AgentRef::by_hand(), "");
        let entry = LibraryRun::new(manifest, "/runs/a".into(), RunState::Finished);
        for number in 0..3 {
            runs.insert(RunId(number), entry.clone());
        }
        let differ = |runs: &LibraryRuns, since: u64| -> Vec<u32> {
            (0..3).filter(|number| runs.may_differ_since(RunId(*number), since)).collect()
        };
        assert_eq!(differ(&runs, 0), [0, 1, 2]);
        let seen = runs.revision();
        assert!(differ(&runs, seen).is_empty() && runs.get(&RunId(1)).is_some());
        assert_eq!(runs.revision(), seen);
        if let Some(run) = runs.get_mut(&RunId(1)) {
            run.steps = 7;
        }
        assert_eq!(differ(&runs, seen), [1]);
        let then = runs.revision();
        assert!(runs.get_mut(&RunId(9)).is_none() && runs.remove(&RunId(0)).is_some());
        assert!(runs.revision() > then && differ(&runs, then).is_empty());
        assert!(runs.may_lack_since(then) && !runs.may_lack_since(runs.revision()));
        runs.insert(RunId(0), entry);
        assert_eq!((differ(&runs, then), differ(&runs, seen)), (vec![0], vec![0, 1]));
        let then = runs.revision();
        for run in runs.values_mut() {
            run.steps = 8;
        }
        assert_eq!(differ(&runs, then), [0, 1, 2]);
    }
}
