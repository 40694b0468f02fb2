//! Gaussian blur of any width, as the blur of that name.
//!
//! Up to [`NARROW`] pixels it is the kernel itself ([`gaussian`]), wider ones are three boxes, whose
//! edges count in part so that their standard deviation is exact: within 5 levels of the Gaussian,
//! and as fast for 100 pixels as for 3. Colours weigh by their alpha; beyond the edge of the picture
//! lies the edge on and on.

use rayon::prelude::*;

use crate::base::Pixels;
use crate::raster::blur::{Edge, gaussian};

use super::rows;

/// The largest standard deviation that the kernel itself is used for, in pixels.
const NARROW: i32 = 2;
/// Rows blurred at once by the kernel.
const BAND: usize = 64;

pub(super) fn apply(pixels: &Pixels, sigma: i32) -> Pixels {
    if sigma <= 0 {
        return pixels.clone();
    }
    let width = pixels.width() as usize;
    let premultiplied: Vec<[u8; 4]> = rows::of(pixels).par_iter().map(premultiplied).collect();
    let blurred = blurred(premultiplied, width, sigma);
    rows::with(pixels, &blurred.par_iter().map(unpremultiplied).collect::<Vec<_>>())
}

/// Samples of `width` a row, blurred by a Gaussian of standard deviation `sigma` pixels.
pub(super) fn blurred<const N: usize>(
    samples: Vec<[u8; N]>,
    width: usize,
    sigma: i32,
) -> Vec<[u8; N]> {
    if sigma <= NARROW {
        return by_kernel(&samples, width, sigma);
    }
    let height = samples.len() / width;
    let boxes = SoftBox::of(f64::from(sigma));
    let across = transposed(&boxes.over_rows(samples, width), width);
    transposed(&boxes.over_rows(across, height), height)
}

/// Band after band, each with the rows above and below that it needs.
fn by_kernel<const N: usize>(samples: &[[u8; N]], width: usize, sigma: i32) -> Vec<[u8; N]> {
    let height = samples.len() / width;
    let reach = 3 * sigma.unsigned_abs() as usize;
    let mut out = samples.to_vec();
    out.par_chunks_mut(width * BAND).enumerate().for_each(|(band, out)| {
        let first = band * BAND;
        let top = first.saturating_sub(reach);
        let bottom = (first + BAND + reach).min(height);
        let mut part = samples[top * width..bottom * width].to_vec();
        gaussian(&mut part, width, f64::from(sigma), Edge::Extend);
        out.copy_from_slice(&part[(first - top) * width..][..out.len()]);
    });
    out
}

/// A box of `2 * reach + 1` samples, and a share of one more on either side.
#[derive(Clone, Copy, Debug)]
struct SoftBox {
    reach: usize,
    share: f32,
    /// One over the sum of the weights.
    scale: f32,
}

impl SoftBox {
    /// The box that, used three times, has this standard deviation.
    fn of(sigma: f64) -> Self {
        let variance = sigma * sigma / 3.0;
        let reach = (0.5 * (12.0 * variance + 1.0).sqrt() - 0.5).floor();
        let inner = reach * (reach + 1.0) / 3.0;
        let count = 2.0 * reach + 1.0;
        let share = count * (variance - inner) / (2.0 * ((reach + 1.0) * (reach + 1.0) - variance));
        let scale = 1.0 / (count + 2.0 * share);
        Self { reach: reach as usize, share: share as f32, scale: scale as f32 }
    }

    /// Every row through three boxes.
    fn over_rows<const N: usize>(self, mut samples: Vec<[u8; N]>, width: usize) -> Vec<[u8; N]> {
        samples.par_chunks_mut(width).for_each(|row| {
            // 8.8 fixed point between the boxes.
            let mut line: Vec<[u16; N]> =
                row.iter().map(|sample| sample.map(|v| u16::from(v) << 8)).collect();
            let mut next = line.clone();
            for _ in 0..3 {
                self.over_line(&line, &mut next);
                std::mem::swap(&mut line, &mut next);
            }
            for (out, sample) in row.iter_mut().zip(&line) {
                *out = sample.map(|v| ((u32::from(v) + 128) >> 8).min(255) as u8);
            }
        });
        samples
    }

