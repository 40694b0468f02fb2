//! Why a program gave no answer, and how much of one is too much.

use std::io;
use std::path::PathBuf;

use crate::agent::AgentError;
use crate::base::{AskError, CommandError, LineLimits, LineProgramError, PixelsError};

/// How much of what a program writes is taken: 16 MiB, and 20 lines of its stderr.
pub(super) const LIMITS: LineLimits = LineLimits { line_bytes: 16 << 20, stderr_lines: 20 };
/// Most calls in an answer.
pub(super) const MOST_CALLS: usize = 1000;

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The command cannot be split.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// It cannot be started, or there is no line of it that is a message.
    #[error("the agent's program {0}")]
    Program(#[from] LineProgramError),
    /// Too many calls at once.
    #[error("the agent's program asked for {0} calls in one answer; {MOST_CALLS} are the most")]
    TooManyCalls(usize),
    /// It asks for pictures in one form after the other.
    #[error("the agent's program asks for pictures again and again and gives no answer")]
    OnlyPictures,
    /// It said so itself.
    #[error("the agent's program gave up: {0}")]
    Said(String),
    /// A picture for it cannot be written.
    #[error("a picture for the agent's program cannot be written: {source}: {}", path.display())]
    Picture {
        /// The cause.
        source: io::Error,
        /// Which file or folder.
        path: PathBuf,
    },
    /// A picture for it cannot be encoded.
    #[error(transparent)]
    Pixels(#[from] PixelsError),
    /// A message for it cannot be written.
    #[error("a message for the agent's program cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

impl From<ProgramError> for AgentError {
    fn from(error: ProgramError) -> Self {
        Self::OfKind(error.into())
    }
}

impl From<AskError> for AgentError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Cancelled(cancelled) => cancelled.into(),
            AskError::Program(error) => ProgramError::from(error).into(),
        }
    }
}
