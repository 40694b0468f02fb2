//! Why a program gave no answer, and how much of one is too much.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::agent::AgentError;
use crate::base::PixelsError;

use super::words::CommandError;

/// Longest line a program may write, in bytes.
pub(super) const LINE_BYTES: usize = 16 << 20;
/// Most calls in an answer.
pub(super) const MOST_CALLS: usize = 1000;

/// Why a program gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// The command cannot be split.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// It cannot be started: not found, not executable …
    #[error("the agent's program cannot be started: {source}: {program}")]
    Start {
        /// The cause.
        source: io::Error,
        /// The first word of the command.
        program: String,
    },
    /// It ended though an answer was due.
    #[error("the agent's program ended before it answered ({status}){}", quoted(stderr))]
    Ended {
        /// How.
        status: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// It runs, but nothing can come from it any more.
    #[error("the agent's program closed its stdout before it answered")]
    ClosedStdout,
    /// It runs, but can be told nothing any more.
    #[error("the agent's program closed its stdin: {source}")]
    ClosedStdin {
        /// The cause.
        source: io::Error,
    },
    /// It answers without reading what it is told.
    #[error("the agent's program does not read its stdin")]
    NotReading,
    /// It took too long.
    #[error(
        "the agent's program gave no answer within {} seconds{}",
        timeout.as_secs_f64(), quoted(stderr)
    )]
    NoAnswer {
        /// How long was waited.
        timeout: Duration,
        /// The end of its stderr.
        stderr: String,
    },
    /// A line over the limit.
    #[error("the agent's program wrote a line over the limit of {LINE_BYTES} bytes")]
    TooLong,
    /// A line that is no message.
    #[error("the agent's program wrote what is no message ({what}): {line}{}", quoted(stderr))]
    Garbage {
        /// What is wrong with it.
        what: String,
        /// How it begins.
        line: String,
        /// The end of its stderr.
        stderr: String,
    },
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

fn quoted(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(". The last it wrote to stderr:\n{stderr}")
    }
}
