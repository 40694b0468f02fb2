//! The pictures of a packet: what who labels would see of an item, drawn once and encoded anew.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::base::{CancelToken, Pixels, PixelsError};
use crate::environment::OpenEnvironment;
use crate::label::{Item, ItemKind};
use crate::run::Run;
use crate::store::labels::{EvidenceSlot, LabelFile, LabelFileError};
use crate::task::{Task, TaskFinder};

use super::canvas::{CanvasError, RunCanvas, ground_truth, scale_to_match};
use super::labelled::{LabelledRunError, open_item};

/// Why an item cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// One of its runs cannot be opened.
    #[error(transparent)]
    Run(#[from] LabelledRunError),
    /// One of its pictures cannot be drawn.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// One of its pictures cannot be read or encoded.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// The project's file cannot be read.
    #[error(transparent)]
    File(#[from] LabelFileError),
    /// A candidate's picture is not in the project's file.
    #[error("the picture of candidate {0} is not in the project's file")]
    NoCandidate(String),
}

/// The pictures of an item, as PNG without anything else in the file; pictures that are the same share their
/// bytes' place in [`Self::encoded`].
#[derive(Debug, Default)]
pub struct ItemPictures {
    /// The encoded pictures.
    pub encoded: Vec<Vec<u8>>,
    /// The ground truth.
    pub truth: Option<usize>,
    /// By run and step.
    pub steps: BTreeMap<(u8, u32), usize>,
    /// The candidates of a query, by their place in the item.
    pub candidates: Vec<usize>,
    /// The words the agent got.
    pub instruction: Option<String>,
    by_hash: BTreeMap<[u8; 32], usize>,
}

impl ItemPictures {
    /// Draws them: of a pair the ends, of whatever is about how a run came about every step. A step at which
    /// nothing was drawn has none.
    ///
    /// # Errors
    ///
    /// [`PackError`] if who labels could not see the item either.
    pub fn of(
        item: &Item,
        home: &Path,
        tasks: &mut TaskFinder,
        open_environment: &OpenEnvironment,
    ) -> Result<Self, PackError> {
        let opened = open_item(item, home, tasks);
        let mut pictures = Self::default();
        let task = opened.task;
        let truth = match &task {
            Some(task) => ground_truth(task, open_environment)?,
            None => None,
        };
        // Runs are packed as large as what they are held against, as the window shows them beside each other.
        let size = truth.as_ref().map(|truth| (truth.width(), truth.height()));
        if let Some(truth) = &truth {
            pictures.truth = Some(pictures.put(truth)?);
        }
        for (at, run) in (0u8..).zip(opened.runs) {
            pictures.put_run(item.kind, (at, run?), task.as_ref(), size, open_environment)?;
        }
        pictures.instruction = task.map(|task| task.instruction.clone());
        Ok(pictures)
    }

    /// The same with the candidates of a query, which are in the project's file.
    ///
    /// # Errors
    ///
    /// [`PackError`] if one is not there, or is no picture.
    pub fn with_candidates(mut self, item: &Item, file: &LabelFile) -> Result<Self, PackError> {
        for (place, id) in (0u8..).zip(&item.candidates) {
            let stored = file.picture(&item.id, EvidenceSlot::Candidate(place))?;
            let stored = stored.ok_or_else(|| PackError::NoCandidate(id.clone()))?;
            let at = self.put(&Pixels::decode(&stored)?)?;
            self.candidates.push(at);
        }
        Ok(self)
    }

    fn put_run(
        &mut self,
        kind: ItemKind,
        (at, run): (u8, Arc<Run>),
        task: Option<&Arc<Task>>,
        size: Option<(u32, u32)>,
        open_environment: &OpenEnvironment,
    ) -> Result<(), PackError> {
        let last = u32::try_from(run.steps.len()).unwrap_or(u32::MAX);
        let mut canvas = RunCanvas::open(run, task.cloned(), open_environment)?;
        let scale = canvas.frame_size().map_or(1.0, |frame| scale_to_match(frame, size));
        // All steps only where people can go through them; the others are labelled by their ends.
        let is_of_steps = matches!(kind, ItemKind::Run | ItemKind::Step);
        let first = if is_of_steps { 0 } else { last };
        for step in first..=last {
            let drawn = canvas.picture(step, scale, &CancelToken::default());
            let picture = match drawn {
                Ok(picture) => picture.pixels,
                // Who labels would be told that, and sees the others.
                Err(CanvasError::NothingDrawn(_) | CanvasError::UnknownStart) if step < last => {
                    continue;
                }
                // Without its last picture there is nothing to label.
                Err(error) => return Err(error.into()),
            };
            let place = self.put(&picture)?;
            self.steps.insert((at, step), place);
        }
        Ok(())
    }

    fn put(&mut self, pixels: &Pixels) -> Result<usize, PackError> {
        let hash = *blake3::hash(pixels.rgba()).as_bytes();
        if let Some(known) = self.by_hash.get(&hash) {
            return Ok(*known);
        }
        let place = self.encoded.len();
        self.encoded.push(pixels.to_png()?);
        self.by_hash.insert(hash, place);
        Ok(place)
    }
}
