//! The runs a command is given, and the tasks they are attempts at.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;

use crate::run::Manifest;
use crate::task::{self, FoundRun, FoundTask, Opened, SetOrigin, Task, TaskFinder};

use super::output::note;

/// Runs, and the tasks that can be found for them.
#[derive(Debug, Default)]
pub(super) struct Collection {
    /// The runs, as they were found.
    pub(super) runs: Vec<FoundRun>,
    tasks: TaskFinder,
}

impl Collection {
    /// Finds the runs at `runs`, and the task sets there and at `tasks`.
    ///
    /// What is odd is said on stderr; an error is a path at which there is nothing, or no run at all.
    pub(super) fn open(runs: &[PathBuf], tasks: &[PathBuf]) -> anyhow::Result<Self> {
        Self::open_among(runs, tasks, &[])
    }

    /// The same of some of the runs at `among`: sets that lie beside the others are known, too.
    pub(super) fn open_among(
        runs: &[PathBuf],
        tasks: &[PathBuf],
        among: &[PathBuf],
    ) -> anyhow::Result<Self> {
        let mut collection = Self::default();
        for path in tasks {
            collection.search(path, SetOrigin::Named)?;
        }
        for path in among {
            collection.search(path, SetOrigin::BesideRuns)?;
        }
        for path in runs {
            let found = collection.search(path, SetOrigin::BesideRuns)?;
            let (meant, loose): (Vec<_>, Vec<_>) =
                found.into_iter().partition(|run| !run.is_loose(path));
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
        self.find(run_dir, manifest).map(|found| found.task)
    }

    /// The same with its set, and where that lies.
    pub(super) fn find(&mut self, run_dir: &Path, manifest: &Manifest) -> Option<FoundTask> {
        let found = self.tasks.find(run_dir, manifest);
        self.print_warnings();
        found
    }

    fn search(&mut self, path: &Path, origin: SetOrigin) -> anyhow::Result<Vec<FoundRun>> {
        let runs = self.tasks.search_as(path, origin);
        let runs = runs.with_context(|| format!("cannot open {}", path.display()))?;
        self.print_warnings();
        Ok(runs)
    }

    /// Says on stderr what is odd about the sets.
    fn print_warnings(&mut self) {
        for warning in self.tasks.take_warnings() {
            note(&format!("warning: {warning}"));
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
