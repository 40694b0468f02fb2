//! Where a model answers, and how it is asked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::model::wire::HttpSettings;

use super::{KeySource, Prices};

/// Whose API a provider speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProviderKind {
    /// OpenAI's Responses.
    #[default]
    Responses,
    /// Chat Completions, which Ollama, llama.cpp, vLLM, LiteLLM and many others offer too.
    ChatCompletions,
    /// Anthropic's Messages.
    Anthropic,
    /// Google Gemini's `generateContent`.
    Gemini,
}

impl ProviderKind {
    /// Every kind, in the order of lists.
    pub const ALL: [Self; 4] =
        [Self::Responses, Self::ChatCompletions, Self::Anthropic, Self::Gemini];

    /// What settings, runs and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::ChatCompletions => "chat_completions",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
        }
    }

    /// The provider's own address.
    pub fn own_address(self) -> &'static str {
        match self {
            Self::Responses | Self::ChatCompletions => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
        }
    }

    /// The environment variable that holds the key for the provider's own address.
    pub fn own_key_variable(self) -> &'static str {
        match self {
            Self::Responses | Self::ChatCompletions => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
            Self::Gemini => "GEMINI_API_KEY",
        }
    }
}

/// Where a model answers, and how it is asked. The key itself is never in here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ProviderSettings {
    /// Whose API it speaks.
    pub kind: ProviderKind,
    /// The address with its version and without the path of the API, such as
    /// `http://localhost:11434/v1`; `None` for the provider's own.
    pub base_url: Option<String>,
    /// The model's name, as the provider knows it.
    pub model: String,
    /// Where the key is. `None`: for the provider's own address its usual environment variable, for
    /// any other address no key, so that a key is never shown to a stranger.
    pub key: Option<KeySource>,
    /// More headers. One that is named like a key is kept out of every record, but this file is
    /// no place for it.
    pub headers: BTreeMap<String, String>,
    /// The proxy's address, without a password; an empty text for none at all. `None` for the
    /// environment's (`HTTPS_PROXY` and so on).
    pub proxy: Option<String>,
    /// A PEM file with the certificates of authorities that are trusted beside the system's, for a
    /// server of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_file: Option<PathBuf>,
    /// Longest time until there is a connection, in seconds.
    pub connect_timeout_secs: u64,
    /// Longest time in which nothing comes, in seconds: models that think say nothing for long.
    pub idle_timeout_secs: u64,
    /// Longest time of one attempt, in seconds.
    pub answer_timeout_secs: u64,
    /// How often a request is tried in all.
    pub attempts: u32,
    /// The wait before the second try, in seconds; it doubles with every further one. Half of it is
    /// left to chance. A provider that says how long to wait is obeyed instead.
    pub first_wait_secs: f64,
    /// Longest wait between two tries, in seconds, whatever the provider asks for.
    pub longest_wait_secs: f64,
    /// Makes the chance in the waits repeatable; `None` for a chance of its own.
    pub wait_seed: Option<u64>,
    /// Whether answers come as they grow.
    pub stream: bool,
    /// Whether Anthropic is to keep what it has read for the next request (the other providers do so
    /// unasked).
    pub cache_prompts: bool,
    /// What tokens cost. Without, the cost of an answer is unknown.
    pub prices: Option<Prices>,
}

impl Default for ProviderSettings {
    fn default() -> Self {
        Self {
            kind: ProviderKind::default(),
            base_url: None,
            model: String::new(),
            key: None,
            headers: BTreeMap::new(),
            proxy: None,
            ca_file: None,
            connect_timeout_secs: 20,
            idle_timeout_secs: 300,
            answer_timeout_secs: 1800,
            attempts: 6,
            first_wait_secs: 1.0,
            longest_wait_secs: 120.0,
            wait_seed: None,
            // What comes bit by bit shows that somebody answers: the idle limit can be short where
            // the whole takes half an hour.
            stream: true,
            cache_prompts: false,
            prices: None,
        }
    }
}

impl ProviderSettings {
    /// How connections to it are made.
    pub(in crate::agent) fn http(&self) -> HttpSettings {
        // Zero would be over before it began.
        HttpSettings {
            connect_timeout: Duration::from_secs(self.connect_timeout_secs.max(1)),
            idle_timeout: Duration::from_secs(self.idle_timeout_secs.max(1)),
            whole_timeout: Duration::from_secs(self.answer_timeout_secs.max(1)),
            proxy: self.proxy.clone(),
            ca_file: self.ca_file.clone(),
        }
    }

    /// The address that requests go to, without the path of the API.
    pub fn address(&self) -> &str {
        self.base_url.as_deref().unwrap_or_else(|| self.kind.own_address())
    }

    /// Where the key is; `None` if none is to be sent.
    pub fn key_source(&self) -> Option<KeySource> {
        match (&self.key, &self.base_url) {
            (Some(key), _) => Some(key.clone()),
            (None, None) => Some(KeySource::Environment(self.kind.own_key_variable().to_owned())),
            // The key of a provider is nobody else's business.
            (None, Some(_)) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_key_is_sent_to_the_provider_alone() {
        let own = ProviderSettings { kind: ProviderKind::Anthropic, ..Default::default() };
        let variable = KeySource::Environment("ANTHROPIC_API_KEY".to_owned());
        assert_eq!(own.key_source(), Some(variable));
        let other = ProviderSettings { base_url: Some("http://h/v1".to_owned()), ..own };
        assert_eq!(other.key_source(), None);
    }

    #[test]
    fn settings_are_what_is_written_and_defaults_for_the_rest() {
        let text = r#"{"kind":"gemini","model":"m","key":{"keyring":"gemini"}}"#;
        let settings: ProviderSettings = serde_json::from_str(text).unwrap();
        assert_eq!(settings.kind, ProviderKind::Gemini);
        assert_eq!(settings.key, Some(KeySource::Keyring("gemini".to_owned())));
        assert_eq!(settings.attempts, 6);
        assert!(serde_json::from_str::<ProviderSettings>(r#"{"api_key":"sk"}"#).is_err());
        for kind in ProviderKind::ALL {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
    }
}
