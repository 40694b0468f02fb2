//! Figma's `textCase`: how letters are shown, whatever the characters say.

use crate::design::TextCase;

/// Adds `character` as it is shown after `before`.
pub(super) fn push(case: TextCase, character: char, before: Option<char>, to: &mut String) {
    let begins_word =
        !before.is_some_and(|before| before.is_alphanumeric() || before == '\'' || before == '’');
    match case {
        TextCase::Upper => to.extend(character.to_uppercase()),
        TextCase::Lower => to.extend(character.to_lowercase()),
        TextCase::Title if begins_word => to.extend(character.to_uppercase()),
        _ => to.push(character),
    }
}

/// Whether the letter is shown as a small capital.
pub(super) fn is_small_capital(case: TextCase, letter: char) -> bool {
    match case {
        TextCase::SmallCaps => letter.is_lowercase(),
        TextCase::SmallCapsForced => letter.is_alphabetic(),
        _ => false,
    }
}
