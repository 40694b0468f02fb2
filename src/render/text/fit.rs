//! Letters of a font that stands in for another, made to keep to the lines that the box holds.
//!
//! The box of a text in a file was made for the file's font. Where that is not there, Inter may be
//! wider: a line more then runs over what lies below, and a label out of its button. So the letters
//! are set closer and, where that is not enough, smaller, just so much that the text has no more lines
//! than the box holds, or is no wider than a box that follows it. What fits stays as it is, and so
//! does what would fit only if it could hardly be read.

use crate::base::Size;
use crate::design::{AutoResize, TextStyle};

use super::block::{self, Block};
use super::family::Face;
use super::layout::breaking_width;
use super::spans::Prepared;
use super::typesetter::Typesetter;

/// How much closer letters are set before they become smaller, in ems.
const CLOSEST: f64 = 0.04;
/// How much smaller letters become at most.
const SMALLEST: f64 = 0.7;
/// Steps of the search: to less than a hundredth of what is possible.
const STEPS: u32 = 7;
/// Figma rounds the width of a box that follows its text up.
const WIDTH_TOLERANCE: f64 = 0.5;

/// The text with its replaced fonts set so narrow that it fits; `None` where it does, where nothing
/// is replaced, where the text is cut to its box anyway, or where it cannot be made to fit.
pub(super) fn condensed(
    typesetter: &Typesetter,
    style: &TextStyle,
    prepared: &Prepared,
    size: Size,
) -> Option<Prepared> {
    let is_replaced = prepared.settings.iter().any(|setting| setting.face == Face::Replaced);
    let is_cut = style.truncates || style.auto_resize == AutoResize::Truncate;
    if !is_replaced || is_cut || size.width <= 0.0 || size.height <= 0.0 {
        return None;
    }
    let width = breaking_width(style, size);
    let fits = |prepared: &Prepared| {
        let blocks = block::blocks(typesetter, style, prepared, width);
        if width.is_none() {
            return widest(&blocks) <= size.width + WIDTH_TOLERANCE;
        }
        let lines: usize = blocks.iter().map(|block| block.lines.len()).sum();
        lines <= lines_held(&blocks, size.height).max(blocks.len())
    };
    if fits(prepared) || !fits(&narrowed(prepared, 1.0)) {
        return None;
    }
    // What fits in `most` steps of 128 and not in `least` is halved until they are neighbours.
    let (mut least, mut most) = (0, 1_u32 << STEPS);
    while most - least > 1 {
        let middle = least.midpoint(most);
        if fits(&narrowed(prepared, share(middle))) {
            most = middle;
        } else {
            least = middle;
        }
    }
    Some(narrowed(prepared, share(most)))
}

fn share(step: u32) -> f64 {
    f64::from(step) / f64::from(1_u32 << STEPS)
}

/// The text with its replaced fonts narrower: in the first half of `share` (0..=1) letters come
/// closer, in the second they become smaller.
fn narrowed(prepared: &Prepared, share: f64) -> Prepared {
    let mut narrowed = prepared.clone();
    for setting in &mut narrowed.settings {
        if setting.face == Face::Replaced {
            let style = &mut setting.style;
            style.letter_spacing -= CLOSEST * (2.0 * share).min(1.0) * style.size;
            style.scale = 1.0 - (1.0 - SMALLEST) * (2.0 * share - 1.0).max(0.0);
        }
    }
    narrowed
}

fn widest(blocks: &[Block<'_>]) -> f64 {
    let widths = blocks.iter().filter_map(|block| {
        let set = block.set.as_ref()?;
        Some(block.inset + f64::from(set.width()))
    });
    widths.fold(0.0, f64::max)
}

/// How many lines have their middle within `height`: boxes are rounded, and may end at the letters.
fn lines_held(blocks: &[Block<'_>], height: f64) -> usize {
    let (mut top, mut held) = (0.0, 0);
    for block in blocks {
        top += block.space_above;
        for line in &block.lines {
            held += usize::from(top + line.height() / 2.0 <= height);
            top += line.height();
        }
    }
    held
}
