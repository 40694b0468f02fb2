//! Which characters are shown as pictures.

use std::ops::Range;

/// Asks for the picture of the character before it.
const AS_PICTURE: char = '\u{FE0F}';
const JOINER: char = '\u{200D}';
const KEYCAP: char = '\u{20E3}';

/// Whether fonts for emoji are asked for it first, where Inter has no glyph of its own.
pub(super) fn is_emoji(character: char) -> bool {
    matches!(u32::from(character),
        0x1F000..=0x1FAFF | 0x231A..=0x231B | 0x23E9..=0x23FA | 0x25FD..=0x25FE | 0x2600..=0x27BF
        | 0x2934..=0x2935 | 0x2B05..=0x2B07 | 0x2B1B..=0x2B1C | 0x2B50 | 0x2B55 | 0x3030 | 0x303D
        | 0x3297 | 0x3299)
}

/// The byte ranges of `text` that ask to be pictures by U+FE0F, with what is joined to them: also
/// characters of which Inter has a letter-like form, such as ❤ or a digit in a keycap.
pub(super) fn asked_for(text: &str) -> Vec<Range<usize>> {
    if !text.contains(AS_PICTURE) {
        return Vec::new();
    }
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let end_of = |index: usize| characters.get(index).map_or(text.len(), |(at, _)| *at);
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (index, _) in characters.iter().enumerate().filter(|(_, (_, c))| *c == AS_PICTURE) {
        let Some(first) = index.checked_sub(1) else { continue };
        let mut after = index + 1;
        while let Some((_, next)) = characters.get(after) {
            match *next {
                KEYCAP | AS_PICTURE | '\u{1F3FB}'..='\u{1F3FF}' => after += 1,
                JOINER => after += 2,
                _ => break,
            }
        }
        let start = end_of(first);
        match ranges.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end_of(after)),
            _ => ranges.push(start..end_of(after)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        asked_for(text).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn characters_are_pictures_only_where_they_ask_for_it() {
        assert_eq!(found("a ❤ b"), Vec::<&str>::new());
        assert_eq!(found("a ❤\u{FE0F} b"), ["❤\u{FE0F}"]);
        assert_eq!(found("1\u{FE0F}\u{20E3}2"), ["1\u{FE0F}\u{20E3}"]);
        assert_eq!(found("\u{FE0F}"), Vec::<&str>::new());
    }

    #[test]
    fn what_is_joined_stays_together() {
        let fire = "❤\u{FE0F}\u{200D}🔥";
        assert_eq!(found(&format!("x{fire}y")), [fire]);
        assert_eq!(found("❤\u{FE0F}\u{200D}"), ["❤\u{FE0F}\u{200D}"]);
    }
}
