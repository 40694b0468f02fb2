//! What went over the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::wire::TimeLimit;

use super::Payload;

/// One HTTP attempt exactly as it went, but for secrets: neither key nor headers that hold it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// `POST`.
    pub method: String,
    /// The address.
    pub url: String,
    /// The request's headers, name and value; a secret one has `[secret]` for its value.
    pub request_headers: Vec<(String, String)>,
    /// The request's body.
    pub request: Payload,
    /// The HTTP status, if there was an answer at all.
    pub status: Option<u16>,
    /// The answer's headers that matter: type, waits, rate limits, the request's id.
    pub answer_headers: Vec<(String, String)>,
    /// The answer's body as it came; of a stream all that came.
    pub answer: Payload,
    /// How it ended.
    pub end: ExchangeEnd,
    /// When it began, in milliseconds since the model was asked.
    pub started_ms: f64,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
}

/// How an exchange ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ExchangeEnd {
    /// The body came to its end.
    Whole,
    /// There was no connection.
    Unreachable {
        /// What the system says.
        why: String,
    },
    /// The connection broke before the answer or within it.
    BrokenOff {
        /// What the system says.
        why: String,
    },
    /// It took too long.
    TimedOut {
        /// What took too long.
        #[serde(default)]
        limit: TimeLimit,
        /// How long it may take, in seconds.
        seconds: u64,
    },
    /// It was stopped, or the answer went beyond its limits: the rest was not read.
    Abandoned,
}

/// A line of a run's `exchanges.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordedExchange {
    /// In which turn, from 1.
    pub turn: u32,
    /// What went over the wire; pictures in it stand in the run's `images/`.
    #[serde(flatten)]
    pub exchange: Exchange,
}

/// What a list of exchanges says of each: a line of `exchanges.jsonl` without headers and bodies.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ExchangeHead {
    /// In which turn, from 1.
    pub turn: u32,
    /// `POST`.
    pub method: String,
    /// The address.
    pub url: String,
    /// The HTTP status, if there was an answer at all.
    pub status: Option<u16>,
    /// How it ended.
    pub end: ExchangeEnd,
    /// How long it took, in milliseconds.
    pub milliseconds: f64,
}
