//! Holding a design against the query it was made from, and an edit against the checks of its task.

use crate::base::{CancelToken, Cancelled};
use crate::environment::PictureRequest;
use crate::metric::constraint::{Findings, Page, Query, check};
use crate::metric::transformation::{Checks, Verdict};

use super::canvas::{CanvasError, RunCanvas};
use super::compared::ComparedSide;

/// Why a design cannot be held against a query.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The design cannot be had.
    #[error(transparent)]
    Canvas(#[from] CanvasError),
    /// Nothing is asked of it component by component.
    #[error("the task is no design query")]
    NoQuery,
    /// The task says nothing of what an edit must do.
    #[error("the task has no checks")]
    NoChecks,
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
    let Some(document) = made.design.as_ref() else {
        let why = made.no_design.as_deref().unwrap_or("its environment has none");
        return Err(CheckError::NoDesign(why.to_owned()));
    };
    let page = Page { document, picture: made.picture.as_ref(), shown: made.shown.as_deref() };
    check(query, &page).ok_or(CheckError::NoPage)
}

/// Judges a run by the checks of its task: a verdict for each, of the picture after a step beside that of
/// the start.
///
/// # Errors
///
/// [`CheckError::Canvas`] where one of the two pictures cannot be had, and [`CheckError::Cancelled`].
pub fn judge_step(
    canvas: &mut RunCanvas,
    checks: &Checks,
    step: u32,
    cancel: &CancelToken,
) -> Result<Vec<Verdict>, CheckError> {
    let scale = PictureRequest::default().scale;
    // In this order, as a canvas goes forwards: back to the start it would be replayed anew.
    let before = canvas.picture(0, scale, cancel)?.pixels;
    let after = canvas.picture(step, scale, cancel)?.pixels;
    Ok(checks.judge(&before, &after, cancel)?)
}
