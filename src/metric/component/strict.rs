//! Our variant: what should not be there costs, and so does what should be hidden.
//!
//! - All nodes with a box count, hidden ones too, and a hidden node stands for a hidden one only. A
//!   line counts as one pixel thick.
//! - Nodes are paired by all that is compared: texts by edit similarity and place (0.45 each) and
//!   colour (0.1), a pair being at least half alike; others by overlap (0.8), colour and type (0.1
//!   each), a pair overlapping by half. So a design is exactly like itself even where nodes lie on
//!   top of each other.
//! - `block_match`: pairs twice over the nodes of both sides.
//! - `position`: as published but at least 0 for each pair; 0 without pairs.
//! - `color`: of the topmost visible solid fill, 1 − ΔE/100 ([`ciede2000`]), times how alike the
//!   opacities are; 0 where only one side has one. Pairs without colours do not count; without any
//!   pair it is 0, where no pair has a colour 1.
//! - `text`: the edit similarities of the paired texts, twice, over the texts of both sides; 1
//!   where neither has any.
//!
//! All parts are within 0..=1 and symmetric, but that the cheapest pairs may not be unique. Edit
//! similarity is 1 − Levenshtein distance over the longer length, in characters, case and all.

use rapidfuzz::distance::levenshtein::{self, BatchComparator};

use crate::base::{CancelToken, Rgba};
use crate::design::Document;

use super::block::{Block, CountedNodes, blocks_of};
use super::canvas::{mean, stripped};
use super::pairing::{BothDesigns, Candidates, Components, Pair, Parts, pair_up};
use crate::metric::MissingScore;
use crate::metric::{Lab, ciede2000};

/// Nodes less alike than this do not stand for each other.
const LEAST_LIKENESS: f64 = 0.5;

/// Texts longer than this are compared by their beginning.
const MOST_CHARACTERS: usize = 2_000;

pub(super) fn compare(
    ground_truth: &Document,
    generated: &Document,
    cancel: &CancelToken,
) -> Result<(Parts, Components), MissingScore> {
    let truth = blocks_of(ground_truth, CountedNodes::All)?;
    let made = blocks_of(generated, CountedNodes::All)?;
    let sides = BothDesigns { truth: &truth, made: &made };
    let (texts, others) = sides.split(|block| text_of(block).is_some());
    let mut pairs = text_pairs(sides, &texts, cancel)?;
    // Before the boxes join the list: only pairs of texts count here.
    let text = text_part(sides, &texts, &pairs);
    pairs.extend(box_pairs(sides, &others, cancel)?);
    let parts = Parts {
        block_match: shared(pairs.len() as f64, truth.len(), made.len()),
        position: mean(pairs.iter().map(|pair| position(sides, *pair))),
        color: color_part(sides, &pairs),
        text,
    };
    let components = sides.components(
        &pairs,
        |pair| (position(sides, pair), color(sides, pair)),
        edit_similarity,
    );
    Ok((parts, components))
}

fn text_pairs(
    sides: BothDesigns<'_>,
    texts: &Candidates,
    cancel: &CancelToken,
) -> Result<Vec<Pair>, MissingScore> {
    let made: Vec<Vec<char>> = sides.made.iter().map(letters_of).collect();
    // Each text of the truth is compared with all that were made: it is prepared once.
    let truth: Vec<_> =
        sides.truth.iter().map(|block| BatchComparator::new(letters_of(block))).collect();
    let colors = Colors::of(sides);
    let mut pairs = pair_up(
        texts,
        |i, j| {
            if sides.truth[i].is_hidden != sides.made[j].is_hidden {
                return 1.0;
            }
            let text = truth[i].normalized_similarity(made[j].iter().copied());
            let place = (1.0 - sides.truth[i].center_offset(&sides.made[j])).max(0.0);
            1.0 - (0.45 * text + 0.45 * place + 0.1 * colors.likeness(i, j).unwrap_or(1.0))
        },
        cancel,
    )?;
    pairs.retain(|pair| pair.likeness >= LEAST_LIKENESS);
    Ok(pairs)
}

