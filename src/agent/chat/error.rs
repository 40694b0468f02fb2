//! Why there is no answer.

use super::{Attempt, PayloadError, RetryCause};

/// Why there is no answer. Never holds the key.
#[derive(Debug, thiserror::Error)]
pub enum ChatError {
    /// It was stopped; these attempts were made until then.
    #[error("stopped")]
    Cancelled {
        /// What was tried, the last of which was cut.
        attempts: Vec<Attempt>,
    },
    /// The provider will not take the request, and would not take it again.
    #[error("{host} refused the request with status {status}{}", after_colon(message))]
    Rejected {
        /// Which host.
        host: String,
        /// The HTTP status.
        status: u16,
        /// What it said, shortened; may be empty.
        message: String,
        /// What was tried.
        attempts: Vec<Attempt>,
    },
    /// Every attempt failed.
    #[error("{host} gave no answer in {} tries; the last: {cause}", attempts.len())]
    GaveUp {
        /// Which host.
        host: String,
        /// Why the last failed.
        cause: RetryCause,
        /// What was tried.
        attempts: Vec<Attempt>,
    },
    /// The answer goes beyond what an answer may be: nobody can want to try it again.
    #[error("the answer of {host} is refused: {why}")]
    TooMuch {
        /// Which host.
        host: String,
        /// Which limit it goes beyond.
        why: String,
        /// What was tried.
        attempts: Vec<Attempt>,
    },
    /// The request cannot be written.
    #[error("the request cannot be sent: {why}")]
    Unsendable {
        /// What is wrong with it.
        why: String,
    },
    /// What is played back does not hold this request.
    #[error("the record does not hold this request: {why}")]
    NotRecorded {
        /// Where it differs, or what is missing.
        why: String,
    },
    /// What is played back is not whole.
    #[error(transparent)]
    Payload(#[from] PayloadError),
}

impl ChatError {
    /// Every attempt that was made.
    pub fn attempts(&self) -> &[Attempt] {
        match self {
            Self::Cancelled { attempts }
            | Self::Rejected { attempts, .. }
            | Self::GaveUp { attempts, .. }
            | Self::TooMuch { attempts, .. } => attempts,
            // Nothing went out in these.
            Self::Unsendable { .. } | Self::NotRecorded { .. } | Self::Payload(_) => &[],
        }
    }
}

pub(super) fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
