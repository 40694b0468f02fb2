//! Pictures made smaller by whole factors.

/// Means over blocks of `across` × `down` pixels; blocks at the right and bottom edge may be
/// smaller. Gives the pixels and how many there are a row.
///
/// `N` channels, premultiplied where one is an alpha; `width` pixels a row. Factors of 0 count as 1.
/// Pixels of an incomplete last row are left out.
pub fn shrink<const N: usize>(
    pixels: &[[u8; N]],
    width: usize,
    (across, down): (usize, usize),
) -> (Vec<[u8; N]>, usize) {
    let (across, down) = (across.max(1), down.max(1));
    if width == 0 {
        return (Vec::new(), 0);
    }
    let columns = width.div_ceil(across);
    let mut out = Vec::with_capacity(columns * (pixels.len() / width).div_ceil(down));
    let rows: Vec<&[[u8; N]]> = pixels.chunks_exact(width).collect();
    let mut sums = vec![[0u64; N]; columns];
    for band in rows.chunks(down) {
        sums.fill([0; N]);
        for row in band {
            for (sum, block) in sums.iter_mut().zip(row.chunks(across)) {
                add(sum, block);
            }
        }
        out.extend(sums.iter().enumerate().map(|(column, sum)| {
            // Blocks at the right and lower edge may be smaller.
            let count = (across.min(width - column * across) * band.len()) as u64;
            // Rounded to the nearest: cut off, means would grow darker with every halving.
            sum.map(|sum| ((sum + count / 2) / count) as u8)
        }));
    }
    (out, columns)
}

fn add<const N: usize>(sum: &mut [u64; N], block: &[[u8; N]]) {
    for pixel in block {
        for (sum, sample) in sum.iter_mut().zip(pixel) {
            *sum += u64::from(*sample);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_become_their_means_and_the_last_may_be_smaller() {
        let pixels: Vec<[u8; 1]> =
            [[0, 10, 100], [20, 30, 200], [7, 9, 50]].concat().into_iter().map(|v| [v]).collect();
        let (out, columns) = shrink(&pixels, 3, (2, 2));
        assert_eq!((out, columns), (vec![[15], [150], [8], [50]], 2));
    }

    #[test]
    fn a_factor_of_nothing_changes_nothing() {
        let pixels = [[1u8, 2], [3, 4], [5, 6], [7, 8]];
        assert_eq!(shrink(&pixels, 2, (0, 0)), (pixels.to_vec(), 2));
        assert_eq!(shrink(&pixels, 0, (2, 2)), (Vec::new(), 0));
    }
}
