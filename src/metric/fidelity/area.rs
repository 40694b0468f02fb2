//! OpenCV's area resize, for making pictures smaller.

use crate::metric::plane::Plane;

/// A plane made smaller, each sample the mean over what it covers; `None` if a side would be 0 or
/// grow.
///
/// Source: OpenCV, `resize` with `INTER_AREA` on 8-bit samples, to the bit.
pub(super) fn shrink(plane: &Plane, width: usize, height: usize) -> Option<Plane> {
    let fits = (1..=plane.width()).contains(&width) && (1..=plane.height()).contains(&height);
    if !fits {
        return None;
    }
    // OpenCV takes another path there, and rounds otherwise.
    let is_whole = plane.width().is_multiple_of(width) && plane.height().is_multiple_of(height);
    let samples = if is_whole {
        block_means(plane, plane.width() / width, plane.height() / height)
    } else {
        covered_means(plane, width, height)
    };
    Plane::new(width, height, samples)
}

/// Means over blocks of whole samples.
fn block_means(plane: &Plane, across: usize, down: usize) -> Vec<u8> {
    let columns = plane.width() / across;
    let mut out = Vec::with_capacity(columns * (plane.height() / down));
    let mut sums = vec![0u32; columns];
    for band in 0..plane.height() / down {
        sums.fill(0);
        // Row by row, as memory lies, with a sum for each block of the band.
        for y in band * down..(band + 1) * down {
            for (sum, block) in sums.iter_mut().zip(plane.row(y).chunks_exact(across)) {
                *sum += block.iter().map(|&sample| u32::from(sample)).sum::<u32>();
            }
        }
        out.extend(sums.iter().map(|&sum| block_mean(sum, across * down)));
    }
    out
}

/// OpenCV rounds the mean of four half up, any other half to even.
fn block_mean(sum: u32, count: usize) -> u8 {
    if count == 4 { ((sum + 2) >> 2) as u8 } else { to_sample(sum as f32 * (1.0 / count as f32)) }
}

fn to_sample(value: f32) -> u8 {
    value.round_ties_even().clamp(0.0, 255.0) as u8
}

/// Means where samples are covered in part: across, then down, in single precision as the original.
fn covered_means(plane: &Plane, width: usize, height: usize) -> Vec<u8> {
    let across = cover(plane.width(), width);
    let mut out = Vec::with_capacity(width * height);
    for rows in cover(plane.height(), height) {
        let mut sums = vec![0.0f32; width];
        for (y, row_weight) in rows {
            for (sum, samples) in sums.iter_mut().zip(&across) {
                let row = plane.row(y);
                let mean =
                    samples.iter().fold(0.0, |sum, &(x, weight)| sum + f32::from(row[x]) * weight);
                *sum += mean * row_weight;
            }
        }
        out.extend(sums.into_iter().map(to_sample));
    }
    out
}

/// What each of `to` samples covers of a line of `from`: positions with their weights, that sum to 1.
fn cover(from: usize, to: usize) -> Vec<Vec<(usize, f32)>> {
    let scale = from as f64 / to as f64;
    (0..to).map(|at| cover_one(at as f64 * scale, scale, from)).collect()
}

fn cover_one(start: f64, scale: f64, len: usize) -> Vec<(usize, f32)> {
    /// What is covered by less does not count.
    const LEAST: f64 = 1e-3;
    let end = start + scale;
    // The last sample may cover less than the others by rounding; its weights still sum to 1.
    let cell = scale.min(len as f64 - start);
    let last = (end as usize).min(len - 1);
    let first = (start.ceil() as usize).min(last);
    let mut taps = Vec::with_capacity(last - first + 2);
    if first as f64 - start > LEAST {
        taps.push((first - 1, ((first as f64 - start) / cell) as f32));
    }
    taps.extend((first..last).map(|at| (at, (1.0 / cell) as f32)));
    let rest = end - last as f64;
    if rest > LEAST {
        taps.push((last, (rest.min(1.0).min(cell) / cell) as f32));
    }
    taps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(width: usize, height: usize) -> Plane {
        let samples = (0..width * height).map(|i| (i % width * 37 + i / width * 61 + i * i) as u8);
        Plane::new(width, height, samples.collect()).unwrap()
    }

    /// Computed by OpenCV on these very samples.
    #[test]
    fn small_planes_come_out_as_opencv_makes_them() {
        for ((width, height), (to_width, to_height), expected) in LOCKED {
            let found = shrink(&pattern(*width, *height), *to_width, *to_height).unwrap();
            assert_eq!(found.samples(), *expected, "{width}×{height} to {to_width}×{to_height}");
        }
    }

    #[test]
    fn nothing_grows_or_vanishes() {
        let plane = pattern(4, 4);
        assert!(shrink(&plane, 5, 4).is_none() && shrink(&plane, 4, 0).is_none());
        assert_eq!(shrink(&plane, 4, 4).unwrap(), plane);
    }

    type Locked = ((usize, usize), (usize, usize), &'static [u8]);
    const LOCKED: &[Locked] = &[
        ((7, 5), (3, 2), &[92, 101, 142, 104, 102, 132]),
        ((8, 6), (4, 3), &[86, 118, 158, 78, 160, 128, 168, 88, 170, 138, 114, 162]),
        ((9, 6), (3, 2), &[82, 148, 119, 112, 112, 131]),
        (
            (5, 5),
            (4, 4),
            &[25, 74, 126, 139, 130, 112, 178, 124, 172, 107, 95, 178, 151, 141, 82, 180],
        ),
    ];
}
