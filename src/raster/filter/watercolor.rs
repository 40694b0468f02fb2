//! Flat washes with dark edges on grainy paper, as the artistic filter of that name.
//!
//! Washes come from a Kuwahara filter: each pixel gets the mean colour of the four squares that
//! have it at a corner, those of even lightness weighing most, so that areas become flat and edges
//! stay. A finer brush has smaller squares. Where washes meet, and in the shadows, the paint is
//! darker, by up to 60 % and 30 %; paper grain makes it lighter and darker by up to 5 % for each step
//! of texture.

use rayon::prelude::*;

use crate::base::Pixels;

use super::noise::{self, SmoothNoise};
use super::rows;

/// Rows painted at once.
const BAND: usize = 48;

pub(super) fn apply(pixels: &Pixels, detail: i32, shadow: i32, texture: i32) -> Pixels {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let washes = washes(pixels, (15 - detail) as usize);
    let lumas: Vec<u8> = washes.par_iter().map(|rgb| (rows::luma(*rgb) >> 8) as u8).collect();
    let paint = Paint { width, height, lumas: &lumas, shadow: shadow as f32 / 15.0 };
    let (paper, rough) = (SmoothNoise::new([width, height], [3.0; 2], 62), texture as f32 * 0.05);
    rows::recolored(pixels, |x, y| {
        let fine = noise::signed(x as i32, y as i32, 61);
        let grain = 1.0 + rough * (0.4 * fine + 0.6 * paper.at(x, y).value);
        let light = paint.light(x, y) * grain;
        washes[y * width + x].map(|v| rows::sample(f32::from(v) * light))
    })
}

/// How dark the paint is where washes meet and in the shadows.
struct Paint<'a> {
    width: usize,
    height: usize,
    lumas: &'a [u8],
    /// 0..=1.
    shadow: f32,
}

impl Paint<'_> {
    fn light(&self, x: usize, y: usize) -> f32 {
        if self.shadow == 0.0 {
            return 1.0;
        }
        let (left, right) = (x.saturating_sub(1), (x + 1).min(self.width - 1));
        let (up, down) = (y.saturating_sub(1), (y + 1).min(self.height - 1));
        let across = self.luma(right, y) - self.luma(left, y);
        let along = self.luma(x, down) - self.luma(x, up);
        // Differences over two pixels; a quarter of the scale is as dark as edges become.
        let edge = ((across * across + along * along).sqrt() / 64.0).min(1.0);
        let dark = 1.0 - self.luma(x, y) / 255.0;
        (1.0 - 0.6 * self.shadow * edge) * (1.0 - 0.3 * self.shadow * dark)
    }

    fn luma(&self, x: usize, y: usize) -> f32 {
        f32::from(self.lumas[y * self.width + x])
    }
}

/// The colours of the picture as flat areas: squares of `reach + 1` pixels a side, band after band.
fn washes(pixels: &Pixels, reach: usize) -> Vec<[u8; 3]> {
    let width = pixels.width() as usize;
    let mut washes = vec![[0; 3]; rows::of(pixels).len()];
    washes.par_chunks_mut(width * BAND).enumerate().for_each(|(band, out)| {
        let squares = Squares::of(pixels, reach, band * BAND, out.len() / width);
        for (y, row) in out.chunks_mut(width).enumerate() {
            for (x, wash) in row.iter_mut().enumerate() {
                *wash = squares.wash(x, y);
            }
        }
    });
    washes
}

/// Mean colour of a square, and how much it counts: less where its lightness varies.
#[derive(Clone, Copy, Debug, Default)]
struct Square {
    rgb: [f32; 3],
    weight: f32,
}

/// The squares of some rows by their top left corner, from `reach` pixels left of and above the first.
struct Squares {
    reach: usize,
    columns: usize,
    all: Vec<Square>,
}

