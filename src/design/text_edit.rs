//! Other words in a text, with the styles of its letters and what its lines are kept right.

use std::ops::Range;

use super::text::{LineType, TextContent};

/// Why words cannot be put there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextEditError {
    /// The range ends before it begins, or behind the text.
    #[error("there are no characters {from} to {to} in a text of {length}")]
    OutOfRange {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
        /// How many characters the text has.
        length: usize,
    },
}

impl TextContent {
    /// Puts other words in place of a range of characters. What stands around it keeps its styles; what is put in has
    /// that of the first character that goes, or of the one before, and at the beginning of the one behind. Its lines
    /// are in the list that the line is in which it begins.
    ///
    /// # Errors
    ///
    /// Of a range that is not in the text.
    pub fn replace(&mut self, range: Range<usize>, words: &str) -> Result<(), TextEditError> {
        let length = self.characters.chars().count();
        let Range { start, end } = range;
        if start > end || end > length {
            return Err(TextEditError::OutOfRange { from: start, to: end, length });
        }
        let [from, to] = [start, end].map(|at| byte_at(&self.characters, at));
        let (before, rest) = self.characters.split_at(from);
        let (taken, behind) = rest.split_at(to - from);
        // Before the words: styles are counted in units of the text as it was.
        self.override_ids = self.moved_overrides(before, taken, words);
        (self.line_types, self.line_indents) = self.moved_lines(before, taken, words);
        self.characters = [before, words, behind].concat();
        Ok(())
    }

    /// Makes it say something else; what is the same at the beginning and at the end keeps its styles.
    pub fn rewrite(&mut self, words: &str) {
        let (old, new) = (&self.characters, words);
        let same_start = old.chars().zip(new.chars()).take_while(|(a, b)| a == b).count();
        let (old_count, new_count) = (old.chars().count(), new.chars().count());
        let most = old_count.min(new_count) - same_start;
        let ends = old.chars().rev().zip(new.chars().rev()).take(most);
        let same_end = ends.take_while(|(a, b)| a == b).count();
        let put_in: String =
            new.chars().skip(same_start).take(new_count - same_start - same_end).collect();
        // The range is within the text by how it was counted.
        self.replace(same_start..old_count - same_end, &put_in).ok();
    }

    /// The override of each UTF-16 unit, after other words were put in.
    fn moved_overrides(&self, before: &str, taken: &str, words: &str) -> Vec<u32> {
        let [before, taken, put_in] = [before, taken, words].map(utf16_len);
        if self.override_ids.is_empty() {
            return Vec::new();
        }
        let like = if taken > 0 || before == 0 { before } else { before - 1 };
        let style = self.override_ids.get(like).copied().unwrap_or(0);
        let ids = self.override_ids.iter().copied();
        // Where the list ends, none has a style of its own.
        let start = ids.clone().chain(std::iter::repeat(0)).take(before);
        let rest = ids.skip(before + taken);
        let mut moved: Vec<u32> =
            start.chain(std::iter::repeat_n(style, put_in)).chain(rest).collect();
        while moved.last() == Some(&0) {
            moved.pop();
        }
        moved
    }

    fn moved_lines(&self, before: &str, taken: &str, words: &str) -> (Vec<LineType>, Vec<u32>) {
        let [first, gone, new] = [before, taken, words].map(breaks);
        let kinds = moved(&self.line_types, first, gone, new);
        (kinds, moved(&self.line_indents, first, gone, new))
    }
}

/// What belongs to lines, after `gone` breaks in the line `first` gave way to `new` ones.
fn moved<T: Copy + Default + PartialEq>(
    list: &[T],
    first: usize,
    gone: usize,
    new: usize,
) -> Vec<T> {
    if list.is_empty() {
        return Vec::new();
    }
    let of = list.get(first).copied().unwrap_or_default();
    let start = list.iter().copied().chain(std::iter::repeat(T::default())).take(first);
    let rest = list.iter().copied().skip(first + gone + 1);
    let mut moved: Vec<T> = start.chain(std::iter::repeat_n(of, new + 1)).chain(rest).collect();
    // As in files, where a list ends with the last line that differs.
    while moved.last() == Some(&T::default()) {
        moved.pop();
    }
    moved
}

fn breaks(words: &str) -> usize {
    words.matches(['\n', '\u{2028}']).count()
}

