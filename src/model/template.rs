//! A prompt with places for values.

use std::path::{Path, PathBuf};

use crate::base::{JsonLimitError, read_file_limited};

/// Largest prompt file read, in bytes.
const PROMPT_BYTES: u64 = 256 << 10;

/// A prompt with places for values: `{{name}}`, of lower-case letters and `_`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template(Vec<TemplatePiece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplatePiece {
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
    /// The folder replaces nothing: its files are called otherwise, or it is another folder than was meant.
    #[error("no file in the folder is called as a prompt is, such as {example}: {}", path.display())]
    NoPrompt {
        /// What a file could be called.
        example: String,
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
        let bytes = read_file_limited(path, PROMPT_BYTES)?;
        let path = path.to_path_buf();
        let Ok(text) = str::from_utf8(&bytes) else { return Err(PromptError::NotText { path }) };
        if text.trim().is_empty() {
            return Err(PromptError::Empty { path });
        }
        let template = Self::parse(text);
        if let Some(unknown) =
            template.variables().find(|name| !required.contains(name) && !optional.contains(name))
        {
            return Err(PromptError::UnknownVariable { variable: unknown.to_owned(), path });
        }
        // A judge that is not shown what it judges answers all the same: better no prompt at all.
        match required.iter().find(|name| !template.variables().any(|used| used == **name)) {
            Some(variable) => Err(PromptError::MissingVariable { variable, path }),
            None => Ok(template),
        }
    }

    /// Reads `{{name}}` as a variable; anything else in braces is text.
    pub fn parse(text: &str) -> Self {
        let (mut pieces, mut rest) = (Vec::new(), text.trim());
        while let Some((before, name, after)) = next_variable(rest) {
            pieces.push(TemplatePiece::Text(before.to_owned()));
            pieces.push(TemplatePiece::Variable(name.to_owned()));
            rest = after;
        }
        pieces.push(TemplatePiece::Text(rest.to_owned()));
        Self(pieces)
    }

    /// The wording, with variables as `{{name}}`.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                TemplatePiece::Text(part) => text += part,
                TemplatePiece::Variable(name) => text.extend(["{{", name, "}}"]),
            }
        }
        text
    }

    /// The variables that it uses, in order; one used twice comes twice.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            TemplatePiece::Variable(name) => Some(name.as_str()),
            TemplatePiece::Text(_) => None,
        })
    }

    /// The text with each variable's value; braces in a value stay what they are.
    pub fn fill<'a>(&self, value_of: impl Fn(&str) -> Option<&'a str>) -> String {
        // Piece by piece, and never in the text that was filled: a value may hold braces itself.
        let mut text = String::new();
        for piece in &self.0 {
            text += match piece {
                TemplatePiece::Text(part) => part.as_str(),
                TemplatePiece::Variable(name) => value_of(name).unwrap_or_default().trim(),
            };
        }
        text
    }
}

/// The text before the next `{{name}}`, the name, and the text after it.
fn next_variable(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let open = from + text[from..].find("{{")?;
        let (name, after) = text[open + 2..].split_once("}}")?;
        let name = name.trim();
        if !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_') {
            return Some((&text[..open], name, after));
        }
        // Braces of something else, such as JSON in the prompt; a variable may stand within them.
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
