//! The task that a run is an attempt at, wherever its set lies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::base::{Limits, parse_json, read_file_limited};
use crate::run::{Manifest, TASKS_SETTING, TaskRef};

use super::content::TaskContent;
use super::error::TaskError;
use super::model::{Task, TaskSet};
use super::open::{FoundRun, open};

/// How far above a run its task set is looked for.
const LEVELS_UP: usize = 4;

/// The plan of a study, in the folder of which the runs of its people lie.
const STUDY_FILE: &str = "study.json";

/// How many entries of a folder are looked at to tell whether it holds tasks.
const MOST_ENTRIES: usize = 1000;

/// Task sets that were found, and where others were looked for.
///
/// Sets may share an id, as two folders may be made from one. Of several that hold the task of a run, it is an attempt
/// at that of the set whose place it recorded, or in whose folder it lies. Where neither says, and they do not ask the
/// same, it is not said which: there is none, and a warning names them.
#[derive(Debug, Default)]
pub struct TaskFinder {
    /// In the order in which they were found.
    sets: Vec<KnownSet>,
    /// Where tasks were looked for already, and whether the place looks like one of tasks.
    searched: BTreeMap<PathBuf, bool>,
    /// The tasks of which it was said that they cannot be told apart.
    doubted: BTreeSet<TaskRef>,
    /// What was odd, since it was last asked.
    warnings: Vec<String>,
}

/// Why a task set is known: those of the first kind that hold a task count before those of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetOrigin {
    /// Somebody named its place as that of tasks.
    Named,
    /// It lies where somebody named runs.
    BesideRuns,
    /// A run led to it.
    Followed,
}

/// The task of a run, and whose it is.
#[derive(Clone, Debug)]
pub struct FoundTask {
    /// The task.
    pub task: Arc<Task>,
    /// Its set.
    pub set: Arc<TaskSet>,
    /// Where the set lies, as an absolute path.
    pub set_dir: PathBuf,
    /// The same place through all links, by which sets of one id are told apart.
    pub place: PathBuf,
}

#[derive(Debug)]
struct KnownSet {
    set: Arc<TaskSet>,
    dir: PathBuf,
    place: PathBuf,
    origin: SetOrigin,
    tasks: BTreeMap<String, KnownTask>,
}

#[derive(Debug)]
struct KnownTask {
    task: Arc<Task>,
    /// What it asks, read when it is first needed; `None` inside: it cannot be read.
    content: OnceLock<Option<TaskContent>>,
}

/// What is chosen among sets of one id.
enum Choice {
    Found(Box<FoundTask>),
    /// The places of those between which nothing decides.
    Open(Vec<PathBuf>),
}

impl TaskFinder {
    /// Takes in the task sets at a path that is named as one of tasks, and gives the runs that lie there.
    ///
    /// # Errors
    ///
    /// [`TaskError`] if nothing can be made of the path.
    pub fn search(&mut self, path: &Path) -> Result<Vec<FoundRun>, TaskError> {
        self.search_as(path, SetOrigin::Named)
    }

    /// The same of a path that is named as something else.
    ///
    /// # Errors
    ///
    /// [`TaskError`] if nothing can be made of the path.
    pub fn search_as(
        &mut self,
        path: &Path,
        origin: SetOrigin,
    ) -> Result<Vec<FoundRun>, TaskError> {
        let opened = open(path)?;
        self.take_in(path, &opened.sets, origin);
        for (set, warnings) in opened.sets {
            let of_set = warnings.iter().map(|warning| format!("task set {}: {warning}", set.id));
            self.warnings.extend(of_set);
        }
        self.warnings.extend(opened.warnings);
        Ok(opened.runs)
    }

