//! Pictures for the stage and the filmstrip.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use image::{RgbaImage, imageops};

use crate::base::{
    CancelToken, Cancelled, FileStamp, Limits, Pixels, PixelsError, Size, open_file,
};
use crate::environment::{Environment, Picture, PictureRequest};
use crate::raster::shrink;
use crate::run::{Run, RunOrigin};
use crate::task::{Artifact, Task};
use crate::workbench::protocol::{NodeBox, StagePicture};
use crate::workbench::{PictureKey, RunId};

use crate::evaluate::ComparedTask;
use crate::evaluate::canvas::{self, CanvasError, RunCanvas, scale_to_match};
use crate::worker::shared::Shared;
use crate::worker::shared::recently_used::PictureFile;

use super::documents::documents_of;
use super::node_boxes::{boxes_in, node_boxes};
use super::sessions::Sessions;

/// Pictures of fewer pixels are shrunk in no time when they are shown.
const LARGE: u64 = 1_000_000;
/// How often a large picture is halved ahead.
const REDUCED: u32 = 3;
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
            ground_truth_picture(shared, task)
        }
        (PictureKey::Start(_), Some(task), _) => start_picture(shared, task),
        (PictureKey::File(path), ..) => Ok(bare(picture_file(shared, path)?)),
        (PictureKey::Step(id, step), task, Some(run)) => {
            step_picture(shared, sessions, (*id, *step), task, run, cancel)
        }
        (PictureKey::Document(id, step, program), task, Some(run)) => {
            let of = (*id, *step, *program);
            document_picture(shared, sessions, of, task, run, cancel)
        }
        (PictureKey::Thumbnail(id, step), task, Some(run)) => {
            if let Some(small) = small_picture_file(run, *step, cancel)? {
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

fn ground_truth_picture(shared: &Shared, task: &Task) -> Result<StagePicture, CanvasError> {
    // One that cannot be read costs the boxes only: a ground truth is its picture first of all.
    let document = task.load_ground_truth_document();
    artifact_picture(shared, task, task.ground_truth.as_ref(), document.ok().flatten())
}

fn start_picture(shared: &Shared, task: &Task) -> Result<StagePicture, CanvasError> {
    artifact_picture(shared, task, task.start.as_ref(), task.load_start_document()?)
}

/// The artifact's picture with the boxes of its document, or its document drawn. Without either, the
/// empty canvas. A document that cannot be used beside a picture is told, not fatal.
fn artifact_picture(
    shared: &Shared,
    task: &Task,
    artifact: Option<&Artifact>,
    document: Option<serde_json::Value>,
) -> Result<StagePicture, CanvasError> {
    let picture = artifact.and_then(|artifact| artifact.picture.as_ref());
    let Some(path) = picture else {
        let environment = (shared.open_environment)(&canvas::start_of(task, artifact, document))?;
        let picture = environment.picture(&PictureRequest::default())?;
        return Ok(with_nodes(picture, &*environment, 1.0));
    };
    let mut made = bare(picture_file(shared, path)?);
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

/// The thumbnail of a large recorded picture, of which no more than some rows are held at once; `None` for
/// any other.
fn small_picture_file(
    run: &Run,
    step: u32,
    cancel: &CancelToken,
) -> Result<Option<Pixels>, Cancelled> {
    let RunOrigin::Pictures { files, .. } = &run.origin else { return Ok(None) };
    let path = step.checked_sub(1).and_then(|at| files.get(at as usize));
    let Some(mut reader) = path.and_then(|path| large_png(path)) else { return Ok(None) };
    let (width, height) = (reader.info().width, reader.info().height);
    // Blocks of whole pixels: each pixel of the picture is in one of them, and none is weighed in part.
    let block = width.max(height).div_ceil(THUMBNAIL_SIDE) as usize;
    let (mut strip, mut small) = (Vec::new(), Vec::new());
    for y in 1..=height as usize {
        cancel.check()?;
        // Whoever reads it whole says what is wrong with it.
        let Ok(Some(row)) = reader.next_row() else { return Ok(None) };
        let channels = row.data().len() / width as usize;
        strip.extend(row.data().chunks_exact(channels.max(1)).map(rgba));
        if y.is_multiple_of(block) || y == height as usize {
            let (mut shrunk, _) = shrink(&strip, width as usize, (block, block));
            small.append(&mut shrunk);
            strip.clear();
        }
    }
    let columns = width.div_ceil(block as u32);
    let rows = height.div_ceil(block as u32);
    Ok(Pixels::from_rgba(columns, rows, small.as_flattened().to_vec()).ok())
}

/// A reader of the rows of a large PNG; `None` for what is small, no PNG, or has its rows in another order.
fn large_png(path: &Path) -> Option<png::Reader<BufReader<File>>> {
    /// Far more than the rows of a picture with the longest side there may be.
    const BYTES: usize = 64 << 20;
    let file = BufReader::new(open_file(path).ok()?);
    let mut decoder = png::Decoder::new_with_limits(file, png::Limits { bytes: BYTES });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let reader = decoder.read_info().ok()?;
    let info = reader.info();
    let (width, height) = (u64::from(info.width), u64::from(info.height));
    let fits = width.max(height) <= u64::from(Limits::IMAGE_SIDE)
        && width * height <= Limits::IMAGE_PIXELS;
    (fits && width * height >= LARGE && !info.interlaced).then_some(reader)
}

/// A pixel of 1 to 4 channels, as PNG has them.
fn rgba(pixel: &[u8]) -> [u8; 4] {
    match *pixel {
        [grey] => [grey, grey, grey, u8::MAX],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, u8::MAX],
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [] => [0; 4],
    }
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

pub(super) fn bare(pixels: Pixels) -> StagePicture {
    let reduced = reduced(&pixels);
    let nodes = Arc::default();
    StagePicture { pixels, reduced, nodes, diagnostics: Vec::new(), documents: None }
}

/// A large picture in half the size, a quarter and an eighth, as means over whole blocks.
fn reduced(pixels: &Pixels) -> Arc<[Pixels]> {
    let (width, height) = (pixels.width(), pixels.height());
    if u64::from(width) * u64::from(height) < LARGE {
        return Arc::default();
    }
    let (samples, _) = pixels.rgba().as_chunks::<4>();
    let levels = (1..=REDUCED).map_while(|level| {
        let block = 1usize << level;
        let (small, columns) = shrink(samples, width as usize, (block, block));
        let rows = small.len() / columns.max(1);
        let (columns, rows) = (u32::try_from(columns).ok()?, u32::try_from(rows).ok()?);
        Pixels::from_rgba(columns, rows, small.as_flattened().to_vec()).ok()
    });
    levels.collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_picture_file_has_the_thumbnail_that_it_would_have_whole() {
        let dir = tempfile::tempdir().unwrap();
        let (width, height) = (1300u32, 901u32);
        let rgba = (0..height).flat_map(|y| {
            (0..width).flat_map(move |x| [(x / 8) as u8, (y / 4) as u8, (x ^ y) as u8, 255])
        });
        let pixels = Pixels::from_rgba(width, height, rgba.collect()).unwrap();
        let path = dir.path().join("000.png");
        pixels.save_png(&path).unwrap();
        let run = crate::run::reader::open(dir.path()).unwrap();
        let never = CancelToken::new();
        let small = small_picture_file(&run, 1, &never).unwrap().unwrap();
        assert_eq!((small.width(), small.height()), (93, 65));
        let (samples, _) = pixels.rgba().as_chunks::<4>();
        let (whole, _) = shrink(samples, width as usize, (14, 14));
        assert_eq!(small.rgba(), whole.as_flattened());
        assert_eq!(small_picture_file(&run, 0, &never).unwrap(), None, "the start is no file");
        let small = Pixels::filled(90, 90, [1, 2, 3, 255]).unwrap();
        small.save_png(&path).unwrap();
        assert_eq!(small_picture_file(&run, 1, &never).unwrap(), None, "read whole");
    }

    #[test]
    fn a_large_picture_comes_with_smaller_ones_of_the_means_of_its_blocks() {
        let (width, height) = (1201u32, 903u32);
        let rgba = (0..height)
            .flat_map(|y| (0..width).flat_map(move |x| [x as u8, y as u8, (x ^ y) as u8, 255]))
            .collect();
        let pixels = Pixels::from_rgba(width, height, rgba).unwrap();
        let reduced = reduced(&pixels);
        let sizes: Vec<_> = reduced.iter().map(|it| (it.width(), it.height())).collect();
        assert_eq!(sizes, [(601, 452), (301, 226), (151, 113)]);
        let block = [(10, 20), (11, 20), (10, 21), (11, 21)];
        let block = block.map(|(x, y)| pixels.get(x, y).unwrap());
        let mean: [u8; 4] = std::array::from_fn(|c| {
            let sum: u32 = block.iter().map(|pixel| u32::from(pixel[c])).sum();
            ((sum + 2) / 4) as u8
        });
        assert_eq!(reduced[0].get(5, 10), Some(mean));
        let small = Pixels::filled(900, 900, [1, 2, 3, 255]).unwrap();
        assert!(super::reduced(&small).is_empty());
    }
}
