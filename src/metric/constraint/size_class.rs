//! Sizes in words.
//!
//! A text's size class is first of all about the other texts: a `huge` one is larger than every
//! `large` one. Where no text of another class is there to be compared with, it is about points
//! ([`TextClass::points`]); the ranges overlap, as people's do, and hold most sizes that four models
//! chose for these words in the published plans. A picture's class is about its share of the page.

use super::heuristic::{PICTURE_SHARES, TEXT_POINTS};

/// The size class of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextClass {
    /// Footnotes and contact details.
    Small,
    /// Subtitles.
    Medium,
    /// Titles.
    Large,
    /// Titles that are seen first.
    Huge,
}

impl TextClass {
    /// The class by its word; `None` for other words.
    pub fn named(word: &str) -> Option<Self> {
        match word.trim().to_lowercase().as_str() {
            "small" => Some(Self::Small),
            "medium" => Some(Self::Medium),
            "large" => Some(Self::Large),
            "huge" | "extra large" | "very large" => Some(Self::Huge),
            _ => None,
        }
    }

    /// The word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Medium => "medium",
            Self::Large => "large",
            Self::Huge => "huge",
        }
    }

    /// The least and the most points.
    pub fn points(self) -> [f64; 2] {
        TEXT_POINTS[self as usize]
    }
}

/// The least and the most share of the page that a picture of this size covers; `None` for words
/// that no rule is for.
pub fn picture_share(words: &str) -> Option<[f64; 2]> {
    let words = words.trim().to_lowercase().replace(['_', '-'], " ");
    PICTURE_SHARES.iter().find(|(known, _)| known.contains(&&*words)).map(|(_, share)| *share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_in_order_and_overlap() {
        let classes = [TextClass::Small, TextClass::Medium, TextClass::Large, TextClass::Huge];
        for pair in classes.windows(2) {
            let [less, more] = [pair[0].points(), pair[1].points()];
            assert!(pair[0] < pair[1] && less[0] < more[0] && less[1] > more[0]);
            assert_eq!(TextClass::named(pair[0].word()), Some(pair[0]));
        }
        assert_eq!(TextClass::named("three as medium and two as small"), None);
        assert_eq!(picture_share("border"), None);
        assert_eq!(picture_share("Full-Background"), Some([0.85, 1.0]));
    }
}
