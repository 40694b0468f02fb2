//! Whether a text says what it should, names of components and layers as words, and sizes in words.
//!
//! A text's size class is first of all about the other texts: a `huge` one is larger than every
//! `large` one. Where no text of another class is there to be compared with, it is about points
//! ([`TextClass::points`]); the ranges overlap, as people's do, and hold most sizes that four models
//! chose for these words in the published plans. A picture's class is about its share of the page.

use std::cmp::Ordering;

use super::heuristic::{PICTURE_SHARES, TEXT_POINTS};

/// How a text stands to what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wording {
    /// The same words, whatever the spaces, the line ends and the form of quotes and dashes.
    Same,
    /// The same but for the case of letters.
    OtherCase,
    /// So many characters have to be put in, left out or changed.
    Differs(usize),
}

/// Longest text that is compared character by character.
const LONGEST: usize = 4000;

/// How a text stands to what was asked for.
pub fn wording(wanted: &str, found: &str) -> Wording {
    let (wanted, found) = (plain(wanted), plain(found));
    if wanted == found {
        return Wording::Same;
    }
    // Case is not counted among the edits: other capitals are a fault of their own.
    let (wanted, found) = (wanted.to_lowercase(), found.to_lowercase());
    match edits(&wanted, &found) {
        0 => Wording::OtherCase,
        edits => Wording::Differs(edits),
    }
}

impl Wording {
    /// Characters to change; the case counts as none.
    pub fn edits(self) -> usize {
        match self {
            Self::Same | Self::OtherCase => 0,
            Self::Differs(edits) => edits,
        }
    }

    /// For taking the nearest: the same before another case before any change.
    pub(super) fn nearness(self, other: Self) -> Ordering {
        let [this, other] = [self, other].map(|wording| match wording {
            Self::Same => (0, 0),
            Self::OtherCase => (0, 1),
            Self::Differs(edits) => (edits, 0),
        });
        this.cmp(&other)
    }
}

/// Without what typesetting changes: a space for any run of white, straight quotes and hyphens, no
/// backslash before a quote (the published texts have some).
pub(super) fn plain(text: &str) -> String {
    let text = text.replace("\\'", "'").replace("\\\"", "\"");
    let straight = text.chars().map(|c| match c {
        '\u{2018}' | '\u{2019}' | '\u{201B}' | '`' => '\'',
        '\u{201C}' | '\u{201D}' | '\u{201F}' => '"',
        '\u{2010}'..='\u{2015}' => '-',
        other => other,
    });
    let straight: String = straight.collect();
    straight.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The distance of Levenshtein; of texts longer than [`LONGEST`] the difference of their lengths,
/// at least 1.
fn edits(a: &str, b: &str) -> usize {
    if a == b {
        return 0;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    // The table below is as large as the product of both lengths.
    if a.len().max(b.len()) > LONGEST {
        return a.len().abs_diff(b.len()).max(1);
    }
    // Wagner and Fischer, one row at a time; `diagonal` is what this row is about to overwrite.
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

/// The words of a name, singular and in lower case: `BirdLayer2` has `bird` and `layer`,
/// `twinkling_stars` has `twinkling` and `star`. Numbers are left out.
pub fn name_words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        // A capital after a small letter begins a word; capitals in a row stay together.
        let begins = !c.is_alphabetic() || (c.is_uppercase() && before.is_lowercase());
        if begins {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.push(c);
        }
        before = c;
    }
    words.iter().filter(|word| !word.is_empty()).map(|word| singular(word)).collect()
}

/// The word in lower case and without a plural's ending.
pub fn singular(word: &str) -> String {
    let word = word.to_lowercase();
    let long = word.chars().count() > 3;
    let endings = [("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("sses", "ss")];
    for (plural, one) in endings {
        if let Some(stem) = word.strip_suffix(plural).filter(|stem| stem.chars().count() > 1) {
            return format!("{stem}{one}");
        }
    }
    match word.strip_suffix('s') {
        // `glass` and `cactus` are no plurals, and neither is `gas`.
        Some(stem) if long && !stem.ends_with('s') && !stem.ends_with('u') => stem.to_owned(),
        _ => word,
    }
}

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
    use proptest::prelude::*;

    #[test]
    fn typesetting_does_not_change_words_and_anything_else_does() {
        for (wanted, found, expected) in [
            ("The  Alchemist\\'s\nGuide", "The Alchemist\u{2019}s Guide", Wording::Same),
            ("8 - 5", "8 \u{2013} 5", Wording::Same),
            ("Yoga Now", "YOGA NOW", Wording::OtherCase),
            ("Join us!", "Join us", Wording::Differs(1)),
            ("kitten", "sitting", Wording::Differs(3)),
            ("", "abc", Wording::Differs(3)),
        ] {
            assert_eq!(wording(wanted, found), expected, "{wanted} {found}");
        }
    }

    proptest! {
        #[test]
        fn distances_are_symmetric_and_zero_only_for_the_same(a in "[a-c ]{0,12}", b in "[a-c ]{0,12}") {
            prop_assert_eq!(edits(&a, &b), edits(&b, &a));
            prop_assert_eq!(edits(&a, &b) == 0, a == b);
            prop_assert!(edits(&a, &b) <= a.len().max(b.len()));
        }
    }

    #[test]
    fn layers_and_visuals_have_the_same_words() {
        assert_eq!(name_words("TwinklingStarsLayer2"), ["twinkling", "star", "layer"]);
        assert_eq!(name_words("twinkling_stars"), ["twinkling", "star"]);
        assert_eq!(name_words("static/Butterflies.png"), ["static", "butterfly", "png"]);
        assert!(name_words("42 --").is_empty());
    }

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
