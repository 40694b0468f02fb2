//! The canvas of a run at any step, and its score: the one place that says how a step is scored.
//!
//! The window and the command line both use it, so they say the same:
//!
//! - the picture scored is the main frame at scale 1 (one pixel a unit), or, of a run known by its
//!   pictures only, the recorded picture as it is;
//! - it is compared with the task's ground-truth picture as it is in its file, or, if the task has
//!   only a document, with that drawn at scale 1; pictures of different sizes are resized by the
//!   metric itself, as CANVAS does;
//! - a step's design is compared with the ground truth's as the environment opens both.
//!
//! [`Scorer`](super::Scorer) measures what [`compared_step`](super::compared_step) finds there.

use std::sync::{Arc, OnceLock};

use crate::base::{CancelToken, Cancelled, Pixels, PixelsError, Size};
use crate::environment::canvas::HandTools;
use crate::environment::{
    Environment, FALLBACK_CANVAS, FontSource, OpenEnvironment, Picture, PictureRequest, StartError,
    StartState,
};
use crate::metric::ssim::SsimUniform7;
use crate::metric::{Measurement, StepMemory};
use crate::render::RenderError;
use crate::run::images::{self, ImageError, PictureFile};
use crate::run::replay::{Replay, ReplayError, recorded_file};
use crate::run::{ImportRecord, Run, RunOrigin};
use crate::task::{Artifact, Task, TaskError};

use super::given_inputs::GivenInputs;

/// Most pixels of a recorded picture that is kept for the next step: a canvas stays open while its run is looked at.
const MOST_KEPT: u64 = 1 << 22;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum CanvasError {
    /// The run cannot be replayed to that step or drawn there.
    #[error(transparent)]
    Replay(ReplayError),
    /// The picture of the step cannot be read.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The recorded picture of the step cannot be read.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The files of the task cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// No environment can be made of the task's document.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The document cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// There is no such picture.
    #[error("there is no picture of step {step}: the run has {last}")]
    NoStep {
        /// The step asked for.
        step: u32,
        /// The last there is.
        last: usize,
    },
    /// Nothing was drawn up to this step.
    #[error("nothing was drawn up to step {0}; its outcome says why")]
    NothingDrawn(u32),
    /// The start state is not known.
    #[error("what the canvas held at the start is not known: the task set of this run is not open")]
    UnknownStart,
    /// The run was imported from a record without a picture of its start.
    #[error(
        "the start was not recorded: the run was imported from a record without a picture of it"
    )]
    StartNotRecorded,
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

impl From<ReplayError> for CanvasError {
    fn from(error: ReplayError) -> Self {
        match error {
            // A stop is nobody's failure, and is told apart from them wherever it comes up.
            ReplayError::Cancelled(cancelled) => Self::Cancelled(cancelled),
            error => Self::Replay(error),
        }
    }
}

/// The canvas of a run at any step: replayed from its calls, or from its pictures.
#[derive(Debug)]
pub struct RunCanvas {
    run: Arc<Run>,
    task: Option<Arc<Task>>,
    /// `None` for a run known by its pictures.
    replay: Option<Replay>,
    /// The recorded picture that was read last, with its file.
    last: Option<(PictureFile, Pixels)>,
    memory: Arc<StepMemory>,
    /// The pictures that it was given, once they were asked for.
    given: OnceLock<Option<Arc<GivenInputs>>>,
}

