//! Why a program gave no answer.

use std::io;
use std::time::Duration;

use crate::base::Cancelled;

/// Why a program gave no answer, as words to stand behind what it is called: `the agent's program`, `it`.
#[derive(Debug, thiserror::Error)]
pub enum LineProgramError {
    /// It cannot be started: not found, not executable …
    #[error("cannot be started: {source}: {program}")]
    Start {
        /// The cause.
        source: io::Error,
        /// The first word of the command.
        program: String,
    },
    /// It ended though an answer was due.
    #[error("ended before it answered ({status}){}", quoted(stderr))]
    Ended {
        /// How.
        status: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// It runs, but nothing can come from it any more.
    #[error("closed its stdout before it answered")]
    ClosedStdout,
    /// It runs, but can be told nothing any more.
    #[error("closed its stdin: {source}")]
    ClosedStdin {
        /// The cause.
        source: io::Error,
    },
    /// It answers without reading what it is told.
    #[error("does not read its stdin")]
    NotReading,
    /// It took too long.
    #[error("gave no answer within {} seconds{}", timeout.as_secs_f64(), quoted(stderr))]
    NoAnswer {
        /// How long was waited.
        timeout: Duration,
        /// The end of its stderr.
        stderr: String,
    },
    /// A line over the limit.
    #[error("wrote a line over the limit of {0} bytes")]
    TooLong(usize),
    /// A line that is no message.
    #[error("wrote what is no message ({what}): {line}{}", quoted(stderr))]
    Garbage {
        /// What is wrong with it.
        what: String,
        /// How it begins.
        line: String,
        /// The end of its stderr.
        stderr: String,
    },
    /// A line though it was asked nothing.
    #[error("wrote a line that nobody asked for: {line}")]
    Unasked {
        /// How it begins.
        line: String,
    },
}

impl LineProgramError {
    /// Whether it is that the program is gone, or as good as gone.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Ended { .. } | Self::ClosedStdout | Self::ClosedStdin { .. })
    }
}

/// Why there is no line.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The program gave none.
    #[error(transparent)]
    Program(#[from] LineProgramError),
}

fn quoted(stderr: &str) -> String {
    if stderr.is_empty() {
        String::new()
    } else {
        format!(". The last it wrote to stderr:\n{stderr}")
    }
}
