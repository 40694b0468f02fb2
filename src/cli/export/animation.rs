//! `pentimento export animation`: a run as an animated picture or a video.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::base::CancelToken;
use crate::cli::output::{print, write_atomic};
use crate::cli::scoring::{Cache, scorer};
use crate::export::{Animation, AnimationOptions, Beside};
use crate::model::ModelSettings;

use super::runs::{EveryArgument, one_run, steps, with_context};

/// Write a run as an animated PNG, WebP or GIF, or as a video by the ffmpeg that is installed
///
/// What looks the same for several steps is shown as long as they take. Every other ending than .png, .webp and .gif,
/// such as .mp4 or .webm, is made by ffmpeg. A GIF shows a picture for 655 seconds at most.
#[derive(Args, Debug)]
pub(super) struct AnimationArguments {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The file to write; its ending says what it is.
    #[arg(long, value_name = "FILE.png|.webp|.gif|.mp4|…")]
    out: PathBuf,
    /// Where the task of the run is; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Which steps are shown.
    #[arg(long, value_name = "step|turn", default_value = "step")]
    every: EveryArgument,
    /// Only these steps, 0 the start, such as 0-12.
    #[arg(long, value_name = "FIRST-LAST", value_parser = steps)]
    steps: Option<RangeInclusive<u32>>,
    /// Milliseconds a step.
    #[arg(long, value_name = "MS", default_value = "250")]
    delay: NonZeroU32,
    /// Milliseconds that the last picture stays.
    #[arg(long, value_name = "MS", default_value = "2000")]
    hold: u32,
    /// How wide pictures are at least, in pixels; larger ones are made smaller by whole factors.
    #[arg(long, value_name = "PIXELS", default_value = "400")]
    width: NonZeroU32,
    /// Put the ground truth beside it.
    #[arg(long)]
    truth: bool,
}

/// Does the command.
pub(super) fn write(arguments: &AnimationArguments) -> anyhow::Result<()> {
    let run = one_run(&arguments.run, &arguments.tasks)?;
    let options = AnimationOptions {
        every: arguments.every.into(),
        steps: arguments.steps.clone(),
        width: arguments.width.get(),
        delay: arguments.delay.get(),
        hold: arguments.hold,
        beside: if arguments.truth { Beside::Truth } else { Beside::Nothing },
    };
    let scorer = scorer(Cache::None, &ModelSettings::default());
    let animation =
        with_context(&scorer, "steps", |context| Animation::of_run(&run, &options, context));
    let animation = animation.with_context(|| arguments.run.display().to_string())?;
    // What the program writes itself is written whole or not at all; films are ffmpeg's own files.
    let ending = arguments.out.extension().map(|it| it.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("png" | "apng") => write_atomic(&arguments.out, &animation.to_png()?)?,
        Some("webp") => write_atomic(&arguments.out, &animation.to_webp()?)?,
        Some("gif") => write_atomic(&arguments.out, &animation.to_gif(&CancelToken::new())?)?,
        Some(_) => animation.write_video(&arguments.out, &CancelToken::new())?,
        None => anyhow::bail!(
            "the ending of a file says what it is, and this has none: {}",
            arguments.out.display()
        ),
    }
    let seconds = animation.duration() as f64 / 1000.0;
    Ok(print(&format!("{} pictures, {seconds:.1} s\n", animation.pictures()))?)
}
