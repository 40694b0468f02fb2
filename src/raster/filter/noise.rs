//! Noise that follows from the position alone.

/// 32 evenly spread bits for a position and a seed, by the finaliser of MurmurHash3.
pub(super) fn bits(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9E37_79B1)
        ^ (y as u32).wrapping_mul(0x85EB_CA77).rotate_left(13)
        ^ seed.wrapping_mul(0xC2B2_AE3D);
    h = (h ^ (h >> 16)).wrapping_mul(0x85EB_CA6B);
    h = (h ^ (h >> 13)).wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}

/// A number within −1..1 for a position and a seed.
pub(super) fn signed(x: i32, y: i32, seed: u32) -> f32 {
    (bits(x, y, seed) >> 8) as f32 / 8_388_608.0 - 1.0
}

/// Smooth noise within −1..1: random values on a square lattice of side 1, eased in between.
pub(super) fn smooth(x: f32, y: f32, seed: u32) -> f32 {
    let (left, top) = (x.floor(), y.floor());
    let (column, row) = (left as i32, top as i32);
    let (across, down) = (eased(x - left), eased(y - top));
    let between = |row: i32| {
        let (a, b) = (signed(column, row, seed), signed(column.wrapping_add(1), row, seed));
        a + (b - a) * across
    };
    let (above, below) = (between(row), between(row.wrapping_add(1)));
    above + (below - above) * down
}

/// 0..=1 to 0..=1, level at both ends.
fn eased(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_spread_evenly_and_smooth_noise_meets_its_lattice() {
        let mut counts = [0u32; 8];
        for y in -50..50 {
            for x in -50..50 {
                counts[(bits(x, y, 7) >> 29) as usize] += 1;
                assert_eq!(smooth(x as f32, y as f32, 3), signed(x, y, 3));
            }
        }
        assert!(counts.iter().all(|count| (1100..1400).contains(count)), "{counts:?}");
        let step = (0..1000).map(|i| {
            let x = i as f32 / 100.0;
            (smooth(x + 0.01, 0.3, 1) - smooth(x, 0.3, 1)).abs()
        });
        assert!(step.fold(0.0, f32::max) < 0.04);
    }
}
