//! The one way in: what lies at a path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::run::folder::{EVENTS_FILE, MANIFEST_FILE};
use crate::run::pictures::{UNKNOWN_SET, is_picture};
use crate::run::reader::{self, Peek};
use crate::run::{AgentRef, Manifest, Outcome, TaskRef};

use super::error::TaskError;
use super::file::FILE;
use super::listing::Listing;
use super::model::TaskSet;
use super::{canvas_layout, design_file, graphicbench, picture_layout, set_file};

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

impl FoundRun {
    /// Whether these are only pictures in some folder below the one that was named: most of those are illustrations
    /// and no runs.
    pub fn is_loose(&self, named: &Path) -> bool {
        self.manifest.task.set == UNKNOWN_SET
            && !self.dir.join(MANIFEST_FILE).is_file()
            && self.unreadable.is_none()
            && self.dir != named
    }
}

/// The runs at these paths, each once, as commands count them: without [loose](FoundRun::is_loose) pictures.
///
/// # Errors
///
/// [`TaskError`] if nothing can be made of a path.
pub fn runs_at<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<Vec<FoundRun>, TaskError> {
    let (mut runs, mut known) = (Vec::new(), BTreeSet::new());
    for path in paths {
        let meant = open(path)?.runs.into_iter().filter(|run| !run.is_loose(path));
        runs.extend(meant.filter(|run| known.insert(run.dir.clone())));
    }
    Ok(runs)
}

/// Finds the task sets and runs at `path`: a folder, or a file that stands for its folder
/// (`taskset.json`, `run.json`, `events.jsonl`), or a Figma document, which is one replication task,
/// or a file of GraphicBench's queries or questions.
///
/// What is broken below `path` is a warning or an unreadable run; an error is only given when
/// nothing can be made of `path` itself. Links are followed, and no folder is looked at twice.
pub fn open(path: &Path) -> Result<Opened, TaskError> {
    if !path.exists() {
        return Err(TaskError::Missing(path.to_path_buf()));
    }
    // A file is asked for what is in it before its name stands for a folder: `taskset.json` and
    // `run.json` are JSON too, but hold no node.
    if let Some(set) = design_file::read(path) {
        return Ok(Opened { sets: vec![(set, Vec::new())], ..Opened::default() });
    }
    if let Some(set) = graphicbench::read_file(path) {
        return Ok(Opened { sets: vec![set], ..Opened::default() });
    }
    let dir = folder_of(path)?;
    let mut walk = TaskWalk::default();
    let found = walk.visit(VisitedFolder::top(dir)?)?;
    if found == SearchOutcome::Nothing && walk.warnings.is_empty() {
        return Err(TaskError::Nothing(path.to_path_buf()));
    }
    // Manifests are read together, several at a time: there may be thousands.
    let runs = walk.runs.into_par_iter().map(|(dir, task)| found_run(dir, task)).collect();
    Ok(Opened { sets: walk.sets, runs, warnings: walk.warnings })
}

