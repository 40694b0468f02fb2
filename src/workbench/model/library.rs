//! Task sets, tasks and runs as the library lists them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::evaluate::{PrimaryMetric, VariantId};
use crate::metric::Score;
use crate::run::{Manifest, Outcome, Run, TASKS_SETTING, TaskRef};
use crate::task::{Task, TaskSet};

use super::arrangement::Arrangement;
use super::curves::Curves;
use super::explore::DigestState;
use super::ids::{JobId, RunId};
use super::tracked_runs::TrackedRuns;

/// Everything that is open.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Library {
    /// What was opened, in this order, each once; some of it may be closed again.
    pub opened: Vec<PathBuf>,
    /// What was open the last time and could not be opened again, as where a disk is not there: it is tried
    /// again the next time, unless somebody takes it off.
    pub missing: Vec<PathBuf>,
    /// Task sets in the order they were opened.
    pub sets: Vec<LibrarySet>,
    /// Runs by number; those of a task are found by [`Library::runs_of`].
    pub runs: TrackedRuns<LibraryRun>,
    /// In what order runs are listed, and below what.
    pub arrangement: Arrangement,
    /// What is folded.
    pub folded: Folded,
    /// The filter as typed.
    pub filter: String,
    /// The number the next run gets.
    pub next_run: u32,
}

/// What can be folded in the library.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FoldKey {
    /// A task set by id.
    Set(String),
    /// A task.
    Task(TaskRef),
    /// An agent by name, where runs are grouped by agent.
    Agent(String),
}

/// What is folded in the library, by what its row has.
#[derive(Clone, Debug, Default, PartialEq, Hash)]
pub struct Folded {
    /// Task sets by id.
    pub sets: BTreeSet<String>,
    /// Tasks.
    pub tasks: BTreeSet<TaskRef>,
    /// Agents by name.
    pub agents: BTreeSet<String>,
}

/// One task set.
#[derive(Clone, Debug, PartialEq)]
pub struct LibrarySet {
    /// The set; shared with the worker. Of several with one id that are open from different places,
    /// all but the first have another id here, and a name that says which they are.
    pub set: Arc<TaskSet>,
    /// Its id in its file, which runs refer to.
    pub recorded_id: String,
    /// What was odd about it.
    pub warnings: Vec<String>,
}

impl LibrarySet {
    /// A set as its file says.
    pub fn new(set: Arc<TaskSet>, warnings: Vec<String>) -> Self {
        Self { recorded_id: set.id.clone(), set, warnings }
    }

    /// Its tasks in their order, each with what refers to it.
    pub fn tasks(&self) -> impl Iterator<Item = (TaskRef, &Arc<Task>)> {
        let tasks = self.set.tasks.iter();
        tasks.map(|task| (TaskRef::new(&self.set.id, &task.id), task))
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct LibraryRun {
    /// What `run.json` says (kept fresh while live).
    pub manifest: Manifest,
    /// The task in the library; its set may have another id there ([`LibrarySet::set`]).
    pub task: TaskRef,
    /// Its folder.
    pub dir: PathBuf,
    /// The whole run once it has been read.
    pub loaded: Option<Arc<Run>>,
    /// Number of steps (pictures, for a picture-only run), known from listing or loading.
    pub steps: u32,
    /// Where it stands.
    pub state: RunState,
    /// The job that makes it, or made it in this session.
    pub job: Option<JobId>,
    /// Whether it was paused; only a live one is.
    pub pause: Pause,
    /// The answer it waits for, while it is live and some of it has come.
    pub answering: Option<Answering>,
    /// The score at the last step by its [`PrimaryMetric`](crate::evaluate::PrimaryMetric), once known.
    pub last_score: Option<Score>,
    /// The scores at the last step by other variants, as far as they were asked for.
    pub last_scores: BTreeMap<VariantId, Score>,
    /// Whether part of what was recorded is lost, as far as somebody who read it told.
    pub is_torn: bool,
    /// What is known of its calls.
    pub digest: DigestState,
    /// Scores after each step, as far as they are computed.
    pub curves: Curves,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RunState {
    /// Being recorded, by this process or another.
    Live,
    /// The agent finished, or a limit was met.
    Finished,
    /// Stopped by somebody.
    Cancelled,
    /// Ended with an error: its message.
    Failed(String),
    /// The process died in the middle: what is whole is shown.
    Interrupted,
    /// Its folder is gone or unreadable: the message.
    Unreadable(String),
}

/// Whether a run was paused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pause {
    /// It is at work.
    #[default]
    No,
    /// It was asked to, and finishes the turn it is at.
    Asked,
    /// It waits.
    Waits,
}

impl Pause {
    /// Whether it is paused, or about to be.
    pub fn is_on(self) -> bool {
        self != Self::No
    }

    /// One word; empty at work.
    pub fn word(self) -> &'static str {
        match self {
            Self::No => "",
            Self::Asked => "pausing",
            Self::Waits => "paused",
        }
    }
}

/// An answer that is not whole yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answering {
    /// Of which turn, from 1.
    pub turn: u32,
    /// What came of it so far: reasoning, words and the names of calls, the last of it if it is
    /// long.
    pub text: String,
    /// Why nothing comes now, if it is asked again later.
    pub waiting: Option<String>,
}