    /// Takes in the sets that were found at a path by [`task::open`](super::open()).
    pub fn take_in(&mut self, path: &Path, sets: &[(TaskSet, Vec<String>)], origin: SetOrigin) {
        // Kept, as every run below asks for the same few folders above it.
        let places = [Some(path.to_path_buf()), path.canonicalize().ok()];
        self.searched.extend(places.into_iter().flatten().map(|place| (place, true)));
        for (set, _) in sets {
            let dir = std::path::absolute(&set.dir).unwrap_or_else(|_| set.dir.clone());
            let place = set.dir.canonicalize().unwrap_or_else(|_| dir.clone());
            let mut known = self.sets.iter_mut();
            let known = known.find(|known| known.set.id == set.id && known.place == place);
            let tasks = set.tasks.iter().map(|task| {
                let known = KnownTask { task: Arc::clone(task), content: OnceLock::new() };
                (task.id.clone(), known)
            });
            if let Some(known) = known {
                known.origin = known.origin.min(origin);
                // Two files of one folder may make one set.
                for (id, task) in tasks {
                    known.tasks.entry(id).or_insert(task);
                }
                continue;
            }
            // Of two tasks of one id in a set the first counts.
            let tasks = tasks.rev().collect();
            self.sets.push(KnownSet { set: Arc::new(set.clone()), dir, place, origin, tasks });
        }
    }

    /// What was odd about what was taken in, and of which tasks it is not known which is meant, once.
    pub fn take_warnings(&mut self) -> Vec<String> {
        std::mem::take(&mut self.warnings)
    }

    /// The task a run is an attempt at; see [`find`](Self::find).
    pub fn task_of(&mut self, run_dir: &Path, manifest: &Manifest) -> Option<Arc<Task>> {
        self.find(run_dir, manifest).map(|found| found.task)
    }

    /// The task a run is an attempt at, with its set, if that can be found: among those that are named as tasks,
    /// beside the run, where the run says its tasks lay, among those beside other runs, in a folder above the run, or
    /// where the plan of its study has them.
    pub fn find(&mut self, run_dir: &Path, manifest: &Manifest) -> Option<FoundTask> {
        let task = &manifest.task;
        let named = self.holding(task, SetOrigin::Named);
        // Mostly there is one, and nothing to be decided: the disk is not asked.
        if let [only] = named.as_slice() {
            return only.found(task);
        }
        let recorded = manifest.settings.get(TASKS_SETTING).and_then(|path| path.as_str());
        let recorded = recorded.and_then(|path| run_dir.join(path).canonicalize().ok());
        let recorded = recorded.as_deref();
        if !named.is_empty() {
            let choice = choose(&named, run_dir, recorded, task);
            return self.decided(choice, run_dir, task);
        }
        // A run beside one set may be of another that lies elsewhere: what it recorded says more than what is near it.
        let beside = self.holding(task, SetOrigin::BesideRuns);
        if let Some(own) = own_of(&beside, run_dir, recorded) {
            return own.found(task);
        }
        if let Some(choice) = recorded.and_then(|path| self.followed(path, run_dir, recorded, task))
        {
            return self.decided(choice, run_dir, task);
        }
        let beside = self.holding(task, SetOrigin::BesideRuns);
        if !beside.is_empty() {
            let choice = choose(&beside, run_dir, recorded, task);
            return self.decided(choice, run_dir, task);
        }
        for path in sets_above(run_dir) {
            if let Some(choice) = self.followed(&path, run_dir, recorded, task) {
                return self.decided(choice, run_dir, task);
            }
        }
        let others = self.holding(task, SetOrigin::Followed);
        let choice = (!others.is_empty()).then(|| choose(&others, run_dir, recorded, task));
        choice.and_then(|choice| self.decided(choice, run_dir, task))
    }

    /// A task of the sets that were taken in, where it is clear which is meant.
    pub fn task(&self, task: &TaskRef) -> Option<Arc<Task>> {
        let known: Vec<&KnownSet> = self.sets.iter().filter(|known| known.holds(task)).collect();
        let first = known.first()?;
        if ask_the_same(&known, task) { first.found(task).map(|found| found.task) } else { None }
    }

