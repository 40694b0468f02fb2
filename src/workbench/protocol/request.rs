//! What the workbench asks of the worker.

use std::path::PathBuf;
use std::sync::Arc;

use crate::agent::batch::{AgentChoice, Experiment, LaunchOptions};
use crate::design::NodeId;
use crate::evaluate::typed_table::TypedTable;
use crate::evaluate::{LabelPlan, StudySources, VariantId};
use crate::run::{Manifest, TaskRef};
use crate::task::Task;
use crate::workbench::model::{
    AskedInput, DerivedKey, ExportChoices, ExportForm, IgnoredArea, Inputs, JobId, KeptRange, Note,
    NoteKey, PictureKey, RangeKey, RunId, RunsExport, StageForm, StagePixels, StageShot, StepRange,
    Urgency,
};

use super::annotate::LabelOrder;
use super::assist::HandsOrder;
use super::assist_files::LayersOrder;
use super::study::StudyOrder;
use super::what_if::{ReferenceOrder, SaveBranchOrder};
use crate::workbench::model::ExportFormat;

/// Work for the worker. Every job of a request ends with one [`Event::JobEnded`](super::Event::JobEnded), whatever
/// happens; [`Request::KeepNote`], [`Request::KeepRange`], [`Request::KeepAreas`], [`Request::Labels`],
/// [`Request::Hands`], [`Request::Study`], [`Request::Watch`], [`Request::Pause`], [`Request::Resume`],
/// [`Request::Cancel`] and [`Request::Forget`] are no jobs.
#[expect(
    clippy::large_enum_variant,
    reason = "the large one is by far the most frequent, and would only be put behind a pointer"
)]
#[derive(Clone, Debug)]
pub enum Request {
    /// Read what lies at these paths: task sets, folders of task sets, runs, folders of runs; or what other
    /// programs recorded.
    Open {
        /// The job.
        job: JobId,
        /// Where.
        paths: Vec<PathBuf>,
        /// Where the runs go that are made of other programs' records.
        imports: PathBuf,
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
    /// Ask models behind endpoints for scores.
    Ask {
        /// The job.
        job: JobId,
        /// What about, each run by itself.
        runs: Vec<AskedInput>,
    },
    /// Run agents on tasks, some at once.
    Launch {
        /// One a task and agent.
        runs: Vec<LaunchRun>,
        /// What they have in common.
        plan: Box<LaunchPlan>,
    },
    /// Write runs as one HTML page.
    Report {
        /// The job.
        job: JobId,
        /// The runs, in the order of the page.
        runs: Vec<ReportRun>,
        /// The variant that is followed.
        variant: VariantId,
        /// The command line that writes it without a window.
        command: String,
        /// Where.
        path: PathBuf,
    },
    /// Read a form for a labelling project that is being made.
    ReadForm(PathBuf),
    /// Make a labelling project of runs.
    MakeLabels {
        /// The job.
        job: JobId,
        /// The runs.
        runs: Vec<ReportRun>,
        /// What is asked of whom.
        plan: Box<LabelPlan>,
        /// What comes before the first item, in the place of what the plan says of it.
        study: Box<StudySources>,
        /// Its file; nothing may be there yet.
        path: PathBuf,
    },
    /// Record a run with other calls.
    SaveBranch {
        /// The job.
        job: JobId,
        /// What is recorded.
        order: Box<SaveBranchOrder>,
    },
    /// Make something the reference of a task; the file as it was is kept beside it.
    MakeReference {
        /// The job.
        job: JobId,
        /// Which, and where.
        order: ReferenceOrder,
    },
    /// Write a picture to a PNG file.
    SavePicture {
        /// The job.
        job: JobId,
        /// The picture.
        pixels: StagePixels,
        /// What the file says of itself.
        about: String,
        /// Where.
        path: PathBuf,
    },
    /// Write what the stage shows to a PNG file.
    SaveStage {
        /// The job.
        job: JobId,
        /// What it shows.
        shot: Box<StageShot>,
        /// Where.
        path: PathBuf,
    },
    /// Write runs as pictures, pages, animations or folders.
    ExportRuns {
        /// The job.
        job: JobId,
        /// Which, as what, and where.
        order: Box<RunsOrder>,
    },
    /// Write layers of a design that is worked on by hand.
    ExportLayers {
        /// The job.
        job: JobId,
        /// Which, and where.
        order: Box<LayersOrder>,
    },
    /// Write a drawing to a file.
    SaveDrawing {
        /// The job.
        job: JobId,
        /// The drawing, as SVG.
        svg: String,
        /// What the file says of itself.
        about: String,
        /// As what.
        form: StageForm,
        /// Where.
        path: PathBuf,
    },
    /// Draw a drawing that is to go to the system's clipboard as a picture.
    CopyDrawing {
        /// The job.
        job: JobId,
        /// The drawing, as SVG.
        svg: String,
    },
    /// Write a text to a file.
    SaveText {
        /// The job.
        job: JobId,
        /// The text.
        text: String,
        /// Where it comes from, for a file beside it; `None`: it says so itself.
        about: Option<String>,
        /// Where.
        path: PathBuf,
    },
    /// Write a table to a file of Parquet.
    SaveTable {
        /// The job.
        job: JobId,
        /// What it holds.
        table: Box<TypedTable>,
        /// Where.
        path: PathBuf,
    },
    /// Keep a note; an empty one is taken away.
    KeepNote {
        /// What it is on.
        key: NoteKey,
        /// What it says.
        note: Note,
    },
    /// Keep a range of steps; `None`: it is forgotten.
    KeepRange {
        /// Which.
        key: RangeKey,
        /// What it is called, and what is written to it.
        kept: Option<KeptRange>,
    },
    /// Keep these areas of a task, in the place of those it had.
    KeepAreas {
        /// Which task, by the id that its set has in its file.
        task: TaskRef,
        /// What differences leave out.
        areas: Vec<IgnoredArea>,
    },
    /// Something for the labelling project's file.
    Labels(LabelOrder),
    /// Work for the thread that keeps what people design.
    Hands(HandsOrder),
    /// Work for the thread that keeps a study.
    Study(StudyOrder),
    /// Tell all of these launched runs as they grow, and of no other.
    Watch(Vec<RunId>),
    /// Hold a run back when the turn it is at is recorded, or before it begins; or questions before the next.
    Pause(JobId),
    /// Let it go on.
    Resume(JobId),
    /// Stop a job.
    Cancel(JobId),
    /// Forget what is held for a run (snapshots, follower).
    Forget(RunId),
}

/// What the runs of a launch have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct LaunchPlan {
    /// Who acts; each run names one of them by its place.
    pub agents: Vec<AgentChoice>,
    /// What else was chosen.
    pub options: LaunchOptions,
    /// The experiment whose cells they are, in their order; `None`: they are of none.
    pub experiment: Option<Box<Experiment>>,
}

