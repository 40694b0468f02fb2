//! Figma's `textCase`: how letters are shown, whatever the characters say.

use serde_json::Value;

use crate::design::Node;

/// How letters are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LetterCase {
    /// As they are.
    Original,
    /// Capitals.
    Upper,
    /// Small letters.
    Lower,
    /// The first letter of each word a capital.
    Title,
}

impl LetterCase {
    /// The case of a node's text, and Figma's name of it if it is none of these.
    pub(super) fn of(node: &Node) -> (Self, Option<&str>) {
        let style = node.source.get("style").and_then(|style| style.get("textCase"));
        match style.or(node.source.get("textCase")).and_then(Value::as_str) {
            Some("UPPER") => (Self::Upper, None),
            Some("LOWER") => (Self::Lower, None),
            Some("TITLE") => (Self::Title, None),
            None | Some("ORIGINAL") => (Self::Original, None),
            Some(other) => (Self::Original, Some(other)),
        }
    }

    /// Adds `character` as it is shown after `before`.
    pub(super) fn push(self, character: char, before: Option<char>, to: &mut String) {
        let begins_word = !before
            .is_some_and(|before| before.is_alphanumeric() || before == '\'' || before == '’');
        match self {
            Self::Upper => to.extend(character.to_uppercase()),
            Self::Lower => to.extend(character.to_lowercase()),
            Self::Title if begins_word => to.extend(character.to_uppercase()),
            Self::Original | Self::Title => to.push(character),
        }
    }
}
