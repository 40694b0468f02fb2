//! Why a run's model cannot be asked again.

use crate::agent::AgentError;
use crate::agent::model_agent::UnknownMode;
use crate::agent::providers::SetupError;

use super::recorded::RecordedError;

/// Why a run cannot be asked for again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayedRunError {
    /// No model acted in it.
    #[error("no model acted in this run, but {0:?}; only what models were asked can be replayed")]
    NoModel(String),
    /// Its settings are not those of a model.
    #[error("the run's settings are not those of a model: {0}")]
    Settings(String),
    /// It says of a way of working that there is not.
    #[error(transparent)]
    Mode(#[from] UnknownMode),
    /// Its record cannot be used.
    #[error(transparent)]
    Recorded(#[from] RecordedError),
    /// The model cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl From<ReplayedRunError> for AgentError {
    fn from(error: ReplayedRunError) -> Self {
        Self::OfKind(error.into())
    }
}
