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

    /// The colour of the pixel in a column and row; beyond the edge that of the edge.
    fn at(&self, x: i32, y: i32) -> [u8; 4] {
        let x = x.clamp(0, self.width as i32 - 1) as usize;
        let y = y.clamp(0, self.height as i32 - 1) as usize;
        self.pixels[y * self.width + x]
    }

    /// The colour that the pixel in a column and row has after it was taken from `dx`, `dy` pixels
    /// away, between the four pixels there by their distance and alpha. Where those are transparent,
    /// the pixel's own.
    pub(super) fn displaced(&self, x: usize, y: usize, dx: f32, dy: f32) -> [u8; 3] {
        let (from_x, from_y) = (x as f32 + dx, y as f32 + dy);
        let (left, top) = (from_x.floor(), from_y.floor());
        let (across, down) = (from_x - left, from_y - top);
        let (left, top) = (left as i32, top as i32);
        let mut sums = [0.0f32; 4];
        for (column, row, weight) in [
            (left, top, (1.0 - across) * (1.0 - down)),
            (left + 1, top, across * (1.0 - down)),
            (left, top + 1, (1.0 - across) * down),
            (left + 1, top + 1, across * down),
        ] {
            let [r, g, b, a] = self.at(column, row).map(f32::from);
            let weight = weight * a;
            for (sum, channel) in sums.iter_mut().zip([r, g, b, 1.0]) {
                *sum += channel * weight;
            }
        }
        let [r, g, b, weight] = sums;
        if weight <= 0.0 {
            let [r, g, b, _] = self.at(x as i32, y as i32);
            return [r, g, b];
        }
        [r, g, b].map(|sum| rows::sample(sum / weight))
    }
}
