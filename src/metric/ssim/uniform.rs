//! Exact sums over a 7×7 window that slides down two planes.

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

/// Pixels of a row that are looked at together.
const BLOCK: usize = 64;

/// Sums over the window around each pixel of a row: of x, of y, of x² + y² and of x·y.
///
/// The formula needs no more: x² and y² only ever occur as a sum. The largest, 2 · 49 · 255², fits
/// 23 bits; sums of samples fit 14.
pub(super) struct UniformSums {
    x: SlidingSum<u16>,
    y: SlidingSum<u16>,
    squares: SlidingSum<i32>,
    products: SlidingSum<i32>,
}

/// A sum down the columns that slides, and from it the sum over the window.
struct SlidingSum<T> {
    /// Sum of 7 samples down each column, with 3 mirrored columns at either end.
    columns: Vec<T>,
    /// Sum over the window around each pixel, where both planes are not the same.
    windows: Vec<T>,
}

impl Window for UniformSums {
    const RADIUS: usize = RADIUS;

    fn new(x: &Plane, _: &Plane) -> Self {
        Self::of_width(x.width())
    }

    #[inline(always)]
    fn similarity(&mut self, [x, y]: [&Plane; 2], row: usize, out: &mut [f64]) {
        if row == 0 {
            self.start(x, y);
        } else {
            self.slide(x, y, row);
        }
        let width = out.len();
        let mut from = 0;
        while from < width {
            let end = (from + BLOCK).min(width);
            if self.is_same(from, end) {
                // What the formula comes to, exactly: its two factors are the same above and below.
                out[from..end].fill(1.0);
                from = end;
                continue;
            }
            // All blocks up to the next that is the same: long loops are the fast ones.
            let mut until = end;
            while until < width && !self.is_same(until, (until + BLOCK).min(width)) {
                until = (until + BLOCK).min(width);
            }
            self.sum_across(from, until);
            self.local_similarity(from, &mut out[from..until]);
            from = until;
        }
    }
}

impl UniformSums {
    /// Sums of nothing, for rows of `width` samples.
    fn of_width(width: usize) -> Self {
        Self {
            x: SlidingSum::new(width),
            y: SlidingSum::new(width),
            squares: SlidingSum::new(width),
            products: SlidingSum::new(width),
        }
    }

    /// The windows around row 0.
    #[inline(always)]
    fn start(&mut self, x: &Plane, y: &Plane) {
        // Nothing leaves while the first window fills.
        let zeros = vec![0; x.width()];
        // Rows 0 to 3, and once more 0 to 2, which stand mirrored above the first.
        for row in (0..=RADIUS).chain(0..RADIUS) {
            self.exchange([x.row(row), y.row(row)], [&zeros, &zeros]);
        }
        self.mirror_ends();
    }

    /// The windows around `row`, after those around the row before it.
    #[inline(always)]
    fn slide(&mut self, x: &Plane, y: &Plane, row: usize) {
        // Near the edges it is mirrored rows that enter and leave; they are rows like any other.
        let enters = mirror(row as isize + RADIUS as isize, x.height());
        let leaves = mirror(row as isize - RADIUS as isize - 1, x.height());
        self.exchange([x.row(enters), y.row(enters)], [x.row(leaves), y.row(leaves)]);
        self.mirror_ends();
    }

    /// Lets one row of both planes into the columns, and another out.
    #[inline(always)]
    fn exchange(&mut self, [x_in, y_in]: [&[u8]; 2], [x_out, y_out]: [&[u8]; 2]) {
        exchange_samples(self.x.inner_columns(), x_in, x_out);
        exchange_samples(self.y.inner_columns(), y_in, y_out);
        exchange_squares(self.squares.inner_columns(), [x_in, y_in], [x_out, y_out]);
        exchange_products(self.products.inner_columns(), [x_in, y_in], [x_out, y_out]);
    }

    #[inline(always)]
    fn mirror_ends(&mut self) {
        self.x.mirror_ends();
        self.y.mirror_ends();
        self.squares.mirror_ends();
        self.products.mirror_ends();
    }

    /// Whether both planes are the same in all windows around these pixels.
    ///
    /// Screens mostly are, in most places, and then nothing else need be known: Σ(x² + y²) is 2·Σxy exactly where
    /// Σ(x − y)² is 0.
    #[inline(always)]
    fn is_same(&self, from: usize, end: usize) -> bool {
        let squares = &self.squares.columns[from..end + 2 * RADIUS];
        let products = &self.products.columns[from..end + 2 * RADIUS];
        let mut apart = 0;
        for (squares, products) in squares.iter().zip(products) {
            apart |= squares - 2 * products;
        }
        apart == 0
    }

    #[inline(always)]
    fn sum_across(&mut self, from: usize, until: usize) {
        self.x.sum_across(from, until);
        self.y.sum_across(from, until);
        self.squares.sum_across(from, until);
        self.products.sum_across(from, until);
    }

    /// The local similarity at each pixel from there on.
    ///
    /// With n = 49: means are sums over n, variances and covariance n·Σab − Σa·Σb over n·(n − 1).
    /// Both factors of the formula are multiplied through by those divisors, so that every term but
    /// the constants is a whole number, exact in double precision; equal planes have an equal
    /// numerator and denominator, hence exactly 1.
    #[inline(always)]
    fn local_similarity(&self, from: usize, out: &mut [f64]) {
        let until = from + out.len();
        let (x, y) = (&self.x.windows[from..until], &self.y.windows[from..until]);
        let squares = &self.squares.windows[from..until];
        let products = &self.products.windows[from..until];
        for at in 0..out.len() {
            let (x, y) = (f64::from(i32::from(x[at])), f64::from(i32::from(y[at])));
            let twice_means = 2.0 * (x * y);
            let mean_squares = x * x + y * y;
            // The largest of these whole numbers is below 2³², far within the 53 bits of a double.
            let twice_covariance = (2.0 * AREA) * f64::from(products[at]) - twice_means;
            let variances = AREA * f64::from(squares[at]) - mean_squares;
            out[at] = ((twice_means + C1_SCALED) * (twice_covariance + C2_SCALED))
                / ((mean_squares + C1_SCALED) * (variances + C2_SCALED));
        }
    }
}

impl<T: Copy + Default + std::ops::Add<Output = T>> SlidingSum<T> {
    fn new(width: usize) -> Self {
        Self { columns: vec![T::default(); width + 2 * RADIUS], windows: vec![T::default(); width] }
    }

    /// The columns of the picture itself.
    #[inline(always)]
    fn inner_columns(&mut self) -> &mut [T] {
        let end = self.columns.len() - RADIUS;
        &mut self.columns[RADIUS..end]
    }

    #[inline(always)]
    fn mirror_ends(&mut self) {
        let columns = &mut self.columns;
        let end = columns.len() - RADIUS;
        for past in 0..RADIUS {
            columns[RADIUS - 1 - past] = columns[RADIUS + past];
            columns[end + past] = columns[end - 1 - past];
        }
    }

    /// Sums 7 neighbours around each of these pixels.
    #[inline(always)]
    fn sum_across(&mut self, from: usize, until: usize) {
        let len = until - from;
        let columns = &self.columns[from..];
        let [a, b, c, d, e, f, g]: [&[T]; SIDE] = std::array::from_fn(|k| &columns[k..k + len]);
        for (at, sum) in self.windows[from..until].iter_mut().enumerate() {
            *sum = a[at] + b[at] + c[at] + d[at] + e[at] + f[at] + g[at];
        }
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
