//! Noise that follows from the position alone.

/// 32 evenly spread bits for a position and a seed, by the finaliser of MurmurHash3.
pub(super) fn bits(x: i32, y: i32, seed: u32) -> u32 {
    // Odd constants of good hashes (xxHash's primes, MurmurHash3's finaliser): neighbours differ
    // in every bit.
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77).rotate_left(13)
        ^ seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// A number within −1..1 for a position and a seed.
pub(super) fn signed(x: i32, y: i32, seed: u32) -> f32 {
    // 24 bits, which a single-precision number holds exactly.
    (bits(x, y, seed) >> 8) as f32 / 8_388_608.0 - 1.0
}

/// Smooth noise over a picture: random values within −1..1 on a lattice, eased in between.
pub(super) struct SmoothNoise {
    /// Lattice cells to a pixel, across and down.
    scale: [f32; 2],
    columns: usize,
    values: Vec<f32>,
}

/// Smooth noise at a place, and how it goes up to the right and downwards, for each cell of the
/// lattice.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slope {
    pub(super) value: f32,
    pub(super) across: f32,
    pub(super) down: f32,
}

impl SmoothNoise {
    /// Noise over so many columns and rows of pixels, with lattice cells of so many pixels.
    pub(super) fn new([width, height]: [usize; 2], cell: [f32; 2], seed: u32) -> Self {
        let scale = cell.map(|side| 1.0 / side);
        let columns = (width as f32 * scale[0]) as usize + 2;
        let rows = (height as f32 * scale[1]) as usize + 2;
        let places = 0..columns * rows;
        let values = places.map(|at| signed((at % columns) as i32, (at / columns) as i32, seed));
        Self { scale, columns, values: values.collect() }
    }

    /// The noise at a pixel of the picture.
    #[inline]
    pub(super) fn at(&self, x: usize, y: usize) -> Slope {
        let (x, y) = (x as f32 * self.scale[0], y as f32 * self.scale[1]);
        let (column, row) = (x as usize, y as usize);
        let (t, s) = (x - column as f32, y - row as f32);
        // Smoothstep: no kink where the cells meet. The slopes below are its derivative.
        let (across, down) = (t * t * (3.0 - 2.0 * t), s * s * (3.0 - 2.0 * s));
        let upper = &self.values[row * self.columns + column..][..self.columns + 2];
        let (a, b) = (upper[0], upper[1]);
        let (c, d) = (upper[self.columns], upper[self.columns + 1]);
        let (above, below) = (a + (b - a) * across, c + (d - c) * across);
        let to_right = (b - a) * (1.0 - down) + (d - c) * down;
        Slope {
            value: above + (below - above) * down,
            across: to_right * 6.0 * t * (1.0 - t),
            down: (below - above) * 6.0 * s * (1.0 - s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_spread_evenly() {
        let mut counts = [0u32; 8];
        for y in -50..50 {
            for x in -50..50 {
                counts[(bits(x, y, 7) >> 29) as usize] += 1;
            }
        }
        assert!(counts.iter().all(|count| (1100..1400).contains(count)), "{counts:?}");
    }

    #[test]
    fn smooth_noise_meets_its_lattice_and_goes_as_its_slope_says() {
        let noise = SmoothNoise::new([400, 300], [50.0, 25.0], 3);
        for (x, y) in [(0, 0), (50, 25), (350, 275)] {
            let slope = noise.at(x, y);
            assert_eq!(slope.value, signed(x as i32 / 50, y as i32 / 25, 3));
            assert_eq!((slope.across, slope.down), (0.0, 0.0));
        }
        for (x, y) in [(13, 7), (370, 290), (399, 299)] {
            let (here, left, up) = (noise.at(x, y), noise.at(x - 1, y), noise.at(x, y - 1));
            assert!((here.value - left.value - left.across / 50.0).abs() < 0.01);
            assert!((here.value - up.value - up.down / 25.0).abs() < 0.02);
        }
    }
}
