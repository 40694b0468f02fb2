//! Two groups of runs on the same tasks: what separates them, which tasks are the same, and how they differ.
//!
//! [`GroupBy`] says in which group a run is, [`TaskContent`] whether two tasks are one wherever their sets lie,
//! [`match_tasks`] puts the runs of both groups beside each other, [`PassRule`] says which pass, [`Difference`] tests
//! what comes of it, and [`GroupComparison`] has it in words and as a table.

mod comparison;
mod difference;
mod group_by;
mod matched;
mod passing;

pub use crate::task::TaskContent;
pub use comparison::GroupComparison;
pub use difference::Difference;
pub use group_by::{
    GroupBy, GroupByError, experiment_of, folder_of, setting_number, setting_of, setting_paths,
};
pub use matched::{
    GroupSide, GroupedRun, MatchedSide, MatchedTask, TaskIdentity, TaskIdentityRef, match_tasks,
};
pub use passing::{GroupMetric, PassRule, threshold_word};