impl RunCanvas {
    /// Puts the canvas to the start of the run. The task gives the start state of a run that is
    /// known by its pictures; a recorded run has its own.
    pub fn open(
        run: Arc<Run>,
        task: Option<Arc<Task>>,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, CanvasError> {
        // What cannot be replayed to the same pixels everywhere is never replayed at all.
        let replay = if run.is_shown_by_pictures() {
            None
        } else {
            Some(Replay::new(Arc::clone(&run), open_environment)?)
        };
        let (memory, given) = (Arc::default(), OnceLock::new());
        Ok(Self { run, task, replay, last: None, memory, given })
    }

    /// The run.
    pub fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// What the run was an attempt at, if that is known.
    pub fn task(&self) -> Option<&Arc<Task>> {
        self.task.as_ref()
    }

    /// What metrics remember of its steps.
    pub fn memory(&self) -> Arc<StepMemory> {
        Arc::clone(&self.memory)
    }

    /// Takes a run that grew; what was replayed of it stays.
    pub fn update(&mut self, run: Arc<Run>) {
        if let Some(replay) = &mut self.replay {
            replay.update(Arc::clone(&run));
        }
        self.run = run;
    }

    /// Size of the main frame in canvas units; `None` for a run known by its pictures.
    pub fn frame_size(&self) -> Option<Size> {
        self.replay.as_ref()?;
        let size = self.run.manifest.canvas_size.or_else(|| self.task.as_ref()?.canvas_size);
        Some(size.unwrap_or(FALLBACK_CANVAS))
    }

    /// The environment after a step, 0 the start; `None` for a run known by its pictures.
    pub fn environment_at(
        &mut self,
        step: u32,
        cancel: &CancelToken,
    ) -> Result<Option<&dyn Environment>, CanvasError> {
        match &mut self.replay {
            Some(replay) => Ok(Some(replay.environment_at(step, cancel)?)),
            None => Ok(None),
        }
    }

    /// The pictures that the run was given, of which its folder holds the bytes; `None` if it was given
    /// none, or does not say.
    pub fn given(&self) -> Option<Arc<GivenInputs>> {
        // The same at every step, so that whichever the environment is at will do.
        let given = self
            .given
            .get_or_init(|| GivenInputs::of(self.replay.as_ref()?.environment()).map(Arc::new));
        given.clone()
    }

    /// The main frame after a step, 0 the start, at so many pixels a unit. Recorded pictures come as
    /// they are, whatever the scale.
    pub fn picture(
        &mut self,
        step: u32,
        scale: f64,
        cancel: &CancelToken,
    ) -> Result<Picture, CanvasError> {
        cancel.check()?;
        if let Some(replay) = &mut self.replay {
            let request = PictureRequest { scale, ..PictureRequest::default() };
            return Ok(replay.picture_at(step, &request, cancel)?);
        }
        let pixels = if step == 0 { self.start_picture()? } else { self.recorded(step)? };
        Ok(Picture { pixels, diagnostics: Vec::new() })
    }

    fn recorded(&mut self, step: u32) -> Result<Pixels, CanvasError> {
        let last = self.run.steps.len();
        let file = match recorded_file(&self.run, step) {
            Some(file) => file?,
            // Calls before the first picture: the page was not drawn yet.
            None if step as usize <= last => return Err(CanvasError::NothingDrawn(step)),
            None => return Err(CanvasError::NoStep { step, last }),
        };
        // Many calls change nothing: what they left is the same picture, and is not decoded again.
        if let Some((known, pixels)) = &self.last
            && known.bytes == file.bytes
        {
            return Ok(pixels.clone());
        }
        // Let go of first: two large pictures are not held at once.
        self.last = None;
        let pixels = file.decode()?;
        if u64::from(pixels.width()) * u64::from(pixels.height()) <= MOST_KEPT {
            self.last = Some((file, pixels.clone()));
        }
        Ok(pixels)
    }

    /// The picture the task starts with; of a task that starts empty, white of the size of the
    /// canvas, or else of the run's first picture. Of an imported run what was recorded, if it was.
    fn start_picture(&mut self) -> Result<Pixels, CanvasError> {
        if let Some(imported) = &self.run.manifest.imported {
            if let Some(picture) = self.imported_start(imported)? {
                return Ok(picture);
            }
            if self.task.is_none() {
                return Err(CanvasError::StartNotRecorded);
            }
        }
        let origin_and_size = (&self.run.origin, self.run.manifest.canvas_size);
        let (width, height) = if let (RunOrigin::Recorded { .. }, Some(size)) = origin_and_size {
            // Recorded and yet shown by its pictures: a page of HTML, which begins empty.
            (size.width.round() as u32, size.height.round() as u32)
        } else {
            let task = self.task.as_ref().ok_or(CanvasError::UnknownStart)?;
            if let Some(picture) = task.load_start_picture()? {
                return Ok(picture);
            }
            let first = self.recorded(1)?;
            (first.width(), first.height())
        };
        Ok(Pixels::filled(width, height, [255; 4])?)
    }

    /// The picture before the first step, if the record that the run was imported from has one.
    fn imported_start(&self, imported: &ImportRecord) -> Result<Option<Pixels>, CanvasError> {
        match (&imported.start_picture, &self.run.origin) {
            (Some(picture), RunOrigin::Recorded { dir }) => Ok(Some(images::load(dir, picture)?)),
            _ => Ok(None),
        }
    }
}

/// What a run at a task is compared with: the picture, or, if there is only a document, that at
/// scale 1. `None` if the task has no ground truth.
pub fn ground_truth(
    task: &Task,
    open_environment: &OpenEnvironment,
) -> Result<Option<Pixels>, CanvasError> {
    // The design tool's own export wins over our drawing of the document, which comes near it at
    // best.
    if let Some(picture) = task.load_ground_truth_picture()? {
        return Ok(Some(picture));
    }
    let Some(document) = task.load_ground_truth_document()? else { return Ok(None) };
    let environment =
        open_environment(&start_of(task, task.ground_truth.as_ref(), Some(document)))?;
    Ok(Some(environment.picture(&PictureRequest::default())?.pixels))
}

/// The state of a task's environment with this document, which is `artifact`'s.
pub fn start_of(
    task: &Task,
    artifact: Option<&Artifact>,
    document: Option<serde_json::Value>,
) -> StartState {
    StartState {
        hands: HandTools::Refused,
        environment: task.environment.clone(),
        canvas_size: task.canvas_size.unwrap_or(FALLBACK_CANVAS),
        document,
        pictures: artifact.and_then(Artifact::pictures_folder),
        given: Vec::new(),
        compat: None,
        // The vendored fonts, so that a ground truth that is drawn is the same on every machine.
        fonts: FontSource::default(),
    }
}

/// The SSIM of a picture against the ground truth, with the map that explains it.
pub fn score_picture(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
) -> Measurement {
    SsimUniform7::compare(ground_truth, generated, cancel)
}

/// The scale at which a frame gets the size of the ground-truth picture, if that is a whole multiple
/// of up to four; else 1.
pub fn scale_to_match(frame: Size, ground_truth: Option<(u32, u32)>) -> f64 {
    let Some((width, height)) = ground_truth else { return 1.0 };
    let scale = [1.0, 2.0, 3.0, 4.0].into_iter().find(|scale| {
        (frame.width * scale).round() == f64::from(width)
            && (frame.height * scale).round() == f64::from(height)
    });
    scale.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_drawn_at_the_size_of_an_export_at_two_pixels_a_unit() {
        let frame = Size::new(375.0, 812.0);
        assert_eq!(scale_to_match(frame, Some((750, 1624))), 2.0);
        assert_eq!(scale_to_match(frame, Some((375, 812))), 1.0);
        assert_eq!(scale_to_match(frame, Some((750, 1600))), 1.0);
        assert_eq!(scale_to_match(frame, None), 1.0);
    }
}
