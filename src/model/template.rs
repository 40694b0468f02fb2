//! A prompt with places for values.

use std::path::{Path, PathBuf};

use crate::base::{JsonLimitError, read_file_limited};

/// Largest prompt file read, in bytes.
const PROMPT_BYTES: u64 = 256 << 10;

/// A prompt with places for values: `{{name}}`, of lower-case letters and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Variable(String),
}

/// Why a prompt cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PromptError {
    /// The folder of prompts is not there.
    #[error("there is no folder of prompts: {}", path.display())]
    NoFolder {
        /// Which folder.
        path: PathBuf,
    },
    /// The file cannot be read.
    #[error("a prompt {0}")]
    File(#[from] JsonLimitError),
    /// The file is not text.
    #[error("the prompt is not UTF-8 text: {}", path.display())]
    NotText {
        /// Which file.
        path: PathBuf,
    },
    /// The prompt is blank.
    #[error("the prompt is empty: {}", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// A variable that the form has is not used.
    #[error("the prompt does not use {{{{{variable}}}}}: {}", path.display())]
    MissingVariable {
        /// Which variable.
        variable: &'static str,
        /// Which file.
        path: PathBuf,
    },
    /// A variable is used that the form does not have.
    #[error("the prompt uses {{{{{variable}}}}}, which there is not: {}", path.display())]
    UnknownVariable {
        /// Which variable.
        variable: String,
        /// Which file.
        path: PathBuf,
    },
}

impl Template {
    /// Reads a user's wording, which has to use each variable that is required, may use those that
    /// are optional, and no other.
    pub fn read(
        path: &Path,
        required: &[&'static str],
        optional: &[&'static str],
    ) -> Result<Self, PromptError> {
        let path_buf = || path.to_path_buf();
        let bytes = read_file_limited(path, PROMPT_BYTES)?;
        let text =
            str::from_utf8(&bytes).map_err(|_utf8| PromptError::NotText { path: path_buf() })?;
        if text.trim().is_empty() {
            return Err(PromptError::Empty { path: path_buf() });
        }
        let template = Self::parse(text);
        if let Some(unknown) =
            template.variables().find(|name| !required.contains(name) && !optional.contains(name))
        {
            return Err(PromptError::UnknownVariable {
                variable: unknown.to_owned(),
                path: path_buf(),
            });
        }
        let unused =
            |variable: &&&'static str| !template.variables().any(|used| used == **variable);
        match required.iter().find(unused) {
            Some(variable) => Err(PromptError::MissingVariable { variable, path: path_buf() }),
            None => Ok(template),
        }
    }

    /// Reads `{{name}}` as a variable; anything else in braces is text.
    pub fn parse(text: &str) -> Self {
        let (mut pieces, mut rest) = (Vec::new(), text.trim());
        while let Some((before, name, after)) = next_variable(rest) {
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Variable(name.to_owned()));
            rest = after;
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Self(pieces)
    }

    /// The wording, with variables as `{{name}}`.
    pub fn text(&self) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => format!("{{{{{name}}}}}"),
        };
        self.0.iter().map(text).collect()
    }

    /// The variables that it uses, in order; one used twice comes twice.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Variable(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// The text with each variable's value; braces in a value stay what they are.
    pub fn fill<'a>(&self, value_of: impl Fn(&str) -> Option<&'a str>) -> String {
        let text = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Variable(name) => value_of(name).unwrap_or_default().trim().to_owned(),
        };
        self.0.iter().map(text).collect()
    }
}

/// The text before the next `{{name}}`, the name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find("{{")?;
        let (name, after) = text[open + 2..].split_once("}}")?;
        let name = name.trim();
        let is_name = |c: char| c.is_ascii_lowercase() || c == '_';
        if !name.is_empty() && name.chars().all(is_name) {
            return Some((&text[..open], name, after));
        }
        from = open + 2;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn any_text_without_variables_is_itself(text in "[a-z{} \n]{0,40}") {
            let template = Template::parse(&text);
            if template.variables().next().is_none() {
                prop_assert_eq!(template.fill(|_| None), text.trim());
            }
        }
    }
}
