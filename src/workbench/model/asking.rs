//! Asking models behind endpoints for scores: about which runs, for which scores, and what it would cost.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::VariantId;
use crate::run::Manifest;
use crate::task::Task;

use super::ids::RunId;
use super::values::ResourceKey;

/// Most estimates kept: they are small.
const KEPT: usize = 8;

/// What the dialog says; kept while it is closed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AskDialog {
    /// About which runs, as it was chosen last; [`State::ask_scope`](crate::workbench::State::ask_scope) is one of
    /// those that there are.
    pub scope: AskScope,
    /// For which scores.
    pub variants: BTreeSet<VariantId>,
}

/// About which runs is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AskScope {
    /// The run on the stage, at the step that is shown.
    #[default]
    Step,
    /// Every step of that run.
    Run,
    /// The ends of all runs that the table lists.
    Listed,
    /// The ends of those that are selected in it.
    Selected,
}

impl AskScope {
    /// Whether it is about runs of the table, and not of what the stage shows.
    pub fn is_of_table(self) -> bool {
        matches!(self, Self::Listed | Self::Selected)
    }

    /// In words.
    pub fn label(self) -> &'static str {
        match self {
            Self::Step => "This step",
            Self::Run => "Every step of the run",
            Self::Listed => "The listed runs",
            Self::Selected => "The selected runs",
        }
    }
}

/// What is asked about a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskedRun {
    /// Which.
    pub run: RunId,
    /// After which steps; none: its last, which is known only when the run is read.
    pub steps: Vec<u32>,
    /// For which scores.
    pub variants: Vec<VariantId>,
}

impl AskedRun {
    /// How many pictures it is about.
    pub fn pictures(&self) -> usize {
        self.steps.len().max(1)
    }
}

/// The same with what the worker needs for it.
#[derive(Clone, Debug)]
pub struct AskedInput {
    /// What is asked.
    pub asked: AskedRun,
    /// The run's folder.
    pub dir: PathBuf,
    /// Its manifest, as listed.
    pub manifest: Box<Manifest>,
    /// Its task; `None`: its set is not open any more.
    pub task: Option<Arc<Task>>,
}

/// What asking about these runs would cost.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AskEstimateKey {
    /// Which.
    pub runs: Vec<AskedRun>,
}

/// What asking would send and cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AskEstimate {
    /// Requests, without those whose answers are kept.
    pub questions: u64,
    /// Tokens that would be read, about.
    pub tokens_read: u64,
    /// Tokens that would be written, about.
    pub tokens_written: u64,
    /// What it would cost, in US dollars; `None`: the file of models has no prices.
    pub expected_usd: Option<f64>,
    /// The same with every answer as long as it may be; `None` also where nothing limits it.
    pub most_usd: Option<f64>,
    /// How many pictures were looked at, and how many there are: of many runs, some stand for all.
    pub looked_at: (usize, usize),
}

impl ResourceKey for AskEstimateKey {
    type Value = AskEstimate;
    const BUDGET: usize = KEPT;

    fn cost(_: &AskEstimate) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.runs.iter().any(|asked| asked.run == run)
    }
}
