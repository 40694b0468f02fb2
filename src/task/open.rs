//! The one way in: what lies at a path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::run::folder::{EVENTS_FILE, MANIFEST_FILE};
use crate::run::pictures::is_picture;
use crate::run::reader::{self, RunError};
use crate::run::{AgentRef, Manifest, Outcome, TaskRef};

use super::error::TaskError;
use super::file::FILE;
use super::listing::Listing;
use super::model::TaskSet;
use super::{canvas_layout, picture_layout, set_file};

/// Deepest folder below the path that is looked at.
const DEPTH: usize = 10;
/// Most folders that are looked at.
const FOLDERS: usize = 100_000;

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// Task sets in natural order of their folders, with what was odd about each.
    pub sets: Vec<(TaskSet, Vec<String>)>,
    /// Runs in natural order of their folders.
    pub runs: Vec<FoundRun>,
    /// Folders that could not be read or were left out, and why.
    pub warnings: Vec<String>,
}

/// A run, as far as a list needs it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundRun {
    /// Its folder.
    pub dir: PathBuf,
    /// What is known of it; of an unreadable run little more than the folder's name.
    pub manifest: Manifest,
    /// Steps up to the last whole turn, or pictures; `None` for an unreadable run.
    pub steps: Option<u32>,
    /// Whether somebody is recording it now.
    pub live: bool,
    /// Why it cannot be read, if so.
    pub unreadable: Option<String>,
}

/// Finds the task sets and runs at `path`: a folder, or a file that stands for its folder
/// (`taskset.json`, `run.json`, `events.jsonl`).
///
/// What is broken below `path` is a warning or an unreadable run; an error is only given when
/// nothing can be made of `path` itself. Links are followed, and no folder is looked at twice.
pub fn open(path: &Path) -> Result<Opened, TaskError> {
    if !path.exists() {
        return Err(TaskError::Missing(path.to_path_buf()));
    }
    let dir = folder_of(path)?;
    let mut walk = Walk::default();
    let top = walk.visit(dir, 0)?;
    if top == Found::Nothing && walk.opened.warnings.is_empty() {
        return Err(TaskError::Nothing(path.to_path_buf()));
    }
    Ok(walk.opened)
}

/// The folder that a file stands for.
fn folder_of(path: &Path) -> Result<&Path, TaskError> {
    if path.is_dir() {
        return Ok(path);
    }
    let stands_for_folder =
        [FILE, MANIFEST_FILE, EVENTS_FILE].iter().any(|name| path.ends_with(name));
    match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() && stands_for_folder => Ok(Path::new(".")),
        Some(parent) if stands_for_folder => Ok(parent),
        _ => Err(TaskError::Nothing(path.to_path_buf())),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    Something,
    Nothing,
}

#[derive(Default)]
struct Walk {
    opened: Opened,
    /// Real paths of folders that were looked at: links may go in circles.
    seen: BTreeSet<PathBuf>,
}

impl Walk {
    /// Looks at a folder and what is below it. An error is about this folder only.
    fn visit(&mut self, dir: &Path, depth: usize) -> Result<Found, TaskError> {
        let read = |source| TaskError::Read { source, path: dir.to_path_buf() };
        let real = dir.canonicalize().map_err(read)?;
        if depth > DEPTH || self.seen.len() >= FOLDERS || !self.seen.insert(real) {
            return Ok(Found::Nothing);
        }
        let listing = Listing::read(dir).map_err(read)?;
        if listing.has_file(FILE) {
            let set = set_file::read(dir)?;
            self.add_set(set);
            self.visit_all(dir, &["runs".to_owned()], depth);
            return Ok(Found::Something);
        }
        if listing.has_file(MANIFEST_FILE) {
            self.add_run(dir, None);
            return Ok(Found::Something);
        }
        if let Some(set) = canvas_layout::read(dir, &listing) {
            self.add_set(set);
            self.visit_all(dir, &listing.folders, depth);
            return Ok(Found::Something);
        }
        if picture_layout::is_task(&listing) {
            self.picture_task(dir, listing);
            return Ok(Found::Something);
        }
        Ok(self.visit_below(dir, &listing, depth))
    }