/// How many UTF-16 units characters take.
pub(super) fn utf16_len(words: &str) -> usize {
    words.chars().map(char::len_utf16).sum()
}

/// Where a character begins, in bytes; the end of the text behind its last.
pub(super) fn byte_at(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LETTERS: &[char] = &['a', 'b', 'é', '😀', '\n', '\u{2028}'];

    fn words() -> impl Strategy<Value = String> {
        prop::collection::vec(prop::sample::select(LETTERS), 0..9)
            .prop_map(|letters| letters.into_iter().collect())
    }

    fn text() -> impl Strategy<Value = TextContent> {
        (words(), prop::collection::vec(0..3_u32, 12), prop::collection::vec(0..3_u32, 12))
            .prop_map(|(characters, ids, indents)| {
                // One style a character: the two units of a pair have the same.
                let each = characters.chars().zip(&ids);
                let override_ids =
                    each.flat_map(|(c, id)| std::iter::repeat_n(*id, c.len_utf16())).collect();
                let lines = breaks(&characters) + 1;
                let line_indents = indents.into_iter().take(lines).collect();
                TextContent { characters, override_ids, line_indents, ..TextContent::default() }
            })
    }

    /// Each character with its style.
    fn styled(text: &TextContent) -> Vec<(char, u32)> {
        let mut unit = 0;
        let characters = text.characters.chars().map(|c| {
            let id = text.override_ids.get(unit).copied().unwrap_or(0);
            unit += c.len_utf16();
            (c, id)
        });
        characters.collect()
    }

    /// Each line with its indent.
    fn lined(text: &TextContent) -> Vec<(String, u32)> {
        let lines = text.characters.split(['\n', '\u{2028}']).enumerate();
        lines
            .map(|(at, line)| (line.to_owned(), text.line_indents.get(at).copied().unwrap_or(0)))
            .collect()
    }

    proptest! {
        /// By moving each character with its style.
        #[test]
        fn styles_move_with_their_characters(
            text in text(), words in words(), a in 0..12_usize, b in 0..12_usize,
        ) {
            let count = text.characters.chars().count();
            let (a, b) = (a.min(count), b.min(count));
            let range = a.min(b)..a.max(b);
            let mut slow = styled(&text);
            let like = if range.is_empty() && range.start > 0 { range.start - 1 } else { range.start };
            let style = slow.get(like).map_or(0, |(_, id)| *id);
            slow.splice(range.clone(), words.chars().map(|c| (c, style)));
            let mut changed = text.clone();
            changed.replace(range.clone(), &words).unwrap();
            prop_assert_eq!(styled(&changed), slow);
            // Lines before and behind those that were touched are what they were.
            let first = text.characters.chars().take(range.start).filter(|c| breaks(&c.to_string()) > 0);
            let first = first.count();
            let (was, is) = (lined(&text), lined(&changed));
            prop_assert_eq!(&was[..first], &is[..first]);
            let gone = text.characters.chars().skip(range.start).take(range.len());
            let gone = breaks(&gone.collect::<String>());
            let behind: Vec<_> = was[first + gone + 1..].iter().map(|(_, indent)| indent).collect();
            let now: Vec<_> =
                is[first + breaks(&words) + 1..].iter().map(|(_, indent)| indent).collect();
            prop_assert_eq!(behind, now);
        }

        #[test]
        fn rewriting_says_it_and_keeps_what_is_the_same(text in text(), words in words()) {
            let mut changed = text.clone();
            changed.rewrite(&words);
            prop_assert_eq!(&changed.characters, &words);
            let (was, is) = (styled(&text), styled(&changed));
            let same = was.iter().zip(&is).take_while(|(a, b)| a.0 == b.0).count();
            prop_assert_eq!(&was[..same], &is[..same]);
            changed.rewrite(&words);
            prop_assert_eq!(styled(&changed), is, "nothing is nothing");
        }
    }

    #[test]
    fn a_range_that_is_not_there_is_refused_and_changes_nothing() {
        let mut text = TextContent { characters: "ab".to_owned(), ..TextContent::default() };
        let before = text.clone();
        for range in [1..3, 3..3, Range { start: 2, end: 1 }] {
            assert!(text.replace(range, "x").is_err());
        }
        assert_eq!(text, before);
    }
}
