//! Holding the design of a run against the query it was made from, and its edit against the checks of
//! its task.

use std::sync::Arc;

use crate::base::CancelToken;
use crate::evaluate::{CheckError, check_side, compared_step, judge_step};
use crate::metric::constraint::Findings;
use crate::metric::transformation::Verdict;
use crate::run::Run;
use crate::task::Task;
use crate::workbench::{CheckKey, EditCheckKey};
use crate::worker::shared::Shared;

use super::sessions::Sessions;

/// Holds the design of a run after a step against the query of its task.
pub(in crate::worker) fn check_step(
    shared: &Shared,
    sessions: &mut Sessions,
    key: CheckKey,
    (task, run): (&Arc<Task>, &Arc<Run>),
    cancel: &CancelToken,
) -> Result<Findings, CheckError> {
    let brief = task.brief.as_ref().ok_or(CheckError::NoQuery)?;
    let made = sessions.with(shared, key.run, run, Some(task), |canvas| {
        compared_step(canvas, key.step, cancel)
    })??;
    check_side(&brief.query, &made)
}

/// Holds the edit of a run up to a step against the checks of its task.
pub(in crate::worker) fn check_edit(
    shared: &Shared,
    sessions: &mut Sessions,
    key: EditCheckKey,
    (task, run): (&Arc<Task>, &Arc<Run>),
    cancel: &CancelToken,
) -> Result<Vec<Verdict>, CheckError> {
    let checks = task.checks.as_ref().ok_or(CheckError::NoChecks)?;
    sessions.with(shared, key.run, run, Some(task), |canvas| {
        judge_step(canvas, checks, key.step, cancel)
    })?
}
