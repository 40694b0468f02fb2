//! Where the pixels of a packed picture lie on the screen, and which of them are seen.
//!
//! Texels are its pixels, or the means of blocks of them where it is drawn small; tiles are
//! [`TILE_SIDE`] texels a side.

use std::ops::Range;

use egui::{Rect, pos2};

use crate::base::{TILE_SIDE, TiledPixels};
use crate::raster::shrink;

/// The texels of a large picture, halved so often, and where they lie.
pub(super) struct TexelGrid {
    /// Texels across and down.
    size: [u32; 2],
    /// Where all of them lie.
    place: Rect,
}

impl TexelGrid {
    /// The texels of a picture that lies there.
    pub(super) fn of(exact: &TiledPixels, halvings: u8, place: Rect) -> Self {
        let size = [exact.width(), exact.height()].map(|side| side.div_ceil(1 << halvings));
        Self { size, place }
    }

    /// The texels that are seen, with one more on each side where there is one; `None` where none is.
    pub(super) fn seen(&self, clip: Rect) -> Option<[Range<u32>; 2]> {
        let seen = clip.intersect(self.place);
        let span = |from: f32, to: f32, start: f32, length: f32, count: u32| {
            let [from, to] = [from, to].map(|pos| (pos - start) / length.max(1e-3) * count as f32);
            let last = count as f32;
            (from.floor() - 1.0).clamp(0.0, last) as u32..(to.ceil() + 1.0).clamp(0.0, last) as u32
        };
        let Rect { min, max } = seen;
        let (start, length) = (self.place.min, self.place.size());
        seen.is_positive().then(|| {
            [
                span(min.x, max.x, start.x, length.x, self.size[0]),
                span(min.y, max.y, start.y, length.y, self.size[1]),
            ]
        })
    }

    /// The same widened to whole tiles.
    pub(super) fn widened(&self, [columns, rows]: [Range<u32>; 2]) -> [Range<u32>; 2] {
        let widen = |texels: &Range<u32>, count: u32| {
            let tiles = tiles_of(texels);
            tiles.start * TILE_SIDE..(tiles.end * TILE_SIDE).min(count)
        };
        [widen(&columns, self.size[0]), widen(&rows, self.size[1])]
    }

    /// Where these texels lie.
    pub(super) fn area(&self, [columns, rows]: [&Range<u32>; 2]) -> Rect {
        Rect::from_min_max(
            pos2(self.x(columns.start), self.y(rows.start)),
            pos2(self.x(columns.end), self.y(rows.end)),
        )
    }

    /// Where a tile lies; what two have in common, both have at the same place.
    pub(super) fn rect(&self, column: u32, row: u32) -> Rect {
        let texels = |tile: u32| tile * TILE_SIDE..(tile + 1) * TILE_SIDE;
        self.area([&texels(column), &texels(row)])
    }

    fn x(&self, texel: u32) -> f32 {
        let [count, _] = self.size;
        self.place.left() + texel.min(count) as f32 / count as f32 * self.place.width()
    }

    fn y(&self, texel: u32) -> f32 {
        let [_, count] = self.size;
        self.place.top() + texel.min(count) as f32 / count as f32 * self.place.height()
    }
}

/// These texels of a picture halved so often, and how many there are a row.
pub(super) fn texels_of(
    exact: &TiledPixels,
    halvings: u8,
    texels: [&Range<u32>; 2],
) -> (Vec<[u8; 4]>, usize) {
    let unit = 1u32 << halvings;
    let [columns, rows] = texels.map(|texels| texels.start * unit..texels.end * unit);
    // Blocks begin where those of the whole picture do; the last ones may be cut off as there.
    let width = columns.end.min(exact.width()).saturating_sub(columns.start) as usize;
    let samples = exact.part(columns, rows);
    if unit == 1 {
        (samples, width)
    } else {
        shrink(&samples, width, (unit as usize, unit as usize))
    }
}

/// The tiles that hold these texels.
pub(super) fn tiles_of(texels: &Range<u32>) -> Range<u32> {
    texels.start / TILE_SIDE..texels.end.div_ceil(TILE_SIDE)
}

#[cfg(test)]
mod tests {
    use egui::vec2;

    use super::*;
    use crate::base::Pixels;

    #[test]
    fn tiles_meet_where_the_picture_has_its_texels() {
        let exact = TiledPixels::pack(&Pixels::filled(700, 501, [1, 2, 3, 255]).unwrap()).unwrap();
        let place = Rect::from_min_size(pos2(-30.5, 7.25), vec2(1050.0, 751.5));
        let texels = TexelGrid::of(&exact, 0, place);
        let [columns, rows] = texels.seen(place).unwrap();
        assert_eq!((columns, rows), (0..700, 0..501));
        let [columns, rows] =
            texels.seen(Rect::from_min_size(pos2(100.5, 100.5), vec2(15.5, 15.5))).unwrap();
        assert_eq!((columns.clone(), rows.clone()), (86..99, 61..74));
        assert_eq!(texels.widened([columns, rows]), [0..256, 0..256]);
        assert_eq!(texels.rect(0, 0).right(), texels.rect(1, 0).left());
        assert_eq!(texels.rect(2, 1).max, place.max);
        assert!(texels.seen(Rect::from_min_size(pos2(5_000.0, 0.0), vec2(9.0, 9.0))).is_none());
    }
}
