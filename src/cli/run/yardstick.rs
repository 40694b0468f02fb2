//! By which score a batch shows how its runs went.

use crate::task::Task;
use crate::workbench::{LIBRARY_VARIANT, QUERY_VARIANT};

/// A score, and what a table calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Yardstick {
    /// The variant of the metric.
    pub(super) variant: &'static str,
    /// The heading of its column.
    pub(super) heading: &'static str,
}

/// Against the picture of the ground truth.
const PICTURE: Yardstick = Yardstick { variant: LIBRARY_VARIANT, heading: "SSIM" };
/// Against the words of a design query, which has no ground truth.
const QUERY: Yardstick = Yardstick { variant: QUERY_VARIANT, heading: "constraints" };

impl Yardstick {
    /// The one that a task is measured by.
    pub(super) fn of(task: &Task) -> Self {
        if task.brief.is_some() { QUERY } else { PICTURE }
    }

    /// Those of all these tasks, each once, the picture's first.
    pub(super) fn of_all<'a>(tasks: impl Iterator<Item = &'a Task>) -> Vec<Self> {
        let used: Vec<Self> = tasks.map(Self::of).collect();
        [PICTURE, QUERY].into_iter().filter(|one| used.contains(one)).collect()
    }
}
