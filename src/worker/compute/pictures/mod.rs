//! Pictures for the stage and the filmstrip; [`large`] has those that are never there whole.

mod large;

use std::path::Path;
use std::sync::Arc;

use image::{RgbaImage, imageops};

use crate::base::{CancelToken, FileStamp, Pixels, PixelsError, Size};
use crate::environment::{Environment, Picture, PictureRequest};
use crate::run::Run;
use crate::run::replay::recorded_picture_file;
use crate::task::{Artifact, Task};
use crate::workbench::protocol::{NodeBox, Reduced, StagePicture, StagePixels};
use crate::workbench::{PictureKey, RunId};

use crate::evaluate::ComparedTask;
use crate::evaluate::canvas::{self, CanvasError, RunCanvas, scale_to_match};
use crate::worker::shared::Shared;
use crate::worker::shared::recently_used::PictureFile;

use super::documents::documents_of;
use super::node_boxes::{boxes_in, node_boxes};
use super::sessions::Sessions;

/// Longest side of a thumbnail, in pixels.
const THUMBNAIL_SIDE: u32 = 96;

/// Makes the picture of this key.
pub(in crate::worker) fn make_picture(
    shared: &Shared,
    sessions: &mut Sessions,
    key: &PictureKey,
    task: Option<&Arc<Task>>,
    run: Option<&Arc<Run>>,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    match (key, task, run) {
        (PictureKey::GroundTruth(_) | PictureKey::ItemTruth(_), Some(task), _) => {
            ground_truth_picture(shared, task, cancel)
        }
        (PictureKey::Start(_), Some(task), _) => start_picture(shared, task, cancel),
        (PictureKey::File(path), ..) => shown_file(shared, path, cancel),
        (PictureKey::Step(id, step), task, Some(run)) => {
            step_picture(shared, sessions, (*id, *step), task, run, cancel)
        }
        (PictureKey::Document(id, step, program), task, Some(run)) => {
            let of = (*id, *step, *program);
            document_picture(shared, sessions, of, task, run, cancel)
        }
        (PictureKey::Thumbnail(id, step), task, Some(run)) => {
            let file = recorded_picture_file(run, *step);
            let small =
                file.map(|file| large::thumbnail(&file, THUMBNAIL_SIDE, cancel)).transpose()?;
            if let Some(small) = small.flatten() {
                return Ok(bare(small));
            }
            let drawn = sessions
                .with(shared, *id, run, task, |canvas| thumbnail(canvas, *step, cancel))??;
            Ok(bare(drawn))
        }
        _ => Err(CanvasError::UnknownStart),
    }
}

/// The picture in this file.
fn picture_file(shared: &Shared, path: &Path) -> Result<Pixels, PixelsError> {
    let file = PictureFile(FileStamp::of(path));
    shared.picture_files.get_or_make(file, |_| Pixels::open(path))
}

/// The picture in this file, to be looked at; a large one without having been there whole.
fn shown_file(
    shared: &Shared,
    path: &Path,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    match large::tiled(path, cancel)? {
        Some(tiled) => Ok(of_samples(tiled)),
        None => Ok(bare(picture_file(shared, path)?)),
    }
}

/// What a run at this task is compared with; `None` if the task has no ground truth and does not ask
/// in words either.
pub(in crate::worker) fn compared_task_of(
    shared: &Shared,
    task: &Task,
) -> Result<Option<Arc<ComparedTask>>, CanvasError> {
    shared.compared_tasks.get_or_load(task, || {
        // A picture may be of several tasks and is kept by its file; only a document is drawn for this one.
        let picture = match task.ground_truth.as_ref().and_then(|truth| truth.picture.as_ref()) {
            Some(path) => Some(picture_file(shared, path)?),
            None => canvas::ground_truth(task, &*shared.open_environment)?,
        };
        Ok(ComparedTask::with_truth(task, picture, &*shared.open_environment))
    })
}

fn ground_truth_picture(
    shared: &Shared,
    task: &Task,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    // One that cannot be read costs the boxes only: a ground truth is its picture first of all.
    let document = task.load_ground_truth_document();
    artifact_picture(shared, (task, task.ground_truth.as_ref()), document.ok().flatten(), cancel)
}

fn start_picture(
    shared: &Shared,
    task: &Task,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    artifact_picture(shared, (task, task.start.as_ref()), task.load_start_document()?, cancel)
}

/// The artifact's picture with the boxes of its document, or its document drawn. Without either, the
/// empty canvas. A document that cannot be used beside a picture is told, not fatal.
fn artifact_picture(
    shared: &Shared,
    (task, artifact): (&Task, Option<&Artifact>),
    document: Option<serde_json::Value>,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    let picture = artifact.and_then(|artifact| artifact.picture.as_ref());
    let Some(path) = picture else {
        let environment = (shared.open_environment)(&canvas::start_of(task, artifact, document))?;
        let picture = environment.picture(&PictureRequest::default())?;
        return Ok(with_nodes(picture, &*environment, 1.0));
    };
    let mut made = shown_file(shared, path, cancel)?;
    // A picture alone says nothing of nodes, and an empty canvas would be no answer.
    if document.is_none() {
        return Ok(made);
    }
    match (shared.open_environment)(&canvas::start_of(task, artifact, document)) {
        Ok(environment) => {
            // The file may have been exported at any size.
            let scale = f64::from(made.pixels.width()) / frame_width(&*environment, task);
            made.nodes = node_boxes(&*environment, scale);
        }
        Err(error) => made.diagnostics.push(format!("no node names: {error}")),
    }
    Ok(made)
}

