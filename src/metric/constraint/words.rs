//! Whether a text says what it should.

use std::cmp::Ordering;

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
        let rank = |wording| match wording {
            Self::Same => (0, 0),
            Self::OtherCase => (0, 1),
            Self::Differs(edits) => (edits, 0),
        };
        rank(self).cmp(&rank(other))
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
    if a.len().max(b.len()) > LONGEST {
        return a.len().abs_diff(b.len()).max(1);
    }
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
}
