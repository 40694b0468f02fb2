//! A user's file of models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::{JsonLimitError, parse_json, read_file_limited};

use super::ModelEntry;

/// Largest file of models read, in bytes.
const FILE_BYTES: u64 = 4 << 20;

/// A user's models by the names that the user gave them: `{"models": {"NAME": {…}}}`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelsFile {
    /// The models.
    pub models: BTreeMap<String, ModelEntry>,
}

/// Why a model cannot be had of the file.
#[derive(Debug, thiserror::Error)]
pub enum ModelsFileError {
    /// The file cannot be read.
    #[error("the file of models {0}")]
    Read(#[from] JsonLimitError),
    /// It is not what it should be.
    #[error("no file of models: {why}: {}", path.display())]
    Shape {
        /// What is wrong with it.
        why: String,
        /// Which file.
        path: PathBuf,
    },
    /// There is no model of this name, and it is not one with its API.
    #[error(
        "there is no model {name:?}{}; name one of the file, or KIND:MODEL or KIND:MODEL@ADDRESS with KIND one of responses, chat_completions, anthropic, gemini, bedrock",
        known_words(known)
    )]
    Unknown {
        /// The name.
        name: String,
        /// The names there are.
        known: Vec<String>,
    },
}

fn known_words(known: &[String]) -> String {
    if known.is_empty() { String::new() } else { format!(" (the file has {})", known.join(", ")) }
}

impl ModelsFile {
    /// Reads a file.
    pub fn open(path: &Path) -> Result<Self, ModelsFileError> {
        let bytes = read_file_limited(path, FILE_BYTES)?;
        parse_json(&bytes).map_err(|error| ModelsFileError::Shape {
            why: error.to_string(),
            path: path.to_path_buf(),
        })
    }

    /// The same with what runs are to call it: the name in the file, or else the model's own.
    pub fn named_entry(&self, name: &str) -> Result<(String, ModelEntry), ModelsFileError> {
        let entry = self.entry(name)?;
        // Runs are filed under the name that the user knows; an address belongs into no folder's
        // name.
        let is_listed = self.models.contains_key(name);
        let name = if is_listed { name.to_owned() } else { entry.provider.model.clone() };
        Ok((name, entry))
    }

    /// The model of a name, or one that the text says all of.
    pub fn entry(&self, name: &str) -> Result<ModelEntry, ModelsFileError> {
        let listed = self.models.get(name).cloned();
        listed.or_else(|| ModelEntry::parse(name)).ok_or_else(|| ModelsFileError::Unknown {
            name: name.chars().take(120).collect(),
            known: self.models.keys().cloned().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_name_wins_and_an_unknown_one_lists_those_there_are() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models.json");
        let text = r#"{"models": {"small": {"provider": {"kind": "gemini", "model": "g"}, "max_tokens": 99}}}"#;
        std::fs::write(&path, text).unwrap();
        let file = ModelsFile::open(&path).unwrap();
        assert_eq!(file.entry("small").unwrap().max_tokens, 99);
        assert_eq!(file.entry("gemini:h").unwrap().provider.model, "h");
        assert_eq!(file.named_entry("small").unwrap().0, "small");
        assert_eq!(file.named_entry("gemini:h").unwrap().0, "h");
        let error = file.entry("large").unwrap_err().to_string();
        assert!(error.contains("\"large\" (the file has small)"), "{error}");
    }

    #[test]
    fn a_misspelt_setting_is_an_error_with_its_name_and_the_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("models.json");
        std::fs::write(&path, r#"{"models": {"a": {"temprature": 1}}}"#).unwrap();
        let error = ModelsFile::open(&path).unwrap_err().to_string();
        assert!(error.contains("temprature") && error.contains("models.json"), "{error}");
        assert!(ModelsFile::open(&dir.path().join("none.json")).is_err());
    }
}
