//! How one model is asked.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::agent::chat::ChatSettings;
use crate::agent::providers::{ProviderKind, ProviderSettings};

/// How one model is asked. Runs keep it, so that they can be repeated; the key is not in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelEntry {
    /// Where it answers, and its name there.
    pub provider: ProviderSettings,
    /// How free the choice of words is, 0 to 2; 0 as published. `null` says nothing of it, which
    /// models that know no temperature need.
    pub temperature: Option<f64>,
    /// Most tokens of an answer; 2,048 as published.
    pub max_tokens: u32,
    /// Whether one answer may hold several calls.
    pub parallel_calls: bool,
    /// Merged into the request's JSON: objects into objects, `null` takes a field out.
    pub extra: Map<String, Value>,
    /// Most requests under way at once, over all runs; `None`: as many as there are runs.
    pub at_once: Option<u32>,
    /// Most requests that begin within a minute, over all runs, spread evenly; `None`: no limit.
    pub per_minute: Option<u32>,
}

impl Default for ModelEntry {
    fn default() -> Self {
        let ChatSettings { temperature, max_tokens, parallel_calls, extra, .. } =
            ChatSettings::default();
        let provider = ProviderSettings::default();
        let (at_once, per_minute) = (None, None);
        Self { provider, temperature, max_tokens, parallel_calls, extra, at_once, per_minute }
    }
}

impl ModelEntry {
    /// `KIND:MODEL`, or `KIND:MODEL@ADDRESS` for a server of one's own; `None` if it is not that.
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, model) = text.split_once(':')?;
        let kind = ProviderKind::ALL.into_iter().find(|known| known.name() == kind)?;
        let (model, base_url) = match model.rsplit_once('@') {
            // Names of models may hold an `@` themselves.
            Some((model, url)) if url.starts_with("http") => (model, Some(url.to_owned())),
            _ => (model, None),
        };
        // No provider has a name with blanks in it, and such a one was meant to be two or a sentence.
        if model.is_empty() || model.contains(char::is_whitespace) {
            return None;
        }
        let model = model.to_owned();
        let provider = ProviderSettings { kind, base_url, model, ..ProviderSettings::default() };
        Some(Self { provider, ..Self::default() })
    }

    /// How it is to answer.
    pub(super) fn chat_settings(&self) -> ChatSettings {
        ChatSettings {
            model: self.provider.model.clone(),
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            parallel_calls: self.parallel_calls,
            extra: self.extra.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_named_by_its_api_its_name_and_perhaps_an_address() {
        let entry = ModelEntry::parse("anthropic:some-model").unwrap();
        assert_eq!((entry.provider.kind, entry.provider.base_url), (ProviderKind::Anthropic, None));
        let entry =
            ModelEntry::parse("chat_completions:qwen2.5vl:7b@http://localhost:11434/v1").unwrap();
        assert_eq!(entry.provider.model, "qwen2.5vl:7b");
        assert_eq!(entry.provider.base_url.as_deref(), Some("http://localhost:11434/v1"));
        let entry = ModelEntry::parse("gemini:me@home").unwrap();
        assert_eq!(entry.provider.model, "me@home");
        for text in ["gpt", "other:model", "gemini:", "responses:@http://h", "gemini:foo bar"] {
            assert_eq!(ModelEntry::parse(text), None, "{text}");
        }
    }
}
