//! What the published yes/no questions ask about, so that they can be set beside our checks.
//!
//! Of the 9,228 questions about the published test set, 44 % ask whether something is there, 39 % for a
//! colour, 38 % for a position and 30 % for a size, many for several at once (one in ten for colour,
//! size and position together); 1,127 are about the background and 4,850 quote a text. So every one
//! falls to one of our checks by its wording. None asks whether something lies on the page or can be
//! read. A vision model answers a question as a whole, while a check answers each part of it with the
//! node and the numbers.

use super::finding::Aspect;

/// What a question asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Asks {
    /// Which of our checks answer parts of it, each once, in the order of [`Aspect::ALL`].
    pub aspects: Vec<Aspect>,
    /// Whether it is about the background.
    pub background: bool,
    /// Whether it quotes a text.
    pub quotes: bool,
}

/// Words of colour that the questions use beside the names of colours.
const COLOR: [&str; 4] = ["color", "colour", "colored", "background"];
/// Words of size.
const SIZE: [&str; 9] =
    ["huge", "large", "medium", "small", "sized", "size", "tiny", "big", "full"];
/// Words of position.
const POSITION: [&str; 24] = [
    "top",
    "bottom",
    "left",
    "right",
    "center",
    "centered",
    "middle",
    "below",
    "above",
    "under",
    "around",
    "surrounding",
    "behind",
    "inside",
    "scattered",
    "spread",
    "corner",
    "corners",
    "edges",
    "upper",
    "lower",
    "half",
    "between",
    "beside",
];

/// What a question asks, by its words: quoted texts are taken out first, so that a title that is
/// `Below the top` is no position.
pub fn asks(question: &str) -> Asks {
    // Before anything is looked for: a quoted title may hold any word.
    let (plain, quotes) = without_quotes(question);
    let words: Vec<String> = plain
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_color = words.iter().any(|word| super::color_name::is_color_word(word));
    let mut aspects = Vec::new();
    let begins = words.first().map(String::as_str).unwrap_or_default();
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    let is_there = matches!((begins, second), ("is" | "are" | "does" | "do", "there"));
    let tells = [
        (Aspect::Color, is_color || words.iter().any(|word| COLOR.contains(&word.as_str()))),
        (Aspect::Size, words.iter().any(|word| SIZE.contains(&word.as_str()))),
        (Aspect::Position, words.iter().any(|word| POSITION.contains(&word.as_str()))),
    ];
    // "Is there a red title?" asks for both; what asks for nothing else asks whether it is there.
    if is_there || !tells.iter().any(|(_, told)| *told) {
        aspects.push(Aspect::Present);
    }
    aspects.extend(tells.into_iter().filter(|(_, told)| *told).map(|(aspect, _)| aspect));
    Asks { aspects, background: words.iter().any(|word| word == "background"), quotes }
}

/// The question without what stands in single quotes; an apostrophe inside a word is none.
fn without_quotes(question: &str) -> (String, bool) {
    let chars: Vec<char> = question.chars().collect();
    let mut plain = String::new();
    let (mut inside, mut quotes) = (false, false);
    for (at, c) in chars.iter().enumerate() {
        // Between two letters it is an apostrophe; beside a space or a comma it opens or closes.
        let before = at.checked_sub(1).and_then(|at| chars.get(at));
        let [before, after] =
            [before, chars.get(at + 1)].map(|c| c.is_some_and(|c| c.is_alphanumeric()));
        match c {
            '\'' if !(before && after) => {
                inside = !inside;
                quotes = true;
            }
            _ if inside => {}
            c => plain.push(*c),
        }
    }
    (plain, quotes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_told_apart_by_their_words() {
        use Aspect::{Color, Position, Present, Size};
        for (question, aspects) in [
            ("Is there a text 'Moonlit Top'?", vec![Present]),
            ("Is the background a deep purple night sky?", vec![Color]),
            ("Is the text 'J.K.' at the bottom center in white?", vec![Color, Position]),
            ("Is there a large wave icon at the bottom center?", vec![Present, Size, Position]),
            ("Is the illustration of the chef's hat large?", vec![Size]),
            ("Does it look nice?", vec![Present]),
        ] {
            assert_eq!(asks(question).aspects, aspects, "{question}");
        }
        assert!(asks("Is the background red?").background);
        assert!(asks("Is there a text 'A'?").quotes && !asks("Is it the chef's?").quotes);
    }
}