impl RunState {
    /// Where a run stands by its manifest and by whether somebody is recording it now.
    pub fn of(manifest: &Manifest, live: bool) -> Self {
        match &manifest.outcome {
            Outcome::Running if live => Self::Live,
            // Nobody records it, and its manifest was never closed: the process died.
            Outcome::Running => Self::Interrupted,
            Outcome::Completed | Outcome::LimitReached(_) => Self::Finished,
            Outcome::Cancelled => Self::Cancelled,
            Outcome::Failed(message) => Self::Failed(message.clone()),
        }
    }

    /// Whether its score is a result, or will be: what a run that failed, was stopped or broke off left behind is
    /// scored all the same, and is none.
    pub fn is_result(&self) -> bool {
        matches!(self, Self::Finished | Self::Live)
    }

    /// One word, pauses, damage and imports aside: see [`LibraryRun::word`].
    pub fn word(&self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
            Self::Failed(_) => "failed",
            Self::Interrupted => "interrupted",
            Self::Unreadable(_) => "unreadable",
        }
    }
}

impl LibraryRun {
    /// One word for where it stands, as tables, the filter language, the inspector and tooltips use it.
    pub fn word(&self) -> &'static str {
        match (&self.state, self.pause) {
            (RunState::Live, pause) if pause.is_on() => pause.word(),
            (RunState::Finished, _) if self.is_damaged() => "damaged",
            // That it finished, nobody recorded.
            (RunState::Finished, _) if !self.manifest.says_outcome() => "imported",
            (state, _) => state.word(),
        }
    }

    /// Whether part of what was recorded is lost, as far as it is known: whoever reads the run finds out.
    pub fn is_damaged(&self) -> bool {
        self.is_torn || self.digest.read().is_some_and(|digest| digest.is_torn)
    }

    /// The score at the last step by a variant, if it is known.
    pub fn last_score_by(&self, variant: &str) -> Option<&Score> {
        if PrimaryMetric::of_run(&self.manifest).variant() == variant {
            return self.last_score.as_ref();
        }
        self.last_scores.get(variant).or_else(|| self.curves.get(variant, self.steps))
    }

    /// The score after a step by a variant, if it is known.
    pub(in crate::workbench) fn score_by(&self, variant: &str, step: u32) -> Option<&Score> {
        let last = (step == self.steps).then(|| self.last_score_by(variant)).flatten();
        last.or_else(|| self.curves.get(variant, step))
    }

    /// Whether its calls are still to be read, and can be.
    pub(in crate::workbench) fn awaits_calls(&self) -> bool {
        let can_be_read = !matches!(self.state, RunState::Live | RunState::Unreadable(_));
        can_be_read && self.digest == DigestState::NotRead
    }

    /// A run of which no more is known.
    pub(in crate::workbench) fn new(manifest: Manifest, dir: PathBuf, state: RunState) -> Self {
        Self {
            task: manifest.task.clone(),
            manifest,
            dir,
            loaded: None,
            steps: 0,
            state,
            job: None,
            pause: Pause::No,
            answering: None,
            last_score: None,
            last_scores: BTreeMap::new(),
            is_torn: false,
            digest: DigestState::default(),
            curves: Curves::default(),
        }
    }

    /// What reading it takes: its folder, and what was listed of it.
    pub(in crate::workbench) fn on_disk(&self) -> (PathBuf, Box<Manifest>) {
        (self.dir.clone(), Box::new(self.manifest.clone()))
    }
}

