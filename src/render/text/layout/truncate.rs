//! Texts that end with an ellipsis where they would leave their box or have too many lines.

use crate::base::Size;
use crate::design::{AutoResize, TextStyle};

use super::block::{self, Block, breaking_width};
use super::shaper::Shaper;
use super::spans::Prepared;

/// Heights that differ by no more are the same: Figma rounds the heights of its boxes.
const HEIGHT_TOLERANCE: f64 = 0.5;

/// The longest beginning of the text that fits a box of `size` with an ellipsis after it; `None` if
/// all of it fits, or it is not to be cut. At least one line is kept. `blocks` is the whole text,
/// broken for that box.
pub(crate) fn to_fit(
    shaper: &Shaper,
    style: &TextStyle,
    prepared: &Prepared,
    blocks: &[Block<'_>],
    size: Size,
) -> Option<Prepared> {
    let kept = kept_lines(style, blocks, size)?;
    // Nothing to cut: no ellipsis either.
    if kept >= blocks.iter().map(|block| block.lines.len()).sum() {
        return None;
    }
    let (index, lines) = last_block(blocks, kept)?;
    let block = blocks.get(index)?;
    let set = block.set.as_ref();
    let end_of_last =
        set.and_then(|set| set.get(lines - 1)).map_or(0, |line| line.text_range().end);
    let start = block.paragraph.range.start;
    let ends = ends_around(prepared, block, start + end_of_last);
    let width = breaking_width(style, size);
    // More characters never take fewer lines, so the last end that fits is found by halving: a
    // dozen layouts of one paragraph instead of one for each character.
    let fitting = ends.partition_point(|end| {
        let cut = prepared.with_ellipsis_at(index, *end);
        let block = block::block(shaper, style, &cut, index, width);
        block.is_some_and(|block| block.lines.len() <= lines)
    });
    let end = ends.get(fitting.saturating_sub(1)).copied().unwrap_or(start);
    Some(prepared.with_ellipsis_at(index, end))
}

/// How many lines from the top are shown, at least 1; `None` for all. A text whose box follows it is
/// held by its number of lines alone.
fn kept_lines(style: &TextStyle, blocks: &[Block<'_>], size: Size) -> Option<usize> {
    let most = style.max_lines.filter(|_| truncates(style)).map(|lines| lines as usize);
    let fitting = match style.auto_resize {
        AutoResize::Truncate => Some(fitting_lines(blocks, size.height)),
        AutoResize::None if style.truncates => Some(fitting_lines(blocks, size.height)),
        _ => None,
    };
    let kept = most.into_iter().chain(fitting).min()?;
    Some(kept.max(1))
}

fn truncates(style: &TextStyle) -> bool {
    style.truncates || style.auto_resize == AutoResize::Truncate
}

/// How many lines from the top lie within `height`.
fn fitting_lines(blocks: &[Block<'_>], height: f64) -> usize {
    let heights = blocks.iter().flat_map(|block| {
        // The space between paragraphs belongs to the first line after it.
        let above = std::iter::once(block.space_above).chain(std::iter::repeat(0.0));
        block.lines.iter().zip(above).map(|(line, above)| above + line.height())
    });
    let bottoms = heights.scan(0.0, |bottom, height| {
        *bottom += height;
        Some(*bottom)
    });
    bottoms.take_while(|bottom| *bottom <= height + HEIGHT_TOLERANCE).count()
}

/// The paragraph that holds line `kept` (counted from 1), and how many of its lines are kept.
fn last_block(blocks: &[Block<'_>], kept: usize) -> Option<(usize, usize)> {
    let mut left = kept;
    for (index, block) in blocks.iter().enumerate() {
        if left <= block.lines.len() {
            return Some((index, left));
        }
        left -= block.lines.len();
    }
    None
}

/// Where the text may be cut: between characters of the paragraph, up to the word after `end`, as
/// that may still begin in the last line.
fn ends_around(prepared: &Prepared, block: &Block<'_>, end: usize) -> Vec<usize> {
    let range = &block.paragraph.range;
    let text = prepared.text.get(..range.end).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let last = after.find(char::is_whitespace).map_or(text.len(), |word| end + word);
    let inside = text.get(range.start..).unwrap_or_default();
    // Never between a letter and its marks, nor within an emoji.
    let starts = inside.char_indices().filter(|(_, character)| !joins(*character));
    let ends = starts.map(|(at, _)| range.start + at).chain([text.len()]);
    ends.take_while(|at| *at <= last).collect()
}

/// Whether the character belongs to the one before it.
fn joins(character: char) -> bool {
    matches!(u32::from(character),
        0x0300..=0x036F | 0x200D | 0x20D0..=0x20FF | 0xFE00..=0xFE0F | 0x1F3FB..=0x1F3FF)
}