    fn over_line<const N: usize>(self, line: &[[u16; N]], out: &mut [[u16; N]]) {
        let reach = self.reach as isize;
        let last = line.len() as isize - 1;
        let at = |x: isize| line[x.clamp(0, last) as usize].map(u32::from);
        let mut sum = [0u32; N];
        for x in -reach..=reach {
            sum = added(sum, at(x));
        }
        for (x, out) in out.iter_mut().enumerate() {
            let x = x as isize;
            let (before, after) = (at(x - reach - 1), at(x + reach + 1));
            *out = std::array::from_fn(|n| {
                let edges = (before[n] + after[n]) as f32 * self.share;
                ((sum[n] as f32 + edges) * self.scale + 0.5).min(65_535.0) as u16
            });
            let leaving = at(x - reach);
            sum = std::array::from_fn(|n| sum[n] + after[n] - leaving[n]);
        }
    }
}

fn added<const N: usize>(a: [u32; N], b: [u32; N]) -> [u32; N] {
    std::array::from_fn(|n| a[n] + b[n])
}

/// Columns as rows.
fn transposed<const N: usize>(samples: &[[u8; N]], width: usize) -> Vec<[u8; N]> {
    let height = samples.len() / width;
    let mut out = vec![[0; N]; samples.len()];
    out.par_chunks_mut(height).enumerate().for_each(|(x, column)| {
        for (out, row) in column.iter_mut().zip(samples.chunks_exact(width)) {
            *out = row[x];
        }
    });
    out
}

fn premultiplied([r, g, b, a]: &[u8; 4]) -> [u8; 4] {
    let scale = |v: &u8| ((u32::from(*v) * u32::from(*a) + 127) / 255) as u8;
    [scale(r), scale(g), scale(b), *a]
}

fn unpremultiplied([r, g, b, a]: &[u8; 4]) -> [u8; 4] {
    let alpha = u32::from(*a);
    let scale =
        |v: &u8| (u32::from(*v) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255) as u8;
    [scale(r), scale(g), scale(b), *a]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, along one line: a weighted mean in double precision.
    fn oracle(line: &[u8], sigma: f64) -> Vec<f64> {
        let reach = (6.0 * sigma) as isize;
        let bell = |d: isize| (-0.5 * (d as f64 / sigma).powi(2)).exp();
        let total: f64 = (-reach..=reach).map(bell).sum();
        let at = |x: isize| f64::from(line[x.clamp(0, line.len() as isize - 1) as usize]);
        let mean = |x: isize| (-reach..=reach).map(|d| bell(d) * at(x + d)).sum::<f64>() / total;
        (0..line.len() as isize).map(mean).collect()
    }

    #[test]
    fn a_blur_of_any_width_is_within_five_levels_of_the_gaussian() {
        let line: Vec<u8> =
            (0..400).map(|x: i32| if x % 170 < 61 { 250 } else { (x % 7 * 4) as u8 }).collect();
        for sigma in [1, 2, 3, 4, 7, 12, 33, 64, 100] {
            let samples: Vec<[u8; 1]> = line.iter().map(|v| [*v]).collect();
            let across = blurred(samples.clone(), 400, sigma);
            let down = blurred(samples, 1, sigma);
            for ((across, down), exact) in
                across.iter().zip(&down).zip(oracle(&line, f64::from(sigma)))
            {
                let off = (f64::from(across[0]) - exact).abs();
                assert!(off <= 5.0, "{sigma}: {} for {exact}", across[0]);
                assert!(across[0].abs_diff(down[0]) <= 1, "{sigma}");
            }
        }
    }
}
