//! The characters that are set, and which style each has.

use std::ops::Range;

use crate::design::{TextCase, TextContent};

use super::MAX_CHARACTERS;
use super::letter_case;

/// What a tab is set as. Figma has tab stops; this is their usual distance.
const TAB: &str = "    ";

/// Text ready to be shaped.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prepared {
    pub(super) text: String,
    /// Byte ranges with the key of their override, 0 for none; they cover the text in order.
    pub(super) spans: Vec<(Range<usize>, u32)>,
    /// Whether characters were left out at the end.
    pub(super) is_cut: bool,
}

impl Prepared {
    /// The text of `content`, in the letters it is shown in, without control characters.
    pub(super) fn new(content: &TextContent) -> Self {
        let mut prepared = Self { text: String::new(), spans: Vec::new(), is_cut: false };
        let (mut unit, mut before) = (0, None);
        for (count, character) in content.characters.chars().enumerate() {
            if count >= MAX_CHARACTERS {
                prepared.is_cut = true;
                break;
            }
            let key = content.override_ids.get(unit).copied().unwrap_or(0);
            let key = if content.overrides.contains_key(&key) { key } else { 0 };
            let start = prepared.text.len();
            let own = content.overrides.get(&key).and_then(|style| style.case);
            push(character, before, own.unwrap_or(content.style.case), &mut prepared.text);
            prepared.extend_span(start, key);
            unit += character.len_utf16();
            before = Some(character);
        }
        prepared
    }

    /// The first `end` bytes, without the space before `end`, and an ellipsis in the last style.
    pub(super) fn with_ellipsis_at(&self, end: usize) -> Self {
        let kept = self.text.get(..end).unwrap_or(&self.text).trim_end();
        let mut cut = Self { text: kept.to_owned(), spans: Vec::new(), is_cut: self.is_cut };
        let spans = self.spans.iter().take_while(|(range, _)| range.start < kept.len());
        cut.spans =
            spans.map(|(range, key)| (range.start..range.end.min(kept.len()), *key)).collect();
        let key = cut.spans.last().or(self.spans.first()).map_or(0, |(_, key)| *key);
        let start = cut.text.len();
        cut.text.push('…');
        cut.extend_span(start, key);
        cut
    }

    /// Gives what was added from byte `start` on the style `key`.
    fn extend_span(&mut self, start: usize, key: u32) {
        let end = self.text.len();
        match self.spans.last_mut() {
            Some((range, last)) if *last == key => range.end = end,
            _ if end > start => self.spans.push((start..end, key)),
            _ => {}
        }
    }
}

fn push(character: char, before: Option<char>, case: TextCase, to: &mut String) {
    match character {
        '\n' if before == Some('\r') => {}
        '\n' | '\r' => to.push('\n'),
        '\t' => to.push_str(TAB),
        control if control.is_control() => {}
        letter => letter_case::push(case, letter, before, to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::StyleOverride;

    fn styled(characters: &str, ids: &[u32]) -> TextContent {
        let overrides = [(7, StyleOverride::default())].into_iter().collect();
        let override_ids = ids.to_vec();
        TextContent {
            characters: characters.to_owned(),
            override_ids,
            overrides,
            ..TextContent::default()
        }
    }

    fn cased(characters: &str, ids: &[u32], case: TextCase) -> TextContent {
        let mut content = styled(characters, ids);
        content.style.case = case;
        content
    }

    #[test]
    fn overrides_count_utf16_units_and_may_end_early() {
        let prepared = Prepared::new(&styled("a😀bc", &[0, 7, 7, 7]));
        assert_eq!(prepared.spans, [(0..1, 0), (1..6, 7), (6..7, 0)]);
    }

    #[test]
    fn an_override_without_an_entry_is_none() {
        let prepared = Prepared::new(&styled("ab", &[9, 9]));
        assert_eq!(prepared.spans, [(0..2, 0)]);
    }

    #[test]
    fn letters_that_grow_in_capitals_keep_their_style() {
        let prepared = Prepared::new(&cased("aßb", &[0, 7, 0], TextCase::Upper));
        assert_eq!((prepared.text.as_str(), prepared.spans.len()), ("ASSB", 3));
    }

    #[test]
    fn line_ends_of_every_system_are_one_and_control_characters_none() {
        let prepared = Prepared::new(&styled("a\r\nb\rc\u{7}\td", &[]));
        assert_eq!(prepared.text, "a\nb\nc    d");
    }

    #[test]
    fn an_ellipsis_takes_the_place_of_trailing_space() {
        let prepared = Prepared::new(&styled("one two", &[7, 7, 7]));
        let cut = prepared.with_ellipsis_at(4);
        assert_eq!((cut.text.as_str(), cut.spans), ("one…", vec![(0..6, 7)]));
    }

    #[test]
    fn title_case_leaves_the_letter_after_an_apostrophe() {
        let prepared = Prepared::new(&cased("don't stop", &[], TextCase::Title));
        assert_eq!(prepared.text, "Don't Stop");
    }
}
