//! Who is to act, before anything of it was looked at.

use std::path::PathBuf;
use std::sync::Arc;

use crate::run::Manifest;

use super::again::contestant_of;
use super::{AgainError, Contestant};
use crate::agent::models::{ChoiceError, ModelChoice};
use crate::agent::{AgentError, AgentKind, AgentOptions, OpenAgent};

/// Who is to act.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentChoice {
    /// An agent that needs no model.
    Kind {
        /// Which kind.
        kind: AgentKind,
        /// The script of `scripted`.
        script: Option<PathBuf>,
        /// The command of `exec`.
        command: Option<String>,
    },
    /// A model.
    Model(ModelChoice),
    /// Who acted in this run, told the same.
    Again {
        /// What the run says of itself.
        manifest: Arc<Manifest>,
        /// Its folder.
        dir: PathBuf,
    },
}

/// Why nobody can act.
#[derive(Debug, thiserror::Error)]
pub enum AgentChoiceError {
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The model is not to be had.
    #[error(transparent)]
    Model(#[from] ChoiceError),
    /// The run cannot be made again.
    #[error(transparent)]
    Again(#[from] AgainError),
}

impl AgentChoice {
    /// Makes it ready; a key may have to be asked for.
    pub fn open(&self, open_agent: &OpenAgent) -> Result<Contestant, AgentChoiceError> {
        match self {
            Self::Kind { kind, script, command } => {
                let (script, command) = (script.clone(), command.clone());
                let options = AgentOptions { script, command, ..AgentOptions::default() };
                Ok(Contestant::new(*kind, options, open_agent)?)
            }
            Self::Model(choice) => Ok(Contestant::of_model(choice.open()?)),
            Self::Again { manifest, dir } => Ok(contestant_of(manifest, dir, open_agent)?),
        }
    }
}
