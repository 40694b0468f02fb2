//! Why an answer did not come, or not to its end.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What may take only so long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeLimit {
    /// Until there is a connection.
    Connect,
    /// A time in which nothing comes. What was recorded before there were several limits is of this.
    #[default]
    Idle,
    /// All of an attempt, while its answer still came.
    Whole,
}

impl TimeLimit {
    /// What happened when it took longer than this.
    pub fn words(self, seconds: u64) -> String {
        match self {
            Self::Connect => format!("no connection within {seconds} s"),
            Self::Idle => format!("nothing came for {seconds} s"),
            Self::Whole => format!("the answer was not whole after {seconds} s"),
        }
    }
}

/// Why an answer did not come, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WireError {
    /// It was stopped.
    #[error("stopped")]
    Cancelled,
    /// Connections cannot be set up at all, or not in the way the settings want.
    #[error("connections cannot be set up: {0}")]
    Setup(String),
    /// The request cannot be written, such as for a header with a line break.
    #[error("the request cannot be written: {0}")]
    Unsendable(String),
    /// Nobody answers at the address.
    #[error("no connection: {why}")]
    Unreachable {
        /// What the system says.
        why: String,
    },
    /// The connection broke before the answer or within it.
    #[error("the connection broke: {why}")]
    BrokenOff {
        /// What the system says.
        why: String,
    },
    /// It took too long.
    #[error("{}", limit.words(*seconds))]
    TimedOut {
        /// What took too long.
        limit: TimeLimit,
        /// How long it may take.
        seconds: u64,
    },
    /// What is played back does not hold this request.
    #[error("{0}")]
    NotRecorded(String),
}
