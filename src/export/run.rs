//! A run that is exported: opened, with its task and its canvas, and what there is to go by.

use std::path::PathBuf;
use std::sync::Arc;

use crate::base::{CancelToken, Cancelled, Pixels, PixelsError};
use crate::design::DocumentError;
use crate::environment::{OpenEnvironment, StartError};
use crate::evaluate::canvas::ground_truth;
use crate::evaluate::{
    CanvasError, ComparedTask, PrimaryMetric, RunCanvas, Scorer, Wanted, compared_step,
};
use crate::run::reader::{self, RunError};
use crate::run::{Manifest, Run, RunOrigin};
use crate::task::{Task, TaskError};

use super::animation::AnimationError;
use super::frames::{FramesError, smaller};
use super::page::PageError;

/// A run that is to be exported: where it lies and what is listed of it. It is read when its turn comes.
#[derive(Clone, Debug)]
pub struct ExportRun {
    /// Its folder.
    pub dir: PathBuf,
    /// Its manifest, as listed: of a run of pictures it says more than its files.
    pub manifest: Manifest,
    /// What it was an attempt at, if that is known.
    pub task: Option<Arc<Task>>,
    /// What people wrote of it, in one line; empty for nothing.
    pub note: String,
}

/// What exporting goes by.
pub struct ExportContext<'a> {
    /// Who scores.
    pub scorer: &'a Scorer,
    /// Makes environments.
    pub open_environment: &'a OpenEnvironment,
    /// Raised to stop it.
    pub cancel: &'a CancelToken,
    /// Which program writes the file, and by which command it is written again.
    pub made_by: &'a str,
    /// Told how many of how many are done, and which is next.
    pub progress: &'a (dyn Fn(usize, usize, &str) + Sync),
}

impl std::fmt::Debug for ExportContext<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExportContext").field("made_by", &self.made_by).finish_non_exhaustive()
    }
}

/// Why a run cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum RunExportError {
    /// It cannot be read.
    #[error("{} cannot be read: {source}", dir.display())]
    Unreadable {
        /// Its folder.
        dir: PathBuf,
        /// Why.
        source: RunError,
    },
    /// It cannot be drawn.
    #[error("{} cannot be drawn: {source}", dir.display())]
    NotDrawn {
        /// Its folder.
        dir: PathBuf,
        /// Why.
        source: CanvasError,
    },
    /// Its pictures cannot be had.
    #[error("the run cannot be drawn: {0}")]
    Frames(#[from] FramesError),
    /// Its ground truth cannot be had.
    #[error("the ground truth cannot be read: {0}")]
    Truth(CanvasError),
    /// What the task begins with cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// What the task begins with cannot be opened.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The boxes of nodes cannot be had.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A picture cannot be made smaller.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// It does not fit on a page.
    #[error(transparent)]
    Page(#[from] PageError),
    /// It is no animation.
    #[error(transparent)]
    Animation(#[from] AnimationError),
    /// Somebody stopped it.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// There is no ground truth to put beside it.
    #[error(
        "the task {0} of this run was not found: open its set, or say where it is with --tasks"
    )]
    NoTask(String),
    /// The task is not like anything.
    #[error("the task {0} has no ground truth")]
    NoTruth(String),
    /// There is nothing to show.
    #[error("the run has no picture: {}", .0.display())]
    NoPicture(PathBuf),
    /// Scores are asked for that there are not.
    #[error("there is no variant {id:?}; there are {known}")]
    NoVariant {
        /// What was asked for.
        id: String,
        /// Those there are.
        known: String,
    },
    /// A column of the grid is asked for that there is not.
    #[error("there is no run of {model}; there are runs of {known}")]
    NoModel {
        /// What was asked for.
        model: String,
        /// Those there are.
        known: String,
    },
    /// A row of the grid is asked for that there is not.
    #[error("there is no run at the task {0}")]
    NoRunAt(String),
}

impl ExportRun {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// [`RunExportError::Unreadable`].
    pub fn read(&self) -> Result<Arc<Run>, RunExportError> {
        let mut run = reader::open(&self.dir)
            .map_err(|source| RunExportError::Unreadable { dir: self.dir.clone(), source })?;
        // What a run of pictures is, its place among others says better than its own files.
        if matches!(run.origin, RunOrigin::Pictures { .. }) {
            run.manifest = self.manifest.clone();
        }
        Ok(Arc::new(run))
    }

