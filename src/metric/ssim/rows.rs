//! A picture row by row on the way down, each row divided into its channels when it is asked for.
//!
//! Whole planes would be written and read again, six of them, in memory that was never touched before: that alone took
//! a quarter of the time. So a few rows are kept, which stay in the nearest cache.

use crate::base::Pixels;

/// Pixels of a row that are looked at together: what is known of them stays in the nearest cache.
pub(super) const BLOCK: usize = 64;
/// The last rows that are kept divided: those of the tallest window that asks for rows again, and the one that leaves
/// it.
const KEPT: usize = 8;

/// The rows of a picture. The alpha is dropped, not composited.
pub(super) struct PictureRows<'a> {
    picture: &'a Pixels,
    /// Row `y` stands at `y % KEPT`.
    kept: [DividedRow; KEPT],
}

/// A row as its channels, with samples of nothing up to whole blocks.
struct DividedRow {
    /// Which; `None`: none yet.
    row: Option<usize>,
    channels: [Vec<u8>; 3],
}

impl<'a> PictureRows<'a> {
    pub(super) fn of(picture: &'a Pixels) -> Self {
        let len = (picture.width() as usize).next_multiple_of(BLOCK);
        let kept = std::array::from_fn(|_| DividedRow {
            row: None,
            channels: std::array::from_fn(|_| vec![0; len]),
        });
        Self { picture, kept }
    }

    pub(super) fn width(&self) -> usize {
        self.picture.width() as usize
    }

    pub(super) fn height(&self) -> usize {
        self.picture.height() as usize
    }

    /// Four bytes a pixel.
    #[inline(always)]
    pub(super) fn rgba(&self, row: usize) -> &'a [u8] {
        let len = 4 * self.width();
        &self.picture.rgba()[row * len..(row + 1) * len]
    }

    /// Divides a row into its channels unless it is still there.
    #[inline(always)]
    pub(super) fn divide(&mut self, row: usize) {
        let (pixels, _) = self.rgba(row).as_chunks::<4>();
        let kept = &mut self.kept[row % KEPT];
        if kept.row == Some(row) {
            return;
        }
        kept.row = Some(row);
        let [r, g, b] = &mut kept.channels;
        take_channel(r, pixels, 0);
        take_channel(g, pixels, 8);
        take_channel(b, pixels, 16);
    }

    /// A channel of a row that was divided.
    #[inline(always)]
    pub(super) fn channel(&self, row: usize, channel: usize) -> &[u8] {
        let kept = &self.kept[row % KEPT];
        debug_assert_eq!(kept.row, Some(row), "the row was not divided, or another stands there");
        &kept.channels[channel]
    }
}

#[inline(always)]
fn take_channel(samples: &mut [u8], pixels: &[[u8; 4]], shift: u32) {
    // Shifting whole pixels vectorises; picking bytes does not.
    for (sample, pixel) in samples.iter_mut().zip(pixels) {
        *sample = (u32::from_le_bytes(*pixel) >> shift) as u8;
    }
}

/// Where a picture is as another of its size was, block by block, on the way down.
pub(super) struct UnchangedBlocks<'a> {
    pictures: [&'a Pixels; 2],
    /// How many rows were looked through.
    compared: usize,
    /// By block the last row in which the pictures differ there.
    changed: Vec<Option<usize>>,
    /// By block whether nothing around it differs.
    unchanged: Vec<bool>,
}

impl<'a> UnchangedBlocks<'a> {
    pub(super) fn of(pictures: [&'a Pixels; 2]) -> Self {
        let blocks = (pictures[0].width() as usize).div_ceil(BLOCK);
        let (changed, unchanged) = (vec![None; blocks], vec![false; blocks]);
        Self { pictures, compared: 0, changed, unchanged }
    }

    /// By block of `row`, whether a window that reaches so far, at most a block, sees the same in both pictures. Rows
    /// are taken from the top, none left out.
    pub(super) fn around(&mut self, row: usize, reach: usize) -> &[bool] {
        let [x, y] = self.pictures;
        let (len, height) = (4 * x.width() as usize, x.height() as usize);
        while self.compared <= (row + reach).min(height - 1) {
            let part = self.compared * len..(self.compared + 1) * len;
            let (x, y) = (&x.rgba()[part.clone()], &y.rgba()[part]);
            let blocks = x.chunks(4 * BLOCK).zip(y.chunks(4 * BLOCK));
            for (changed, (x, y)) in self.changed.iter_mut().zip(blocks) {
                if x != y {
                    *changed = Some(self.compared);
                }
            }
            self.compared += 1;
        }
        // Rows that a window sees mirrored beyond an edge are among those around it.
        let first = Some(row.saturating_sub(reach));
        for (at, unchanged) in self.unchanged.iter_mut().enumerate() {
            let near = at.saturating_sub(1)..self.changed.len().min(at + 2);
            *unchanged = self.changed[near].iter().all(|changed| *changed < first);
        }
        &self.unchanged
    }
}
