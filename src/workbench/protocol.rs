//! What the workbench asks of the worker, and what it hears.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::batch::{AgentChoice, LaunchOptions};
use crate::agent::providers::ProviderKind;
use crate::base::{Pixels, Rect};
use crate::design::NodeId;
use crate::metric::VariantSpec;
use crate::run::{Manifest, Run, TaskRef, Totals};
use crate::task::{Task, TaskSet};

pub use crate::evaluate::VariantId;

use super::derived::{Derived, DerivedKey, Inputs, Urgency};
use super::documents::Documents;
use super::jobs::{JobId, JobOutcome, Progress};
use super::library::RunId;

/// Work for the worker. Every job of a request ends with one [`Event::JobEnded`], whatever happens;
/// [`Request::Watch`], [`Request::Pause`], [`Request::Resume`], [`Request::Cancel`] and
/// [`Request::Forget`] are no jobs.
#[derive(Clone, Debug)]
pub enum Request {
    /// Read what lies at these paths: task sets, folders of task sets, runs, folders of runs.
    Open {
        /// The job.
        job: JobId,
        /// Where.
        paths: Vec<PathBuf>,
    },
    /// Read a run's events; follow it while it is live.
    LoadRun {
        /// The job.
        job: JobId,
        /// Whose number to answer with.
        run: RunId,
        /// Its folder.
        dir: PathBuf,
        /// Its manifest, as listed (of an imported picture run, the only source).
        manifest: Box<Manifest>,
    },
    /// Make a value.
    Derive {
        /// The job.
        job: JobId,
        /// Which.
        key: DerivedKey,
        /// What it is made of.
        inputs: Inputs,
        /// How soon it is wanted.
        urgency: Urgency,
    },
    /// Write a design, or a node of it, to a file.
    Export {
        /// The job.
        job: JobId,
        /// Of which design; never a thumbnail.
        key: PictureKey,
        /// Which node; `None`: all of it, as its picture shows.
        node: Option<NodeId>,
        /// As what.
        format: ExportFormat,
        /// What it is made of.
        inputs: Inputs,
        /// Where.
        path: PathBuf,
    },
    /// Measure by the models that a file names from now on; without a file, by none.
    UseModels {
        /// The job.
        job: JobId,
        /// The file.
        path: Option<PathBuf>,
        /// Captions that were made before; without a file, those that the models name, or a captioner's.
        captions: Option<PathBuf>,
    },
    /// Run agents on tasks, some at once.
    Launch {
        /// One a task and agent.
        runs: Vec<LaunchRun>,
        /// What they have in common.
        plan: Box<LaunchPlan>,
    },
    /// Write a picture to a PNG file.
    SavePicture {
        /// The job.
        job: JobId,
        /// The picture.
        pixels: Pixels,
        /// Where.
        path: PathBuf,
    },
    /// Tell all of this launched run as it grows, and of no other; `None`: of none.
    Watch(Option<RunId>),
    /// Hold a run back when the turn it is at is recorded, or before it begins.
    Pause(JobId),
    /// Let a run go on.
    Resume(JobId),
    /// Stop a job.
    Cancel(JobId),
    /// Forget what is held for a run (snapshots, follower).
    Forget(RunId),
}

/// Which map: of a variant, at a step of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MapKey {
    /// The run.
    pub run: RunId,
    /// The step.
    pub step: u32,
    /// The variant.
    pub variant: VariantId,
}

/// What the runs of a launch have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchPlan {
    /// Who acts; each run names one of them by its place.
    pub agents: Vec<AgentChoice>,
    /// What else was chosen.
    pub options: LaunchOptions,
}

/// One run to launch.
#[derive(Clone, Debug)]
pub struct LaunchRun {
    /// The job.
    pub job: JobId,
    /// Whose number to answer with.
    pub run_id: RunId,
    /// Which task.
    pub task_ref: TaskRef,
    /// Where its set lies.
    pub set_dir: PathBuf,
    /// The task.
    pub task: Arc<Task>,
    /// Who does it: a place in [`LaunchPlan::agents`].
    pub agent: usize,
}

/// A model of a file of models.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedModel {
    /// What the user calls it.
    pub name: String,
    /// Its name where it answers.
    pub model: String,
    /// Whose API it speaks.
    pub kind: ProviderKind,
    /// Whether it is known what its answers cost.
    pub has_prices: bool,
}

/// What a folder of pictures holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PicturesListed {
    /// How many pictures, in the folder and below it.
    pub pictures: usize,
}

/// What a design is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportFormat {
    /// A picture at so many pixels a unit, 1..=4.
    Png {
        /// Pixels a unit.
        scale: u8,
    },
    /// SVG, with texts as outlines.
    Svg,
    /// Figma REST JSON.
    Json,
}

/// A picture the stage or the timeline can show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PictureKey {
    /// A task's start state.
    Start(TaskRef),
    /// A task's ground truth.
    GroundTruth(TaskRef),
    /// The canvas of a run after a step; 0 is the start state.
    Step(RunId, u32),
    /// A small picture of the same, at most 96 pixels a side, for the filmstrip.
    Thumbnail(RunId, u32),
    /// The document of one of a run's programs after a step; the program by its place among them.
    Document(RunId, u32, u8),
}

impl PictureKey {
    /// The run it belongs to, if it belongs to one.
    pub fn run(&self) -> Option<RunId> {
        match self {
            Self::Step(run, _) | Self::Thumbnail(run, _) | Self::Document(run, ..) => Some(*run),
            Self::Start(_) | Self::GroundTruth(_) => None,
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
    /// What scores are measured by from now on; or, where the file of models cannot be used, why all
    /// stays as it is.
    ModelsUsed {
        /// By which job.
        job: JobId,
        /// The variants there are now, or what is wrong with the file.
        result: Result<Vec<VariantSpec>, String>,
    },
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

/// A picture with what lies where in it.
#[derive(Clone, Debug)]
pub struct StagePicture {
    /// The picture.
    pub pixels: Pixels,
    /// Of a large picture the same in half the size, a quarter and so on, each pixel the mean of
    /// those it stands for: the window shows it small, and has not to shrink it in a frame.
    pub reduced: Arc<[Pixels]>,
    /// Nodes in paint order with their boxes in pixels of the picture; empty where unknown.
    pub nodes: Arc<[NodeBox]>,
    /// What could not be drawn.
    pub diagnostics: Vec<String>,
    /// With the picture of a step ([`PictureKey::Step`]): the documents there are after it, where
    /// the run's environment has several.
    pub documents: Option<Arc<Documents>>,
}

/// A node of a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeBox {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Its Figma type.
    pub kind: String,
    /// Where, in pixels of the picture.
    pub pixel_box: Rect,
}