    /// What a canvas of its that cannot be drawn comes to.
    pub(super) fn not_drawn(&self, source: CanvasError) -> RunExportError {
        RunExportError::NotDrawn { dir: self.dir.clone(), source }
    }
}

/// A run whose pictures are drawn.
#[derive(Debug)]
pub struct PicturedRun {
    /// The run.
    pub run: Arc<Run>,
    /// Its task, or what its own plan says of it.
    pub task: Option<Arc<Task>>,
    /// Its canvas.
    pub canvas: RunCanvas,
}

impl PicturedRun {
    /// Reads a run and opens its canvas.
    ///
    /// # Errors
    ///
    /// [`RunExportError::Unreadable`], [`RunExportError::NotDrawn`].
    pub fn open(of: &ExportRun, context: &ExportContext<'_>) -> Result<Self, RunExportError> {
        let run = of.read()?;
        let task = of.task.clone().or_else(|| Task::of_plan(&run).map(Arc::new));
        let canvas = RunCanvas::open(Arc::clone(&run), task.clone(), context.open_environment)
            .map_err(|source| of.not_drawn(source))?;
        Ok(Self { run, task, canvas })
    }

    /// The task and who attempted it.
    pub fn title(&self) -> String {
        let manifest = &self.run.manifest;
        format!("{} · {}", manifest.task.id, manifest.agent.name)
    }

    /// The number of its last step.
    pub fn last_step(&self) -> u32 {
        u32::try_from(self.run.steps.len()).unwrap_or(u32::MAX)
    }

    /// What it is compared with, or why with nothing, in words.
    pub(super) fn compared(&self, context: &ExportContext<'_>) -> Result<ComparedTask, String> {
        let kind = &self.run.manifest.environment;
        ComparedTask::of_run(self.task.as_deref(), Some(kind), context.open_environment)
            .map_err(|why| why.to_string())
    }

    /// The picture of the ground truth, so many pixels wide at least.
    pub(super) fn truth(
        &self,
        width: u32,
        context: &ExportContext<'_>,
    ) -> Result<Pixels, RunExportError> {
        let id = &self.run.manifest.task.id;
        let task = self.task.as_ref().ok_or_else(|| RunExportError::NoTask(id.clone()))?;
        let truth = ground_truth(task, context.open_environment).map_err(RunExportError::Truth)?;
        let truth = truth.ok_or_else(|| RunExportError::NoTruth(id.clone()))?;
        Ok(smaller(&truth, width)?)
    }

    /// The score after a step by a variant, with its name: a dash where there is none.
    pub(super) fn score_words(
        &mut self,
        step: u32,
        variant: &str,
        truth: &ComparedTask,
        context: &ExportContext<'_>,
    ) -> Result<String, Cancelled> {
        let made = compared_step(&mut self.canvas, step, context.cancel)?;
        let variants = [variant];
        let wanted = Wanted { variants: Some(&variants), map: None };
        let mut words = String::new();
        context.scorer.score(truth, &made, wanted, context.cancel, |measured| {
            if let Some(measured) = measured.first() {
                words = match measured.measurement.score.value() {
                    Some(value) => format!("{variant} {value:.3}"),
                    None => format!("{variant} –"),
                };
            }
        })?;
        Ok(words)
    }
}

/// The variant that scores go by: the one that was named, or the one that stands for a run in lists.
///
/// # Errors
///
/// [`RunExportError::NoVariant`].
pub fn variant_of(
    only: Option<&str>,
    manifest: &Manifest,
    scorer: &Scorer,
) -> Result<String, RunExportError> {
    let variant = only.unwrap_or_else(|| PrimaryMetric::of_run(manifest).variant());
    if scorer.registry().variant(variant).is_some() {
        return Ok(variant.to_owned());
    }
    let known: Vec<&str> = scorer.registry().variants().map(|variant| &*variant.id).collect();
    Err(RunExportError::NoVariant { id: variant.to_owned(), known: known.join(", ") })
}
