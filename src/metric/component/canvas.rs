//! The published variant, digit for digit.
//!
//! What happens where:
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

use crate::base::CancelToken;
use crate::design::Document;

use super::block::{Block, Counted, blocks_of};
use super::pairing::{Pair, Sides, pair_up};
use super::text::{ComparedText, coverage_f1, frequencies, stripped};
use super::{Components, Parts};
use crate::metric::MissingScore;

/// Boxes that overlap less are not of the same node.
const LEAST_OVERLAP: f64 = 0.5;

pub(super) fn compare(
    ground_truth: &Document,
    generated: &Document,
    cancel: &CancelToken,
) -> Result<(Parts, Components), MissingScore> {
    let truth = blocks_of(ground_truth, Counted::Shown)?;
    let made = blocks_of(generated, Counted::Shown)?;
    if truth.iter().chain(&made).any(Block::lacks_characters) {
        let why = "a TEXT node has no characters, at which the published evaluator stops";
        return Err(MissingScore::Undefined(why.to_owned()));
    }
    let sides = Sides { truth: &truth, made: &made };
    let pairs = pairs_of(sides, cancel)?;
    let parts = Parts {
        block_match: share(pairs.len(), truth.len()),
        position: mean(pairs.iter().map(|pair| position(sides, *pair))),
        color: mean(pairs.iter().filter_map(|pair| color(sides, *pair))),
        text: coverage_f1(&frequencies(characters(&truth)), &frequencies(characters(&made))),
    };
    let likenesses = |pair| (position(sides, pair), color(sides, pair));
    Ok((parts, sides.components(&pairs, likenesses, text_likeness)))
}

/// Four decimals, ties of the exact value to even, as Python's `round`.
pub(super) fn rounded(score: f64) -> f64 {
    // Formatting is exact; multiplying and dividing would not be.
    format!("{score:.4}").parse().unwrap_or(score)
}

fn pairs_of(sides: Sides<'_>, cancel: &CancelToken) -> Result<Vec<Pair>, MissingScore> {
    let is_text = |block: &Block<'_>| says_something(block);
    let (texts, others) = sides.split(is_text);
    let compared = |blocks: &[Block<'_>]| -> Vec<ComparedText> {
        blocks.iter().map(|block| ComparedText::new(block.characters().unwrap_or(""))).collect()
    };
    let (truth, made) = (compared(sides.truth), compared(sides.made));
    let text_cost = |i: usize, j: usize| {
        let place = 1.0 - sides.truth[i].center_offset(&sides.made[j]);
        0.5 * (1.0 - truth[i].likeness(&made[j])) + 0.5 * (1.0 - place)
    };
    let box_cost = |i: usize, j: usize| 1.0 - sides.truth[i].overlap(&sides.made[j]);
    let mut pairs = pair_up(&texts, text_cost, cancel)?;
    let by_box = pair_up(&others, box_cost, cancel)?;
    let overlaps = |pair: &Pair| sides.truth[pair.truth].overlap(&sides.made[pair.made]);
    pairs.extend(by_box.into_iter().filter(|pair| overlaps(pair) >= LEAST_OVERLAP));
    Ok(pairs)
}

fn says_something(block: &Block<'_>) -> bool {
    block.characters().is_some_and(|characters| !stripped(characters).is_empty())
}

fn characters<'a>(blocks: &'a [Block<'_>]) -> impl Iterator<Item = &'a str> {
    blocks.iter().filter_map(Block::characters)
}

fn position(sides: Sides<'_>, pair: Pair) -> f64 {
    sides.truth[pair.truth].position_likeness(&sides.made[pair.made])
}

/// 1 − distance over that of black and white, in 8-bit RGB.
fn color(sides: Sides<'_>, pair: Pair) -> Option<f64> {
    let truth = sides.truth[pair.truth].published_color()?;
    let made = sides.made[pair.made].published_color()?;
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
