//! The pictures of a run that are worth a place: each with its step, those that look the same once.

use std::ops::RangeInclusive;

use crate::base::{CancelToken, Pixels, PixelsError};
use crate::evaluate::{CanvasError, RunCanvas};
use crate::raster::shrink;

/// Most bytes of all pictures of a run.
const MOST_BYTES: usize = 1 << 30;

/// Why the pictures of a run cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FramesError {
    /// A step cannot be drawn.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// A picture cannot be made smaller.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// There are more than fit into the memory.
    #[error(
        "the pictures up to step {step} take more than {} MB: show turns and not steps, or narrower pictures",
        MOST_BYTES >> 20
    )]
    TooMuch {
        /// Where it was too much.
        step: u32,
    },
}

/// Which steps are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Every {
    /// Each.
    #[default]
    Step,
    /// The last of each turn.
    Turn,
}

/// Which pictures of a run are taken, and how large.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameOptions {
    /// Which steps.
    pub every: Every,
    /// Only those within, 0 the start; `None`: all.
    pub steps: Option<RangeInclusive<u32>>,
    /// Pictures more than twice as wide are made smaller by a whole factor, and so at least this wide, in pixels.
    pub width: u32,
}

/// A picture of a run.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The step after which the canvas looks so, 0 the start.
    pub step: u32,
    /// After how many steps it still does, from 1.
    pub steps: u32,
    /// The picture.
    pub picture: Pixels,
}

/// The pictures of a run in their order; what looks the same as the one before is joined with it. A start that is not
/// known is passed over. `passed` is told how many steps of how many are drawn.
///
/// # Errors
///
/// [`FramesError`].
pub fn frames(
    canvas: &mut RunCanvas,
    options: &FrameOptions,
    cancel: &CancelToken,
    passed: &dyn Fn(usize, usize),
) -> Result<Vec<Frame>, FramesError> {
    let run = canvas.run().clone();
    let last = run.steps.len() as u32;
    let mut steps: Vec<u32> = match options.every {
        Every::Step => (0..=last).collect(),
        Every::Turn => {
            let ends = run.turns.iter().filter(|turn| turn.step_count > 0);
            let ends = ends.map(|turn| (turn.first_step + turn.step_count) as u32);
            // Ends of a torn record that lie past the last step have no picture.
            std::iter::once(0).chain(ends.filter(|end| *end <= last)).collect()
        }
    };
    if let Some(range) = &options.steps {
        steps.retain(|step| range.contains(step));
    }
    let mut frames: Vec<Frame> = Vec::new();
    let mut bytes = 0;
    let count = steps.len();
    for (done, step) in steps.into_iter().enumerate() {
        passed(done, count);
        let picture = match canvas.picture(step, 1.0, cancel) {
            Ok(picture) => picture.pixels,
            Err(error @ CanvasError::Cancelled(_)) => return Err(error.into()),
            // The start of a run by pictures alone is often not known; that is no reason to give none of the rest.
            Err(_) if step == 0 => continue,
            // Nothing was drawn yet by the first calls of a page.
            Err(CanvasError::NothingDrawn(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        let picture = smaller(&picture, options.width)?;
        // By pixels and not by calls: a call that changed nothing only makes the frame longer.
        match frames.last_mut() {
            Some(before) if before.picture == picture => before.steps += 1,
            _ => {
                // With every picture: a check at the end would come when all of them are in memory.
                bytes += picture.rgba().len();
                if bytes > MOST_BYTES {
                    return Err(FramesError::TooMuch { step });
                }
                frames.push(Frame { step, steps: 1, picture });
            }
        }
    }
    Ok(frames)
}

/// A picture at the largest whole fraction of its size that is at least so wide.
///
/// # Errors
///
/// [`PixelsError`], which no picture that there is leads to.
pub fn smaller(picture: &Pixels, width: u32) -> Result<Pixels, PixelsError> {
    let factor = (picture.width() / width.max(1)).max(1) as usize;
    if factor == 1 {
        return Ok(picture.clone());
    }
    // Weighted by what is seen of it, so that what is clear lends no colour to its neighbours.
    let pixels = picture.rgba().chunks_exact(4).map(|it| {
        let alpha = u32::from(it[3]);
        let [r, g, b] =
            [it[0], it[1], it[2]].map(|channel| ((u32::from(channel) * alpha + 127) / 255) as u8);
        [r, g, b, it[3]]
    });
    let pixels: Vec<[u8; 4]> = pixels.collect();
    let (small, columns) = shrink(&pixels, picture.width() as usize, (factor, factor));
    let rgba = small.iter().flat_map(|[r, g, b, a]| {
        let alpha = u32::from(*a).max(1);
        let [r, g, b] =
            [*r, *g, *b].map(|channel| (u32::from(channel) * 255 / alpha).min(255) as u8);
        [r, g, b, *a]
    });
    let rgba: Vec<u8> = rgba.collect();
    let rows = small.len() / columns.max(1);
    Pixels::from_rgba(columns as u32, rows as u32, rgba)
}