/// The folder that a file stands for.
fn folder_of(path: &Path) -> Result<&Path, TaskError> {
    if path.is_dir() {
        return Ok(path);
    }
    let stands_for_folder =
        [FILE, MANIFEST_FILE, EVENTS_FILE].iter().any(|name| path.ends_with(name));
    match path.parent() {
        // `taskset.json` without any folder has the parent "", which cannot be listed.
        Some(parent) if parent.as_os_str().is_empty() && stands_for_folder => Ok(Path::new(".")),
        Some(parent) if stands_for_folder => Ok(parent),
        _ => Err(TaskError::Nothing(path.to_path_buf())),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchOutcome {
    Something,
    Nothing,
}

impl SearchOutcome {
    fn or(self, other: Self) -> Self {
        if self == Self::Nothing { other } else { self }
    }
}

/// A folder on the way.
struct VisitedFolder {
    dir: PathBuf,
    /// Where it really is: links may go in circles.
    real: PathBuf,
    /// How deep below the top.
    depth: usize,
    listing: Listing,
}

impl VisitedFolder {
    fn top(dir: &Path) -> Result<Self, TaskError> {
        let real = dir.canonicalize().map_err(TaskError::read(dir))?;
        let listing = Listing::read(dir).map_err(TaskError::read(dir))?;
        Ok(Self { dir: dir.to_path_buf(), real, depth: 0, listing })
    }

    fn below(&self, folder: &str) -> Result<Self, TaskError> {
        let dir = self.dir.join(folder);
        let real = self.listing.real_path_of(&self.real, folder).map_err(TaskError::read(&dir))?;
        let listing = Listing::read(&dir).map_err(TaskError::read(&dir))?;
        Ok(Self { real, depth: self.depth + 1, listing, dir })
    }

    fn holds_pictures(&self) -> bool {
        self.listing.files.iter().any(|file| is_picture(&self.dir.join(file)))
    }
}

#[derive(Default)]
struct TaskWalk {
    sets: Vec<(TaskSet, Vec<String>)>,
    /// Folders of runs; with a task if where they lie says whose they are.
    runs: Vec<(PathBuf, Option<TaskRef>)>,
    warnings: Vec<String>,
    /// Real paths of folders that were looked at.
    seen: BTreeSet<PathBuf>,
}

impl TaskWalk {
    /// Looks at a folder and what is below it. An error is about this folder only.
    fn visit(&mut self, place: VisitedFolder) -> Result<SearchOutcome, TaskError> {
        let VisitedFolder { dir, listing, .. } = &place;
        // A link may lead back up: where a folder really is says whether it was looked at.
        if place.depth > DEPTH
            || self.seen.len() >= FOLDERS
            || !self.seen.insert(place.real.clone())
        {
            return Ok(SearchOutcome::Nothing);
        }
        // The surest layout first: a set of ours may hold pictures, runs and documents of its own,
        // which the later rules would take for something else.
        if listing.has_file(FILE) {
            self.add_set(set_file::read(dir)?);
            let (runs, others): (Vec<&String>, Vec<&String>) =
                listing.folders.iter().partition(|folder| *folder == "runs");
            self.visit_all(&place, runs);
            // A run that somebody put beside the set; whatever else is there belongs to the set.
            for beside in self.places_below(&place, others) {
                if beside.listing.has_file(MANIFEST_FILE) {
                    self.visit_or_warn(beside);
                }
            }
        } else if listing.has_file(MANIFEST_FILE) {
            self.runs.push((place.dir, None));
        } else if let Some(set) = canvas_layout::read(dir, listing) {
            self.add_set(set);
            self.visit_all(&place, &listing.folders);
        } else if picture_layout::is_task(listing) {
            self.picture_task(place);
        } else {
            let queries = graphicbench::read_folder(dir, listing);
            if queries.is_empty() {
                return Ok(self.visit_below(place));
            }
            for set in queries {
                self.add_set(set);
            }
            // The questions there were given to the tasks already and are no set of their own.
            let others = listing.folders.iter().filter(|name| !graphicbench::is_beside(name));
            self.visit_all(&place, others);
        }
        Ok(SearchOutcome::Something)
    }

    /// A folder of no layout: tasks made of pictures, other folders, or loose pictures.
    fn visit_below(&mut self, place: VisitedFolder) -> SearchOutcome {
        let below = self.places_below(&place, &place.listing.folders);
        // Folders with a target are the tasks of one set, which is their parent; only together do
        // they have an order and a name.
        let (tasks, others): (Vec<VisitedFolder>, Vec<VisitedFolder>) =
            below.into_iter().partition(|place| picture_layout::is_task(&place.listing));
        let mut found = SearchOutcome::Nothing;
        if !tasks.is_empty() {
            self.picture_set(&place.dir, &tasks);
            found = SearchOutcome::Something;
        }
        for other in others {
            found = found.or(self.visit_or_warn(other));
        }
        // Only where there is nothing else are pictures a run, and not illustrations.
        if found == SearchOutcome::Nothing && place.holds_pictures() {
            self.runs.push((place.dir, None));
            found = SearchOutcome::Something;
        }
        found
    }

    fn visit_all<'a>(
        &mut self,
        place: &VisitedFolder,
        folders: impl IntoIterator<Item = &'a String>,
    ) {
        for below in self.places_below(place, folders) {
            self.visit_or_warn(below);
        }
    }

    /// The folders that can be read; of the others a warning.
    fn places_below<'a>(
        &mut self,
        place: &VisitedFolder,
        folders: impl IntoIterator<Item = &'a String>,
    ) -> Vec<VisitedFolder> {
        let mut places = Vec::new();
        for folder in folders {
            match place.below(folder) {
                Ok(below) => places.push(below),
                Err(error) => self.warnings.push(error.to_string()),
            }
        }
        places
    }

    fn visit_or_warn(&mut self, place: VisitedFolder) -> SearchOutcome {
        self.visit(place).unwrap_or_else(|error| {
            self.warnings.push(error.to_string());
            SearchOutcome::Nothing
        })
    }

    /// One task made of pictures, opened by itself: a set of one.
    fn picture_task(&mut self, place: VisitedFolder) {
        // By the real path: the set is named after the parent, which `.` and a link do not show. So
        // the ids are those of the whole set when that is opened, and runs find their task again.
        let Some(set_dir) = place.real.parent().map(Path::to_path_buf) else { return };
        let task = VisitedFolder { dir: place.real.clone(), ..place };
        self.picture_set(&set_dir, &[task]);
    }

    fn picture_set(&mut self, set_dir: &Path, tasks: &[VisitedFolder]) {
        let listings: Vec<(String, &Listing)> =
            tasks.iter().map(|task| (name_of(&task.dir), &task.listing)).collect();
        let set = picture_layout::read(set_dir, &listings);
        let set_id = set.0.id.clone();
        self.add_set(set);
        for place in tasks {
            let task = TaskRef { set: set_id.clone(), id: name_of(&place.dir) };
            for below in self.places_below(place, &place.listing.folders) {
                self.picture_run(below, &task);
            }
        }
    }

    /// A folder beside a task's target: the pictures of a model, or whatever else.
    fn picture_run(&mut self, place: VisitedFolder, task: &TaskRef) {
        if place.listing.has_file(MANIFEST_FILE) || place.holds_pictures() {
            self.runs.push((place.dir, Some(task.clone())));
        } else {
            self.visit_or_warn(place);
        }
    }

    fn add_set(&mut self, (set, warnings): (TaskSet, Vec<String>)) {
        // Runs name their task by the set's id: two sets of one id would share their runs.
        let same = self.sets.iter().find(|(other, _)| other.id == set.id);
        if let Some((other, _)) = same {
            self.warnings.push(format!(
                "The task set in {} is left out: the one in {} has the same id, {:?}.",
                set.dir.display(),
                other.dir.display(),
                set.id
            ));
            return;
        }
        self.sets.push((set, warnings));
    }
}

/// Lists a run; `task` if where it lies says whose it is.
fn found_run(dir: PathBuf, task: Option<TaskRef>) -> FoundRun {
    let mut run = match reader::peek(&dir) {
        Ok(Peek { manifest, steps, live }) => {
            FoundRun { dir, manifest, steps: Some(steps), live, unreadable: None }
        }
        Err(error) => unreadable(dir, error.to_string()),
    };
    // A folder of pictures may not say whose it is, or say it otherwise than its place.
    if let Some(task) = task.filter(|_| run.manifest.mode == "pictures") {
        run.manifest.task = task;
    }
    run
}

fn unreadable(dir: PathBuf, why: String) -> FoundRun {
    let task = TaskRef { set: String::new(), id: String::new() };
    let agent = AgentRef { kind: "unknown".to_owned(), name: name_of(&dir), version: None };
    let mut manifest = Manifest::new(task, agent, "");
    manifest.outcome = Outcome::Failed(why.clone());
    FoundRun { dir, manifest, steps: None, live: false, unreadable: Some(why) }
}

fn name_of(dir: &Path) -> String {
    dir.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}
