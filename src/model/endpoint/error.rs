//! Why an endpoint gave no answer.

use crate::model::wire::UnusableKey;

use super::CacheError;

/// Why an endpoint gave no answer. Never holds the key.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The address is not one that can be asked.
    #[error("the endpoint's address is not an http or https address ({why})")]
    BadAddress {
        /// What is wrong with it.
        why: String,
    },
    /// The key holds characters that cannot be sent.
    #[error(transparent)]
    UnusableKey(#[from] UnusableKey),
    /// The program cannot set up connections at all.
    #[error("connections cannot be set up: {0}")]
    Setup(String),
    /// Nobody answers at the address.
    #[error("{host} cannot be reached: {why}")]
    Unreachable {
        /// Which host.
        host: String,
        /// What the system says.
        why: String,
    },
    /// The endpoint took too long.
    #[error("{host} did not answer within {seconds} s")]
    TimedOut {
        /// Which host.
        host: String,
        /// The limit.
        seconds: u64,
    },
    /// The endpoint said no.
    #[error("{host} answered with status {status}{}", after_colon(message))]
    Status {
        /// Which host.
        host: String,
        /// The HTTP status.
        status: u16,
        /// What it said, shortened; may be empty.
        message: String,
    },
    /// The connection broke before the answer was whole.
    #[error("the answer of {host} broke off: {why}")]
    BrokenOff {
        /// Which host.
        host: String,
        /// What the system says.
        why: String,
    },
    /// The answer is larger than any answer to such a question.
    #[error("the answer of {host} is larger than {limit} bytes")]
    TooLarge {
        /// Which host.
        host: String,
        /// The limit in bytes.
        limit: u64,
    },
    /// The answer is not of the shape of a chat completion.
    #[error("the answer of {host} is not a chat completion: {why}")]
    Malformed {
        /// Which host.
        host: String,
        /// What is wrong with it.
        why: String,
    },
    /// The model stopped in the middle, at its limit of tokens.
    #[error("the model's answer was cut at its limit of tokens; allow more in the settings")]
    Cut,
    /// The model will not answer.
    #[error("the model refused{}", after_colon(.0))]
    Refused(String),
    /// The model said nothing.
    #[error("the model's answer is empty")]
    Empty,
    /// The cache of answers cannot be read.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// The picture cannot be sent.
    #[error("the picture cannot be sent: {0}")]
    Picture(String),
    /// It was stopped.
    #[error("stopped")]
    Cancelled,
}

fn after_colon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(": {text}") }
}
