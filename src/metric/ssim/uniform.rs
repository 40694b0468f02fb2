//! Exact sums over a 7×7 window that slides down two pictures.

use super::window::{Window, mirror};
use crate::metric::plane::Plane;

/// Side of the window.
const SIDE: usize = 2 * RADIUS + 1;
/// How far the window reaches from its centre.
const RADIUS: usize = 3;

/// Samples in the window.
const AREA: f64 = (SIDE * SIDE) as f64;
/// Divisor of the sample covariance: one less than the samples.
const DEGREES: f64 = AREA - 1.0;
/// (K₁ · 255)² with K₁ = 0.01, times the square of the window's area.
const C1_SCALED: f64 = (0.01 * 255.0) * (0.01 * 255.0) * AREA * AREA;
/// (K₂ · 255)² with K₂ = 0.03, times the area and the divisor of the covariance.
const C2_SCALED: f64 = (0.03 * 255.0) * (0.03 * 255.0) * AREA * DEGREES;

/// Pixels of a row that are looked at together: what is known of them stays in the nearest cache.
const BLOCK: usize = 64;
/// What all three channels of a pixel come to where both pictures are the same.
const SAME: f64 = 3.0;

/// The sums of the three channels.
pub(super) struct UniformSums {
    channels: [ColumnSums; 3],
    windows: [BlockSums; 3],
    /// A row of which nothing leaves.
    nothing: Vec<u8>,
}

/// Sums of 7 samples down each column of one channel: of x, of y, of x² + y² and of x·y, with 3 mirrored columns at
/// either end. Behind the last stand more of nothing, so that the last block of a row is as long as all others.
///
/// The formula needs no more: x² and y² only ever occur as a sum. Of a window the largest, 2 · 49 · 255², fits 23 bits;
/// sums of samples fit 14.
struct ColumnSums {
    x: Vec<u16>,
    y: Vec<u16>,
    squares: Vec<i32>,
    products: Vec<i32>,
}

/// The same over the window around each pixel of a block.
struct BlockSums {
    x: [u16; BLOCK],
    y: [u16; BLOCK],
    squares: [i32; BLOCK],
    products: [i32; BLOCK],
}

impl Window for UniformSums {
    const RADIUS: usize = RADIUS;

    fn of_width(width: usize) -> Self {
        Self {
            channels: std::array::from_fn(|_| ColumnSums::of_width(width)),
            windows: std::array::from_fn(|_| BlockSums::NOTHING),
            nothing: vec![0; width],
        }
    }

    #[inline(always)]
    fn similarity(&mut self, [x, y]: &[[Plane; 3]; 2], row: usize, out: &mut [f64]) {
        for (sums, (x, y)) in self.channels.iter_mut().zip(x.iter().zip(y)) {
            if row == 0 {
                sums.start([x, y], &self.nothing);
            } else {
                sums.slide([x, y], row);
            }
        }
        for (at, out) in out.chunks_mut(BLOCK).enumerate() {
            let from = at * BLOCK;
            let [r, g, b] = &self.channels;
            // No closures here: they would not be compiled for the level of instructions.
            if r.is_same(from) && g.is_same(from) && b.is_same(from) {
                // What the formula comes to, exactly.
                out.fill(SAME);
                continue;
            }
            for (windows, sums) in self.windows.iter_mut().zip(&self.channels) {
                windows.add_up(sums, from);
            }
            let similarity = local_similarity(&self.windows);
            out.copy_from_slice(&similarity[..out.len()]);
        }
    }
}

impl ColumnSums {
    /// Sums of nothing, for rows of `width` samples.
    fn of_width(width: usize) -> Self {
        let len = width + 2 * RADIUS + BLOCK;
        Self { x: vec![0; len], y: vec![0; len], squares: vec![0; len], products: vec![0; len] }
    }

    /// The columns around row 0.
    #[inline(always)]
    fn start(&mut self, [x, y]: [&Plane; 2], nothing: &[u8]) {
        // Rows 0 to 3, and once more 0 to 2, which stand mirrored above the first.
        for row in (0..=RADIUS).chain(0..RADIUS) {
            // Nothing leaves while the first window fills.
            self.exchange([x.row(row), y.row(row)], [nothing, nothing]);
        }
        self.mirror_ends(x.width());
    }

    /// The columns around `row`, after those around the row before it.
    #[inline(always)]
    fn slide(&mut self, [x, y]: [&Plane; 2], row: usize) {
        // Near the edges it is mirrored rows that enter and leave; they are rows like any other.
        let enters = mirror(row as isize + RADIUS as isize, x.height());
        let leaves = mirror(row as isize - RADIUS as isize - 1, x.height());
        self.exchange([x.row(enters), y.row(enters)], [x.row(leaves), y.row(leaves)]);
        self.mirror_ends(x.width());
    }

    /// Lets one row of both planes into the columns, and another out.
    #[inline(always)]
    fn exchange(&mut self, [x_in, y_in]: [&[u8]; 2], [x_out, y_out]: [&[u8]; 2]) {
        let inner = RADIUS..RADIUS + x_in.len();
        exchange_samples(&mut self.x[inner.clone()], x_in, x_out);
        exchange_samples(&mut self.y[inner.clone()], y_in, y_out);
        exchange_squares(&mut self.squares[inner.clone()], [x_in, y_in], [x_out, y_out]);
        exchange_products(&mut self.products[inner], [x_in, y_in], [x_out, y_out]);
    }

    #[inline(always)]
    fn mirror_ends(&mut self, width: usize) {
        mirror_ends(&mut self.x, width);
        mirror_ends(&mut self.y, width);
        mirror_ends(&mut self.squares, width);
        mirror_ends(&mut self.products, width);
    }

