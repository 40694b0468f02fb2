//! What the pictures of a run are made of, and what is said below them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::ValueEnum;

use crate::base::CancelToken;
use crate::cli::collection::Collection;
use crate::cli::environments::environments;
use crate::evaluate::{PrimaryMetric, RunCanvas};
use crate::export::{Every, Frame, frames};
use crate::metric::Score;
use crate::run::{Run, reader};
use crate::task::Task;

/// Which steps are shown, as the command line has it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum EveryArgument {
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
pub(super) struct Pictured {
    pub(super) run: Arc<Run>,
    pub(super) task: Option<Arc<Task>>,
    pub(super) canvas: RunCanvas,
}

impl Pictured {
    pub(super) fn open(dir: &Path, tasks: &[PathBuf]) -> anyhow::Result<Self> {
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

    pub(super) fn frames(
        &mut self,
        every: EveryArgument,
        width: u32,
    ) -> anyhow::Result<Vec<Frame>> {
        let made = frames(&mut self.canvas, every.into(), width, &CancelToken::new());
        made.context("the run cannot be drawn")
    }

    /// The task and who attempted it.
    pub(super) fn title(&self) -> String {
        let manifest = &self.run.manifest;
        format!("{} · {}", manifest.task.id, manifest.agent.name)
    }
}

/// The variant that scores go by: the one that was named, or the one that stands for a run in lists.
pub(super) fn variant_of(only: Option<&str>, run: &Run) -> String {
    only.map_or_else(|| PrimaryMetric::of_run(&run.manifest).variant().to_owned(), str::to_owned)
}

pub(super) fn score_words(variant: &str, score: &Score) -> String {
    match score {
        Score::Value(value) => format!("{variant} {value:.3}"),
        Score::Missing(_) => format!("{variant} –"),
    }
}
