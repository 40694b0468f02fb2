//! Which model is to act.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ModelsFile, ModelsFileError, OpenedModel};
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::providers::SetupError;

/// Which model is to act, and how it works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelChoice {
    /// A name of the file, or `KIND:MODEL` or `KIND:MODEL@ADDRESS`.
    pub name: String,
    /// The file of models, if there is one.
    pub file: Option<PathBuf>,
    /// How it works.
    pub mode: Mode,
}

/// Why a chosen model cannot act.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// It is not to be had of the file.
    #[error(transparent)]
    File(#[from] ModelsFileError),
    /// It cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl ModelChoice {
    /// The model made ready, with the prompts that come with the program.
    pub fn open(&self) -> Result<OpenedModel, ChoiceError> {
        let file = self.file.as_deref().map(ModelsFile::open).transpose()?.unwrap_or_default();
        // Without a file the name has to say all: API and model.
        let (name, entry) = file.named_entry(self.name.trim())?;
        let prompts = Arc::new(AgentPrompts::built_in());
        Ok(OpenedModel::new(name, entry, self.mode, prompts)?)
    }
}
