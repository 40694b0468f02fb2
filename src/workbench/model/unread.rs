//! Which runs' calls are still to be read.

use std::collections::BTreeSet;

use super::ids::RunId;
use super::library::LibraryRun;
use super::tracked_runs::TrackedRuns;

/// The runs of the library whose calls are still to be read, as of a revision: found anew of those alone that have changed
/// since, as to look at thousands of runs after every change takes longer than all else that it does.
#[derive(Clone, Debug, Default)]
pub(in crate::workbench) struct UnreadRuns {
    runs: BTreeSet<RunId>,
    revision: u64,
}

impl UnreadRuns {
    /// Takes in what has changed.
    pub(in crate::workbench) fn refresh(&mut self, all: &TrackedRuns<LibraryRun>) {
        if self.revision == all.revision() {
            return;
        }
        if all.may_lack_since(self.revision) {
            self.runs.retain(|run| all.contains_key(run));
        }
        let changed = all.keys().filter(|run| all.may_differ_since(**run, self.revision));
        for run in changed {
            if all.get(run).is_some_and(LibraryRun::awaits_calls) {
                self.runs.insert(*run);
            } else {
                self.runs.remove(run);
            }
        }
        self.revision = all.revision();
    }

    /// In the order of their numbers.
    pub(in crate::workbench) fn iter(&self) -> impl Iterator<Item = RunId> {
        self.runs.iter().copied()
    }

    /// Whether there are any among all runs, whether or not what has changed was taken in.
    pub(in crate::workbench) fn are_any(&self, all: &TrackedRuns<LibraryRun>) -> bool {
        if self.revision == all.revision() {
            return !self.runs.is_empty();
        }
        all.values().any(LibraryRun::awaits_calls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, Manifest, TaskRef};
    use crate::workbench::model::{DigestState, RunState};

    #[test]
    fn it_follows_every_change_of_the_library() {
        let run = || {
            let manifest = Manifest::new(TaskRef::new("set", "task"), AgentRef::by_hand(), "");
            LibraryRun::new(manifest, "run".into(), RunState::Finished)
        };
        let mut all: TrackedRuns<LibraryRun> = TrackedRuns::default();
        let mut unread = UnreadRuns::default();
        let mut check = |all: &TrackedRuns<LibraryRun>| {
            let oracle = all.iter().filter(|(_, run)| run.awaits_calls());
            let oracle: Vec<RunId> = oracle.map(|(run, _)| *run).collect();
            assert_eq!(unread.are_any(all), !oracle.is_empty());
            unread.refresh(all);
            assert_eq!(unread.iter().collect::<Vec<_>>(), oracle);
            assert_eq!(unread.are_any(all), !oracle.is_empty());
            oracle.len()
        };
        for number in 0..4 {
            all.insert(RunId(number), run());
        }
        assert_eq!(check(&all), 4);
        all.get_mut(&RunId(1)).unwrap().state = RunState::Live;
        assert_eq!(check(&all), 3);
        all.get_mut(&RunId(1)).unwrap().state = RunState::Finished;
        all.remove(&RunId(3));
        assert_eq!(check(&all), 3);
        for run in all.values_mut() {
            run.digest = DigestState::Failed("lost".into());
        }
        assert_eq!(check(&all), 0);
        all.insert(RunId(3), run());
        assert_eq!(check(&all), 1);
    }
}
