//! Holding a design against the query it was made from.

use crate::base::Cancelled;
use crate::metric::constraint::{Findings, Page, Query, check};

use super::canvas::CanvasError;
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
