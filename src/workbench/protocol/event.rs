//! What the worker says.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::Pixels;
use crate::metric::VariantSpec;
use crate::run::{Manifest, Run, TaskRef, Totals};
use crate::task::TaskSet;
use crate::workbench::model::{
    Answering, Derived, IgnoredArea, JobId, JobOutcome, KeptRange, Note, NoteKey, Progress,
    RangeKey, RunId, ScoredStep,
};

use super::annotate::LabelNews;
use super::assist::HandsNews;
use super::study::StudyNews;
use super::what_if::ReferenceOrder;

/// What the worker says.
#[derive(Clone, Debug)]
pub enum Event {
    /// A job moved on.
    Progress(JobId, Progress),
    /// A job is over.
    JobEnded(JobId, JobOutcome),
    /// Task sets and runs were found.
    Opened {
        /// By which job.
        job: JobId,
        /// Task sets with what was odd about them.
        sets: Vec<(Arc<TaskSet>, Vec<String>)>,
        /// Runs, in the order of their folders.
        runs: Vec<ListedRun>,
        /// Folders that could not be read or were left out, and why.
        warnings: Vec<String>,
    },
    /// What another program recorded was made runs of, which are told by [`Event::Opened`].
    Imported {
        /// By which job.
        job: JobId,
        /// What was asked to be opened.
        path: PathBuf,
        /// What came of it.
        summary: String,
        /// What was left out, with the place and the reason.
        left_out: Vec<String>,
    },
    /// Runs that others began in a folder that is open.
    Found {
        /// In the order of their folders.
        runs: Vec<ListedRun>,
    },
    /// A run was read, or a live one grew; replaces what was known of it.
    RunRead {
        /// Which.
        run_id: RunId,
        /// All of it up to its last whole turn.
        run: Arc<Run>,
        /// Whether more may come.
        live: bool,
    },
    /// A launched run that is not looked at has one turn more: what its row shows.
    RunGrew {
        /// Which.
        run_id: RunId,
        /// Its sums so far.
        totals: Totals,
        /// Its steps so far.
        steps: u32,
    },
    /// A launched run that is not looked at has ended.
    RunEnded {
        /// Which.
        run_id: RunId,
        /// What it says of itself now.
        manifest: Box<Manifest>,
    },
    /// A resumed run took the place of the broken-off ones.
    RunMoved {
        /// Which.
        run_id: RunId,
        /// Where it is now.
        dir: PathBuf,
        /// Where those were; they are kept inside it.
        replaced: Vec<PathBuf>,
    },
    /// A paused run waits from now on, or goes on.
    RunPaused {
        /// The job that makes it.
        job: JobId,
        /// Whether it waits.
        is_paused: bool,
    },
    /// The answer that a launched run waits for grows.
    Answering {
        /// Of which run.
        run_id: RunId,
        /// What there is of it.
        answering: Answering,
    },
    /// Part of what was recorded of a run is lost, as was found where it was read to be scored.
    RunDamaged {
        /// Which.
        run_id: RunId,
    },
    /// The folder of a run that was read is gone or cannot be read any more.
    RunLost {
        /// Which.
        run_id: RunId,
        /// What happened, to what, and what to do.
        message: String,
    },
    /// A launched run exists on disk now.
    RunStarted {
        /// Which.
        run_id: RunId,
        /// Its folder.
        dir: PathBuf,
        /// Its manifest.
        manifest: Box<Manifest>,
    },
    /// A value is there, or cannot be had. Scores come step by step, all others once a job.
    Derived {
        /// By which job; it says which value.
        job: JobId,
        /// The value, or why not.
        result: Result<Derived, String>,
    },
    /// What a model answered came to scores.
    Asked(ScoredStep),
    /// What scores are measured by from now on; or, where the file of models cannot be used, why all
    /// stays as it is.
    ModelsUsed {
        /// By which job.
        job: JobId,
        /// The variants there are now, or what is wrong with the file.
        result: Result<Vec<VariantSpec>, String>,
    },
    /// The notes of the workspace; told once, when the worker starts, or when its file can be read first.
    NotesRead {
        /// All of them.
        notes: Vec<(NoteKey, Note)>,
        /// All kept ranges of steps.
        ranges: Vec<(RangeKey, KeptRange)>,
        /// All areas that differences leave out, by task.
        areas: Vec<(TaskRef, Vec<IgnoredArea>)>,
    },
    /// Notes cannot be read or kept; what was to be kept is tried again.
    NotesLost {
        /// Why.
        message: String,
    },
    /// All that could not be kept is on disk by now.
    NotesKept,
    /// A task has other reference tools now, in the file of its set.
    ReferenceWritten {
        /// Which, and where.
        order: ReferenceOrder,
        /// The file as it was.
        backup: PathBuf,
    },
    /// A drawing is there that was to be copied as a picture, or cannot be drawn.
    DrawingCopied(Result<Arc<Pixels>, String>),
    /// News of the labelling project's file.
    Labels(LabelNews),
    /// What the thread says that keeps what people design.
    Hands(HandsNews),
    /// What the thread says that keeps a study.
    Study(StudyNews),
    /// Something is odd with the program itself, and it goes on.
    Warned {
        /// What happened, to what, and what to do.
        message: String,
    },
}

impl Event {
    /// The answer of a job that makes a value.
    pub fn derived(job: JobId, result: Result<impl Into<Derived>, String>) -> Self {
        Self::Derived { job, result: result.map(Into::into) }
    }
}

/// A run found while opening.
#[derive(Clone, Debug)]
pub struct ListedRun {
    /// Its folder.
    pub dir: PathBuf,
    /// What is known of it.
    pub manifest: Manifest,
    /// Steps, or pictures, if known without reading all of it.
    pub steps: Option<u32>,
    /// Whether somebody is recording it now.
    pub live: bool,
    /// Why it cannot be read, if so.
    pub unreadable: Option<String>,
}
