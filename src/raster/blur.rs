//! Gaussian blur.

/// What lies beyond the edge of a picture that is blurred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Nothing: zeros.
    Zero,
    /// The pixels at the edge, on and on.
    Extend,
}

/// Weights of a kernel sum up to this.
const UNIT: u32 = 1 << 16;

/// The largest standard deviation that is blurred, in pixels; the kernel has 6 times as many taps.
pub const MAX_SIGMA: f64 = 64.0;

/// Blurs a picture of `width` pixels a row with a Gaussian of standard deviation `sigma` pixels,
/// cut at three standard deviations. `N` channels, premultiplied where one is an alpha.
///
/// Each pass is a sum of 8-bit samples with 16-bit weights, kept to 16 bits in between, so the
/// result is within 1 of the exact one and the same everywhere. A `sigma` below 0.05 or not a number
/// changes nothing; one above [`MAX_SIGMA`] counts as that: blur a shrunk picture instead. Pixels of
/// an incomplete last row are left alone.
pub fn gaussian<const N: usize>(pixels: &mut [[u8; N]], width: usize, sigma: f64, edge: Edge) {
    if width == 0 || sigma.is_nan() || sigma < 0.05 {
        return;
    }
    let kernel = kernel(sigma.min(MAX_SIGMA));
    let height = pixels.len() / width;
    let mut between = vec![[0u16; N]; width * height];
    let reach = kernel.len() - 1;
    let mut line = vec![[0u16; N]; width.max(height) + 2 * reach];
    for y in 0..height {
        let start = y * width;
        if y > 0 && pixels[start - width..start] == pixels[start..start + width] {
            between.copy_within(start - width..start, start); // As in most rows of a box.
            continue;
        }
        let row = &mut pixels[start..start + width];
        let line = &mut line[..width + 2 * reach];
        for (to, from) in line[reach..].iter_mut().zip(&*row) {
            *to = from.map(u16::from);
        }
        fill_margins(line, reach, edge);
        let out = &mut between[start..start + width];
        // 8-bit samples become 8.8 fixed point.
        convolve(line, &kernel, out, |sum| ((sum + 128) >> 8) as u16);
    }
    vertical(&between, pixels, width, &kernel, edge);
}

/// The rows of a picture, counted on beyond it.
struct Rows<'p, const N: usize> {
    samples: &'p [[u16; N]],
    width: usize,
    height: usize,
    edge: Edge,
}

impl<'p, const N: usize> Rows<'p, N> {
    /// `None` beyond a picture with nothing around it.
    fn get(&self, y: isize) -> Option<&'p [[u16; N]]> {
        let clamped = y.clamp(0, self.height as isize - 1);
        let inside = clamped == y || self.edge == Edge::Extend;
        inside.then(|| &self.samples[clamped as usize * self.width..][..self.width])
    }

    /// Whether a row is another than the one above it.
    fn differs(&self, y: isize) -> bool {
        match (self.get(y), self.get(y - 1)) {
            // Beyond an edge that extends both are the same row: nothing to compare.
            (Some(row), Some(above)) => !std::ptr::eq(row, above) && row != above,
            (row, above) => row.is_some() != above.is_some(),
        }
    }
}

/// The second pass, a row of sums at a time, so that memory is read in order.
fn vertical<const N: usize>(
    between: &[[u16; N]],
    pixels: &mut [[u8; N]],
    width: usize,
    kernel: &[u32],
    edge: Edge,
) {
    let height = between.len() / width;
    let rows = Rows { samples: between, width, height, edge };
    let reach = kernel.len() as isize - 1;
    let mut last_other = (-reach..reach).filter(|y| rows.differs(*y)).max().unwrap_or(isize::MIN);
    let mut sums = vec![[0u32; N]; width];
    for y in 0..height {
        let (first, last) = (y as isize - reach, y as isize + reach);
        if rows.differs(last) {
            last_other = last;
        }
        // All rows that this one would be made of are those of the row above.
        if y > 0 && last_other < first {
            pixels.copy_within((y - 1) * width..y * width, y * width);
            continue;
        }
        // A half in the last place, as the sums are cut to their upper 8 bits.
        sums.fill([1 << 23; N]);
        for (distance, weight) in kernel.iter().enumerate() {
            let (y, distance) = (y as isize, distance as isize);
            let both = [rows.get(y - distance), rows.get(y + distance)];
            // The middle row is its own mirror.
            let used = if distance == 0 { 1 } else { 2 };
            for row in both.into_iter().take(used).flatten() {
                for (sum, sample) in sums.iter_mut().zip(row) {
                    for (sum, sample) in sum.iter_mut().zip(sample) {
                        *sum += weight * u32::from(*sample);
                    }
                }
            }
        }
        for (pixel, sum) in pixels[y * width..].iter_mut().zip(&sums) {
            *pixel = sum.map(|sum| (sum >> 24) as u8);
        }
    }
}

fn fill_margins<const N: usize>(line: &mut [[u16; N]], reach: usize, edge: Edge) {
    let last = line.len() - reach - 1;
    let (before, after) = match edge {
        Edge::Zero => ([0; N], [0; N]),
        Edge::Extend => (line[reach], line[last]),
    };
    line[..reach].fill(before);
    line[last + 1..].fill(after);
}

fn convolve<const N: usize>(
    line: &[[u16; N]],
    kernel: &[u32],
    out: &mut [[u16; N]],
    narrow: impl Fn(u32) -> u16,
) {
    let reach = kernel.len() - 1;
    for (x, out) in out.iter_mut().enumerate() {
        let center = x + reach;
        let mut sums = line[center].map(|sample| kernel[0] * u32::from(sample));
        // Both sides at once: the kernel is symmetric, which halves the multiplications.
        for (distance, weight) in kernel.iter().enumerate().skip(1) {
            let (left, right) = (&line[center - distance], &line[center + distance]);
            for (sum, (left, right)) in sums.iter_mut().zip(left.iter().zip(right)) {
                *sum += weight * (u32::from(*left) + u32::from(*right));
            }
        }
        *out = sums.map(&narrow);
    }
}

