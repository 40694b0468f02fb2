//! Which model is to act.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ModelEntry, ModelsFile, ModelsFileError, OpenedModel};
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::providers::{KeyPlace, ProviderKind, SessionKeys, SetupError};
use crate::base::Variables;

/// Which model is to act, and how it works.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelChoice {
    /// A name of the file, or `KIND:MODEL` or `KIND:MODEL@ADDRESS`.
    pub name: String,
    /// The file of models, if there is one.
    pub file: Option<PathBuf>,
    /// How it works.
    pub mode: Mode,
    /// Keys that were typed; never written.
    #[serde(skip)]
    pub session_keys: SessionKeys,
}

/// What is known of a chosen model before anything is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSetup {
    /// Whose API it speaks.
    pub kind: ProviderKind,
    /// Where requests go.
    pub address: String,
    /// The keyring's entry that a key is kept under; `None` where none can be entered.
    pub key_entry: Option<String>,
    /// Where its key comes from, or why it cannot be asked.
    pub key: Result<KeyPlace, String>,
}

/// Why a chosen model cannot act.
#[derive(Debug, thiserror::Error)]
pub enum ChoiceError {
    /// It is not to be had of the file.
    #[error(transparent)]
    File(#[from] ModelsFileError),
    /// It cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl ModelChoice {
    /// Another model, with all else as here.
    #[must_use]
    pub fn named(&self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self.clone() }
    }

    /// What is known of the model, its key among it. Nothing is asked but the system's keyring.
    pub fn check(&self, variables: &Variables) -> Result<ModelSetup, ChoiceError> {
        let (_, entry) = self.named_entry()?;
        let provider = &entry.provider;
        let (kind, address) = (provider.kind, provider.address());
        let key_entry = provider.key_entry().map(str::to_owned);
        let key = match self.open(variables) {
            Ok(opened) => Ok(opened.key_place().clone()),
            Err(error) => Err(error.to_string()),
        };
        Ok(ModelSetup { kind, address, key_entry, key })
    }

    fn named_entry(&self) -> Result<(String, ModelEntry), ModelsFileError> {
        let file = self.file.as_deref().map(ModelsFile::open).transpose()?.unwrap_or_default();
        // Without a file the name has to say all: API and model.
        file.named_entry(self.name.trim())
    }

    /// The model as it would act, of which nothing is asked: no key is taken.
    pub fn unasked(&self, variables: &Variables) -> Result<OpenedModel, ChoiceError> {
        let (name, entry) = self.named_entry()?;
        let prompts = Arc::new(AgentPrompts::built_in());
        Ok(OpenedModel::unasked(name, entry, self.mode, prompts, variables)?)
    }

    /// The model made ready, with the prompts that come with the program.
    pub fn open(&self, variables: &Variables) -> Result<OpenedModel, ChoiceError> {
        let (name, entry) = self.named_entry()?;
        let prompts = Arc::new(AgentPrompts::built_in());
        let typed = &self.session_keys;
        Ok(OpenedModel::with_keys(name, entry, self.mode, prompts, typed, variables)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::providers::EnteredKey;

    #[test]
    fn a_typed_key_serves_where_the_keyring_has_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models.json");
        let text = r#"{"models": {"a": {"provider": {"kind": "gemini", "model": "g",
            "key": {"keyring": "no-such-entry-of-a-test"}}}}}"#;
        std::fs::write(&path, text).unwrap();
        let choice =
            ModelChoice { name: "a".to_owned(), file: Some(path), ..ModelChoice::default() };
        let setup = choice.check(&Variables::default()).unwrap();
        assert_eq!(setup.kind, ProviderKind::Gemini);
        assert_eq!(setup.key_entry.as_deref(), Some("no-such-entry-of-a-test"));
        assert!(setup.key.unwrap_err().contains("no-such-entry-of-a-test"));
        let typed = EnteredKey::new(1, "no-such-entry-of-a-test", "sk-typed-1").unwrap().unwrap();
        let session_keys = choice.session_keys.with(&typed);
        let typed = ModelChoice { session_keys, ..choice };
        assert_eq!(typed.check(&Variables::default()).unwrap().key, Ok(KeyPlace::Session));
        assert!(!serde_json::to_string(&typed).unwrap().contains("sk-typed"));
    }

    #[test]
    fn a_server_of_ones_own_needs_no_key_and_takes_none() {
        let name = "chat_completions:m@http://localhost:1/v1".to_owned();
        let setup =
            ModelChoice { name, ..ModelChoice::default() }.check(&Variables::default()).unwrap();
        assert_eq!((setup.key, setup.key_entry), (Ok(KeyPlace::None), None));
        let nobody = ModelChoice { name: "foo bar".to_owned(), ..ModelChoice::default() };
        assert!(nobody.check(&Variables::default()).unwrap_err().to_string().contains("foo bar"));
    }
}
