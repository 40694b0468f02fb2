//! Background work as the window shows it.

use std::collections::BTreeMap;

use super::ids::{JobId, RunId};
use super::library::Pause;

/// All jobs of the session, newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jobs {
    /// By number.
    pub by_id: BTreeMap<JobId, Job>,
    /// The number the next one gets.
    pub next: u64,
    /// The first job of the present batch of runs: a batch begins with the first run that starts
    /// while no other is at work.
    pub batch_start: u64,
    /// How many runs of the last launch are made at once.
    pub at_once: u32,
}

/// One piece of background work.
#[derive(Clone, Debug, PartialEq)]
pub struct Job {
    /// What it does.
    pub kind: JobKind,
    /// For people, such as `tracer on gid11-16`.
    pub label: String,
    /// How far it is.
    pub progress: Progress,
    /// How it ended; `None` while it works or waits.
    pub outcome: Option<JobOutcome>,
    /// The run it makes, if it makes one.
    pub run: Option<RunId>,
    /// Whether it was paused.
    pub pause: Pause,
}

/// Kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Finding and reading task sets and runs.
    Open,
    /// Reading one run; not shown.
    Load,
    /// An agent's run; shown in the bar.
    Run,
    /// Making a value: a picture, layers, a check, a listing, scores; shown only while it is made, and where it has a
    /// label.
    Derive,
    /// Writing a file.
    Save,
    /// Setting up learned metrics; not shown.
    Models,
    /// Asking models behind endpoints for scores.
    Ask,
}

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Done so far.
    pub done: u64,
    /// In all; 0 if unknown.
    pub total: u64,
    /// What it is at, such as `turn 3`.
    pub message: String,
}

/// How a job ended. Every job ends, in one of these ways.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobOutcome {
    /// As it should.
    Done,
    /// Somebody stopped it.
    Cancelled,
    /// It could not go on; what happened, to what, and what to do.
    Failed(String),
}

impl JobKind {
    /// Whether the job is shown in lists. Pictures and scores come and go by the dozen; what they
    /// bring, or why not, is shown where they belong.
    pub fn is_listed(self) -> bool {
        matches!(self, Self::Open | Self::Run | Self::Save | Self::Ask)
    }

    /// Whether it can be held back for a while.
    pub fn can_pause(self) -> bool {
        matches!(self, Self::Run | Self::Ask)
    }
}

impl Job {
    /// Whether it is shown in lists: as its kind says, and what takes long of what is made, while it is.
    pub fn is_listed(&self) -> bool {
        self.kind.is_listed() || self.kind == JobKind::Derive && !self.label.is_empty()
    }
}

impl Progress {
    /// 0..=1, if the total is known.
    pub fn fraction(&self) -> Option<f32> {
        (self.total > 0).then(|| (self.done as f32 / self.total as f32).clamp(0.0, 1.0))
    }
}

impl Jobs {
    /// Enters a new job and gives its number.
    pub fn start(&mut self, kind: JobKind, label: impl Into<String>) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        // A run that starts while others are at work belongs to their batch: one line, one estimate.
        if kind == JobKind::Run && !self.active().any(|(_, job)| job.kind == JobKind::Run) {
            self.batch_start = id.0;
        }
        let job = Job {
            kind,
            label: label.into(),
            progress: Progress::default(),
            outcome: None,
            run: None,
            pause: Pause::No,
        };
        self.by_id.insert(id, job);
        id
    }

    /// Jobs that have not ended.
    pub fn active(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.by_id.iter().filter(|(_, job)| job.outcome.is_none()).map(|(id, job)| (*id, job))
    }

    /// Runs that are being made, or wait to be.
    pub fn active_runs(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.active().filter(|(_, job)| job.kind == JobKind::Run)
    }

    /// The runs of the present batch.
    pub fn batch(&self) -> impl Iterator<Item = &Job> {
        // Whatever else began since has a number among theirs.
        let since = self.by_id.range(JobId(self.batch_start)..).map(|(_, job)| job);
        since.filter(|job| job.kind == JobKind::Run)
    }

    /// Whether the job is known and has not ended: only then its results matter.
    pub fn is_active(&self, id: JobId) -> bool {
        self.by_id.get(&id).is_some_and(|job| job.outcome.is_none())
    }
}
