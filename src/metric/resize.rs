//! Pillow's bicubic resize, reproduced to the bit.
//!
//! The published evaluators bring pictures to one size with `Image.resize`, so scores depend on
//! every rounding in it. Like Pillow (python-pillow/Pillow, src/libImaging/Resample.c) this is two
//! passes, each rounding to 8 bits; weights are computed in double precision, normalised to sum 1
//! and rounded to 22 fractional bits. When shrinking, the kernel is stretched by the ratio of the
//! sizes, which antialiases.
//!
//! Up to Pillow 12 the pass across always came first. Pillow 13 starts with the pass down where the
//! height shrinks much more than the width, and as each pass rounds, pixels differ. This follows
//! Pillow 13; an SSIM after such a resize is about 0.00001 from that of an older one.

use multiversion::multiversion;

use crate::base::{CancelToken, Cancelled, Pixels};

use super::plane::{Plane, rgb_planes};

/// Fractional bits of a weight: of 32 bits, 8 hold the sample and 2 the sign and overshoot.
const PRECISION_BITS: u32 = 32 - 8 - 2;
/// Half of one: added before the shift, so that the result is rounded.
const HALF: i32 = 1 << (PRECISION_BITS - 1);
/// Reach of the cubic kernel to each side, in samples.
const SUPPORT: f64 = 2.0;
/// Rows whose samples of one column are summed side by side.
const TOGETHER: usize = 16;

/// A plane at another size. At its own size it is returned as it is.
///
/// `width` and `height` of 0 count as 1.
///
/// # Errors
///
/// [`Cancelled`] once `cancel` is raised; it is looked at every few rows.
pub fn bicubic(
    plane: Plane,
    width: usize,
    height: usize,
    cancel: &CancelToken,
) -> Result<Plane, Cancelled> {
    let (width, height) = (width.max(1), height.max(1));
    if starts_down(&plane, width, height) {
        resize_across(resize_down(plane, height, cancel)?, width, cancel)
    } else {
        resize_down(resize_across(plane, width, cancel)?, height, cancel)
    }
}

/// Whether the pass down comes first: the height shrinks by more than twice what the width does.
fn starts_down(plane: &Plane, width: usize, height: usize) -> bool {
    // Signed: a side that grows has lost less than nothing, as in Pillow's comparison of the two.
    let lost_width = plane.width() as i64 - width as i64;
    let lost_height = plane.height() as i64 - height as i64;
    lost_height > 0 && lost_height > 2 * lost_width
}

/// The samples that make one output sample, and their weights.
struct Taps {
    first: usize,
    weights: Vec<i32>,
}

fn resize_across(plane: Plane, width: usize, cancel: &CancelToken) -> Result<Plane, Cancelled> {
    if width == plane.width() {
        return Ok(plane);
    }
    let taps = taps(plane.width(), width);
    let mut samples = vec![0; width * plane.height()];
    let mut columns = vec![[0; TOGETHER]; plane.width()];
    let strips = plane.samples().chunks(TOGETHER * plane.width());
    for (rows, resized) in strips.zip(samples.chunks_mut(TOGETHER * width)) {
        cancel.check()?;
        for (at, row) in rows.chunks_exact(plane.width()).enumerate() {
            for (column, sample) in columns.iter_mut().zip(row) {
                column[at] = *sample;
            }
        }
        resize_strip(&columns, &taps, resized, width);
    }
    Ok(Plane::of_size(width, plane.height(), samples))
}

/// Resizes rows that lie side by side, column by column; the last strip of a plane may have fewer than there are
/// places.
// Whole numbers throughout, so neither the order of the sum nor the compiler's vectors change it.
#[multiversion(targets = "simd")]
fn resize_strip(columns: &[[u8; TOGETHER]], taps: &[Taps], resized: &mut [u8], width: usize) {
    for (x, taps) in taps.iter().enumerate() {
        let mut sums = [HALF; TOGETHER];
        for (column, weight) in columns[taps.first..].iter().zip(&taps.weights) {
            for (at, sum) in sums.iter_mut().enumerate() {
                *sum += i32::from(column[at]) * weight;
            }
        }
        for (row, sum) in resized.chunks_exact_mut(width).zip(sums) {
            row[x] = round_to_sample(sum);
        }
    }
}

