//! Letters of a font that stands in for another, kept to the lines that their box holds.
//!
//! The box of a text was made for the font that the document names. Where that is not at hand, Inter
//! may be wider: what was one line becomes two and runs over its neighbours. So Inter is set closer
//! and, where that is not enough, smaller, by no more than the text needs to have the lines that its
//! box holds. Only the box and the text decide, both of which every copy of the document has: of a
//! text that was measured here in the same font, the box holds all lines and nothing is changed.
//!
//! How far it goes ([`CLOSEST`], [`SMALLEST`], and what of a line a box holds) has no source. It was chosen by
//! eye with the four published files in view that `figma_files` in the tests holds to Figma's own pictures, so
//! what is held there says nothing of other files.

use crate::base::Size;
use crate::design::{AutoResize, LineHeight, TextStyle};

use super::block::{self, Block};
use super::family::Typeface;
use super::shaper::Shaper;
use super::spans::Prepared;
use super::text_layout::Fitting;

/// How much closer letters are set before they become smaller, in ems.
const CLOSEST: f64 = 0.04;
/// How small letters become at most, of what the document says.
const SMALLEST: f64 = 0.8;
/// Halvings of the search: the letters are narrower by less than a hundredth of what is possible
/// than they have to be.
const HALVINGS: u32 = 7;

/// The text with its substituted font so narrow that it keeps to the lines of its box, and by how
/// much. `None` where it does so anyway, where no font is substituted, and where it would not do so
/// within the limits: letters that are narrowed in vain only look worse.
pub(crate) fn to_lines(
    shaper: &Shaper,
    style: &TextStyle,
    prepared: &Prepared,
    size: Size,
) -> Option<(Prepared, Fitting)> {
    let is_substituted = prepared.settings.iter().any(|setting| setting.face == Typeface::Replaced);
    // A text that is cut with an ellipsis keeps to its box by that.
    let is_cut = style.truncates || style.auto_resize == AutoResize::Truncate;
    if !is_substituted || is_cut || size.width <= 0.0 {
        return None;
    }
    // A box that follows its text does not break its lines, but is as wide as they were.
    let width = block::width_with_tolerance(size);
    let blocks = block::blocks(shaper, style, prepared, Some(width));
    let as_written = block::blocks(shaper, style, prepared, None);
    let most = lines_held(style, &blocks, size.height).max(lines(&as_written));
    if lines(&blocks) <= most {
        return None;
    }
    // Narrower letters never take more lines, so the least that is enough is found by halving. All
    // that is possible comes first: if that is not enough, nothing is.
    let (mut too_wide, mut enough, mut step) = (0, 1_u32 << HALVINGS, 1_u32 << HALVINGS);
    let mut fitted = None;
    loop {
        let fitting = Fitting::by(f64::from(step) / f64::from(1_u32 << HALVINGS));
        let narrowed = narrowed(prepared, fitting);
        if lines(&block::blocks(shaper, style, &narrowed, Some(width))) <= most {
            (enough, fitted) = (step, Some((narrowed, fitting)));
        } else {
            too_wide = step;
        }
        if fitted.is_none() || enough - too_wide <= 1 {
            return fitted;
        }
        step = too_wide.midpoint(enough);
    }
}

impl Fitting {
    /// A share of what is possible, 0..=1: in its first half letters come closer, in the second they
    /// become smaller as well.
    fn by(share: f64) -> Self {
        Self {
            tracking: -CLOSEST * (2.0 * share).min(1.0),
            scale: 1.0 - (1.0 - SMALLEST) * (2.0 * share - 1.0).max(0.0),
        }
    }
}

fn narrowed(prepared: &Prepared, fitting: Fitting) -> Prepared {
    let mut narrowed = prepared.clone();
    // Letters of fonts that are there stay as they were asked for.
    for setting in &mut narrowed.settings {
        if setting.face == Typeface::Replaced {
            setting.style.letter_spacing += fitting.tracking * setting.style.size;
            setting.style.scale = fitting.scale;
        }
    }
    narrowed
}