    /// A folder of no layout: tasks made of pictures, other folders, or loose pictures.
    fn visit_below(&mut self, dir: &Path, listing: &Listing, depth: usize) -> Found {
        let mut tasks = Vec::new();
        let mut others = Vec::new();
        for folder in &listing.folders {
            match Listing::read(&dir.join(folder)) {
                Ok(below) if picture_layout::is_task(&below) => tasks.push((folder.clone(), below)),
                _ => others.push(folder.clone()),
            }
        }
        if !tasks.is_empty() {
            self.picture_set(dir, &tasks);
        }
        let below = self.visit_all(dir, &others, depth);
        if !tasks.is_empty() || below == Found::Something {
            return Found::Something;
        }
        // Only where there is nothing else are pictures a run, and not illustrations.
        if listing.files.iter().any(|file| is_picture(&dir.join(file))) {
            self.add_run(dir, None);
            return Found::Something;
        }
        Found::Nothing
    }

    fn visit_all(&mut self, dir: &Path, folders: &[String], depth: usize) -> Found {
        let mut found = Found::Nothing;
        for path in folders.iter().map(|folder| dir.join(folder)).filter(|path| path.is_dir()) {
            match self.visit(&path, depth + 1) {
                Ok(Found::Something) => found = Found::Something,
                Ok(Found::Nothing) => {}
                Err(error) => self.opened.warnings.push(error.to_string()),
            }
        }
        found
    }

    /// One task made of pictures, opened by itself: a set of one.
    fn picture_task(&mut self, dir: &Path, listing: Listing) {
        let real = dir.canonicalize().unwrap_or_else(|_gone| dir.to_path_buf());
        if let (Some(parent), Some(name)) = (real.parent(), real.file_name()) {
            self.picture_set(parent, &[(name.to_string_lossy().into_owned(), listing)]);
        }
    }

    fn picture_set(&mut self, dir: &Path, tasks: &[(String, Listing)]) {
        let set = picture_layout::read(dir, tasks);
        let set_id = set.0.id.clone();
        self.add_set(set);
        for (id, listing) in tasks {
            let task = TaskRef { set: set_id.clone(), id: id.clone() };
            for folder in &listing.folders {
                self.picture_run(&dir.join(id), folder, &task);
            }
        }
    }

    /// A folder beside a task's target: the pictures of a model, or whatever else.
    fn picture_run(&mut self, task_dir: &Path, folder: &str, task: &TaskRef) {
        let dir = task_dir.join(folder);
        if matches!(reader::peek(&dir), Err(RunError::NotARun(_))) {
            self.visit_all(task_dir, &[folder.to_owned()], DEPTH / 2);
        } else {
            self.add_run(&dir, Some(task));
        }
    }

    fn add_set(&mut self, (set, warnings): (TaskSet, Vec<String>)) {
        let same = self.opened.sets.iter().find(|(other, _)| other.id == set.id);
        if let Some((other, _)) = same {
            self.opened.warnings.push(format!(
                "The task set in {} is left out: the one in {} has the same id, {:?}.",
                set.dir.display(),
                other.dir.display(),
                set.id
            ));
            return;
        }
        self.opened.sets.push((set, warnings));
    }

    /// Lists a run; `task` if where it lies says whose it is.
    fn add_run(&mut self, dir: &Path, task: Option<&TaskRef>) {
        let mut run = match reader::peek(dir) {
            Ok(reader::Peek { manifest, steps, live }) => FoundRun {
                dir: dir.to_path_buf(),
                manifest,
                steps: Some(steps),
                live,
                unreadable: None,
            },
            Err(error) => unreadable(dir, error.to_string()),
        };
        // A folder of pictures may not say whose it is, or say it otherwise than its place.
        if let Some(task) = task.filter(|_| run.manifest.mode == "pictures") {
            run.manifest.task = task.clone();
        }
        self.opened.runs.push(run);
    }
}

fn unreadable(dir: &Path, why: String) -> FoundRun {
    let name = dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let task = TaskRef { set: String::new(), id: String::new() };
    let agent = AgentRef { kind: "unknown".to_owned(), name, version: None };
    let mut manifest = Manifest::new(task, agent, "");
    manifest.outcome = Outcome::Failed(why.clone());
    FoundRun { dir: dir.to_path_buf(), manifest, steps: None, live: false, unreadable: Some(why) }
}
