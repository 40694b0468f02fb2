//! The task that a run is an attempt at, wherever its set lies.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use crate::base::{Limits, parse_json, read_file_limited};
use crate::run::{Manifest, TASKS_SETTING, TaskRef};

use super::error::TaskError;
use super::model::Task;
use super::open::{FoundRun, open};

/// How far above a run its task set is looked for.
const LEVELS_UP: usize = 4;

/// The plan of a study, in the folder of which the runs of its people lie.
const STUDY_FILE: &str = "study.json";

/// How many entries of a folder are looked at to tell whether it holds tasks.
const MOST_ENTRIES: usize = 1000;

/// Task sets that were found, and where others were looked for.
#[derive(Debug, Default)]
pub struct TaskFinder {
    tasks: BTreeMap<TaskRef, Arc<Task>>,
    /// Where the sets lie, by their ids.
    set_dirs: BTreeMap<String, PathBuf>,
    /// Where tasks were looked for already.
    searched: Vec<PathBuf>,
    /// What was odd, since it was last asked.
    warnings: Vec<String>,
}

impl TaskFinder {
    /// Takes in the task sets at a path, and gives the runs that lie there. Of two sets of one id the first
    /// that was taken in counts.
    ///
    /// # Errors
    ///
    /// [`TaskError`] if nothing can be made of the path.
    pub fn search(&mut self, path: &Path) -> Result<Vec<FoundRun>, TaskError> {
        let opened = open(path)?;
        // Kept, as every run below asks for the same few folders above it.
        self.searched.push(path.to_path_buf());
        for (set, warnings) in opened.sets {
            let of_set = warnings.iter().map(|warning| format!("task set {}: {warning}", set.id));
            self.warnings.extend(of_set);
            let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
            self.set_dirs.entry(set.id.clone()).or_insert(dir);
            for task in set.tasks {
                let task_ref = TaskRef::new(&set.id, &task.id);
                self.tasks.entry(task_ref).or_insert(task);
            }
        }
        self.warnings.extend(opened.warnings);
        Ok(opened.runs)
    }

    /// What was odd about what was taken in, once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The task a run is an attempt at, if its set can be found: among those taken in, where the run
    /// says its tasks lay, in a folder above the run, or where the plan of its study has them.
    pub fn task_of(&mut self, run_dir: &Path, manifest: &Manifest) -> Option<Arc<Task>> {
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

    /// A task of the sets that were taken in.
    pub fn task(&self, task: &TaskRef) -> Option<Arc<Task>> {
        self.tasks.get(task).cloned()
    }

    /// Where the set of a task lies, as an absolute path, if it was found.
    pub fn set_dir(&self, task: &TaskRef) -> Option<&Path> {
        self.set_dirs.get(&task.set).map(PathBuf::as_path)
    }
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
        // Somebody may have done it elsewhere, where the tasks lay in their packet: the plan says where they are here.
        sets.extend(sets_of_study(dir));
    }
    sets
}

/// What is read of the plan of a study here: studies are made of tasks, and know them, not the other way round.
#[derive(Deserialize)]
struct StudyTaskSets {
    task_sets: Vec<String>,
}

/// Where the plan of the study in a folder says that its tasks lie; nowhere if there is none.
fn sets_of_study(dir: &Path) -> Vec<PathBuf> {
    let Ok(plan) = read_file_limited(&dir.join(STUDY_FILE), Limits::JSON_BYTES) else {
        return Vec::new();
    };
    // One that is broken is nothing to speak of here: whoever opens the study is told.
    let plan: Option<StudyTaskSets> = parse_json(&plan).ok();
    let places = plan.map(|plan| plan.task_sets).unwrap_or_default();
    places.into_iter().map(|place| dir.join(place)).collect()
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