    /// Whether both planes are the same in all windows around the pixels of a block.
    ///
    /// Screens mostly are, in most places, and then nothing else need be known: Σ(x² + y²) is 2·Σxy exactly where
    /// Σ(x − y)² is 0.
    #[inline(always)]
    fn is_same(&self, from: usize) -> bool {
        let until = from + BLOCK + 2 * RADIUS;
        let mut apart = 0;
        for (squares, products) in self.squares[from..until].iter().zip(&self.products[from..until])
        {
            apart |= squares - 2 * products;
        }
        apart == 0
    }
}

impl BlockSums {
    const NOTHING: Self =
        Self { x: [0; BLOCK], y: [0; BLOCK], squares: [0; BLOCK], products: [0; BLOCK] };

    /// The sums around the pixels from there on.
    #[inline(always)]
    fn add_up(&mut self, columns: &ColumnSums, from: usize) {
        add_neighbours(&mut self.x, &columns.x[from..]);
        add_neighbours(&mut self.y, &columns.y[from..]);
        add_neighbours(&mut self.squares, &columns.squares[from..]);
        add_neighbours(&mut self.products, &columns.products[from..]);
    }

    /// Numerator and denominator of the local similarity at a pixel.
    ///
    /// With n = 49: means are sums over n, variances and covariance n·Σab − Σa·Σb over n·(n − 1).
    /// Both factors of the formula are multiplied through by those divisors, so that every term but
    /// the constants is a whole number, exact in double precision; equal planes have an equal
    /// numerator and denominator.
    #[inline(always)]
    fn terms(&self, at: usize) -> [f64; 2] {
        let (x, y) = (f64::from(i32::from(self.x[at])), f64::from(i32::from(self.y[at])));
        let twice_means = 2.0 * (x * y);
        let mean_squares = x * x + y * y;
        // The largest of these whole numbers is below 2³², far within the 53 bits of a double.
        let twice_covariance = (2.0 * AREA) * f64::from(self.products[at]) - twice_means;
        let variances = AREA * f64::from(self.squares[at]) - mean_squares;
        [
            (twice_means + C1_SCALED) * (twice_covariance + C2_SCALED),
            (mean_squares + C1_SCALED) * (variances + C2_SCALED),
        ]
    }
}

/// The local similarity at each pixel of a block, the sum of the channels.
///
/// Brought to one denominator, as a division costs more than all else here. The largest is below 2¹⁷⁰.
#[inline(always)]
fn local_similarity(windows: &[BlockSums; 3]) -> [f64; BLOCK] {
    let [r, g, b] = windows;
    let mut similarity = [0.0; BLOCK];
    for (at, similarity) in similarity.iter_mut().enumerate() {
        let [above_r, under_r] = r.terms(at);
        let [above_g, under_g] = g.terms(at);
        let [above_b, under_b] = b.terms(at);
        let under_both = under_r * under_g;
        let sum = (above_r * under_g + above_g * under_r) * under_b + above_b * under_both;
        // Rounded, three channels that are the same may come to a hair more.
        *similarity = (sum / (under_both * under_b)).min(SAME);
    }
    similarity
}

#[inline(always)]
fn mirror_ends<T: Copy>(columns: &mut [T], width: usize) {
    let end = RADIUS + width;
    for past in 0..RADIUS {
        columns[RADIUS - 1 - past] = columns[RADIUS + past];
        columns[end + past] = columns[end - 1 - past];
    }
}

/// Sums 7 columns around each pixel.
#[inline(always)]
fn add_neighbours<T: Copy + std::ops::Add<Output = T>>(windows: &mut [T; BLOCK], columns: &[T]) {
    // Cut to what is read first, which takes the bounds checks out of the loop.
    let columns = &columns[..BLOCK + 2 * RADIUS];
    for (at, sum) in windows.iter_mut().enumerate() {
        *sum = columns[at]
            + columns[at + 1]
            + columns[at + 2]
            + columns[at + 3]
            + columns[at + 4]
            + columns[at + 5]
            + columns[at + 6];
    }
}

#[inline(always)]
fn exchange_samples(sums: &mut [u16], enters: &[u8], leaves: &[u8]) {
    for ((sum, &new), &old) in sums.iter_mut().zip(enters).zip(leaves) {
        // In this order: the sum must not dip below zero on the way.
        *sum = *sum + u16::from(new) - u16::from(old);
    }
}

#[inline(always)]
fn exchange_squares(sums: &mut [i32], [x_in, y_in]: [&[u8]; 2], [x_out, y_out]: [&[u8]; 2]) {
    let enters = x_in.iter().zip(y_in);
    let leaves = x_out.iter().zip(y_out);
    for (sum, ((&a, &b), (&c, &d))) in sums.iter_mut().zip(enters.zip(leaves)) {
        *sum += square(a) + square(b) - square(c) - square(d);
    }
}

#[inline(always)]
fn exchange_products(sums: &mut [i32], [x_in, y_in]: [&[u8]; 2], [x_out, y_out]: [&[u8]; 2]) {
    let enters = x_in.iter().zip(y_in);
    let leaves = x_out.iter().zip(y_out);
    for (sum, ((&a, &b), (&c, &d))) in sums.iter_mut().zip(enters.zip(leaves)) {
        *sum += product(a, b) - product(c, d);
    }
}

#[inline(always)]
fn square(sample: u8) -> i32 {
    product(sample, sample)
}

/// The product of two samples fits 16 bits, where the multiplication is cheapest.
#[inline(always)]
fn product(a: u8, b: u8) -> i32 {
    i32::from(u16::from(a) * u16::from(b))
}
