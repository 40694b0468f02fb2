//! What a model answered, and what it took.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::wire::TimeLimit;

use super::AssistantMessage;

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What was said.
    pub message: AssistantMessage,
    /// What can be seen of its reasoning; often a summary, often nothing.
    pub reasoning: String,
    /// Why it ended.
    pub stop: StopReason,
    /// Its tokens, if the provider tells.
    pub usage: Option<TokenUsage>,
    /// Every attempt, the last of which gave this answer.
    pub attempts: Vec<Attempt>,
}

impl Answer {
    /// Whether it says nothing at all: no word and no call.
    pub fn is_empty(&self) -> bool {
        // Reasoning alone is nothing that could be acted on or sent back as an answer.
        self.message.text.trim().is_empty() && self.message.calls.is_empty()
    }
}

/// Why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind", content = "detail")]
pub enum StopReason {
    /// The model was done.
    End,
    /// It waits for what comes of its calls.
    ToolCalls,
    /// It met the limit of tokens; what there is may break off anywhere.
    Length,
    /// It will not answer, and what it says about it.
    Refused(String),
    /// A filter of the provider stopped it, and which.
    Filtered(String),
    /// It made a call that its provider could not read, and what is known of it.
    MalformedCall(String),
    /// Anything else, in the provider's word.
    Other(String),
}

/// Tokens of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TokenUsage {
    /// Tokens read, those from a cache included.
    pub input: u64,
    /// Tokens written, those of the reasoning included.
    pub output: u64,
    /// Those of `input` that came from a cache.
    #[serde(default)]
    pub cached_input: u64,
    /// Those of `input` that were written to a cache.
    #[serde(default)]
    pub cache_writes: u64,
    /// Those of `output` that were reasoning, as far as the provider tells them apart.
    #[serde(default)]
    pub reasoning: u64,
}

/// One attempt to get an answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Attempt {
    /// The HTTP status, if there was an answer at all.
    pub status: Option<u16>,
    /// Why it was not the last; `None` for one that gave an answer.
    pub failure: Option<RetryCause>,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
    /// How long was waited after it, in seconds; 0 for the last.
    pub waited_secs: f64,
    /// What it cost, whether or not it failed, if the provider told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<TokenUsage>,
}

/// A failure that may pass. Never holds the key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RetryCause {
    /// Nobody answers at the address.
    #[error("cannot be reached: {why}")]
    Unreachable {
        /// What the system says.
        why: String,
    },
    /// It took too long.
    #[error("{}", limit.words(*seconds))]
    TimedOut {
        /// What took too long.
        #[serde(default)]
        limit: TimeLimit,
        /// How long it may take.
        seconds: u64,
    },
    /// The provider is busy or out of order.
    #[error("status {status}{}", super::error::after_colon(message))]
    Status {
        /// The HTTP status.
        status: u16,
        /// What it said, shortened; may be empty.
        message: String,
    },
    /// The answer broke off.
    #[error("the answer broke off: {why}")]
    BrokenOff {
        /// What is missing, or what the system says.
        why: String,
    },
    /// The answer cannot be read.
    #[error("the answer cannot be read: {why}")]
    Malformed {
        /// What is wrong with it.
        why: String,
    },
    /// An error in the middle of an answer that began as a success.
    #[error("the provider failed while answering: {message}")]
    Failed {
        /// What it said, shortened.
        message: String,
    },
}
