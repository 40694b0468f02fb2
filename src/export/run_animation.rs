//! A run as an animation.

use std::ops::RangeInclusive;

use super::animation::Animation;
use super::frames::{Every, FrameOptions, frames};
use super::run::{ExportContext, ExportRun, PicturedRun, RunExportError};

/// How a run becomes an animation.
#[derive(Clone, Debug)]
pub struct AnimationOptions {
    /// Which steps are shown.
    pub every: Every,
    /// Only those within, 0 the start; `None`: all.
    pub steps: Option<RangeInclusive<u32>>,
    /// How wide pictures are at least, in pixels.
    pub width: u32,
    /// Milliseconds a step.
    pub delay: u32,
    /// Milliseconds that the last picture stays.
    pub hold: u32,
    /// What stands at the right of each picture.
    pub beside: Beside,
}

/// What stands beside the pictures of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Beside {
    /// Nothing.
    #[default]
    Nothing,
    /// The ground truth.
    Truth,
}

impl Animation {
    /// Of a run.
    ///
    /// # Errors
    ///
    /// [`RunExportError`].
    pub fn of_run(
        of: &ExportRun,
        options: &AnimationOptions,
        context: &ExportContext<'_>,
    ) -> Result<Self, RunExportError> {
        let mut pictured = PicturedRun::open(of, context)?;
        let beside = match options.beside {
            Beside::Nothing => None,
            Beside::Truth => Some(pictured.truth(options.width, context)?),
        };
        let taken = FrameOptions {
            every: options.every,
            steps: options.steps.clone(),
            width: options.width,
        };
        let frames = frames(&mut pictured.canvas, &taken, context.cancel, &|done, count| {
            (context.progress)(done, count, "drawing");
        })?;
        if frames.is_empty() {
            return Err(RunExportError::NoPicture(of.dir.clone()));
        }
        let animation = Self::new(frames, beside.as_ref(), options.delay, options.hold)?;
        let mut about = vec![pictured.title()];
        if let Some(steps) = &options.steps {
            about.push(format!("Steps {} to {}.", steps.start(), steps.end()));
        }
        about.push(context.made_by.to_owned());
        Ok(animation.described(about.join("\n")))
    }
}
