//! Where a model answers, and how it is asked.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::Variables;
use crate::model::wire::{ApiKey, HttpSettings};

use super::aws::{AwsEnvironment, AwsError, KEY_ENTRY};
use super::{KeyError, KeyPlace, KeySource, Prices, SessionKeys};

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
    /// Amazon Bedrock's Converse.
    Bedrock,
}

impl ProviderKind {
    /// Every kind, in the order of lists.
    pub const ALL: [Self; 5] =
        [Self::Responses, Self::ChatCompletions, Self::Anthropic, Self::Gemini, Self::Bedrock];

    /// What settings, runs and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Responses => "responses",
            Self::ChatCompletions => "chat_completions",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Bedrock => "bedrock",
        }
    }

    /// The provider's own address; Bedrock has one in each region of AWS.
    fn own_address(self, region: &str) -> String {
        let address = match self {
            Self::Responses | Self::ChatCompletions => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com/v1",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta",
            Self::Bedrock => {
                let end = if region.starts_with("cn-") { ".cn" } else { "" };
                return format!("https://bedrock-runtime.{region}.amazonaws.com{end}");
            }
        };
        address.to_owned()
    }

    /// The keyring's entry that holds the key for the provider's own address, if its variable does not.
    pub fn own_key_entry(self) -> &'static str {
        match self {
            Self::Responses | Self::ChatCompletions => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::Bedrock => KEY_ENTRY,
        }
    }

    /// The environment variable that holds the key for the provider's own address.
    pub fn own_key_variable(self) -> &'static str {
        match self {
            Self::Responses | Self::ChatCompletions => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
            Self::Gemini => "GEMINI_API_KEY",
            // With two more beside it; or an API key of Bedrock in AWS_BEARER_TOKEN_BEDROCK.
            Self::Bedrock => "AWS_ACCESS_KEY_ID",
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
    /// The region of AWS for Bedrock, such as `eu-central-1`; `None`: what AWS's own tools would take,
    /// by `AWS_REGION`, `AWS_DEFAULT_REGION` or the profile. Runs remember which it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// The model's name, as the provider knows it.
    pub model: String,
    /// Where the key is. `None`: for the provider's own address its usual environment variable, or else
    /// its entry in the system's keyring; for any other address no key, so that a key is never shown to
    /// a stranger.
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
    /// Whether Anthropic or Bedrock is to keep what it has read for the next request (the other
    /// providers do so unasked).
    pub cache_prompts: bool,
    /// What tokens cost. Without, the cost of an answer is unknown.
    pub prices: Option<Prices>,
}

impl Default for ProviderSettings {
    fn default() -> Self {
        Self {
            kind: ProviderKind::default(),
            base_url: None,
            region: None,
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
    pub fn address(&self) -> String {
        let own = || self.kind.own_address(self.region());
        self.base_url.clone().unwrap_or_else(own)
    }

    /// The region; of settings that were looked at and not opened perhaps AWS's first.
    pub(super) fn region(&self) -> &str {
        self.region.as_deref().unwrap_or("us-east-1")
    }

    /// The same with the region of AWS, where one is needed and the settings leave it open.
    pub(in crate::agent) fn with_region(mut self, variables: &Variables) -> Result<Self, KeyError> {
        let is_signed = self.key_source().is_some_and(|source| source != KeySource::None);
        if self.kind != ProviderKind::Bedrock || self.region.is_some() || !is_signed {
            return Ok(self);
        }
        let profile = match &self.key {
            Some(KeySource::AwsProfile(profile)) => Some(profile.as_str()),
            _ => None,
        };
        let aws = AwsEnvironment::from_variables(variables)?;
        let region = aws.region(profile).ok_or(AwsError::NoRegion)?;
        self.region = Some(region);
        Ok(self)
    }

    /// The keyring's entry that a typed key is kept under; `None` where a key is looked for elsewhere or
    /// none is sent.
    pub fn key_entry(&self) -> Option<&str> {
        match (&self.key, &self.base_url) {
            (Some(KeySource::Keyring(entry)), _) => Some(entry),
            (None, None) => Some(self.kind.own_key_entry()),
            _ => None,
        }
    }

    /// Takes the key from where it is: typed ones first, then what the settings say, then, where they
    /// say nothing, the keyring.
    pub(in crate::agent) fn take_key(
        &self,
        typed: &SessionKeys,
        variables: &Variables,
    ) -> Result<(Option<ApiKey>, KeyPlace), KeyError> {
        let Some(source) = self.key_source() else { return Ok((None, KeyPlace::None)) };
        let entry = self.key_entry();
        if let Some(key) = entry.and_then(|entry| typed.get(entry)) {
            return Ok((Some(key.clone()), KeyPlace::Session));
        }
        let missing = match (source.take(variables), entry) {
            (Ok(key), _) => return Ok((key, source.place())),
            (Err(KeyError::NoVariable { variable, .. }), Some(entry)) => {
                KeyError::NoVariable { variable, entry: Some(entry.to_owned()) }
            }
            (Err(KeyError::Aws(AwsError::NoCredentials { .. })), Some(entry)) => {
                AwsError::NoCredentials { entry: entry.to_owned() }.into()
            }
            (Err(error), _) => return Err(error),
        };
        let stored = KeySource::Keyring(self.kind.own_key_entry().to_owned());
        // No keyring, or nothing in it: what is missing is the variable all the same.
        let key = stored.take(variables).ok().flatten().ok_or(missing)?;
        Ok((Some(key), stored.place()))
    }

    /// Where the key is; `None` if none is to be sent.
    pub fn key_source(&self) -> Option<KeySource> {
        match (&self.key, &self.base_url) {
            (Some(key), _) => Some(key.clone()),
            (None, None) if self.kind == ProviderKind::Bedrock => Some(KeySource::AwsDefault),
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
    fn bedrock_is_asked_in_its_region_with_the_credentials_of_aws() {
        let region = Some("eu-central-1".to_owned());
        let own = ProviderSettings { kind: ProviderKind::Bedrock, region, ..Default::default() };
        assert_eq!(own.address(), "https://bedrock-runtime.eu-central-1.amazonaws.com");
        assert_eq!(own.key_source(), Some(KeySource::AwsDefault));
        assert_eq!(own.clone().with_region(&Variables::default()), Ok(own.clone()));
        let china = ProviderSettings { region: Some("cn-north-1".to_owned()), ..own.clone() };
        assert!(china.address().ends_with(".cn-north-1.amazonaws.com.cn"));
        // Unsigned to a server of one's own: no region is needed.
        let base_url = Some("http://h".to_owned());
        let other = ProviderSettings { base_url, region: None, ..own };
        assert_eq!(other.clone().with_region(&Variables::default()), Ok(other));
        let text = r#"{"kind":"bedrock","key":{"aws_profile":"research"},"region":"us-west-2"}"#;
        let settings: ProviderSettings = serde_json::from_str(text).unwrap();
        assert_eq!(settings.key, Some(KeySource::AwsProfile("research".to_owned())));
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
