//! Why something was not done.

use crate::design::DocumentError;

/// Why an act did nothing. The design is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EditorError {
    /// The document refuses.
    #[error(transparent)]
    Document(#[from] DocumentError),
    /// It makes no sense for what is selected.
    #[error("{0}")]
    NotPossible(String),
}
