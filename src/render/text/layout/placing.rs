//! Glyphs in their places, from the shaped lines of a paragraph.

use crate::base::Size;
use crate::design::{TextAlign, TextStyle};

use super::block::{self, Block, Extent};
use super::list::ListItem;
use super::row::Row;
use super::shaper::Shaper;
use super::spans::Prepared;
use super::text_layout::{Line, TextLayout};

/// Places the lines of `block` from `top` down; gives where the next paragraph may begin.
pub(crate) fn place(
    shaper: &Shaper,
    block: &Block<'_>,
    prepared: &Prepared,
    mut top: f64,
    (size, style): (Size, &TextStyle),
    layout: &mut TextLayout,
) -> f64 {
    for (index, extent) in block.lines.iter().enumerate() {
        let room = Room::of(block, index, size);
        let mut row = Row::of(shaper.fonts(), block, index, prepared, layout);
        let natural_width = room.taken + row.width();
        layout.natural_size.width = layout.natural_size.width.max(natural_width);
        // Only lines that ended for want of room are stretched.
        if style.align == TextAlign::Justified && block.is_full(index) {
            row.justify(room.width());
        }
        row.shift(room.start(style.align, row.width(), block.is_rtl()) - row.x0);
        // After the line is where it stays: the marker hangs before it.
        if index == 0 {
            place_marker(shaper, block, prepared, &mut row, layout);
        }
        layout.lines.push(line(block, index, prepared, (top, *extent), row));
        top += extent.height();
    }
    top
}

fn line(
    block: &Block<'_>,
    index: usize,
    prepared: &Prepared,
    (top, extent): (f64, Extent),
    mut row: Row,
) -> Line {
    let baseline_y = top + extent.above;
    row.drop_to(baseline_y);
    let start = block.paragraph.range.start;
    row.count_from(start);
    let own = block.set.as_ref().and_then(|set| set.get(index)).map(|line| line.text_range());
    let own = own.unwrap_or(0..0);
    Line {
        top,
        height: extent.height(),
        baseline_y,
        x0: row.x0,
        x1: row.x1,
        text_range: start + own.start..start + own.end,
        decorations: row.decorations(&prepared.settings, baseline_y),
        glyphs: row.glyphs,
    }
}

/// Where a line may lie.
#[derive(Clone, Copy, Debug)]
struct Room {
    left: f64,
    right: f64,
    /// Width of the box that it may not use.
    taken: f64,
}

impl Room {
    /// The box without the indentation, which is on the side where reading begins.
    fn of(block: &Block<'_>, index: usize, size: Size) -> Self {
        let taken = block.inset + if index == 0 { block.indent } else { 0.0 };
        let (left, right) =
            if block.is_rtl() { (0.0, size.width - taken) } else { (taken, size.width) };
        Self { left, right, taken }
    }

    fn width(self) -> f64 {
        self.right - self.left
    }

    /// Where a line of `width` begins. Left and right are those of the page in every script; only
    /// what is to be justified and is not full begins where reading does.
    fn start(self, align: TextAlign, width: f64, is_rtl: bool) -> f64 {
        let spare = self.width() - width;
        match align {
            TextAlign::Left => self.left,
            TextAlign::Center => self.left + spare / 2.0,
            TextAlign::Justified if !is_rtl => self.left,
            TextAlign::Right | TextAlign::Justified => self.left + spare,
        }
    }
}

/// Hangs the marker of an item before its first line.
fn place_marker(
    shaper: &Shaper,
    block: &Block<'_>,
    prepared: &Prepared,
    row: &mut Row,
    layout: &mut TextLayout,
) {
    let Some(item) = &block.paragraph.item else { return };
    let Some(setting) = prepared.settings.get(block.paragraph.setting) else { return };
    let set = block::marker(shaper, item, setting);
    let mut marker =
        Row::of_text(shaper.fonts(), &set, 0, &item.marker, std::slice::from_ref(setting), layout);
    let gap = ListItem::gap(setting.style.size);
    let x = if block.is_rtl() { row.x1 + gap } else { row.x0 - gap - marker.width() };
    marker.shift(x - marker.x0);
    for glyph in &mut marker.glyphs {
        glyph.text_start = 0;
    }
    row.glyphs.append(&mut marker.glyphs);
}