fn resize_down(plane: Plane, height: usize, cancel: &CancelToken) -> Result<Plane, Cancelled> {
    if height == plane.height() {
        return Ok(plane);
    }
    let mut samples = Vec::with_capacity(plane.width() * height);
    let mut sums = vec![0; plane.width()];
    for taps in taps(plane.height(), height) {
        cancel.check()?;
        sums.fill(HALF);
        // Row by row and not column by column: memory is read in order, and the inner loop
        // vectorises.
        for (y, &weight) in (taps.first..).zip(&taps.weights) {
            add_weighted(&mut sums, plane.row(y), weight);
        }
        samples.extend(sums.iter().map(|&sum| round_to_sample(sum)));
    }
    Ok(Plane::of_size(plane.width(), height, samples))
}

#[multiversion(targets = "simd")]
fn add_weighted(sums: &mut [i32], row: &[u8], weight: i32) {
    for (sum, &sample) in sums.iter_mut().zip(row) {
        *sum += i32::from(sample) * weight;
    }
}

#[inline]
fn round_to_sample(sum: i32) -> u8 {
    // The kernel is negative further out, so a sharp edge overshoots both ends of a sample.
    (sum >> PRECISION_BITS).clamp(0, 255) as u8
}

/// Weights for every output sample of a line of `from` samples brought to `to`.
fn taps(from: usize, to: usize) -> Vec<Taps> {
    // Centres lie half a sample in; growing must not narrow the kernel, so it is stretched by 1
    // then.
    let scale = from as f64 / to as f64;
    (0..to).map(|at| taps_at((at as f64 + 0.5) * scale, scale.max(1.0), from)).collect()
}

/// Weights around `centre`, with the kernel stretched by `stretch`, cut at the ends of the line.
fn taps_at(centre: f64, stretch: f64, len: usize) -> Taps {
    let reach = SUPPORT * stretch;
    // The casts truncate towards zero, and take what is below zero to zero, as in C with a clamp.
    let first = (centre - reach + 0.5) as usize;
    let end = ((centre + reach + 0.5) as usize).min(len);
    // The reciprocal is multiplied with, as in the original: dividing would round otherwise.
    let shrink = 1.0 / stretch;
    let weights: Vec<f64> =
        (first..end).map(|at| kernel((at as f64 - centre + 0.5) * shrink)).collect();
    let total: f64 = weights.iter().sum();
    // At the ends of a line the kernel is cut, and what is left must still sum to 1 or edges would
    // darken.
    let normalised = weights.iter().map(|w| if total == 0.0 { *w } else { w / total });
    Taps { first, weights: normalised.map(to_fixed_point).collect() }
}

/// Rounds half away from zero.
fn to_fixed_point(weight: f64) -> i32 {
    let scaled = weight * f64::from(1u32 << PRECISION_BITS);
    if weight < 0.0 { (scaled - 0.5) as i32 } else { (scaled + 0.5) as i32 }
}

/// The cubic convolution kernel (Keys 1981) with a = −0.5.
fn kernel(x: f64) -> f64 {
    const A: f64 = -0.5;
    let x = x.abs();
    if x < 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else if x < SUPPORT {
        (((x - 5.0) * x + 8.0) * x - 4.0) * A
    } else {
        0.0
    }
}

/// The channels of both pictures at the compared size: the smaller width and the smaller height,
/// each taken for itself. A picture of another size is resized ([`bicubic`]), never padded
/// or cropped.
///
/// Source: kixlab/canvas, evaluation/metrics: how every metric of two pictures loads them.
pub fn compared_planes(
    ground_truth: &Pixels,
    generated: &Pixels,
    cancel: &CancelToken,
) -> Result<[[Plane; 3]; 2], Cancelled> {
    let width = ground_truth.width().min(generated.width()) as usize;
    let height = ground_truth.height().min(generated.height()) as usize;
    Ok([
        rgb_planes_at(ground_truth, width, height, cancel)?,
        rgb_planes_at(generated, width, height, cancel)?,
    ])
}

