//! Which characters are shown as pictures.

use std::ops::Range;

/// Asks for the picture of the character before it.
const AS_PICTURE: char = '\u{FE0F}';
/// Asks for the letter-like form of the character before it.
const AS_TEXT: char = '\u{FE0E}';
const JOINER: char = '\u{200D}';
const KEYCAP: char = '\u{20E3}';

/// Characters that are pictures unless asked otherwise, in order.
///
/// Source: Unicode 16, `emoji-data.txt`, `Emoji_Presentation`; what is not assigned there yet between
/// two blocks of them counts too.
const PICTURES: [(u32, u32); 80] = [
    (0x231A, 0x231B),
    (0x23E9, 0x23EC),
    (0x23F0, 0x23F0),
    (0x23F3, 0x23F3),
    (0x25FD, 0x25FE),
    (0x2614, 0x2615),
    (0x2648, 0x2653),
    (0x267F, 0x267F),
    (0x2693, 0x2693),
    (0x26A1, 0x26A1),
    (0x26AA, 0x26AB),
    (0x26BD, 0x26BE),
    (0x26C4, 0x26C5),
    (0x26CE, 0x26CE),
    (0x26D4, 0x26D4),
    (0x26EA, 0x26EA),
    (0x26F2, 0x26F3),
    (0x26F5, 0x26F5),
    (0x26FA, 0x26FA),
    (0x26FD, 0x26FD),
    (0x2705, 0x2705),
    (0x270A, 0x270B),
    (0x2728, 0x2728),
    (0x274C, 0x274C),
    (0x274E, 0x274E),
    (0x2753, 0x2755),
    (0x2757, 0x2757),
    (0x2795, 0x2797),
    (0x27B0, 0x27B0),
    (0x27BF, 0x27BF),
    (0x2B1B, 0x2B1C),
    (0x2B50, 0x2B50),
    (0x2B55, 0x2B55),
    (0x1F004, 0x1F004),
    (0x1F0CF, 0x1F0CF),
    (0x1F18E, 0x1F18E),
    (0x1F191, 0x1F19A),
    (0x1F1E6, 0x1F1FF),
    (0x1F201, 0x1F201),
    (0x1F21A, 0x1F21A),
    (0x1F22F, 0x1F22F),
    (0x1F232, 0x1F236),
    (0x1F238, 0x1F23A),
    (0x1F250, 0x1F251),
    (0x1F300, 0x1F320),
    (0x1F32D, 0x1F335),
    (0x1F337, 0x1F37C),
    (0x1F37E, 0x1F393),
    (0x1F3A0, 0x1F3CA),
    (0x1F3CF, 0x1F3D3),
    (0x1F3E0, 0x1F3F0),
    (0x1F3F4, 0x1F3F4),
    (0x1F3F8, 0x1F43E),
    (0x1F440, 0x1F440),
    (0x1F442, 0x1F4FC),
    (0x1F4FF, 0x1F53D),
    (0x1F54B, 0x1F54E),
    (0x1F550, 0x1F567),
    (0x1F57A, 0x1F57A),
    (0x1F595, 0x1F596),
    (0x1F5A4, 0x1F5A4),
    (0x1F5FB, 0x1F64F),
    (0x1F680, 0x1F6C5),
    (0x1F6CC, 0x1F6CC),
    (0x1F6D0, 0x1F6D2),
    (0x1F6D5, 0x1F6D7),
    (0x1F6DC, 0x1F6DF),
    (0x1F6EB, 0x1F6EC),
    (0x1F6F4, 0x1F6FC),
    (0x1F7E0, 0x1F7EB),
    (0x1F7F0, 0x1F7F0),
    (0x1F90C, 0x1F93A),
    (0x1F93C, 0x1F945),
    (0x1F947, 0x1F9FF),
    (0x1FA70, 0x1FA7C),
    (0x1FA80, 0x1FA89),
    (0x1FA8F, 0x1FAC6),
    (0x1FACE, 0x1FADC),
    (0x1FADF, 0x1FAE9),
    (0x1FAF0, 0x1FAF8),
];

