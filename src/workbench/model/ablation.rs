//! Which tools helped and which harmed, over many runs.

use std::path::PathBuf;
use std::sync::Arc;

use crate::evaluate::what_if::ToolEffect;
use crate::task::Task;

use super::ids::RunId;
use super::values::ResourceKey;

/// Most of them kept: they are small.
const KEPT: usize = 8;

/// Tools left out of these runs, scored by a variant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AblationKey {
    /// Which runs, in the order of the library when it was asked for.
    pub runs: Vec<RunId>,
    /// By which variant.
    pub variant: String,
}

/// What tools brought.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ablation {
    /// By tool and agent, in the order of their names.
    pub effects: Vec<ToolEffect>,
    /// How many runs it is of.
    pub runs: usize,
    /// Why each other run is left out, a sentence a run.
    pub left_out: Vec<String>,
}

/// A run that tools are left out of.
#[derive(Clone, Debug)]
pub struct AblatedInput {
    /// Its folder.
    pub dir: PathBuf,
    /// Its task; `None`: the task set is not open.
    pub task: Option<Arc<Task>>,
}

impl ResourceKey for AblationKey {
    type Value = Ablation;
    const BUDGET: usize = KEPT;

    fn cost(_: &Ablation) -> usize {
        1
    }

    fn is_of_run(&self, run: RunId) -> bool {
        self.runs.contains(&run)
    }
}
