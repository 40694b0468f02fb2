//! Exact sums over a 7×7 window that slides down two pictures.

use super::rows::{BLOCK, PictureRows};
use super::window::{Window, mirror};

/// Side of the window.
const SIDE: usize = 2 * RADIUS + 1;
/// How far the window reaches from its centre.
const RADIUS: usize = 3;

/// Samples in the window.
const AREA: i32 = (SIDE * SIDE) as i32;
/// Divisor of the sample covariance: one less than the samples.
const DEGREES: i32 = AREA - 1;
/// (K₁ · 255)² with K₁ = 0.01, times the square of the window's area.
const C1_SCALED: f64 = (0.01 * 255.0) * (0.01 * 255.0) * AREA as f64 * AREA as f64;
/// (K₂ · 255)² with K₂ = 0.03, times the area and the divisor of the covariance.
const C2_SCALED: f64 = (0.03 * 255.0) * (0.03 * 255.0) * AREA as f64 * DEGREES as f64;

/// What all three channels of a pixel come to where both pictures are the same.
const SAME: f64 = 3.0;

/// The sums of the three channels.
///
/// Screens mostly are what they should be, in most places: a block of pixels has its sums made only while both pictures
/// differ somewhere in the windows around it.
pub(super) struct UniformSums {
    channels: [ColumnSums; 3],
    windows: [BlockSums; 3],
    blocks: Vec<BlockState>,
    /// How many rows were looked through for differences.
    compared: usize,
}

/// What is known of the columns of a block.
#[derive(Clone, Copy, Default)]
struct BlockState {
    /// The row around which their sums are.
    summed: Option<usize>,
    /// The last row in which the pictures differ there.
    differs: Option<usize>,
}

/// Sums of 7 samples down each column of one channel: of x, of y, of x² + y² and of x·y, with 3 mirrored columns at
/// either end. Behind the last stand more of nothing, so that the last block of a row is as long as all others.
///
/// The formula needs no more: x² and y² only ever occur as a sum. Of a window the largest, 2 · 49 · 255², fits 23 bits;
/// sums of samples fit 14.
struct ColumnSums {
    x: Vec<i16>,
    y: Vec<i16>,
    squares: Vec<i32>,
    products: Vec<i32>,
}

/// The same over the window around each pixel of a block.
struct BlockSums {
    x: [i16; BLOCK],
    y: [i16; BLOCK],
    squares: [i32; BLOCK],
    products: [i32; BLOCK],
}

impl Window for UniformSums {
    const RADIUS: usize = RADIUS;

    fn of_width(width: usize) -> Self {
        Self {
            channels: std::array::from_fn(|_| ColumnSums::of_width(width)),
            windows: std::array::from_fn(|_| BlockSums::NOTHING),
            blocks: vec![BlockState::default(); width.div_ceil(BLOCK)],
            compared: 0,
        }
    }

