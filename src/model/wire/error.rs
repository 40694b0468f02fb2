//! Why an answer did not come, or not to its end.

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
    /// Nothing came for too long, or the whole took too long.
    #[error("no answer within {seconds} s")]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// What is played back does not hold this request.
    #[error("{0}")]
    NotRecorded(String),
}
