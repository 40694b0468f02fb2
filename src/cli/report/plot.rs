//! `pentimento report plot`: the plots of *Explore* and the curves of the timeline as files.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use crate::cli::explored::{ExploredSources, ScoredCurves, explored, plain_view, relate};
use crate::cli::output::{note_missing_letters, write_atomic};
use crate::cli::own_metrics::OwnMetrics;
use crate::evaluate::figures::{DISTRIBUTION, MEAN_CURVES, RUN_CURVES, SCATTER, to_svg};
use crate::export::{PageForm, drawing_file};
use crate::render::{FontSource, Fonts};
use crate::workbench::{Column, ColumnKind, ExploreView};

use super::table::column;

/// Pixels of the PNG a point of the drawing.
const SCALE: f64 = 2.0;

/// Draw runs as a plot of Explore: two columns as dots, one as a distribution, scores by step; or the curves of one run
///
/// The runs are those that pass the filter; with --x and --y the others stand behind, in grey, and below stand
/// Spearman's ρ, Kendall's τ-b and Pearson's r with their p-values and bootstrap intervals. What is said below the plot
/// is in it: how many runs, by which variants, what was left out, the version and the command.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct PlotArguments {
    /// Run folders, or folders with runs and task sets in them.
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// Where the tasks of these runs are; may be given several times.
    #[arg(long, value_name = "PATH")]
    tasks: Vec<PathBuf>,
    /// Only runs that pass: a filter as in Explore.
    #[arg(long, value_name = "FILTER", default_value = "", allow_hyphen_values = true)]
    filter: String,
    /// The column to the right, of dots.
    #[arg(long, value_name = "COLUMN", requires = "y", required_unless_present_any = ["of", "by_step", "curve"])]
    x: Option<String>,
    /// The column upwards.
    #[arg(long, value_name = "COLUMN", requires = "x")]
    y: Option<String>,
    /// The column of a distribution.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["x", "by_step", "curve"])]
    of: Option<String>,
    /// The mean score after each step by model, or by --color, with its interval: each run by the variant that stands
    /// for it.
    #[arg(long, conflicts_with_all = ["x", "curve"])]
    by_step: bool,
    /// By which column of words or setting runs have their colours: model, unless another is named.
    #[arg(long, value_name = "COLUMN", default_value = "model", conflicts_with = "curve")]
    color: String,
    /// The scores of one run after each step by these variants, divided by commas: a panel each.
    #[arg(long, value_name = "ID", value_delimiter = ',', conflicts_with_all = ["x", "filter"])]
    curve: Vec<String>,
    /// Below the curves of one run, a bar for what each step changed by the first variant: up for the better.
    #[arg(long, requires = "curve")]
    changes: bool,
    /// The labelling project whose answers are counted.
    #[arg(long, value_name = "FILE.labels")]
    labels: Option<PathBuf>,
    /// Which models learned metrics go by.
    #[arg(long, value_name = "FILE.json")]
    models: Option<PathBuf>,
    #[command(flatten)]
    own: OwnMetrics,
    /// Captions that were made before. Nobody is asked for others.
    #[arg(long, value_name = "FILE.json")]
    captions: Option<PathBuf>,
    /// The file to write; its ending says what it is.
    #[arg(long, value_name = "FILE.svg|.pdf|.png")]
    out: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  pentimento report plot runs --x calls --y ssim/uniform7 --out scatter.svg
  pentimento report plot runs --of turns --filter model:gpt --out turns.pdf
  pentimento report plot runs --x settings.model.temperature --y ssim/uniform7 --out temperature.svg
  pentimento report plot runs --by-step --color settings.model.temperature --out steps.svg
  pentimento report plot runs --by-step --out steps.pdf
  pentimento report plot runs/samples/login/tracer-01 --tasks sample_runs --curve ssim/uniform7,psnr/skimage --out run.svg";

/// Does the command.
pub(super) fn write(arguments: &PlotArguments) -> anyhow::Result<()> {
    let form = PageForm::of(&arguments.out)?;
    // What has to be scored follows from what is drawn: curves cost a score a step.
    let curves = match arguments.runs.as_slice() {
        _ if arguments.by_step => ScoredCurves::Shown,
        _ if arguments.curve.is_empty() => ScoredCurves::Filtered,
        [dir] => ScoredCurves::OfRun { dir, variants: &arguments.curve },
        several => anyhow::bail!("--curve is of one run, and {} are named", several.len()),
    };
    let sources = ExploredSources {
        tasks: &arguments.tasks,
        paths: &arguments.runs,
        labels: arguments.labels.as_deref(),
        models: arguments.models.as_deref(),
        programs: &arguments.own.programs,
        captions: arguments.captions.as_deref(),
        curves,
        ..ExploredSources::default()
    };
    let mut id = match curves {
        ScoredCurves::Filtered => DISTRIBUTION,
        ScoredCurves::Shown => MEAN_CURVES,
        ScoredCurves::OfRun { .. } => RUN_CURVES,
    };
    let mut state = explored(&sources, |variants| {
        let mut view = ExploreView {
            filter: arguments.filter.clone(),
            columns: vec![Column::Task],
            color_by: column(&arguments.color, variants)?,
            ..plain_view()
        };
        anyhow::ensure!(
            view.color_by.kind() == ColumnKind::Text,
            "--color takes a column of words or a setting, and {} is one of numbers",
            arguments.color
        );
        if let (Some(x), Some(y)) = (&arguments.x, &arguments.y) {
            view.axes = (column(x, variants)?, column(y, variants)?);
            id = SCATTER;
        } else if let Some(of) = &arguments.of {
            view.metric = column(of, variants)?;
        }
        Ok(view)
    })?;
    state.settings.shows_changes = arguments.changes;
    // Below a scatter stands how the two go together, which the window works out in the background.
    if id == SCATTER {
        relate(&mut state);
    }
    let figure = state.explore_figure(id).map_err(|why| anyhow::anyhow!("no plot: {why}"))?;
    let command = state.explore_figure_command(id);
    let (svg, about) = (to_svg(&figure, &command), figure.about(&command));
    let fonts = Fonts::new(FontSource::Machine);
    // In an SVG letters stay text: whoever looks at it has fonts of his own.
    if form != PageForm::Svg {
        note_missing_letters(&fonts.missing(&svg));
    }
    let bytes = drawing_file(&svg, form, SCALE, &about, &fonts);
    write_atomic(&arguments.out, &bytes.with_context(|| arguments.out.display().to_string())?)
}
