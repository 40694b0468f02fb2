//! The runs a command is given, and the tasks they are attempts at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::run::{Manifest, TaskRef};
use crate::task::{self, FoundRun, Opened, Task};

use super::output::note;

/// The setting of a run's manifest that says where its task set lay, so that it can be scored
/// without being told again.
pub(super) const TASKS_SETTING: &str = "tasks";

/// How far above a run its task set is looked for.
const LEVELS_UP: usize = 4;

/// Runs, and the tasks that can be found for them.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// The runs, as they were found.
    pub(super) runs: Vec<FoundRun>,
    tasks: BTreeMap<TaskRef, Arc<Task>>,
    /// Where tasks were looked for already.
    searched: Vec<PathBuf>,
}

impl Collection {
    /// Finds the runs at `runs`, and the task sets there and at `tasks`.
    ///
    /// What is odd is said on stderr; an error is a path at which there is nothing, or no run at all.
    pub(super) fn open(runs: &[PathBuf], tasks: &[PathBuf]) -> anyhow::Result<Self> {
        let mut collection = Self::default();
        for path in tasks {
            collection.search(path)?;
        }
        for path in runs {
            let found = collection.search(path)?;
            collection.add_runs(found);
        }
        if collection.runs.is_empty() {
            let shown: Vec<String> = runs.iter().map(|p| p.display().to_string()).collect();
            anyhow::bail!("there is no run in {}", shown.join(", "));
        }
        Ok(collection)
    }

    /// The task a run is an attempt at, if its set can be found: among those given, where the run
    /// says its tasks lay, or in a folder above the run.
    pub(super) fn task_of(&mut self, run_dir: &Path, manifest: &Manifest) -> Option<Arc<Task>> {
        if let Some(task) = self.tasks.get(&manifest.task) {
            return Some(Arc::clone(task));
        }
        let recorded = manifest.settings.get(TASKS_SETTING).and_then(|path| path.as_str());
        let above = run_dir.ancestors().skip(1).take(LEVELS_UP);
        let above = above.take_while(|dir| !dir.as_os_str().is_empty()).map(Path::to_path_buf);
        for path in recorded.map(PathBuf::from).into_iter().chain(above) {
            // A guess that is wrong is nothing to speak of.
            if !self.searched.contains(&path) && self.search(&path).is_ok() {
                if let Some(task) = self.tasks.get(&manifest.task) {
                    return Some(Arc::clone(task));
                }
            }
        }
        None
    }

    fn search(&mut self, path: &Path) -> anyhow::Result<Vec<FoundRun>> {
        let opened = open_noting(path)?;
        self.searched.push(path.to_path_buf());
        for (set, _) in opened.sets {
            for task in set.tasks {
                let task_ref = TaskRef { set: set.id.clone(), id: task.id.clone() };
                self.tasks.entry(task_ref).or_insert_with(|| Arc::new(task));
            }
        }
        Ok(opened.runs)
    }

    fn add_runs(&mut self, found: Vec<FoundRun>) {
        for run in found {
            if self.runs.iter().all(|known| known.dir != run.dir) {
                self.runs.push(run);
            }
        }
    }
}

/// Opens what lies at a path and says on stderr what is odd about it.
pub(super) fn open_noting(path: &Path) -> anyhow::Result<Opened> {
    let opened = task::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    for (set, warnings) in &opened.sets {
        for warning in warnings {
            note(&format!("warning: task set {}: {warning}", set.id));
        }
    }
    for warning in &opened.warnings {
        note(&format!("warning: {warning}"));
    }
    Ok(opened)
}