/// Weights of the middle and of one side, outwards; the whole kernel sums up to [`UNIT`].
fn kernel(sigma: f64) -> Vec<u32> {
    let reach = (3.0 * sigma).ceil() as usize;
    let bell: Vec<f64> =
        (0..=reach).map(|distance| (-0.5 * (distance as f64 / sigma).powi(2)).exp()).collect();
    let total = 1.0 + 2.0 * bell[1..].iter().sum::<f64>();
    let mut weights: Vec<u32> =
        bell.iter().map(|height| (height / total * f64::from(UNIT)).round() as u32).collect();
    // What rounding took or gave goes to the middle, so that one colour stays that colour.
    weights[0] = UNIT - 2 * weights[1..].iter().sum::<u32>();
    weights
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The definition: a weighted mean over both axes at once, in double precision.
    fn oracle(pixels: &[[u8; 1]], width: usize, sigma: f64, edge: Edge) -> Vec<f64> {
        let height = pixels.len() / width;
        let reach = (3.0 * sigma).ceil() as isize;
        let bell: Vec<f64> =
            (-reach..=reach).map(|d| (-0.5 * (d as f64 / sigma).powi(2)).exp()).collect();
        let total: f64 = bell.iter().sum();
        let mut out = Vec::new();
        for y in 0..height as isize {
            for x in 0..width as isize {
                let mut sum = 0.0;
                for (y, down) in (y - reach..).zip(&bell) {
                    for (x, across) in (x - reach..).zip(&bell) {
                        let inside_x = x.clamp(0, width as isize - 1);
                        let inside_y = y.clamp(0, height as isize - 1);
                        if (inside_x, inside_y) == (x, y) || edge == Edge::Extend {
                            let at = inside_y as usize * width + inside_x as usize;
                            sum += across * down * f64::from(pixels[at][0]);
                        }
                    }
                }
                out.push(sum / total / total);
            }
        }
        out
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn it_is_the_gaussian_mean(
            samples in prop::collection::vec(any::<u8>(), 9 * 7),
            sigma in 0.1..5.0f64,
            extends in any::<bool>(),
        ) {
            let edge = if extends { Edge::Extend } else { Edge::Zero };
            let mut pixels: Vec<[u8; 1]> = samples.into_iter().map(|v| [v]).collect();
            let exact = oracle(&pixels, 9, sigma, edge);
            gaussian(&mut pixels, 9, sigma, edge);
            for (ours, exact) in pixels.iter().zip(exact) {
                prop_assert!((f64::from(ours[0]) - exact).abs() <= 1.0, "{} {exact}", ours[0]);
            }
        }
    }

    /// Each row so many times, a gap, and the mark of its number.
    fn marked_rows(runs: &[([u8; 9], usize)], mark: fn(usize) -> u8) -> Vec<[u8; 1]> {
        let rows = runs.iter().flat_map(|(row, times)| std::iter::repeat_n(row, *times));
        let mut pixels = Vec::new();
        for (y, row) in rows.enumerate() {
            pixels.extend(row.map(|sample| [sample * 80]));
            pixels.extend([[0]; GAP]);
            pixels.push([mark(y)]);
        }
        pixels
    }

    /// More than the blur of the test below reaches.
    const GAP: usize = 40;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn rows_that_repeat_are_blurred_as_if_they_did_not(
            runs in prop::collection::vec((prop::array::uniform9(0u8..4), 1usize..30), 1..5),
            sigma in 0.1..3.0f64,
            extends in any::<bool>(),
        ) {
            let edge = if extends { Edge::Extend } else { Edge::Zero };
            // Marks beyond reach make every row another than the one above.
            let mut plain = marked_rows(&runs, |_| 0);
            let mut marked = marked_rows(&runs, |y| 1 + y as u8);
            let width = 9 + GAP + 1;
            gaussian(&mut plain, width, sigma, edge);
            gaussian(&mut marked, width, sigma, edge);
            for (plain, marked) in plain.chunks(width).zip(marked.chunks(width)) {
                prop_assert_eq!(&plain[..9], &marked[..9]);
            }
        }
    }

    #[test]
    fn white_stays_white_where_the_edge_extends() {
        for sigma in [0.3, 2.0, 6.0, 1e9] {
            let mut pixels = vec![[255u8; 4]; 20 * 13];
            gaussian(&mut pixels, 20, sigma, Edge::Extend);
            assert!(pixels.iter().all(|pixel| *pixel == [255; 4]), "{sigma}");
        }
    }

    #[test]
    fn colours_stay_premultiplied() {
        let mut pixels: Vec<[u8; 4]> = (0..400u32)
            .map(|i| {
                let a = (i * 37 % 256) as u8;
                [a, a / 2, a, a]
            })
            .collect();
        gaussian(&mut pixels, 20, 2.3, Edge::Zero);
        assert!(pixels.iter().all(|[r, g, b, a]| r <= a && g <= a && b <= a));
    }

    #[test]
    fn nothing_to_blur_is_left_alone() {
        let mut pixels = vec![[7u8]; 5];
        for (width, sigma) in [(0, 3.0), (5, 0.0), (5, f64::NAN), (5, -1.0)] {
            gaussian(&mut pixels, width, sigma, Edge::Zero);
            assert_eq!(pixels, vec![[7u8]; 5]);
        }
    }
}
