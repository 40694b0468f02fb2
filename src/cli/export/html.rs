//! `pentimento export html`: a run as one page with a step slider.

use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::Args;

use crate::cli::made_by::made_by;
use crate::cli::output::write_atomic;
use crate::cli::scoring::{Cache, check_variants, compared_task, models, scorer};
use crate::export::{PicturedRun, smaller};
use crate::report::Player;

use super::runs::{one_run, with_context};

/// Write a run as one HTML page with a step slider, and the ground truth beside it or over it
///
/// The page needs nothing else: no network, no other file. Arrow keys go through the steps, the space bar plays,
/// 1 to 4 choose the view.
#[derive(Args, Debug)]
pub(super) struct HtmlArguments {
    /// The run's folder.
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The file to write.
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// Where the task of the run is; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Score by this variant, the first as a curve; may be given several times. Without it, by the one that
    /// stands for the run in lists.
    #[arg(long, value_name = "ID")]
    only: Vec<String>,
    /// Which models learned metrics go by.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    /// How wide pictures are at least, in pixels; larger ones are made smaller by whole factors.
    #[arg(long, value_name = "PIXELS", default_value = "600")]
    width: NonZeroU32,
}

/// Does the command.
pub(super) fn write(arguments: &HtmlArguments) -> anyhow::Result<()> {
    let run = one_run(&arguments.run, &arguments.tasks)?;
    let scorer = scorer(Cache::None, &models(arguments.models.as_deref())?);
    let only: Vec<&str> = arguments.only.iter().map(String::as_str).collect();
    check_variants(scorer.registry(), &only)?;
    let made_by = made_by();
    let page = with_context(&scorer, "steps", |context| {
        let mut pictured = PicturedRun::open(&run, context)?;
        let kind = &pictured.run.manifest.environment;
        // A page without a ground truth says why there is none, in its place.
        let truth = compared_task(pictured.task.as_deref(), Some(kind));
        let player = Player {
            task: pictured.task.as_deref(),
            truth: truth.as_ref().map_err(ToString::to_string),
            scorer: &scorer,
            variants: Player::variants_of(&scorer, &only, &pictured.run.manifest),
            width: arguments.width.get(),
            made_by: &made_by,
        };
        anyhow::Ok(player.page(&mut pictured.canvas, smaller, context.cancel)?)
    })?;
    write_atomic(&arguments.out, page.as_bytes())
}