fn lines(blocks: &[Block<'_>]) -> usize {
    blocks.iter().map(|block| block.lines.len()).sum()
}

/// How many lines a box of this height may have been made for.
fn lines_held(style: &TextStyle, blocks: &[Block<'_>], height: f64) -> usize {
    // Where the document says how high lines are, its box holds those whose middle lies in it, as
    // boxes are rounded. Else the font that is missing decided: hardly any has lines lower than an
    // em, so as many of an em as fit are the most there were.
    let is_auto = style.line_height == LineHeight::Auto;
    let (mut top, mut held) = (0.0, 0);
    for block in blocks {
        top += block.space_above;
        for line in &block.lines {
            let line_height = if is_auto { style.font_size } else { line.height() };
            let reach = if is_auto { 0.95 } else { 0.5 };
            held += usize::from(top + reach * line_height <= height);
            top += line_height;
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::design::TextContent;
    use crate::render::text::font::library::Fonts;
    use crate::render::text::layout::{in_box, measure};

    fn label(family: &str, auto_resize: AutoResize) -> TextContent {
        let style = TextStyle {
            font_family: family.to_owned(),
            line_height: LineHeight::Pixels(16.0),
            auto_resize,
            ..TextStyle::default()
        };
        let characters = "Accept additional cookies".to_owned();
        TextContent { characters, style, ..TextContent::default() }
    }

    /// A box of one line, so wide as a share of what the label takes.
    fn line_box(shaper: &Shaper, label: &TextContent, share: f64) -> Size {
        let natural = measure(shaper, label, None).size;
        Size::new(natural.width * share, natural.height)
    }

    #[test]
    fn a_substituted_font_keeps_to_the_line_of_its_box_and_no_other_does() {
        let shaper = Shaper::new(Arc::<Fonts>::default());
        for auto_resize in [AutoResize::None, AutoResize::Height] {
            let known = label("Inter", auto_resize);
            let box_size = line_box(&shaper, &known, 0.9);
            let set = in_box(&shaper, &known, box_size);
            assert_eq!((set.lines.len(), set.fitting), (2, None));
            let set = in_box(&shaper, &label("No Such Sans", auto_resize), box_size);
            let fitting = set.fitting.unwrap();
            assert_eq!(set.lines.len(), 1);
            assert!(set.lines[0].x1 <= box_size.width + 0.05, "{:?}", set.lines[0].x1);
            assert!(fitting.tracking >= -CLOSEST && fitting.scale >= SMALLEST, "{fitting:?}");
        }
    }

    #[test]
    fn letters_become_smaller_only_after_they_are_as_close_as_may_be() {
        let shaper = Shaper::new(Arc::<Fonts>::default());
        let label = label("No Such Sans", AutoResize::WidthAndHeight);
        let fitting =
            [0.98, 0.9].map(|share| in_box(&shaper, &label, line_box(&shaper, &label, share)));
        let [a_little, more] = fitting.map(|set| set.fitting.unwrap());
        assert!(a_little.scale == 1.0 && a_little.tracking > -CLOSEST, "{a_little:?}");
        assert!(more.scale < 1.0 && more.tracking == -CLOSEST, "{more:?}");
    }

    #[test]
    fn what_has_room_or_never_will_stays_as_it_is() {
        let shaper = Shaper::new(Arc::<Fonts>::default());
        let label = label("No Such Sans", AutoResize::Height);
        for share in [1.0, 0.3] {
            let box_size = line_box(&shaper, &label, share);
            assert_eq!(in_box(&shaper, &label, box_size).fitting, None, "{share}");
            // A box that was measured here holds all lines, however many.
            let broken = measure(&shaper, &label, Some(box_size.width)).size;
            assert_eq!(in_box(&shaper, &label, broken).fitting, None, "{share}");
        }
    }
}
