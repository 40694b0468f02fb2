//! Holding the design of a run against the query it was made from.

use std::sync::Arc;

use crate::base::{CancelToken, Cancelled};
use crate::metric::constraint::{Findings, Page, Query, check};
use crate::run::Run;
use crate::task::Task;
use crate::workbench::CheckKey;

use super::compared::{ComparedSide, compared_step};
use super::scoring::CanvasError;
use super::sessions::Sessions;
use super::shared::Shared;

/// Why a design cannot be held against a query.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The design cannot be had.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// Nothing is asked of it component by component.
    #[error("the task is no design query")]
    NoQuery,
    /// What was made is no vector design, or its step cannot be replayed.
    #[error("there is no design: {0}")]
    NoDesign(String),
    /// The design has nothing that could be held against anything.
    #[error("the design has no page with an area")]
    NoPage,
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Holds what was made against a query.
///
/// # Errors
///
/// [`CheckError::NoDesign`] and [`CheckError::NoPage`].
pub fn check_side(query: &Query, made: &ComparedSide) -> Result<Findings, CheckError> {
    let why = || made.no_design.as_deref().unwrap_or("its environment has none").to_owned();
    let document = made.design.as_ref().ok_or_else(|| CheckError::NoDesign(why()))?;
    let page = Page { document, picture: made.picture.as_ref(), shown: made.shown.as_deref() };
    check(query, &page).ok_or(CheckError::NoPage)
}

/// The same for a run after a step.
pub(super) fn check_step(
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
