//! How children that fill share the space that is left.

use super::axis::Bounds;

/// The level up to which everyone who fills is filled: each gets the level, held within his bounds,
/// so that all together take `space`; where the bounds do not let them, as near as they do.
///
/// This is what CSS comes to (css-flexbox-1 §9.7, resolving flexible lengths with basis 0 and equal
/// factors) by freezing those who break their bounds in rounds. The sum is a rising, piecewise
/// straight function of the level, so here one walk over the sorted bounds finds it.
pub(super) fn level(space: f64, shares: &[Bounds]) -> f64 {
    // Where the sum bends: at its least a share begins to rise with the level, at its most it stops.
    let mut turns: Vec<(f64, f64)> = Vec::with_capacity(2 * shares.len());
    for bounds in shares {
        turns.push((bounds.least, 1.0));
        if bounds.most.is_finite() {
            turns.push((bounds.most, -1.0));
        }
    }
    turns.sort_by(|a, b| a.0.total_cmp(&b.0));
    // Below every bound each takes its least, and the sum is flat.
    let (mut level, mut slope) = (0.0, 0.0);
    let mut taken: f64 = shares.iter().map(|bounds| bounds.least).sum();
    for (at, more) in turns {
        let there = taken + slope * (at - level);
        // The level that fills the space lies on this stretch.
        if there >= space {
            break;
        }
        (taken, level) = (there, at);
        slope += more;
    }
    // Nobody can take more, or the least of all is too much already: the bounds win.
    if slope > 0.0 && space > taken { level + (space - taken) / slope } else { level }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds() -> impl Strategy<Value = Bounds> {
        let most = prop_oneof![Just(f64::INFINITY), 0.0..200.0f64];
        (prop_oneof![Just(0.0), 0.0..100.0f64], most)
            .prop_map(|(least, most)| Bounds { least, most: most.max(least) })
    }

    /// The rounds of css-flexbox-1 §9.7, with basis 0 and equal factors.
    fn by_freezing(space: f64, shares: &[Bounds]) -> Vec<f64> {
        let mut frozen: Vec<Option<f64>> = vec![None; shares.len()];
        while frozen.contains(&None) {
            let left = space - frozen.iter().flatten().sum::<f64>();
            let open = frozen.iter().filter(|size| size.is_none()).count() as f64;
            let share = (left / open).max(0.0);
            let clamped: Vec<f64> = shares.iter().map(|bounds| bounds.clamp(share)).collect();
            let open_at = |at: &usize| frozen[*at].is_none();
            let violation: f64 =
                (0..shares.len()).filter(open_at).map(|at| clamped[at] - share).sum();
            let broken: Vec<usize> = (0..shares.len())
                .filter(open_at)
                .filter(|at| {
                    violation == 0.0
                        || (violation > 0.0 && clamped[*at] > share)
                        || (violation < 0.0 && clamped[*at] < share)
                })
                .collect();
            for at in broken {
                frozen[at] = Some(clamped[at]);
            }
        }
        frozen.into_iter().flatten().collect()
    }

    proptest! {
        #[test]
        fn shares_are_those_of_css(space in -50.0..1000.0f64, shares in prop::collection::vec(bounds(), 1..8)) {
            let level = level(space, &shares);
            for (share, css) in shares.iter().zip(by_freezing(space, &shares)) {
                prop_assert!((share.clamp(level) - css).abs() < 1e-6, "{} is not {css}", share.clamp(level));
            }
        }

        #[test]
        fn shares_take_the_space_unless_their_bounds_forbid_it(space in 0.0..1000.0f64, shares in prop::collection::vec(bounds(), 1..8)) {
            let level = level(space, &shares);
            let taken: f64 = shares.iter().map(|share| share.clamp(level)).sum();
            let least: f64 = shares.iter().map(|share| share.least).sum();
            let most: f64 = shares.iter().map(|share| share.most).sum();
            prop_assert!((taken - space.max(least).min(most)).abs() < 1e-6);
        }
    }

    #[test]
    fn equal_shares_are_equal_parts() {
        let free = Bounds { least: 0.0, most: f64::INFINITY };
        assert_eq!(level(100.0, &[free; 4]), 25.0);
        assert_eq!(level(-10.0, &[free; 4]), 0.0);
    }
}
