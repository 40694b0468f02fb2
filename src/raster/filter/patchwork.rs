//! Squares of one colour with relief, as the texture filter of that name.
//!
//! Each square has the mean colour of what it covers. Its height is random; a raised square is
//! lighter and a sunk one darker, and its edges are lit from the top left.

use crate::base::Pixels;

use super::noise;
use super::rows;

pub(super) fn apply(pixels: &Pixels, square: i32, relief: i32) -> Pixels {
    let side = (4 + 2 * square) as usize;
    let width = pixels.width() as usize;
    let columns = width.div_ceil(side);
    let means = means(pixels, side, columns);
    let relief = relief as f32;
    rows::recolored(pixels, |x, y| {
        let (column, row) = (x / side, y / side);
        let light = light(x % side, y % side, side) * relief * 2.5;
        let height = noise::signed(column as i32, row as i32, 31) * relief * 1.2;
        means[row * columns + column].map(|v| rows::sample(f32::from(v) + light + height))
    })
}

/// How much light falls on a part of a square: 1 on its upper and left edge, −1 on its lower and
/// right one, less on the second pixel from the edge of larger squares, 0 elsewhere.
fn light(x: usize, y: usize, side: usize) -> f32 {
    let (near, far) = (x.min(y), (side - 1 - x).min(side - 1 - y));
    let depth = if side >= 10 { 2 } else { 1 };
    // Where an upper edge meets a right one, light and shade are even.
    if near.min(far) >= depth || near == far {
        return 0.0;
    }
    let strength = 1.0 - near.min(far) as f32 / depth as f32;
    if near < far { strength } else { -strength }
}

/// The mean colour of each square, rows of squares from the top, transparent pixels weighing nothing.
fn means(pixels: &Pixels, side: usize, columns: usize) -> Vec<[u8; 3]> {
    let width = pixels.width() as usize;
    let mut means = Vec::with_capacity(columns * (pixels.height() as usize).div_ceil(side));
    for band in rows::of(pixels).chunks(width * side) {
        let mut sums = vec![[0u32; 4]; columns];
        for row in band.chunks(width) {
            for (x, [r, g, b, a]) in row.iter().enumerate() {
                // By how much is seen: transparent pixels hold a colour too, often black.
                let weight = u32::from(*a);
                let [red, green, blue, total] = &mut sums[x / side];
                *red += u32::from(*r) * weight;
                *green += u32::from(*g) * weight;
                *blue += u32::from(*b) * weight;
                *total += weight;
            }
        }
        means.extend(sums.iter().map(|[r, g, b, total]| {
            [r, g, b].map(|sum| (sum + total / 2).checked_div(*total).unwrap_or(0) as u8)
        }));
    }
    means
}
