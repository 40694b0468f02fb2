//! Colours between pixels.

use crate::base::Pixels;

use super::rows;

/// A picture whose colours are asked for at any position.
pub(super) struct Sampler<'a> {
    pixels: &'a [[u8; 4]],
    width: usize,
    height: usize,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(pixels: &'a Pixels) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        Self { pixels: rows::of(pixels), width, height }
    }

    /// The colour that the pixel in a column and row has after it was taken from `dx`, `dy` pixels
    /// away, less than 64 each: between the four pixels there by their distance and alpha. Where
    /// those are transparent, the pixel's own; beyond the edge lies the edge on and on.
    #[inline]
    pub(super) fn displaced(&self, x: usize, y: usize, dx: f32, dy: f32) -> [u8; 3] {
        let (left, across) = split(dx);
        let (top, down) = split(dy);
        let columns = [self.column(x, left), self.column(x, left + 1)];
        let rows = [self.row(y, top), self.row(y, top + 1)];
        let (mut sums, mut total) = ([0u32; 3], 0u32);
        for (row, down) in rows.into_iter().zip([256 - down, down]) {
            for (column, across) in columns.into_iter().zip([256 - across, across]) {
                let [r, g, b, a] = self.pixels[row + column];
                // At most 2²⁴ in all: 2¹⁶ for the place and 2⁸ for alpha.
                let weight = (across * down * u32::from(a)) >> 8;
                sums[0] += u32::from(r) * weight;
                sums[1] += u32::from(g) * weight;
                sums[2] += u32::from(b) * weight;
                total += weight;
            }
        }
        if total == 0 {
            let [r, g, b, _] = self.pixels[y * self.width + x];
            return [r, g, b];
        }
        sums.map(|sum| ((sum + total / 2) / total) as u8)
    }

    #[inline]
    fn column(&self, x: usize, by: i32) -> usize {
        (x as i32 + by).clamp(0, self.width as i32 - 1) as usize
    }

    /// Where a row begins.
    #[inline]
    fn row(&self, y: usize, by: i32) -> usize {
        (y as i32 + by).clamp(0, self.height as i32 - 1) as usize * self.width
    }
}

/// A distance as whole pixels, and what is left of it in parts of 256.
#[inline]
fn split(distance: f32) -> (i32, u32) {
    // Moved into the positive first: a cut towards 0 would make the pixel at 0 twice as wide.
    let fine = ((distance + 64.0) * 256.0).clamp(0.0, 32_767.0) as i32;
    ((fine >> 8) - 64, (fine & 255) as u32)
}