/// The path without `.` and `..`, as far as names tell: nothing is asked of the disk.
fn normalized(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            component => normal.push(component),
        }
    }
    normal
}

impl Library {
    /// Has a folder among what is opened the next time, unless it lies in something that is.
    pub(in crate::workbench) fn keep_open(&mut self, dir: &Path) {
        if !self.opened.iter().any(|opened| dir.starts_with(opened)) {
            self.opened.push(dir.to_path_buf());
        }
    }

    /// The set of this id.
    pub fn set(&self, id: &str) -> Option<&LibrarySet> {
        self.sets.iter().find(|entry| entry.set.id == id)
    }

    /// Where the set of this id lies.
    pub(in crate::workbench) fn set_dir(&self, id: &str) -> Option<PathBuf> {
        Some(self.set(id)?.set.dir.clone())
    }

    /// The task in the library that a run in this folder is an attempt at: of several sets with the id
    /// that it names, the one whose place it recorded, or in whose folder it lies, or else the first.
    pub(in crate::workbench) fn task_of(&self, manifest: &Manifest, dir: &Path) -> TaskRef {
        let recorded = &manifest.task;
        let named = self.sets.iter().filter(|entry| entry.recorded_id == recorded.set);
        let named: Vec<&LibrarySet> = named.collect();
        let set = match named.as_slice() {
            [] => None,
            // Mostly there is one, and nothing to be decided.
            [only] => Some(*only),
            [first, ..] => {
                let tasks = manifest.settings.get(TASKS_SETTING).and_then(|path| path.as_str());
                let tasks = tasks.map(|path| normalized(&dir.join(path)));
                let mut all = named.iter().copied();
                let at = all.find(|it| tasks.as_deref() == Some(&normalized(&it.set.dir)));
                let found = at.or_else(|| {
                    let around = named.iter().filter(|entry| dir.starts_with(&entry.set.dir));
                    around.copied().max_by_key(|entry| entry.set.dir.components().count())
                });
                Some(found.unwrap_or(first))
            }
        };
        let set = set.map_or(&recorded.set, |entry| &entry.set.id);
        TaskRef::new(set, &recorded.id)
    }

    /// The task this refers to.
    pub fn task(&self, task: &TaskRef) -> Option<&Task> {
        self.shared_task(task).map(|task| &**task)
    }

    /// The same as the worker takes it.
    pub fn shared_task(&self, task: &TaskRef) -> Option<&Arc<Task>> {
        // Asked for many times a frame. Ids of one set mostly differ at their end: it is looked at first.
        let (id, end) = (&task.id, task.id.as_bytes().last());
        self.set(&task.set)?.set.tasks.iter().find(|known| {
            known.id.len() == id.len() && known.id.as_bytes().last() == end && known.id == *id
        })
    }

    /// The runs of a task, in the order of their numbers.
    pub fn runs_of<'a>(
        &'a self,
        task: &'a TaskRef,
    ) -> impl Iterator<Item = (RunId, &'a LibraryRun)> + 'a {
        self.runs.iter().filter(move |(_, run)| run.task == *task).map(|(id, run)| (*id, run))
    }
}
