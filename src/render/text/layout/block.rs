//! Paragraphs broken into lines, and how high each line is.
//!
//! Lines are as high as in CSS: every style on a line takes its own line height, shared above and
//! below the letters as half-leading, and the line holds them all. It is shared around the font that
//! the style names, whatever other fonts stand in for single characters: as in Figma, an emoji does
//! not make a line higher.

use parley::{BreakReason, IndentOptions, Layout};

use crate::base::{Limits, Size};
use crate::design::{AutoResize, TextStyle};

use super::list::ListItem;
use super::shaper::{self, Shaper, ShaperText};
use super::spans::{Paragraph, Prepared, Setting};

/// Widths that differ by no more are the same: a box that a text was measured for holds it.
const WIDTH_TOLERANCE: f64 = 0.02;

/// A paragraph in its lines.
pub(crate) struct Block<'p> {
    pub(crate) paragraph: &'p Paragraph,
    /// The shaped text; `None` if there is none, which takes one line.
    pub(crate) set: Option<Layout<u32>>,
    /// From the top, at least one.
    pub(crate) lines: Vec<Extent>,
    /// Space between it and the paragraph before.
    pub(crate) space_above: f64,
    /// How far in all lines begin.
    pub(crate) inset: f64,
    /// How far in the first line begins beyond that.
    pub(crate) indent: f64,
}

/// How far a line reaches from its baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Extent {
    pub(crate) above: f64,
    pub(crate) below: f64,
}

impl Extent {
    pub(crate) fn height(self) -> f64 {
        self.above + self.below
    }

    fn holding(self, other: Self) -> Self {
        Self { above: self.above.max(other.above), below: self.below.max(other.below) }
    }

    /// `height` around letters that reach this far.
    fn around(ascent: f64, descent: f64, height: f64) -> Self {
        let half_leading = (height - ascent - descent) / 2.0;
        Self { above: ascent + half_leading, below: descent + half_leading }
    }
}

impl Block<'_> {
    pub(crate) fn height(&self) -> f64 {
        self.lines.iter().map(|line| line.height()).sum()
    }

    /// Whether it is read from the right.
    pub(crate) fn is_rtl(&self) -> bool {
        self.set.as_ref().is_some_and(Layout::is_rtl)
    }

    /// Whether line `index` ends because there is no more room.
    pub(crate) fn is_full(&self, index: usize) -> bool {
        let line = self.set.as_ref().and_then(|set| set.get(index));
        let reason = line.map(|line| line.break_reason());
        matches!(reason, Some(BreakReason::Regular | BreakReason::Emergency))
    }
}

/// All paragraphs with lines no wider than `width`.
pub(crate) fn blocks<'p>(
    shaper: &Shaper,
    style: &TextStyle,
    prepared: &'p Prepared,
    width: Option<f64>,
) -> Vec<Block<'p>> {
    (0..prepared.paragraphs.len())
        .filter_map(|index| block(shaper, style, prepared, index, width))
        .collect()
}

/// Paragraph `index` with lines no wider than `width`.
pub(crate) fn block<'p>(
    shaper: &Shaper,
    style: &TextStyle,
    prepared: &'p Prepared,
    index: usize,
    width: Option<f64>,
) -> Option<Block<'p>> {
    let paragraph = prepared.paragraphs.get(index)?;
    let setting = prepared.settings.get(paragraph.setting)?;
    let item = paragraph.item.as_ref();
    let mut block = Block {
        paragraph,
        set: None,
        lines: vec![extent(setting)],
        space_above: space_above(style, prepared, index),
        inset: item.map_or(0.0, |item| item.inset(setting.style.size)),
        // An item's marker hangs where the indent would be.
        indent: if item.is_some() { 0.0 } else { length(style.paragraph_indent) },
    };
    if !paragraph.range.is_empty() {
        let spans = prepared.spans_in(&paragraph.range);
        let text = prepared.text.get(paragraph.range.clone()).unwrap_or_default();
        let mut set =
            shaper::shape(shaper, ShaperText { text, spans: &spans, settings: &prepared.settings });
        // Before lines are broken: the first has less room by it.
        set.set_text_indent(block.indent as f32, IndentOptions::default());
        set.break_all_lines(width.map(|width| (width - block.inset).max(0.0) as f32));
        block.lines = set.lines().map(|line| line_extent(&line, prepared, setting)).collect();
        block.set = Some(set);
    }
    Some(block)
}

/// Where lines break, if anywhere but where the text says.
pub(crate) fn breaking_width(style: &TextStyle, size: Size) -> Option<f64> {
    let breaks = style.auto_resize != AutoResize::WidthAndHeight;
    breaks.then(|| width_with_tolerance(size))
}

/// The widest that a line in a box of this size may be.
pub(crate) fn width_with_tolerance(size: Size) -> f64 {
    size.width.clamp(0.0, Limits::COORDINATE) + WIDTH_TOLERANCE
}

/// The marker of a list's item, in the style of its first character.
pub(crate) fn marker(shaper: &Shaper, item: &ListItem, setting: &Setting) -> Layout<u32> {
    let spans = [(0..item.marker.len(), 0)];
    let settings = std::slice::from_ref(setting);
    let mut set = shaper::shape(shaper, ShaperText { text: &item.marker, spans: &spans, settings });
    set.break_all_lines(None);
    set
}

fn space_above(style: &TextStyle, prepared: &Prepared, index: usize) -> f64 {
    let Some(before) = index.checked_sub(1) else { return 0.0 };
    // Between two items the spacing of lists; before the first and after the last, of paragraphs.
    let are_items = [before, index]
        .iter()
        .all(|index| prepared.paragraphs.get(*index).is_some_and(|it| it.item.is_some()));
    length(if are_items { style.list_spacing } else { style.paragraph_spacing }).max(0.0)
}

fn length(value: f64) -> f64 {
    if value.is_finite() { value.clamp(-Limits::COORDINATE, Limits::COORDINATE) } else { 0.0 }
}

/// What a style takes by itself.
fn extent(setting: &Setting) -> Extent {
    let (style, measures) = (&setting.style, &setting.measures);
    let (ascent, descent) = (measures.ascent * style.size, measures.descent * style.size);
    let own = ascent + descent + measures.leading * style.size;
    Extent::around(ascent, descent, style.fixed_line_height().unwrap_or(own))
}

fn line_extent(line: &parley::Line<'_, u32>, prepared: &Prepared, first: &Setting) -> Extent {
    let mut whole: Option<Extent> = None;
    for run in line.runs() {
        let mut before = None;
        for cluster in run.clusters() {
            let style = cluster.style().brush;
            // Styles change seldom within a run; the extent of each is asked for once.
            if before.replace(style) == Some(style) {
                continue;
            }
            let Some(setting) = prepared.settings.get(style as usize) else { continue };
            let own = extent(setting);
            whole = Some(whole.map_or(own, |whole| whole.holding(own)));
        }
    }
    // A line without letters is as high as its paragraph's first style.
    whole.unwrap_or_else(|| extent(first))
}
