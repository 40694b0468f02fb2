//! What a step's words say of place, colour, size and work, where they say one thing of it.

use crate::metric::constraint::{ColorName, TextClass, colors_in};

use super::heuristic::{
    ACROSS, ANY_WORDS, ActionEffect, DOWN, FIRST_WORDS, OTHER_COLOR, POINTS, RELATIONS,
};

/// Longest description that is read, in characters.
const LONGEST: usize = 2_000;

/// A step's words, without what it quotes.
#[derive(Clone, Debug, Default)]
pub(super) struct StepWords {
    words: Vec<String>,
    /// What it quotes.
    pub(super) quoted: Vec<String>,
}

/// The part of a page that words name, across and down: 0, 1 or 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Parts {
    pub(super) across: Option<usize>,
    pub(super) down: Option<usize>,
}

impl StepWords {
    pub(super) fn read(description: &str) -> Self {
        let (plain, quoted) = without_quotes(description);
        let words = plain.split(|c: char| !(c.is_alphanumeric() || c == '.'));
        let words = words.map(|word| word.trim_matches('.').to_lowercase());
        Self { words: words.filter(|word| !word.is_empty()).collect(), quoted }
    }

    pub(super) fn has_any(&self, wanted: &[&str]) -> bool {
        self.words.iter().any(|word| wanted.contains(&word.as_str()))
    }

    /// The part of the page it names; nothing where it names it by another thing, or names several.
    pub(super) fn parts(&self) -> Parts {
        if self.has_any(RELATIONS) {
            return Parts::default();
        }
        let named = [&ACROSS, &DOWN].map(|words| words.map(|of_part| self.has_any(of_part)));
        // "centered" alone is often said of one direction, and nobody says of which.
        if named == [[false, true, false]; 2] {
            return Parts { across: Some(1), down: None };
        }
        // "top center" is the top, across the middle: of two that are named in one direction the middle is the
        // other direction's.
        let [across, down] = named.map(|of_direction| match of_direction {
            [true, _, false] => Some(0),
            [false, true, false] => Some(1),
            [false, _, true] => Some(2),
            _ => None,
        });
        Parts { across, down }
    }

    /// The one of `left`, `center` and `right` it names.
    pub(super) fn alignment(&self) -> Option<&'static str> {
        let found = (0..3).filter(|part| self.has_any(ACROSS[*part])).collect::<Vec<_>>();
        match found.as_slice() {
            [one] => ["left", "center", "right"].get(*one).copied(),
            _ => None,
        }
    }

    /// The one colour it names, with its words.
    pub(super) fn color(&self) -> Option<(String, ColorName)> {
        if self.has_any(OTHER_COLOR) {
            return None;
        }
        self.only_color()
    }

    /// The same of a background, whose own word says nothing else.
    pub(super) fn background_color(&self) -> Option<(String, ColorName)> {
        let others: Vec<&str> =
            OTHER_COLOR.iter().copied().filter(|word| *word != "background").collect();
        if self.has_any(&others) { None } else { self.only_color() }
    }

    fn only_color(&self) -> Option<(String, ColorName)> {
        let mut found = colors_in(&self.words);
        if found.len() == 1 { found.pop() } else { None }
    }

    /// The one size of type it says in points.
    pub(super) fn points(&self) -> Option<f64> {
        let mut found = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let joined = POINTS.iter().find_map(|unit| word.strip_suffix(unit)?.parse().ok());
            let number: Option<f64> = joined.or_else(|| {
                let next = self.words.get(at + 1)?;
                POINTS.contains(&next.as_str()).then(|| word.parse().ok())?
            });
            found.extend(number.filter(|it| it.is_finite()));
        }
        if let [one] = found.as_slice() { Some(*one) } else { None }
    }

    /// The one size class it names.
    pub(super) fn class(&self) -> Option<TextClass> {
        let mut found: Vec<TextClass> =
            self.words.iter().filter_map(|word| TextClass::named(word)).collect();
        found.dedup();
        // "extra large" is no large.
        let is_more = self.has_any(&["extra", "very", "largest", "larger", "smaller", "smallest"]);
        if let ([one], false) = (found.as_slice(), is_more) { Some(*one) } else { None }
    }

    /// What it can only mean by its first word, unless other words mean `work` too.
    pub(super) fn other_work(&self, work: ActionEffect) -> Option<(&str, ActionEffect)> {
        let first = self.words.first()?;
        let (word, meant) = FIRST_WORDS.iter().find(|(word, _)| word == first)?;
        let own = ANY_WORDS.iter().find(|(of, _)| *of == work).map_or(&[][..], |(_, words)| words);
        let names_color = work == ActionEffect::Color && !colors_in(&self.words).is_empty();
        let is_other = *meant != work && !self.has_any(own) && !names_color;
        is_other.then_some((*word, *meant))
    }
}