/// Red, green and blue of a picture, each at another size ([`bicubic`]).
pub(super) fn rgb_planes_at(
    picture: &Pixels,
    width: usize,
    height: usize,
    cancel: &CancelToken,
) -> Result<[Plane; 3], Cancelled> {
    let [r, g, b] = rgb_planes(picture);
    Ok([
        bicubic(r, width, height, cancel)?,
        bicubic(g, width, height, cancel)?,
        bicubic(b, width, height, cancel)?,
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plane(width: usize, height: usize, sample: impl Fn(usize) -> u8) -> Plane {
        Plane::new(width, height, (0..width * height).map(sample).collect()).unwrap()
    }

    #[test]
    fn weights_sum_to_one_within_rounding() {
        for (from, to) in [(1, 9), (9, 1), (7, 5), (5, 7), (1080, 393), (3, 16_384)] {
            for taps in taps(from, to) {
                let sum: i64 = taps.weights.iter().map(|&w| i64::from(w)).sum();
                let off = (sum - (1 << PRECISION_BITS)).unsigned_abs() as usize;
                assert!(off <= taps.weights.len(), "{from} to {to}: off by {off}");
            }
        }
    }

    #[test]
    fn a_raised_token_stops_it() {
        let cancel = CancelToken::new();
        cancel.cancel();
        assert_eq!(bicubic(plane(4, 4, |_| 0), 3, 4, &cancel), Err(Cancelled));
        assert_eq!(bicubic(plane(4, 4, |_| 0), 4, 3, &cancel), Err(Cancelled));
    }

    #[test]
    fn an_edge_overshoots_and_is_clamped() {
        let edge = plane(8, 1, |x| if x < 4 { 0 } else { 255 });
        let wide = bicubic(edge, 32, 1, &CancelToken::new()).unwrap();
        assert_eq!((wide.samples()[0], wide.samples()[31]), (0, 255));
        assert!(wide.samples().windows(2).all(|pair| pair[0] <= pair[1]), "clamped, so monotonic");
    }

    /// Computed by Pillow 13 on these very samples.
    #[test]
    fn small_planes_come_out_as_pillow_makes_them() {
        let taller =
            [22, 105, 201, 55, 158, 148, 109, 196, 107, 165, 127, 164, 187, 123, 128, 190, 138, 80];
        for ((w, h), (to_w, to_h), expected) in [
            ((7, 4), (3, 6), &taller[..]),
            ((5, 9), (4, 2), &[115, 145, 141, 154, 150, 138, 124, 108]),
            ((9, 8), (3, 3), &[108, 150, 113, 164, 135, 127, 120, 122, 133]),
        ] {
            let pattern = plane(w, h, |i| (i % w * 37 + i / w * 61 + (i % w) * (i / w) * 11) as u8);
            let out = bicubic(pattern, to_w, to_h, &CancelToken::new()).unwrap();
            assert_eq!(out.samples(), expected, "{w}×{h} to {to_w}×{to_h}");
        }
    }

    proptest! {
        #[test]
        fn a_constant_plane_stays_constant(w in 1usize..40, h in 1usize..40, to_w in 1usize..60, to_h in 1usize..60, value: u8) {
            let out = bicubic(plane(w, h, |_| value), to_w, to_h, &CancelToken::new()).unwrap();
            prop_assert_eq!((out.width(), out.height()), (to_w, to_h));
            prop_assert!(out.samples().iter().all(|&v| v == value));
        }

        #[test]
        fn the_own_size_changes_nothing(w in 1usize..20, h in 1usize..20, seed: u8) {
            let before = plane(w, h, |i| (i as u8).wrapping_mul(31).wrapping_add(seed));
            prop_assert_eq!(bicubic(before.clone(), w, h, &CancelToken::new()), Ok(before));
        }

        #[test]
        fn mirrored_input_gives_mirrored_output(samples in proptest::collection::vec(any::<u8>(), 1..30), to in 1usize..50) {
            let mirrored: Vec<u8> = samples.iter().rev().copied().collect();
            let [straight, mirrored] = [samples, mirrored].map(|samples| {
                let plane = Plane::new(samples.len(), 1, samples).unwrap();
                bicubic(plane, to, 1, &CancelToken::new()).unwrap()
            });
            for (a, b) in straight.samples().iter().zip(mirrored.samples().iter().rev()) {
                // Rounding of weights that differ in the last bit may differ by one.
                prop_assert!(a.abs_diff(*b) <= 1);
            }
        }
    }

    #[test]
    fn each_side_takes_the_smaller_extent() {
        let wide = Pixels::filled(9, 4, [10, 20, 30, 255]).unwrap();
        let tall = Pixels::filled(5, 8, [10, 20, 30, 255]).unwrap();
        let [a, b] = compared_planes(&wide, &tall, &CancelToken::new()).unwrap();
        for plane in a.iter().chain(&b) {
            assert_eq!((plane.width(), plane.height()), (5, 4));
        }
        assert_eq!(a, b);
    }
}
