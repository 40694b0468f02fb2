//! When texts are alike.

use std::collections::BTreeMap;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// A text, ready to be compared with many.
#[derive(Clone, Debug)]
pub(super) struct ComparedText {
    lower: String,
    /// The characters of `lower`, each once, in order.
    letters: Vec<char>,
    /// Characters without the space around.
    length: usize,
}

impl ComparedText {
    /// The text without the space around.
    pub(super) fn new(characters: &str) -> Self {
        let stripped = stripped(characters);
        let lower = stripped.to_lowercase();
        let mut letters: Vec<char> = lower.chars().collect();
        letters.sort_unstable();
        letters.dedup();
        Self { lower, letters, length: stripped.chars().count() }
    }

    /// 1 for equal texts, whatever the case; else the mean of how alike the lengths are and of how
    /// many of the letters both have. 0 if one is empty.
    ///
    /// Source: kixlab/canvas, `text_position_matcher.py`.
    pub(super) fn likeness(&self, other: &Self) -> f64 {
        if self.length == 0 || other.length == 0 {
            return 0.0;
        }
        if self.lower == other.lower {
            return 1.0;
        }
        let lengths = self.length.min(other.length) as f64 / self.length.max(other.length) as f64;
        let common = common_count(&self.letters, &other.letters);
        let all = self.letters.len() + other.letters.len() - common;
        f64::midpoint(lengths, common as f64 / all as f64)
    }
}

/// How many elements two sorted lists share.
fn common_count(a: &[char], b: &[char]) -> usize {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut common = 0;
    while let (Some(x), Some(y)) = (a.peek(), b.peek()) {
        let order = x.cmp(y);
        common += usize::from(order.is_eq());
        if order.is_le() {
            a.next();
        }
        if order.is_ge() {
            b.next();
        }
    }
    common
}

/// The text without the space around, and with what Python takes for space.
pub(super) fn stripped(characters: &str) -> &str {
    characters.trim_matches(is_space)
}

/// Python's `str.isspace`: white space and the four separators among the control characters.
fn is_space(character: char) -> bool {
    character.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Python's `\w`: letters, numbers and the underscore.
fn is_word(character: char) -> bool {
    let group = || character.general_category_group();
    character == '_'
        || character.is_ascii_alphanumeric()
        || !character.is_ascii()
            && matches!(group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
}

/// Small letters, without what is neither word nor space, with single spaces.
///
/// Source: kixlab/canvas, `text_coverage.py`.
fn normalized(characters: &str) -> String {
    let lower = characters.to_lowercase();
    let kept: String = lower.chars().filter(|c| is_word(*c) || is_space(*c)).collect();
    kept.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Texts with how often each is there.
pub(super) fn frequencies<'a>(texts: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for text in texts.map(normalized).filter(|text| !text.is_empty()) {
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// F1 of what was made: the harmonic mean of the right share of it and the made share of the truth.
/// Where the truth has no text, 1 if nothing was made, else 0.
pub(super) fn coverage_f1(truth: &BTreeMap<String, usize>, made: &BTreeMap<String, usize>) -> f64 {
    if truth.is_empty() {
        return if made.is_empty() { 1.0 } else { 0.0 };
    }
    let right: usize =
        truth.iter().map(|(text, count)| made.get(text).copied().unwrap_or(0).min(*count)).sum();
    let share = |counts: &BTreeMap<String, usize>| match counts.values().sum::<usize>() {
        0 => 0.0,
        all => right as f64 / all as f64,
    };
    let (precision, recall) = (share(made), share(truth));
    let sum = precision + recall;
    if sum > 0.0 { 2.0 * precision * recall / sum } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn likeness(a: &str, b: &str) -> f64 {
        ComparedText::new(a).likeness(&ComparedText::new(b))
    }

    #[test]
    fn texts_are_alike_by_length_and_letters() {
        assert_eq!(likeness(" Next ", "NEXT"), 1.0);
        assert_eq!(likeness("", "a"), 0.0);
        // Lengths 2 of 4; letters {a, b} of {a, b, c}.
        assert_eq!(likeness("ab", "abca"), (0.5 + 2.0 / 3.0) / 2.0);
    }

    #[test]
    fn punctuation_case_and_runs_of_space_do_not_count() {
        let counts =
            frequencies(["Hello,\u{1f} World!", "hello world", "…", "ＡＢ_1 ½"].into_iter());
        assert_eq!(counts.get("hello world"), Some(&2));
        assert_eq!(counts.get("ａｂ_1 ½"), Some(&1));
        assert_eq!(counts.len(), 2);
    }

    #[test]
    fn marks_are_no_letters_as_in_python() {
        assert_eq!(normalized("कि"), "क");
    }

    #[test]
    fn a_truth_without_text_wants_none() {
        let (none, some) = (BTreeMap::new(), frequencies(["a"].into_iter()));
        assert_eq!(coverage_f1(&none, &none), 1.0);
        assert_eq!(coverage_f1(&none, &some), 0.0);
        assert_eq!(coverage_f1(&some, &none), 0.0);
        assert_eq!(coverage_f1(&some, &some), 1.0);
    }
}