fn box_pairs(
    sides: BothDesigns<'_>,
    others: &Candidates,
    cancel: &CancelToken,
) -> Result<Vec<Pair>, MissingScore> {
    let colors = Colors::of(sides);
    let mut pairs = pair_up(
        others,
        |i, j| {
            let (a, b) = (&sides.truth[i], &sides.made[j]);
            // Equal boxes may overlap by a last bit more than 1.
            let overlap = a.overlap(b).min(1.0);
            if a.is_hidden != b.is_hidden || overlap < LEAST_LIKENESS {
                return 1.0;
            }
            let is_same_type = a.node.kind.type_name() == b.node.kind.type_name();
            let color = colors.likeness(i, j).unwrap_or(1.0);
            1.0 - (0.8 * overlap + 0.1 * color + 0.1 * f64::from(u8::from(is_same_type)))
        },
        cancel,
    )?;
    // What overlaps by half is at least 0.4 alike, what does not is not alike at all.
    pairs.retain(|pair| pair.likeness > 0.0);
    Ok(pairs)
}

fn letters_of(block: &Block<'_>) -> Vec<char> {
    letters(text_of(block).unwrap_or(""))
}

fn text_of<'a>(block: &Block<'a>) -> Option<&'a str> {
    block.characters().map(stripped).filter(|text| !text.is_empty())
}

fn letters(text: &str) -> Vec<char> {
    text.chars().take(MOST_CHARACTERS).collect()
}

fn edit_similarity(a: &str, b: &str) -> f64 {
    levenshtein::normalized_similarity(letters(stripped(a)), letters(stripped(b)))
}

fn text_part(sides: BothDesigns<'_>, texts: &Candidates, pairs: &[Pair]) -> f64 {
    let similarities = pairs.iter().map(|pair| {
        let (a, b) = (&sides.truth[pair.truth], &sides.made[pair.made]);
        edit_similarity(text_of(a).unwrap_or(""), text_of(b).unwrap_or(""))
    });
    shared(similarities.sum(), texts.truth.len(), texts.made.len())
}

/// Twice what both have, over what they have together; 1 if neither has anything.
fn shared(common: f64, truth: usize, made: usize) -> f64 {
    let all = truth + made;
    if all == 0 { 1.0 } else { 2.0 * common / all as f64 }
}

fn position(sides: BothDesigns<'_>, pair: Pair) -> f64 {
    sides.truth[pair.truth].position_likeness(&sides.made[pair.made]).max(0.0)
}

fn color(sides: BothDesigns<'_>, pair: Pair) -> Option<f64> {
    let (truth, made) = (&sides.truth[pair.truth], &sides.made[pair.made]);
    color_likeness(seen_color(truth), seen_color(made))
}

fn color_part(sides: BothDesigns<'_>, pairs: &[Pair]) -> f64 {
    let colors: Vec<f64> = pairs.iter().filter_map(|pair| color(sides, *pair)).collect();
    // Designs whose nodes agree in having no colour are not unlike in colour.
    if colors.is_empty() && !pairs.is_empty() { 1.0 } else { mean(colors.into_iter()) }
}

/// A colour as it is seen, with its opacity.
type SeenColor = (Lab, f64);

/// The colours of the nodes of both sides.
struct Colors {
    truth: Vec<Option<SeenColor>>,
    made: Vec<Option<SeenColor>>,
}

impl Colors {
    fn of(sides: BothDesigns<'_>) -> Self {
        Self {
            truth: sides.truth.iter().map(seen_color).collect(),
            made: sides.made.iter().map(seen_color).collect(),
        }
    }

    fn likeness(&self, i: usize, j: usize) -> Option<f64> {
        color_likeness(self.truth[i], self.made[j])
    }
}

fn seen_color(block: &Block<'_>) -> Option<SeenColor> {
    let Rgba { r, g, b, a } = block.top_color()?;
    Some((Lab::from_srgb([r, g, b]), a))
}

/// How alike two colours are; `None` if neither is there.
fn color_likeness(a: Option<SeenColor>, b: Option<SeenColor>) -> Option<f64> {
    match (a, b) {
        (None, None) => None,
        (Some((a, a_opacity)), Some((b, b_opacity))) => {
            let difference = if a == b { 0.0 } else { ciede2000(a, b) / 100.0 };
            Some((1.0 - difference).max(0.0) * (1.0 - (a_opacity - b_opacity).abs()))
        }
        _ => Some(0.0),
    }
}