impl Squares {
    fn of(pixels: &Pixels, reach: usize, first: usize, rows: usize) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let source = rows::of(pixels);
        // From the row `reach` above the first; beyond the picture its edge counts on.
        let lines: Vec<&[[u8; 4]]> = (first..first + rows + 2 * reach)
            .map(|y| {
                let y = y.saturating_sub(reach).min(height - 1);
                &source[y * width..(y + 1) * width]
            })
            .collect();
        let columns = width + reach;
        let mut sums = vec![PixelSums::default(); width];
        for line in &lines[..reach] {
            add_row(&mut sums, line);
        }
        let mut squares = Vec::with_capacity(columns * (rows + reach));
        for (above, below) in lines.iter().zip(&lines[reach..]) {
            // The sums slide down: a row comes in below, another goes out above.
            add_row(&mut sums, below);
            squares_of_row(&sums, reach, &mut squares);
            sums.iter_mut().zip(*above).for_each(|(sum, pixel)| sum.take(&PixelSums::of(*pixel)));
        }
        Self { reach, columns, all: squares }
    }

    #[inline]
    fn wash(&self, x: usize, y: usize) -> [u8; 3] {
        let (near, far) = (y * self.columns + x, (y + self.reach) * self.columns + x);
        let (mut sum, mut total) = ([0.0f32; 3], 0.0f32);
        // The four squares that have the pixel at a corner, each known by its own place in the
        // table.
        for at in [near, near + self.reach, far, far + self.reach] {
            let Square { rgb, weight } = &self.all[at];
            total += weight;
            sum[0] += rgb[0] * weight;
            sum[1] += rgb[1] * weight;
            sum[2] += rgb[2] * weight;
        }
        if total <= 0.0 {
            return [0; 3];
        }
        let scale = 1.0 / total;
        sum.map(|v| rows::sample(v * scale))
    }
}

fn add_row(sums: &mut [PixelSums], row: &[[u8; 4]]) {
    sums.iter_mut().zip(row).for_each(|(sum, pixel)| sum.add(&PixelSums::of(*pixel)));
}

/// Sums over pixels by alpha: red, green, blue, alpha, luma, and the square of luma.
#[derive(Clone, Copy, Debug, Default)]
struct PixelSums([u32; 6]);

impl PixelSums {
    #[inline]
    fn of([r, g, b, a]: [u8; 4]) -> Self {
        let weight = u32::from(a);
        let luma = rows::luma([r, g, b]) >> 8;
        let weighted = luma * weight;
        let [r, g, b] = [u32::from(r) * weight, u32::from(g) * weight, u32::from(b) * weight];
        Self([r, g, b, weight, weighted, luma * weighted])
    }

    #[inline]
    fn add(&mut self, other: &Self) {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, other.0);
        self.0 = [a + g, b + h, c + i, d + j, e + k, f + l];
    }

    #[inline]
    fn take(&mut self, other: &Self) {
        let ([a, b, c, d, e, f], [g, h, i, j, k, l]) = (self.0, other.0);
        self.0 = [a - g, b - h, c - i, d - j, e - k, f - l];
    }

    #[inline]
    fn square(&self) -> Square {
        let [r, g, b, alpha, luma, squared] = self.0;
        if alpha == 0 {
            return Square::default();
        }
        let scale = 1.0 / alpha as f32;
        let mean = luma as f32 * scale;
        let variance = (squared as f32 * scale - mean * mean).max(0.0);
        // Squared, so that a square across an edge hardly counts beside one that is flat.
        let even = 1.0 / (1.0 + variance);
        let rgb = [r as f32 * scale, g as f32 * scale, b as f32 * scale];
        Square { rgb, weight: even * even }
    }
}

/// The squares whose top row the sums of columns begin with, from `reach` pixels left of the picture.
fn squares_of_row(columns: &[PixelSums], reach: usize, squares: &mut Vec<Square>) {
    let last = columns.len() - 1;
    let at = |x: usize| &columns[x.saturating_sub(reach).min(last)];
    let mut sum = PixelSums::default();
    (0..reach).for_each(|x| sum.add(at(x)));
    for x in 0..columns.len() + reach {
        sum.add(at(x + reach));
        squares.push(sum.square());
        sum.take(at(x));
    }
}
