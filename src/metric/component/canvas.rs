//! The published variant, digit for digit.
//!
//! What happens where, and when texts are alike:
//!
//! - TEXT nodes that say something are paired by text and place, all that can be; nodes of any
//!   other kind, blank texts too, by their boxes, where these overlap by half.
//! - `block_match` is the paired share of the ground truth's nodes; what is there too much costs
//!   nothing.
//! - `position` is the mean over the pairs, 0 without any, and far below 0 for small nodes far away.
//! - `color` is the mean over the pairs of which both have a solid fill, 0 without any; gradients,
//!   pictures, strokes and opacity do not count.
//! - `text` looks at all texts, paired or not.
//! - A TEXT of which the file does not say what it says ends the published evaluator: there is no
//!   score. So does a design without a root frame.
//!
//! Source: kixlab/canvas, `evaluation/metrics/component_similarity`. It rounds to four decimals, and
//! so do the scores of this variant.

use std::collections::BTreeMap;

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::base::CancelToken;
use crate::design::Document;
use crate::metric::MissingScore;

use super::block::{Block, CountedNodes, blocks_of};
use super::pairing::{BothDesigns, Components, Pair, Parts, pair_up};

/// Boxes that overlap less are not of the same node.
const LEAST_OVERLAP: f64 = 0.5;

pub(super) fn compare(
    ground_truth: &Document,
    generated: &Document,
    cancel: &CancelToken,
) -> Result<(Parts, Components), MissingScore> {
    let truth = blocks_of(ground_truth, CountedNodes::Shown)?;
    let made = blocks_of(generated, CountedNodes::Shown)?;
    if truth.iter().chain(&made).any(Block::lacks_characters) {
        let why = "a TEXT node has no characters, at which the published evaluator stops";
        return Err(MissingScore::Undefined(why.to_owned()));
    }
    let sides = BothDesigns { truth: &truth, made: &made };
    let pairs = pairs_of(sides, cancel)?;
    let parts = Parts {
        block_match: share(pairs.len(), truth.len()),
        position: mean(pairs.iter().map(|pair| position(sides, *pair))),
        color: mean(pairs.iter().filter_map(|pair| color(sides, *pair))),
        text: coverage_f1(&frequencies(characters(&truth)), &frequencies(characters(&made))),
    };
    let components =
        sides.components(&pairs, |pair| (position(sides, pair), color(sides, pair)), text_likeness);
    Ok((parts, components))
}

/// Four decimals, ties of the exact value to even, as Python's `round`.
pub(super) fn rounded(score: f64) -> f64 {
    // Formatting is exact; multiplying and dividing would not be.
    format!("{score:.4}").parse().unwrap_or(score)
}

fn pairs_of(sides: BothDesigns<'_>, cancel: &CancelToken) -> Result<Vec<Pair>, MissingScore> {
    let (texts, others) = sides.split(says_something);
    let [truth, made] = [sides.truth, sides.made].map(|blocks| {
        let texts = blocks.iter().map(|block| ComparedText::new(block.characters().unwrap_or("")));
        texts.collect::<Vec<_>>()
    });
    // Every text finds a partner while there is one, however little the two have in common; the
    // published matcher has no threshold here.
    let mut pairs = pair_up(
        &texts,
        |i, j| {
            // In this order, as 1 − (1 − offset) need not be the offset in the last bit.
            let place = 1.0 - sides.truth[i].center_offset(&sides.made[j]);
            0.5 * (1.0 - truth[i].likeness(&made[j])) + 0.5 * (1.0 - place)
        },
        cancel,
    )?;
    // The threshold is applied to the assignment and not to its costs: a box whose best partner was
    // given to another may be left alone though a second one overlapped by half.
    let by_box = pair_up(&others, |i, j| 1.0 - sides.truth[i].overlap(&sides.made[j]), cancel)?;
    pairs.extend(
        by_box.into_iter().filter(|pair| {
            sides.truth[pair.truth].overlap(&sides.made[pair.made]) >= LEAST_OVERLAP
        }),
    );
    Ok(pairs)
}

fn says_something(block: &Block<'_>) -> bool {
    block.characters().is_some_and(|characters| !stripped(characters).is_empty())
}

fn characters<'a>(blocks: &'a [Block<'_>]) -> impl Iterator<Item = &'a str> {
    blocks.iter().filter_map(Block::characters)
}

fn position(sides: BothDesigns<'_>, pair: Pair) -> f64 {
    sides.truth[pair.truth].position_likeness(&sides.made[pair.made])
}

/// 1 − distance over that of black and white, in 8-bit RGB.
fn color(sides: BothDesigns<'_>, pair: Pair) -> Option<f64> {
    let truth = sides.truth[pair.truth].published_color()?;
    let made = sides.made[pair.made].published_color()?;
    // Whole numbers until the root, as the colours were cut to 8 bits.
    let squares: i32 = truth.iter().zip(made).map(|(a, b)| (a - b) * (a - b)).sum();
    Some(1.0 - f64::from(squares).sqrt() / (3.0 * 255.0 * 255.0_f64).sqrt())
}

fn text_likeness(a: &str, b: &str) -> f64 {
    ComparedText::new(a).likeness(&ComparedText::new(b))
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// The mean; 0 of nothing.
pub(super) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
    if count == 0 { 0.0 } else { sum / count as f64 }
}

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
        // Lengths are of the text as written, letters of the lower-case one: lower case can be
        // longer.
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
    // The tables are looked up only where they are needed, as nearly all letters are ASCII.
    if character.is_ascii() {
        return character == '_' || character.is_ascii_alphanumeric();
    }
    let group = character.general_category_group();
    matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number)
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
    // A text that is there twice must be made twice.
    let right: usize =
        truth.iter().map(|(text, count)| made.get(text).copied().unwrap_or(0).min(*count)).sum();
    let [precision, recall] = [made, truth].map(|counts| match counts.values().sum::<usize>() {
        0 => 0.0,
        all => right as f64 / all as f64,
    });
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
        assert_eq!(likeness("ab", "abca"), f64::midpoint(0.5, 2.0 / 3.0));
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
