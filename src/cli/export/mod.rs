//! `pentimento export`: runs in the formats of others, and as pictures and films.
//!
//! - [`canvas`]: folders that CANVAS's published evaluator reads;
//! - [`sheet`]: a run as a contact sheet; [`film`]: as an animated picture or a video; [`html`]: as a page with a
//!   step slider; [`grid`]: tasks by models.

mod canvas;
mod film;
mod grid;
mod html;
mod sheet;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};

use crate::base::CancelToken;
use crate::evaluate::{PrimaryMetric, RunCanvas};
use crate::export::{Every, Frame, frames};
use crate::metric::Score;
use crate::run::{Run, reader};
use crate::task::Task;

use super::collection::Collection;
use super::environments::environments;

/// Write runs in the formats of others, and as pictures and films
#[derive(Args, Debug)]
pub(super) struct ExportArguments {
    #[command(subcommand)]
    command: ExportCommand,
}

#[derive(Debug, Subcommand)]
enum ExportCommand {
    Canvas(canvas::CanvasArguments),
    Sheet(sheet::SheetArguments),
    Film(film::FilmArguments),
    Grid(grid::GridArguments),
    Html(html::HtmlArguments),
}

/// Does the command.
pub(super) fn export(arguments: &ExportArguments) -> anyhow::Result<()> {
    match &arguments.command {
        ExportCommand::Canvas(arguments) => canvas::write(arguments),
        ExportCommand::Sheet(arguments) => sheet::write(arguments),
        ExportCommand::Film(arguments) => film::write(arguments),
        ExportCommand::Grid(arguments) => grid::write(arguments),
        ExportCommand::Html(arguments) => html::write(arguments),
    }
}

/// Which steps are shown, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum EveryArgument {
    /// Each that changed how the canvas looks.
    Step,
    /// The last of each turn.
    Turn,
}

impl From<EveryArgument> for Every {
    fn from(every: EveryArgument) -> Self {
        match every {
            EveryArgument::Step => Self::Step,
            EveryArgument::Turn => Self::Turn,
        }
    }
}

/// The one run that a picture is made of.
struct Pictured {
    run: Arc<Run>,
    task: Option<Arc<Task>>,
    canvas: RunCanvas,
}

impl Pictured {
    fn open(dir: &Path, tasks: &[PathBuf]) -> anyhow::Result<Self> {
        let mut collection = Collection::open(std::slice::from_ref(&dir.to_path_buf()), tasks)?;
        let found: Vec<PathBuf> = collection.runs.iter().map(|found| found.dir.clone()).collect();
        let [found] = found.as_slice() else {
            anyhow::bail!("there are {} runs in {}; name one of them", found.len(), dir.display());
        };
        let run =
            reader::open(found).with_context(|| format!("cannot open {}", found.display()))?;
        let task = collection.task_of(found, &run.manifest);
        let run = Arc::new(run);
        let canvas = RunCanvas::open(Arc::clone(&run), task.clone(), &environments().opener())?;
        Ok(Self { run, task, canvas })
    }

    fn frames(&mut self, every: EveryArgument, width: u32) -> anyhow::Result<Vec<Frame>> {
        let made = frames(&mut self.canvas, every.into(), width, &CancelToken::new());
        made.context("the run cannot be drawn")
    }

    /// The task and who attempted it.
    fn title(&self) -> String {
        let manifest = &self.run.manifest;
        format!("{} · {}", manifest.task.id, manifest.agent.name)
    }
}

/// The variant that scores go by: the one that was named, or the one that stands for a run in lists.
fn variant_of(only: Option<&str>, run: &Run) -> String {
    only.map_or_else(|| PrimaryMetric::of_run(&run.manifest).variant().to_owned(), str::to_owned)
}

fn score_words(variant: &str, score: &Score) -> String {
    match score {
        Score::Value(value) => format!("{variant} {value:.3}"),
        Score::Missing(_) => format!("{variant} –"),
    }
}

/// The command as it was given, to be given again.
fn command_words() -> String {
    let words = std::env::args().skip(1).map(|word| {
        let is_plain = !word.is_empty()
            && word.chars().all(|c| c.is_alphanumeric() || "-_./=:,#+@".contains(c));
        if is_plain { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
    });
    std::iter::once("pentimento".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
}

/// Which version wrote it, and by which command.
fn made_by() -> String {
    format!("Pentimento {}: {}", env!("CARGO_PKG_VERSION"), command_words())
}
