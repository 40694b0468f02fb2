//! Why an agent gives no answer, and why there is no run.

use std::path::PathBuf;

use crate::base::{Cancelled, JsonLimitError};
use crate::environment::StartError;
use crate::run::reader::RunError;
use crate::run::recorder::RecordError;
use crate::task::TaskError;

use super::chat::ChatError;
use super::providers::SetupError;

/// Why an agent gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It was stopped.
    #[error("stopped")]
    Cancelled(#[from] Cancelled),
    /// It needs something the task does not have.
    #[error("the agent needs {0}, which the task does not have")]
    Needs(&'static str),
    /// It needs something that its options do not hold.
    #[error("the agent needs {0}, which was not given")]
    NotGiven(&'static str),
    /// The model gave no answer.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// The model cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// A script that cannot be played.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// What only this kind of agent fails by: its program, the run it repeats.
    // Boxed, so that a kind of agent knows this error and not the other way round.
    #[error(transparent)]
    OfKind(Box<dyn std::error::Error + Send + Sync>),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}

/// Why a script cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// Too large, too deep or not JSON; says line and column.
    #[error("the script is {source} in {}", path.display())]
    Json {
        /// The cause.
        source: JsonLimitError,
        /// Which file.
        path: PathBuf,
    },
    /// Something in it is not as it should be.
    #[error("{place}: {message}, in the script {}", path.display())]
    Shape {
        /// Where, such as `turn 3, call 2`.
        place: String,
        /// What is wrong and what would be right.
        message: String,
        /// Which file.
        path: PathBuf,
    },
    /// The run cannot be read.
    #[error("the script is a run that cannot be played: {0}")]
    Run(#[from] RunError),
    /// The run has no calls.
    #[error("the script is a run known by its pictures only; there are no calls to play: {}", .0.display())]
    NoCalls(PathBuf),
    /// A `$ref` that leads to nothing.
    #[error("turn {turn}, call {call}: {message}")]
    Reference {
        /// In which turn, from 1.
        turn: usize,
        /// In which call of it, from 1.
        call: usize,
        /// What is wrong.
        message: String,
    },
}

/// Why a run could not begin, or could not be recorded to its end.
#[derive(Debug, thiserror::Error)]
pub enum RunTaskError {
    /// What the task holds cannot be read.
    #[error(transparent)]
    Task(#[from] TaskError),
    /// No environment can be made for it.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The run cannot be recorded; what was is kept.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The design that it is to begin with cannot be used.
    #[error("the design to begin with cannot be used: {why}: {}", path.display())]
    StartDesign {
        /// Why.
        why: String,
        /// Its file.
        path: PathBuf,
    },
    /// The run that it is to go on with cannot be read.
    #[error("the run to go on with cannot be read: {0}")]
    StartRunUnread(RunError),
    /// The run cannot be gone on with behind that step, on that task or by that agent.
    #[error("the run cannot be gone on with: {why}: {}", path.display())]
    StartRun {
        /// Why.
        why: String,
        /// Its folder.
        path: PathBuf,
    },
    /// The environment broke down at the start.
    #[error("{0}")]
    BrokeDown(String),
}
