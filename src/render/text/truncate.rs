//! Texts that end with an ellipsis where they would leave their box.

use parley::Layout;

use crate::base::Size;
use crate::design::TextContent;

use super::layout::{break_lines, breaking_width};
use super::spans::Prepared;

/// Heights that differ by no more are the same: Figma rounds the heights of its boxes.
const HEIGHT_TOLERANCE: f32 = 0.5;

/// The longest beginning of the text that fits a box of `size` with an ellipsis after it; `None` if
/// all of it fits. At least one line is kept.
pub(super) fn to_fit(content: &TextContent, prepared: &Prepared, size: Size) -> Option<Prepared> {
    let width = breaking_width(&content.style, size);
    let whole = break_lines(content, prepared, width);
    let lines = fitting_lines(&whole, size.height as f32);
    if lines >= whole.len() {
        return None;
    }
    let end_of_last = whole.get(lines - 1)?.text_range().end;
    let ends = ends_around(prepared, end_of_last);
    let fits = |end: usize| {
        let cut = prepared.with_ellipsis_at(end);
        break_lines(content, &cut, width).len() <= lines
    };
    let kept = ends.partition_point(|end| fits(*end));
    Some(prepared.with_ellipsis_at(ends.get(kept.saturating_sub(1)).copied().unwrap_or(0)))
}

/// How many lines from the top lie within `height`, at least 1.
fn fitting_lines(layout: &Layout<u32>, height: f32) -> usize {
    let bottoms = layout.lines().scan(0.0, |bottom, line| {
        *bottom += line.metrics().line_height;
        Some(*bottom)
    });
    bottoms.take_while(|bottom| *bottom <= height + HEIGHT_TOLERANCE).count().max(1)
}

/// Where the text may be cut: between characters, up to the word after `end`, as that may still
/// begin in the last line.
fn ends_around(prepared: &Prepared, end: usize) -> Vec<usize> {
    let after = prepared.text.get(end..).unwrap_or_default();
    let last = after.find(char::is_whitespace).map_or(prepared.text.len(), |word| end + word);
    let starts = prepared.text.char_indices().map(|(at, _)| at);
    starts.chain([prepared.text.len()]).take_while(|at| *at <= last).collect()
}