/// Width of the main frame in canvas units, at least 1.
fn frame_width(environment: &dyn Environment, task: &Task) -> f64 {
    // The first box is the frame itself.
    let boxes = node_boxes(environment, 1.0);
    let of_boxes = boxes.first().map(|frame| frame.pixel_box.width);
    let width = of_boxes.or(task.canvas_size.map(|size| size.width));
    width.filter(|width| width.is_finite()).unwrap_or(1.0).max(1.0)
}

fn step_picture(
    shared: &Shared,
    sessions: &mut Sessions,
    (id, step): (RunId, u32),
    task: Option<&Arc<Task>>,
    run: &Arc<Run>,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    if let Some(file) = recorded_picture_file(run, step)
        && let Some(tiled) = large::tiled(&file, cancel)?
    {
        return Ok(of_samples(tiled));
    }
    // Kept, and not drawn again: a ground truth may be known by its document only.
    let compared = task.and_then(|task| compared_task_of(shared, task).ok().flatten());
    let truth = compared.as_ref().and_then(|compared| compared.truth().picture.as_ref());
    let truth_size = truth.map(|truth| (truth.width(), truth.height()));
    sessions.with(shared, id, run, task, |canvas| {
        // At the ground truth's size, so that both panes and the boxes show the same pixels.
        let scale = canvas.frame_size().map_or(1.0, |frame| scale_to_match(frame, truth_size));
        let picture = canvas.picture(step, scale, cancel)?;
        let environment = canvas.environment_at(step, cancel)?;
        Ok(match environment {
            None => bare(picture.pixels),
            Some(environment) => StagePicture {
                documents: documents_of(environment, run, step),
                ..with_nodes(picture, environment, scale)
            },
        })
    })?
}

/// An environment as it is, at so many pixels a unit.
pub(super) fn branch_picture(
    environment: &dyn Environment,
    scale: f64,
) -> Result<StagePicture, CanvasError> {
    let request = PictureRequest { scale, ..PictureRequest::default() };
    Ok(with_nodes(environment.picture(&request)?, environment, scale))
}

/// The open document of a program, at one pixel a unit.
fn document_picture(
    shared: &Shared,
    sessions: &mut Sessions,
    (id, step, program): (RunId, u32, u8),
    task: Option<&Arc<Task>>,
    run: &Arc<Run>,
    cancel: &CancelToken,
) -> Result<StagePicture, CanvasError> {
    sessions.with(shared, id, run, task, |canvas| {
        cancel.check()?;
        let environment = canvas.environment_at(step, cancel)?.ok_or(CanvasError::UnknownStart)?;
        let documents = environment.documents().ok_or(CanvasError::UnknownStart)?;
        // No program is called by an empty name: that one's picture is refused with the reason.
        let name = documents.programs().get(usize::from(program)).copied().unwrap_or_default();
        let picture = documents.picture_of(name, &PictureRequest::default())?;
        let nodes = documents.design_of(name).and_then(|design| {
            let frame = design.main_frame()?;
            Some(boxes_in(&design, &frame.id, 1.0))
        });
        Ok(drawn(picture, nodes.unwrap_or_default()))
    })?
}

fn thumbnail(
    canvas: &mut RunCanvas,
    step: u32,
    cancel: &CancelToken,
) -> Result<Pixels, CanvasError> {
    // Drawn small: the scale spares most of the work, and recorded pictures come as large as they are.
    let scale = canvas.frame_size().map_or(1.0, thumbnail_scale);
    let picture = canvas.picture(step, scale, cancel)?.pixels;
    Ok(shrunk(picture)?)
}

/// The scale at which a frame is as large as a thumbnail.
fn thumbnail_scale(frame: Size) -> f64 {
    let side = frame.width.max(frame.height).max(1.0);
    (f64::from(THUMBNAIL_SIDE) / side).clamp(0.01, 1.0)
}

/// The picture with no side longer than a thumbnail's.
pub(super) fn shrunk(pixels: Pixels) -> Result<Pixels, PixelsError> {
    let (width, height) = (pixels.width(), pixels.height());
    let longest = width.max(height);
    if longest <= THUMBNAIL_SIDE {
        return Ok(pixels);
    }
    // A long bar keeps at least one pixel across.
    let [to_width, to_height] =
        [width, height].map(|side| (side * THUMBNAIL_SIDE / longest).max(1));
    match RgbaImage::from_raw(width, height, pixels.rgba().to_vec()) {
        Some(image) => {
            let small = imageops::thumbnail(&image, to_width, to_height);
            Pixels::from_rgba(to_width, to_height, small.into_raw())
        }
        None => Ok(pixels),
    }
}

/// A picture of which nothing more is known.
pub(super) fn bare(pixels: Pixels) -> StagePicture {
    of_samples(large::kept(pixels))
}

fn of_samples((pixels, reduced): (StagePixels, Arc<[Reduced]>)) -> StagePicture {
    let nodes = Arc::default();
    StagePicture { pixels, reduced, nodes, diagnostics: Vec::new(), documents: None }
}

fn with_nodes(picture: Picture, environment: &dyn Environment, scale: f64) -> StagePicture {
    drawn(picture, node_boxes(environment, scale))
}

fn drawn(picture: Picture, nodes: Arc<[NodeBox]>) -> StagePicture {
    let diagnostics = picture
        .diagnostics
        .iter()
        .map(|diagnostic| format!("{}: {}", diagnostic.node, diagnostic.message))
        .collect();
    StagePicture { nodes, diagnostics, ..bare(picture.pixels) }
}