    // No closures in here: they would not be compiled for the level of instructions.
    #[inline(always)]
    fn similarity(
        &mut self,
        pictures: &mut [PictureRows<'_>; 2],
        row: usize,
        known: &[bool],
        out: &mut [f64],
    ) {
        let width = out.len();
        self.compare(pictures, row);
        for (at, out) in out.chunks_mut(BLOCK).enumerate() {
            if at < known.len() && known[at] {
                continue;
            }
            let from = at * BLOCK;
            let near = at.saturating_sub(1)..self.blocks.len().min(at + 2);
            if !self.differs_near(near.clone(), row) {
                // What the formula comes to, exactly.
                out.fill(SAME);
                continue;
            }
            for block in near {
                self.sum_up(block, pictures, row);
            }
            if at == 0 || from + BLOCK + RADIUS > width {
                for sums in &mut self.channels {
                    sums.mirror_ends(width);
                }
            }
            let [r, g, b] = &self.channels;
            if r.is_same(from) && g.is_same(from) && b.is_same(from) {
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

impl UniformSums {
    /// Looks through the rows that windows around `row` are the first to see.
    #[inline(always)]
    fn compare(&mut self, [x, y]: &[PictureRows<'_>; 2], row: usize) {
        while self.compared <= (row + RADIUS).min(x.height() - 1) {
            let [x, y] = [x.rgba(self.compared), y.rgba(self.compared)];
            let pixels = x.chunks(4 * BLOCK).zip(y.chunks(4 * BLOCK));
            for (block, (x, y)) in self.blocks.iter_mut().zip(pixels) {
                if x != y {
                    block.differs = Some(self.compared);
                }
            }
            self.compared += 1;
        }
    }

    /// Whether the pictures differ in these blocks, somewhere in the rows of the windows around `row`. Rows that stand
    /// mirrored beyond an edge are among them.
    #[inline(always)]
    fn differs_near(&self, blocks: std::ops::Range<usize>, row: usize) -> bool {
        let first = Some(row.saturating_sub(RADIUS));
        let mut differs = false;
        for block in &self.blocks[blocks] {
            differs |= block.differs >= first;
        }
        differs
    }

    /// Has the sums of a block's columns be those around `row`.
    #[inline(always)]
    fn sum_up(&mut self, block: usize, pictures: &mut [PictureRows<'_>; 2], row: usize) {
        let height = pictures[0].height();
        let summed = self.blocks[block].summed.replace(row);
        if summed == Some(row) {
            return;
        }
        if row > 0 && summed == Some(row - 1) {
            // Near the edges it is mirrored rows that enter and leave; they are rows like any other.
            let enters = mirror(row as isize + RADIUS as isize, height);
            let leaves = mirror(row as isize - RADIUS as isize - 1, height);
            for picture in &mut *pictures {
                picture.divide(enters);
                picture.divide(leaves);
            }
            for (channel, sums) in self.channels.iter_mut().enumerate() {
                let entering = samples(pictures, enters, channel, block);
                let leaving = samples(pictures, leaves, channel, block);
                sums.exchange(block, entering, leaving);
            }
            return;
        }
        for sums in &mut self.channels {
            sums.clear(block);
        }
        for offset in 0..SIDE {
            let enters = mirror(row as isize + offset as isize - RADIUS as isize, height);
            for picture in &mut *pictures {
                picture.divide(enters);
            }
            for (channel, sums) in self.channels.iter_mut().enumerate() {
                sums.exchange(block, samples(pictures, enters, channel, block), [&NOTHING; 2]);
            }
        }
    }
}

/// Samples of which none leaves.
static NOTHING: [u8; BLOCK] = [0; BLOCK];

/// A block of a row that was divided, of both pictures.
#[inline(always)]
fn samples<'p>(
    [x, y]: &'p [PictureRows<'_>; 2],
    row: usize,
    channel: usize,
    block: usize,
) -> [&'p [u8; BLOCK]; 2] {
    let (x, y) = (x.channel(row, channel), y.channel(row, channel));
    [&x.as_chunks().0[block], &y.as_chunks().0[block]]
}

impl ColumnSums {
    /// Sums of nothing, for rows of `width` samples.
    fn of_width(width: usize) -> Self {
        let len = width.next_multiple_of(BLOCK) + 2 * RADIUS + BLOCK;
        Self { x: vec![0; len], y: vec![0; len], squares: vec![0; len], products: vec![0; len] }
    }

    /// Lets a block of a row into the columns, and one of another out.
    #[inline(always)]
    fn exchange(&mut self, block: usize, enters: [&[u8; BLOCK]; 2], leaves: [&[u8; BLOCK]; 2]) {
        let ([x_in, y_in], [x_out, y_out]) = (enters, leaves);
        exchange_samples(columns_of(&mut self.x, block), x_in, x_out);
        exchange_samples(columns_of(&mut self.y, block), y_in, y_out);
        exchange_squares(columns_of(&mut self.squares, block), enters, leaves);
        exchange_products(columns_of(&mut self.products, block), enters, leaves);
    }

    #[inline(always)]
    fn clear(&mut self, block: usize) {
        columns_of(&mut self.x, block).fill(0);
        columns_of(&mut self.y, block).fill(0);
        columns_of(&mut self.squares, block).fill(0);
        columns_of(&mut self.products, block).fill(0);
    }

    #[inline(always)]
    fn mirror_ends(&mut self, width: usize) {
        mirror_ends(&mut self.x, width);
        mirror_ends(&mut self.y, width);
        mirror_ends(&mut self.squares, width);
        mirror_ends(&mut self.products, width);
    }

    /// Whether both planes are the same in all windows around the pixels of a block: Σ(x² + y²) is 2·Σxy exactly where
    /// Σ(x − y)² is 0.
    #[inline(always)]
    fn is_same(&self, from: usize) -> bool {
        let until = from + BLOCK + 2 * RADIUS;
        let (squares, products) = (&self.squares[from..until], &self.products[from..until]);
        let mut apart = 0;
        for (at, squares) in squares.iter().enumerate() {
            apart |= squares - 2 * products[at];
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
        let (x, y) = (i32::from(self.x[at]), i32::from(self.y[at]));
        let twice_means = 2 * (x * y);
        let mean_squares = x * x + y * y;
        // The largest of these is below 2³¹, and no difference is larger than what it is taken of.
        let twice_covariance = 2 * AREA * self.products[at] - twice_means;
        let variances = AREA * self.squares[at] - mean_squares;
        let (twice_means, mean_squares) = (f64::from(twice_means), f64::from(mean_squares));
        let (twice_covariance, variances) = (f64::from(twice_covariance), f64::from(variances));
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

/// The columns of a block.
#[inline(always)]
fn columns_of<T>(columns: &mut [T], block: usize) -> &mut [T; BLOCK] {
    &mut columns[RADIUS..].as_chunks_mut().0[block]
}

// By places in arrays of one length: iterators side by side are made by a call at every block, and there are dozens.

#[inline(always)]
fn exchange_samples(sums: &mut [i16; BLOCK], enters: &[u8; BLOCK], leaves: &[u8; BLOCK]) {
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += i16::from(enters[at]) - i16::from(leaves[at]);
    }
}

#[inline(always)]
fn exchange_squares(
    sums: &mut [i32; BLOCK],
    [x_in, y_in]: [&[u8; BLOCK]; 2],
    [x_out, y_out]: [&[u8; BLOCK]; 2],
) {
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += square(x_in[at]) + square(y_in[at]) - square(x_out[at]) - square(y_out[at]);
    }
}

#[inline(always)]
fn exchange_products(
    sums: &mut [i32; BLOCK],
    [x_in, y_in]: [&[u8; BLOCK]; 2],
    [x_out, y_out]: [&[u8; BLOCK]; 2],
) {
    for (at, sum) in sums.iter_mut().enumerate() {
        *sum += product(x_in[at], y_in[at]) - product(x_out[at], y_out[at]);
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
