//! Words of a form, in one language or several.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The language of words that do not say theirs, and of those that stand in for a missing one.
pub const FALLBACK_LANGUAGE: &str = "en";

/// Words as they are in every language, or by language (BCP 47, such as `de` or `pt-BR`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FormText {
    /// The same for everybody; in English, as far as anybody knows.
    Plain(String),
    /// By language.
    Languages(BTreeMap<String, String>),
}

impl Default for FormText {
    fn default() -> Self {
        Self::Plain(String::new())
    }
}

impl FormText {
    /// The words in a language, or else in its main one (`pt` for `pt-BR`), in English, in the first
    /// there is.
    pub fn in_language(&self, language: &str) -> &str {
        match self {
            Self::Plain(words) => words,
            Self::Languages(languages) => {
                let main = language.split('-').next().unwrap_or(language);
                [language, main, FALLBACK_LANGUAGE]
                    .into_iter()
                    .find_map(|language| languages.get(language))
                    .or_else(|| languages.values().next())
                    .map_or("", String::as_str)
            }
        }
    }

    /// Whether somebody who chose this language reads another.
    pub fn falls_back(&self, language: &str) -> bool {
        let main = language.split('-').next().unwrap_or(language);
        match self {
            Self::Plain(words) => !words.is_empty() && main != FALLBACK_LANGUAGE,
            Self::Languages(languages) => {
                !languages.contains_key(language) && !languages.contains_key(main)
            }
        }
    }

    /// Whether nothing is said in any language.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Plain(words) => words.trim().is_empty(),
            Self::Languages(languages) => languages.values().all(|words| words.trim().is_empty()),
        }
    }

    /// Every wording with its language.
    pub(super) fn wordings(&self) -> impl Iterator<Item = (&str, &str)> {
        let (plain, languages) = match self {
            Self::Plain(words) => (Some((FALLBACK_LANGUAGE, words.as_str())), None),
            Self::Languages(languages) => (None, Some(languages)),
        };
        let languages = languages.into_iter().flatten();
        let languages = languages.map(|(language, words)| (language.as_str(), words.as_str()));
        plain.into_iter().chain(languages)
    }

    /// The languages it names.
    pub(super) fn languages(&self) -> BTreeSet<&str> {
        match self {
            Self::Plain(_) => BTreeSet::new(),
            Self::Languages(languages) => languages.keys().map(String::as_str).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &[(&str, &str)]) -> FormText {
        let words = words.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
        FormText::Languages(words.collect())
    }

    #[test]
    fn what_is_missing_in_a_language_falls_back_and_says_so() {
        let yes = text(&[("en", "Yes"), ("de", "Ja"), ("pt", "Sim")]);
        assert_eq!(
            ["de", "pt-BR", "fr", "en"].map(|it| yes.in_language(it)),
            ["Ja", "Sim", "Yes", "Yes"]
        );
        assert_eq!(["de", "pt-BR", "fr"].map(|it| yes.falls_back(it)), [false, false, true]);
        let only = text(&[("ja", "はい")]);
        assert_eq!(only.in_language("fr"), "はい");
        assert!(FormText::Plain("Yes".into()).falls_back("de"));
        assert!(!FormText::Plain("Yes".into()).falls_back("en-GB"));
    }
}
