//! Flat washes with dark edges on grainy paper, as the artistic filter of that name.
//!
//! Washes come from a Kuwahara filter: each pixel gets the mean colour of the four squares that
//! have it at a corner, those of even lightness weighing most, so that areas become flat and edges
//! stay. A finer brush has smaller squares. Where washes meet, and in the shadows, the paint is
//! darker, by up to 60 % and 30 %; paper grain makes it lighter and darker by up to 5 % for each step
//! of texture.

use rayon::prelude::*;

use crate::base::Pixels;

use super::noise;
use super::rows;

/// Rows painted at once.
const BAND: usize = 48;

pub(super) fn apply(pixels: &Pixels, detail: i32, shadow: i32, texture: i32) -> Pixels {
    let (width, height) = (pixels.width() as usize, pixels.height() as usize);
    let washes = washes(pixels, (15 - detail) as usize);
    let lumas: Vec<u8> = washes.par_iter().map(|rgb| (rows::luma(*rgb) >> 8) as u8).collect();
    let paint = Paint { width, height, lumas: &lumas, shadow: shadow as f32 / 15.0 };
    rows::recolored(pixels, |x, y| {
        let light = paint.light(x, y) * grain(x, y, texture);
        washes[y * width + x].map(|v| rows::sample(f32::from(v) * light))
    })
}

/// How light paper grain makes the paint at a place, about 1.
fn grain(x: usize, y: usize, texture: i32) -> f32 {
    let fine = noise::signed(x as i32, y as i32, 61);
    let coarse = noise::smooth(x as f32 / 3.0, y as f32 / 3.0, 62);
    1.0 + texture as f32 * 0.05 * (0.4 * fine + 0.6 * coarse)
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
        let at = |x: usize, y: usize| f32::from(self.lumas[y * self.width + x]);
        let across = at(right, y) - at(left, y);
        let along = at(x, down) - at(x, up);
        let edge = ((across * across + along * along).sqrt() / 64.0).min(1.0);
        let dark = 1.0 - at(x, y) / 255.0;
        (1.0 - 0.6 * self.shadow * edge) * (1.0 - 0.3 * self.shadow * dark)
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
    squares: Vec<Square>,
}

impl Squares {
    fn of(pixels: &Pixels, reach: usize, first: usize, rows: usize) -> Self {
        let (width, height) = (pixels.width() as usize, pixels.height() as usize);
        let source = rows::of(pixels);
        // The row that lies so many rows below the one `reach` above the first.
        let row = |at: usize| {
            let y = (first + at).saturating_sub(reach).min(height - 1);
            &source[y * width..(y + 1) * width]
        };
        let columns = width + reach;
        let mut sums = vec![Sums::default(); width];
        (0..reach).for_each(|at| add_row(&mut sums, row(at), Sums::plus));
        let mut squares = Vec::with_capacity(columns * (rows + reach));
        for at in 0..rows + reach {
            add_row(&mut sums, row(at + reach), Sums::plus);
            squares_of_row(&sums, reach, &mut squares);
            add_row(&mut sums, row(at), Sums::minus);
        }
        Self { reach, columns, squares }
    }

    fn wash(&self, x: usize, y: usize) -> [u8; 3] {
        let (near, far) = (y * self.columns + x, (y + self.reach) * self.columns + x);
        let corners = [near, near + self.reach, far, far + self.reach];
        let (mut sum, mut total) = ([0.0f32; 3], 0.0f32);
        for Square { rgb, weight } in corners.map(|at| self.squares[at]) {
            total += weight;
            for (sum, v) in sum.iter_mut().zip(rgb) {
                *sum += v * weight;
            }
        }
        if total > 0.0 { sum.map(|v| rows::sample(v / total)) } else { [0; 3] }
    }
}

/// Sums over pixels by alpha: red, green, blue, alpha, luma, and the square of luma.
#[derive(Clone, Copy, Debug, Default)]
struct Sums([u32; 6]);

impl Sums {
    fn of([r, g, b, a]: [u8; 4]) -> Self {
        let weight = u32::from(a);
        let luma = rows::luma([r, g, b]) >> 8;
        let [r, g, b] = [r, g, b].map(u32::from);
        Self([r, g, b, 1, luma, luma * luma].map(|v| v * weight))
    }

    fn plus(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n].wrapping_add(other.0[n])))
    }

    fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|n| self.0[n].wrapping_sub(other.0[n])))
    }

    fn square(self) -> Square {
        let [r, g, b, alpha, luma, squared] = self.0.map(|v| v as f32);
        if alpha <= 0.0 {
            return Square::default();
        }
        let mean = luma / alpha;
        let variance = (squared / alpha - mean * mean).max(0.0);
        let even = 1.0 / (1.0 + variance);
        Square { rgb: [r, g, b].map(|sum| sum / alpha), weight: even * even }
    }
}

fn add_row(sums: &mut [Sums], row: &[[u8; 4]], join: fn(Sums, Sums) -> Sums) {
    for (sum, pixel) in sums.iter_mut().zip(row) {
        *sum = join(*sum, Sums::of(*pixel));
    }
}

/// The squares whose top row the sums of columns begin with, from `reach` pixels left of the picture.
fn squares_of_row(columns: &[Sums], reach: usize, squares: &mut Vec<Square>) {
    let at = |x: usize| columns[x.saturating_sub(reach).min(columns.len() - 1)];
    let mut sum = (0..reach).map(at).fold(Sums::default(), Sums::plus);
    for x in 0..columns.len() + reach {
        sum = sum.plus(at(x + reach));
        squares.push(sum.square());
        sum = sum.minus(at(x));
    }
}
