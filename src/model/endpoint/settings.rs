//! Where a model answers, and how it is asked.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Prices;

/// Where a model answers, and how it is asked.
///
/// The key itself is never in here: only the name of the environment variable that holds it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EndpointSettings {
    /// The address up to and without `/chat/completions`, such as `https://api.openai.com/v1` or
    /// `http://localhost:11434/v1`.
    pub base_url: String,
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// The environment variable with the key. Without the variable no key is sent, which is what
    /// servers on one's own machine want.
    pub key_variable: String,
    /// A PEM file with the certificates of authorities that are trusted beside the system's, for a
    /// server of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_file: Option<PathBuf>,
    /// How long one request may take, in seconds.
    pub timeout_secs: u64,
    /// How often a request is tried in all, when the endpoint is busy or out of order.
    pub attempts: u32,
    /// The wait before the second try, in milliseconds; it doubles with every further one. An
    /// endpoint that says how long to wait is obeyed instead.
    pub first_wait_ms: u64,
    /// What is sent along with the messages, such as `temperature` and the most tokens to answer.
    pub parameters: Map<String, Value>,
    /// What its answers cost, if that is known: said before anything is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

impl EndpointSettings {
    /// Most tokens of an answer, if a parameter limits them.
    pub fn most_answer_tokens(&self) -> Option<u64> {
        let names = ["max_tokens", "max_completion_tokens"];
        names.iter().find_map(|name| self.parameters.get(*name)?.as_u64())
    }
}

impl Default for EndpointSettings {
    fn default() -> Self {
        let mut parameters = Map::new();
        parameters.insert("temperature".to_owned(), json!(0));
        parameters.insert("max_tokens".to_owned(), json!(512));
        Self {
            base_url: "https://api.openai.com/v1".to_owned(),
            model: "gpt-4o".to_owned(),
            key_variable: "OPENAI_API_KEY".to_owned(),
            ca_file: None,
            timeout_secs: 120,
            attempts: 5,
            first_wait_ms: 1000,
            parameters,
            prices: None,
        }
    }
}