    /// Where the sets of this id lie, as absolute paths.
    pub fn set_dirs(&self, set: &str) -> impl Iterator<Item = &Path> {
        let known = self.sets.iter().filter(move |known| known.set.id == set);
        known.map(|known| known.dir.as_path())
    }

    /// The sets of this origin that hold the task.
    fn holding(&self, task: &TaskRef, origin: SetOrigin) -> Vec<&KnownSet> {
        let known = self.sets.iter().filter(|known| known.origin == origin && known.holds(task));
        known.collect()
    }

    /// What is chosen among the sets at a path that a run leads to, if one of them holds its task.
    fn followed(
        &mut self,
        path: &Path,
        run_dir: &Path,
        recorded: Option<&Path>,
        task: &TaskRef,
    ) -> Option<Choice> {
        // The run may have been moved, or lie: what it names has to look like tasks. A guess that is wrong is nothing
        // to speak of.
        let searched = self.searched.get(path).copied();
        let looks_like_tasks = searched.unwrap_or_else(|| holds_tasks(path));
        if searched.is_none() {
            self.searched.insert(path.to_path_buf(), looks_like_tasks);
            if looks_like_tasks {
                self.search_as(path, SetOrigin::Followed).ok();
            }
        }
        // Below a whole disk lie all sets that others led to.
        if !looks_like_tasks {
            return None;
        }
        let there = self.sets.iter().filter(|known| known.place.starts_with(path));
        let there: Vec<&KnownSet> = there.filter(|known| known.holds(task)).collect();
        (!there.is_empty()).then(|| choose(&there, run_dir, recorded, task))
    }

    /// What was chosen, or else a warning that nothing was.
    fn decided(&mut self, choice: Choice, run_dir: &Path, task: &TaskRef) -> Option<FoundTask> {
        match choice {
            Choice::Found(found) => Some(*found),
            Choice::Open(places) => {
                // Once a task: it may have thousands of runs.
                if self.doubted.insert(task.clone()) {
                    let places: Vec<String> =
                        places.iter().map(|place| place.display().to_string()).collect();
                    self.warnings.push(format!(
                        "the task {} of {} is not the same in {}, and {} does not say which it is of: it is taken \
                         for a run without its task; name only one of them with --tasks",
                        task.id,
                        task.set,
                        places.join(" and "),
                        run_dir.display()
                    ));
                }
                None
            }
        }
    }
}

impl KnownSet {
    fn holds(&self, task: &TaskRef) -> bool {
        self.set.id == task.set && self.tasks.contains_key(&task.id)
    }

    fn found(&self, task: &TaskRef) -> Option<FoundTask> {
        let known = self.tasks.get(&task.id)?;
        Some(FoundTask {
            task: Arc::clone(&known.task),
            set: Arc::clone(&self.set),
            set_dir: self.dir.clone(),
            place: self.place.clone(),
        })
    }

    fn content_of(&self, task: &TaskRef) -> Option<TaskContent> {
        let known = self.tasks.get(&task.id)?;
        *known.content.get_or_init(|| TaskContent::of(&known.task).ok())
    }
}

/// Of several sets that hold the task of a run, the one that is its own, or any if they ask the same.
fn choose(among: &[&KnownSet], run_dir: &Path, recorded: Option<&Path>, task: &TaskRef) -> Choice {
    let chosen = own_of(among, run_dir, recorded)
        .or_else(|| among.first().copied().filter(|_| ask_the_same(among, task)));
    match chosen.and_then(|known| known.found(task)) {
        Some(found) => Choice::Found(Box::new(found)),
        None => Choice::Open(among.iter().map(|known| known.dir.clone()).collect()),
    }
}

