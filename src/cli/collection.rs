//! The runs a command is given, and the tasks they are attempts at.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::agent::batch::TASKS_SETTING;
use crate::run::folder::MANIFEST_FILE;
use crate::run::pictures::UNKNOWN_SET;
use crate::run::{Manifest, TaskRef};
use crate::task::{self, FoundRun, Opened, Task};

use super::output::note;

/// How far above a run its task set is looked for.
const LEVELS_UP: usize = 4;

/// How many entries of a folder are looked at to tell whether it holds tasks.
const MOST_ENTRIES: usize = 1000;

/// Runs, and the tasks that can be found for them.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// The runs, as they were found.
    pub(super) runs: Vec<FoundRun>,
    tasks: BTreeMap<TaskRef, Arc<Task>>,
    /// Where the sets lie, by their ids.
    set_dirs: BTreeMap<String, PathBuf>,
    /// Where tasks were looked for already.
    searched: Vec<PathBuf>,
}

impl Collection {
    /// Finds the runs at `runs`, and the task sets there and at `tasks`.
    ///
    /// What is odd is said on stderr; an error is a path at which there is nothing, or no run at all.
    pub(super) fn open(runs: &[PathBuf], tasks: &[PathBuf]) -> anyhow::Result<Self> {
        let mut collection = Self::default();
        // Before the runs: what is named as tasks wins over sets of the same id that lie beside runs.
        for path in tasks {
            collection.search(path)?;
        }
        for path in runs {
            let found = collection.search(path)?;
            let (meant, loose): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|run| !is_loose(run, path));
            if let Some(first) = loose.first() {
                let first = first.dir.display();
                let what = match loose.len() {
                    1 => "1 folder of pictures is".to_owned(),
                    count => format!("{count} folders of pictures are"),
                };
                note(&format!(
                    "warning: {what} passed over, such as {first}: a folder of \
                     pictures is a run if it is named itself, holds a run.json or lies beside the \
                     target of its task"
                ));
            }
            // A run may be named twice, itself and by a folder around it: it counts once.
            for run in meant {
                if collection.runs.iter().all(|known| known.dir != run.dir) {
                    collection.runs.push(run);
                }
            }
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
        // The run may have been moved, or lie: what it names has to look like tasks.
        let recorded = recorded.map(|path| run_dir.join(path)).filter(|path| holds_tasks(path));
        for path in recorded.into_iter().chain(sets_above(run_dir)) {
            // A guess that is wrong is nothing to speak of.
            if !self.searched.contains(&path)
                && self.search(&path).is_ok()
                && let Some(task) = self.tasks.get(&manifest.task)
            {
                return Some(Arc::clone(task));
            }
        }
        None
    }

    /// Where the set of a task lies, as an absolute path, if it was found.
    pub(super) fn set_dir(&self, task: &TaskRef) -> Option<PathBuf> {
        self.set_dirs.get(&task.set).cloned()
    }

    fn search(&mut self, path: &Path) -> anyhow::Result<Vec<FoundRun>> {
        let opened = open_noting(path)?;
        // Kept, as every run below asks for the same few folders above it.
        self.searched.push(path.to_path_buf());
        for (set, _) in opened.sets {
            let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
            self.set_dirs.entry(set.id.clone()).or_insert(dir);
            for task in set.tasks {
                let task_ref = TaskRef { set: set.id.clone(), id: task.id.clone() };
                self.tasks.entry(task_ref).or_insert(task);
            }
        }
        Ok(opened.runs)
    }
}

/// Whether these are only pictures in some folder below the one that was named: most of those are
/// illustrations and no runs.
fn is_loose(run: &FoundRun, named: &Path) -> bool {
    run.manifest.task.set == UNKNOWN_SET
        && !run.dir.join(MANIFEST_FILE).is_file()
        && run.unreadable.is_none()
        && run.dir != named
}

/// Folders above a run that hold a task set: with a `taskset.json`, or with folders of tasks like the
/// one the run lies in. Only these are searched, as what lies above may be a whole disk.
fn sets_above(run_dir: &Path) -> Vec<PathBuf> {
    // Through links, as a run may be linked into a folder of results far from its tasks.
    let Ok(run_dir) = run_dir.canonicalize() else { return Vec::new() };
    let mut sets = Vec::new();
    for dir in run_dir.ancestors().skip(1).take(LEVELS_UP) {
        if dir.join("taskset.json").is_file() {
            sets.push(dir.to_path_buf());
        }
        // A task's folder as CANVAS lays it out; the set is the folder around it.
        if dir.join("target.png").is_file() {
            sets.extend(dir.parent().map(Path::to_path_buf));
        }
    }
    sets
}

/// Whether a folder is laid out like tasks, told from its own entries alone: what a run names may be
/// a whole disk.
fn holds_tasks(dir: &Path) -> bool {
    // The folders of the published sets: two layouts of CANVAS, and its three kinds of modification.
    let folders = [
        "benchmarks",
        "replication_gt",
        "modification_gt",
        "replication",
        "task-1",
        "task-2",
        "task-3",
    ];
    ["taskset.json", "target.png"].into_iter().any(|name| dir.join(name).is_file())
        || folders.into_iter().any(|name| dir.join(name).is_dir())
        || std::fs::read_dir(dir).is_ok_and(|entries| {
            let mut entries = entries.flatten().take(MOST_ENTRIES);
            entries.any(|entry| entry.path().join("target.png").is_file())
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_names_a_folder_without_tasks_is_not_followed_there() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!holds_tasks(dir.path()) && !holds_tasks(Path::new("/")));
        std::fs::create_dir_all(dir.path().join("gid1-22")).unwrap();
        std::fs::write(dir.path().join("gid1-22/target.png"), b"").unwrap();
        assert!(holds_tasks(dir.path()));
    }
}