/// A run of a report.
#[derive(Clone, Debug)]
pub struct ReportRun {
    /// Its folder.
    pub dir: PathBuf,
    /// Its manifest, as listed.
    pub manifest: Box<Manifest>,
    /// What it was an attempt at, if its set is open.
    pub task: Option<Arc<Task>>,
    /// Its steps, as listed.
    pub steps: u32,
}

/// Runs that are to be exported: which, as what, and where.
#[derive(Clone, Debug)]
pub struct RunsOrder {
    /// As what.
    pub kind: RunsExport,
    /// As what file.
    pub form: ExportForm,
    /// How.
    pub choices: ExportChoices,
    /// Only these steps, of contact sheets and animations.
    pub range: Option<StepRange>,
    /// The runs, in the order in which they were opened; one, unless the kind takes several.
    pub runs: Vec<ExportedRun>,
    /// The command line that makes the same without a window.
    pub command: String,
    /// The file, or the folder.
    pub path: PathBuf,
}

/// A run that is to be exported.
#[derive(Clone, Debug)]
pub struct ExportedRun {
    /// The run.
    pub run: ReportRun,
    /// What people wrote of it, in one line, if that is to be shown.
    pub note: String,
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
    /// Which repeat of its cell it is, from 1.
    pub repeat: u32,
}