/// The set whose place the run recorded, or the innermost in whose folder it lies.
fn own_of<'a>(
    among: &[&'a KnownSet],
    run_dir: &Path,
    recorded: Option<&Path>,
) -> Option<&'a KnownSet> {
    let at = among.iter().find(|known| recorded == Some(known.place.as_path()));
    at.copied().or_else(|| {
        // Through links, as places of sets are.
        let run_dir = run_dir.canonicalize().ok()?;
        let around = among.iter().filter(|known| run_dir.starts_with(&known.place));
        around.copied().max_by_key(|known| known.place.components().count())
    })
}

/// Whether the task is the same in all of these, wherever they lie. Of what cannot be read it is not.
fn ask_the_same(among: &[&KnownSet], task: &TaskRef) -> bool {
    let [first, others @ ..] = among else { return true };
    others.is_empty()
        || first.content_of(task).is_some_and(|content| {
            others.iter().all(|known| known.content_of(task) == Some(content))
        })
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
    // Through links, as the places of sets are.
    places.into_iter().filter_map(|place| dir.join(place).canonicalize().ok()).collect()
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
    use crate::run::AgentRef;

    /// A set with one task, which asks for these words.
    fn write_set(dir: &Path, words: &str) {
        std::fs::create_dir_all(dir).unwrap();
        let task = serde_json::json!({
            "id": "t", "environment": "canvas", "kind": "replication", "instruction": words,
        });
        let set = serde_json::json!({
            "format": "pentimento/taskset", "version": 1, "id": "x", "name": "X", "tasks": [task],
        });
        std::fs::write(dir.join("taskset.json"), set.to_string()).unwrap();
    }

    #[test]
    fn of_sets_of_one_id_a_run_is_of_that_at_its_recorded_place_or_else_of_none_that_differs() {
        let dir = tempfile::tempdir().unwrap();
        let [first, second, run_dir] = ["a", "b", "runs/r"].map(|name| dir.path().join(name));
        write_set(&first, "first");
        write_set(&second, "second");
        std::fs::create_dir_all(&run_dir).unwrap();
        let agent = AgentRef::by_hand();
        let mut manifest = Manifest::new(TaskRef::new("x", "t"), agent, "2026-11-27T12:00:00Z");
        let words = |finder: &mut TaskFinder, manifest: &Manifest| {
            finder.task_of(&run_dir, manifest).map(|task| task.instruction.clone())
        };
        let mut finder = TaskFinder::default();
        finder.search(&first).unwrap();
        finder.search(&second).unwrap();
        finder.take_warnings();
        assert_eq!(words(&mut finder, &manifest), None);
        let warnings = finder.take_warnings();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].contains("/a and ") && warnings[0].contains("/b,"), "{warnings:?}");
        for (place, asked) in [("../../a", "first"), ("../../b", "second")] {
            manifest.settings.insert(TASKS_SETTING.to_owned(), place.into());
            assert_eq!(words(&mut finder, &manifest).as_deref(), Some(asked));
            // Also where another run led to the other set before, or where none was named.
            let mut following = TaskFinder::default();
            for (place, asked) in [("../../a", "first"), (place, asked)] {
                manifest.settings.insert(TASKS_SETTING.to_owned(), place.into());
                assert_eq!(words(&mut following, &manifest).as_deref(), Some(asked));
            }
        }
        // What is named as tasks counts before what lies elsewhere.
        let mut finder = TaskFinder::default();
        finder.search(&first).unwrap();
        finder.search_as(&second, SetOrigin::BesideRuns).unwrap();
        assert_eq!(words(&mut finder, &manifest).as_deref(), Some("first"));
    }

    #[test]
    fn a_run_that_names_a_folder_without_tasks_is_not_followed_there() {
        let dir = tempfile::tempdir().unwrap();
        assert!(!holds_tasks(dir.path()) && !holds_tasks(Path::new("/")));
        std::fs::create_dir_all(dir.path().join("gid1-22")).unwrap();
        std::fs::write(dir.path().join("gid1-22/target.png"), b"").unwrap();
        assert!(holds_tasks(dir.path()));
    }
}
