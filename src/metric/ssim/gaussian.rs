//! Means over an 11×11 Gaussian window, in double precision.

use super::rows::PictureRows;
use super::window::{Window, mirror};

/// How far the window reaches: 3.5 σ, rounded, as scikit-image cuts it.
const RADIUS: usize = 5;
const SIDE: usize = 2 * RADIUS + 1;
const SIGMA: f64 = 1.5;
/// (K₁ · 255)² with K₁ = 0.01.
const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
/// (K₂ · 255)² with K₂ = 0.03.
const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);

/// What the formula needs the means of: x, y, x² + y² and x·y.
const QUANTITIES: usize = 4;

/// Gaussian means of the quantities around each pixel of a row, of each channel.
pub(super) struct GaussianMeans {
    channels: [ChannelMeans; 3],
    /// How many rows were put in.
    entered: usize,
    /// The similarity of one channel around each pixel.
    similarity: Vec<f64>,
}

/// The means of one channel: first down, then across.
struct ChannelMeans {
    /// Weight of a sample by its distance from the centre; the window's weights sum to 1.
    weights: [f64; RADIUS + 1],
    /// The quantities of the last 11 rows: row `y` stands at `y % 11`.
    rows: [[Vec<f64>; QUANTITIES]; SIDE],
    /// Means down the columns, with 5 mirrored columns at either end.
    columns: Vec<f64>,
    /// Means over the window.
    means: [Vec<f64>; QUANTITIES],
}

impl Window for GaussianMeans {
    const RADIUS: usize = RADIUS;

    fn of_width(width: usize) -> Self {
        Self {
            channels: std::array::from_fn(|_| ChannelMeans::of_width(width)),
            entered: 0,
            similarity: vec![0.0; width],
        }
    }

    #[inline(always)]
    fn similarity(
        &mut self,
        pictures: &mut [PictureRows<'_>; 2],
        row: usize,
        _known: &[bool],
        out: &mut [f64],
    ) {
        let height = pictures[0].height();
        // A row is turned into quantities once, and serves the eleven rows that see it.
        while self.entered <= (row + RADIUS).min(height - 1) {
            let [x, y] = &mut *pictures;
            x.divide(self.entered);
            y.divide(self.entered);
            for (channel, means) in self.channels.iter_mut().enumerate() {
                let quantities = &mut means.rows[self.entered % SIDE];
                enter(
                    quantities,
                    x.channel(self.entered, channel),
                    y.channel(self.entered, channel),
                );
            }
            self.entered += 1;
        }
        out.fill(0.0);
        for means in &mut self.channels {
            means.similarity(row, height, &mut self.similarity);
            for (sum, similarity) in out.iter_mut().zip(&self.similarity) {
                *sum += similarity;
            }
        }
    }
}

impl ChannelMeans {
    fn of_width(width: usize) -> Self {
        Self {
            weights: weights(),
            rows: std::array::from_fn(|_| std::array::from_fn(|_| vec![0.0; width])),
            columns: vec![0.0; width + 2 * RADIUS],
            means: std::array::from_fn(|_| vec![0.0; width]),
        }
    }

    #[inline(always)]
    fn similarity(&mut self, row: usize, height: usize, out: &mut [f64]) {
        // Where the eleven rows around this one stand in the ring; mirrored ones are among the last
        // eleven too, as a plane has at least that many rows.
        let slots: [usize; SIDE] = std::array::from_fn(|k| {
            mirror(row as isize + k as isize - RADIUS as isize, height) % SIDE
        });
        for quantity in 0..QUANTITIES {
            let rows = slots.map(|slot| self.rows[slot][quantity].as_slice());
            let end = self.columns.len() - RADIUS;
            weigh(&mut self.columns[RADIUS..end], rows, &self.weights);
            mirror_ends(&mut self.columns);
            let len = self.means[quantity].len();
            let shifted = std::array::from_fn(|k| &self.columns[k..k + len]);
            weigh(&mut self.means[quantity], shifted, &self.weights);
        }
        local_similarity(&self.means, out);
    }
}

fn weights() -> [f64; RADIUS + 1] {
    let bell: [f64; RADIUS + 1] = std::array::from_fn(|distance| {
        (-0.5 / (SIGMA * SIGMA) * (distance * distance) as f64).exp()
    });
    // Each but the middle one stands on both sides.
    let total = bell[0] + bell[1..].iter().map(|weight| 2.0 * weight).sum::<f64>();
    bell.map(|weight| weight / total)
}

#[inline(always)]
fn enter([sx, sy, squares, products]: &mut [Vec<f64>; QUANTITIES], x: &[u8], y: &[u8]) {
    // Rows are divided up to whole blocks.
    let width = sx.len();
    for (at, (&x, &y)) in x[..width].iter().zip(&y[..width]).enumerate() {
        let (x, y) = (f64::from(x), f64::from(y));
        sx[at] = x;
        sy[at] = y;
        squares[at] = x * x + y * y;
        products[at] = x * y;
    }
}

/// The weighted sum of 11 lines, both of the same distance from the middle with the same weight.
#[inline(always)]
fn weigh(out: &mut [f64], lines: [&[f64]; SIDE], weights: &[f64; RADIUS + 1]) {
    // Cut to one length first, which takes the bounds checks out of the loop.
    let lines = lines.map(|line| &line[..out.len()]);
    let [a, b, c, d, e, f, g, h, i, j, k] = lines;
    let [w0, w1, w2, w3, w4, w5] = *weights;
    for (at, sum) in out.iter_mut().enumerate() {
        // Both sides before the weight, which halves the multiplications. The order is written out so
        // that no level of instructions sums otherwise: it decides the last bit.
        *sum = w0 * f[at]
            + w1 * (e[at] + g[at])
            + w2 * (d[at] + h[at])
            + w3 * (c[at] + i[at])
            + w4 * (b[at] + j[at])
            + w5 * (a[at] + k[at]);
    }
}

#[inline(always)]
fn mirror_ends(columns: &mut [f64]) {
    let end = columns.len() - RADIUS;
    for past in 0..RADIUS {
        columns[RADIUS - 1 - past] = columns[RADIUS + past];
        columns[end + past] = columns[end - 1 - past];
    }
}

/// Equal planes have an equal numerator and denominator, hence exactly 1: doubling is exact.
#[inline(always)]
fn local_similarity([x, y, squares, products]: &[Vec<f64>; QUANTITIES], out: &mut [f64]) {
    let len = out.len();
    let (x, y, squares, products) = (&x[..len], &y[..len], &squares[..len], &products[..len]);
    for (at, similarity) in out.iter_mut().enumerate() {
        // E[xy] − E[x]E[y] cancels digits where the picture is flat; the constants are large beside
        // that.
        let twice_means = 2.0 * (x[at] * y[at]);
        let mean_squares = x[at] * x[at] + y[at] * y[at];
        let twice_covariance = 2.0 * products[at] - twice_means;
        let variances = squares[at] - mean_squares;
        *similarity = ((twice_means + C1) * (twice_covariance + C2))
            / ((mean_squares + C1) * (variances + C2));
    }
}