/// The text with what stands in quotation marks taken out, and that. An apostrophe within a word is none.
fn without_quotes(text: &str) -> (String, Vec<String>) {
    let chars: Vec<char> = text.chars().take(LONGEST).collect();
    let (mut plain, mut quoted) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some(c) = chars.get(at).copied() {
        let before = at.checked_sub(1).and_then(|it| chars.get(it));
        let opens = before.is_none_or(|c| !c.is_alphanumeric());
        let end = closing(c).filter(|_| opens).and_then(|close| {
            (at + 1..chars.len()).find(|end| {
                let after = chars.get(end + 1);
                chars.get(*end) == Some(&close) && after.is_none_or(|c| !c.is_alphanumeric())
            })
        });
        if let Some(end) = end {
            quoted.push(chars[at + 1..end].iter().collect());
            plain.push(' ');
            at = end + 1;
        } else {
            plain.push(c);
            at += 1;
        }
    }
    (plain, quoted)
}

fn closing(open: char) -> Option<char> {
    match open {
        '\'' => Some('\''),
        '"' => Some('"'),
        '“' => Some('”'),
        '‘' => Some('’'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_quoted_says_nothing_of_place() {
        let said = StepWords::read("Place the title 'Don't look left' at the top center.");
        assert_eq!(said.quoted, ["Don't look left"]);
        assert_eq!(said.parts(), Parts { across: Some(1), down: Some(0) });
    }

    #[test]
    fn parts_alignments_and_sizes_are_read_where_there_is_one() {
        let parts = |text: &str| {
            let Parts { across, down } = StepWords::read(text).parts();
            (across, down)
        };
        assert_eq!(parts("Move it to the bottom right corner."), (Some(2), Some(2)));
        assert_eq!(parts("Center the moon."), (Some(1), None));
        assert_eq!(parts("Place it below the title at the top."), (None, None));
        assert_eq!(parts("Spread from left to right at the bottom."), (None, Some(2)));
        assert_eq!(StepWords::read("Align the text left.").alignment(), Some("left"));
        assert_eq!(StepWords::read("Align the left text to the center.").alignment(), None);
        assert_eq!(StepWords::read("Set it to 24pt.").points(), Some(24.0));
        assert_eq!(StepWords::read("Set it to 24 points, not 30 points.").points(), None);
        assert_eq!(StepWords::read("Use a large font.").class(), Some(TextClass::Large));
        assert_eq!(StepWords::read("Make it extra large.").class(), None);
        let (words, _) = StepWords::read("Color the title dark blue.").color().unwrap();
        assert_eq!(words, "dark blue");
        assert!(StepWords::read("Color it to match the blue sky.").color().is_none());
        assert_eq!(
            StepWords::read("Rotate the moon.").other_work(ActionEffect::Size),
            Some(("rotate", ActionEffect::Rotate))
        );
        assert_eq!(
            StepWords::read("Import the moon and scale it.").other_work(ActionEffect::Size),
            None
        );
    }

    proptest! {
        #[test]
        fn any_words_can_be_read(text in any::<String>()) {
            let said = StepWords::read(&text);
            said.parts();
            said.color();
            said.points();
            said.other_work(ActionEffect::Size);
        }
    }
}
