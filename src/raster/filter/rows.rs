//! Making a picture pixel by pixel, several rows at once.

use rayon::prelude::*;

use crate::base::Pixels;

/// The pixels of a picture, rows from the top.
pub(super) fn of(pixels: &Pixels) -> &[[u8; 4]] {
    pixels.rgba().as_chunks::<4>().0
}

/// A picture of the same size with the colours that `color` gives for each column and row; alpha is
/// kept.
pub(super) fn recolored(pixels: &Pixels, color: impl Fn(usize, usize) -> [u8; 3] + Sync) -> Pixels {
    let width = pixels.width() as usize;
    let mut out = of(pixels).to_vec();
    out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, pixel) in row.iter_mut().enumerate() {
            let [r, g, b] = color(x, y);
            // Alpha stays: these filters change colours only.
            *pixel = [r, g, b, pixel[3]];
        }
    });
    with(pixels, &out)
}

/// A picture of the same size with each colour made into another; alpha is kept.
pub(super) fn mapped(pixels: &Pixels, color: impl Fn([u8; 3]) -> [u8; 3] + Sync) -> Pixels {
    let width = pixels.width() as usize;
    let source = of(pixels);
    recolored(pixels, |x, y| {
        let [r, g, b, _] = source[y * width + x];
        color([r, g, b])
    })
}

/// The picture with these pixels, of which there are as many.
pub(super) fn with(pixels: &Pixels, rgba: &[[u8; 4]]) -> Pixels {
    let mut out = pixels.clone();
    out.put(0, 0, pixels.width(), rgba.as_flattened());
    out
}

/// Luma of a colour, 0..=255 in 16.8 fixed point: Rec. 601, which photo editors use.
pub(super) fn luma([r, g, b]: [u8; 3]) -> u32 {
    77 * u32::from(r) + 151 * u32::from(g) + 28 * u32::from(b)
}

/// A number as a sample: rounded, and clamped into 0..=255.
pub(super) fn sample(value: f32) -> u8 {
    (value + 0.5).clamp(0.0, 255.0) as u8
}
