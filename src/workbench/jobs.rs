//! Background work as the window shows it.

use std::collections::BTreeMap;

/// The number of a job; never used twice in a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// All jobs of the session, newest last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Jobs {
    /// By number.
    pub by_id: BTreeMap<JobId, Job>,
    /// The number the next one gets.
    pub next: u64,
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
}

/// Kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    /// Reading task sets and runs.
    Open,
    /// An agent's run; shown in the bar.
    Run,
    /// Scoring the steps of a run.
    Score,
    /// Drawing pictures for the stage; not shown.
    Picture,
    /// Writing a file.
    Save,
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

impl Jobs {
    /// Enters a new job and gives its number.
    pub fn start(&mut self, kind: JobKind, label: impl Into<String>) -> JobId {
        let id = JobId(self.next);
        self.next += 1;
        let job = Job { kind, label: label.into(), progress: Progress::default(), outcome: None };
        self.by_id.insert(id, job);
        id
    }

    /// Jobs that have not ended.
    pub fn active(&self) -> impl Iterator<Item = (JobId, &Job)> {
        self.by_id.iter().filter(|(_, job)| job.outcome.is_none()).map(|(id, job)| (*id, job))
    }
}
