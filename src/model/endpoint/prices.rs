//! What tokens cost.

use serde::{Deserialize, Serialize};

/// What tokens cost, in US dollars a million.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prices {
    /// Tokens read.
    pub input: f64,
    /// Tokens written, reasoning included.
    pub output: f64,
    /// Tokens read from a cache; as `input` if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Tokens written to a cache; as `input` if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_writes: Option<f64>,
}