/// Whether fonts for emoji are asked for it first, where Inter has no glyph of its own.
pub(crate) fn is_picture(character: char) -> bool {
    let code = u32::from(character);
    let after = PICTURES.partition_point(|(first, _)| *first <= code);
    after.checked_sub(1).and_then(|at| PICTURES.get(at)).is_some_and(|(_, last)| code <= *last)
}

/// The byte ranges of `text` that are shown as pictures: what is one unless asked otherwise, and what
/// asks to be one by U+FE0F, by the colour of a skin, or as it is joined to one. Also characters of
/// which Inter has a letter-like form, such as ❤ or a digit in a keycap.
pub(crate) fn pictures(text: &str) -> Vec<Range<usize>> {
    if text.is_ascii() || !text.contains(|c| asks(c) || is_picture(c)) {
        return Vec::new();
    }
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let mut ranges: Vec<Range<usize>> = Vec::new();
    let mut rest = characters.as_slice();
    while let Some((start, _)) = rest.first().copied() {
        let (sequence, after) = rest.split_at(length(rest));
        let end = after.first().map_or(text.len(), |(at, _)| *at);
        if is_shown_as_picture(sequence) {
            match ranges.last_mut() {
                // Two letters of a flag are one picture.
                Some(last) if last.end == start => last.end = end,
                _ => ranges.push(start..end),
            }
        }
        rest = after;
    }
    ranges
}

fn asks(character: char) -> bool {
    character == AS_PICTURE || is_skin(character)
}

fn is_skin(character: char) -> bool {
    matches!(character, '\u{1F3FB}'..='\u{1F3FF}')
}

/// How many characters from the first on belong together, at least 1.
fn length(characters: &[(usize, char)]) -> usize {
    let mut length = 1;
    while let Some((_, next)) = characters.get(length) {
        match *next {
            KEYCAP | AS_PICTURE | AS_TEXT => length += 1,
            skin if is_skin(skin) => length += 1,
            // With what it joins, whatever that is.
            JOINER => length += 2,
            _ => break,
        }
    }
    length.min(characters.len())
}

fn is_shown_as_picture(sequence: &[(usize, char)]) -> bool {
    let Some(((_, first), others)) = sequence.split_first() else { return false };
    let is_asked = others.iter().any(|(_, c)| asks(*c));
    // Only right after the first: further on it is about what is joined to it.
    let is_letter_like = others.first().is_some_and(|(_, c)| *c == AS_TEXT);
    let has_picture = sequence.iter().any(|(_, c)| is_picture(*c)) && !is_letter_like;
    // Signs without a character before them ask for nothing, and are no picture themselves.
    let can_be_one = !matches!(*first, AS_PICTURE | AS_TEXT | JOINER | KEYCAP);
    can_be_one && (is_asked || has_picture)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        pictures(text).into_iter().map(|range| &text[range]).collect()
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
        let couple = "👩\u{200D}❤\u{FE0F}\u{200D}👩";
        assert_eq!(found(&format!("{couple} {couple}")), [couple, couple]);
    }

    #[test]
    fn a_skin_makes_a_picture_of_what_is_else_letter_like() {
        assert_eq!(found("☝ ☝🏽 👍🏽"), ["☝🏽", "👍🏽"]);
    }

    #[test]
    fn pictures_are_found_and_the_letters_of_a_flag_together() {
        assert_eq!(found("a😀b🇩🇪🇫🇷c"), ["😀", "🇩🇪🇫🇷"]);
        assert_eq!(found("😀\u{FE0E}"), Vec::<&str>::new());
    }

    #[test]
    fn joiners_of_scripts_ask_for_nothing() {
        assert_eq!(found("क\u{94D}\u{200D}ष ن\u{200D}"), Vec::<&str>::new());
    }

    #[test]
    fn symbols_are_letters_unless_unicode_says_pictures() {
        assert!("😀🚀⌚⭐🇩🫠".chars().all(is_picture));
        assert!(!"☺☀✔🅰™1a漢".chars().any(is_picture));
        assert!(PICTURES.is_sorted() && PICTURES.iter().all(|(first, last)| first <= last));
    }
}
