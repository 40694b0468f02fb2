//! Which score stands for a run where there is room for one.

use crate::environment::EnvironmentKind;
pub use crate::metric::VariantId;
use crate::run::Manifest;
use crate::task::Task;

/// The score that stands for a run where there is room for one: in the library, in filters, in the
/// table of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PrimaryMetric {
    /// Against the picture of the ground truth.
    Similarity,
    /// Against the words of a design query, which has no ground truth to be like.
    Constraints,
}

impl PrimaryMetric {
    /// That of runs in this environment: by what its tasks ask for.
    pub fn of_environment(environment: &EnvironmentKind) -> Self {
        match environment {
            // Its tasks are design queries: nothing is there to be like.
            EnvironmentKind::Suite => Self::Constraints,
            _ => Self::Similarity,
        }
    }

    /// That of a run.
    pub fn of_run(manifest: &Manifest) -> Self {
        Self::of_environment(&manifest.environment)
    }

    /// That of attempts at a task.
    pub fn of_task(task: &Task) -> Self {
        if task.brief.is_some() { Self::Constraints } else { Self::Similarity }
    }

    /// Those of all these tasks, each once, the picture's first.
    pub fn of_tasks<'a>(tasks: impl Iterator<Item = &'a Task>) -> Vec<Self> {
        // A set gives each once, in the order in which they are declared.
        let used: std::collections::BTreeSet<Self> = tasks.map(Self::of_task).collect();
        used.into_iter().collect()
    }

    /// The variant that gives it.
    pub const fn variant(self) -> &'static str {
        match self {
            Self::Similarity => "ssim/uniform7",
            Self::Constraints => "constraints/all",
        }
    }

    /// What a column of it is called.
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Similarity => "SSIM",
            Self::Constraints => "constraints",
        }
    }

    /// Whether it says which share of what was asked is there, so that it reads best in per cent.
    pub const fn is_share(self) -> bool {
        matches!(self, Self::Constraints)
    }
}
