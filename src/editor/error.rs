//! Why something was not done.

use crate::design::{ContourError, DocumentError, TextEditError};

/// Why an act did nothing. The design is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditorError {
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// A path cannot be edited so.
    #[error(transparent)]
    Contour(#[from] ContourError),
    /// Words cannot be put there.
    #[error(transparent)]
    Text(#[from] TextEditError),
    /// It makes no sense for what is selected.
    #[error("{0}")]
    NotPossible(String),
}

impl EditorError {
    pub(super) fn not_possible(why: &str) -> Self {
        Self::NotPossible(why.to_owned())
    }
}
