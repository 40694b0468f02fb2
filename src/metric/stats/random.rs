//! Random numbers that follow from a seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A source of random places in a list. Sources of the same seed and stream give the same places in
/// every version and on every machine.
#[derive(Debug)]
pub(super) struct Draws(ChaCha8Rng);

impl Draws {
    /// One of the independent streams of a seed: where every resample has its own, it does not
    /// matter which thread draws it.
    pub(super) fn new(seed: u64, stream: u64) -> Self {
        let mut source = ChaCha8Rng::seed_from_u64(seed);
        source.set_stream(stream);
        Self(source)
    }

    /// A number below `end`, all equally likely but for at most `end` / 2⁶⁴; 0 if `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// The places of a list of this length, in random order.
    pub(super) fn shuffled(&mut self, length: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..length).collect();
        for at in (1..length).rev() {
            places.swap(at, self.below(at + 1));
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_places_for_ever() {
        let places: Vec<usize> =
            (0..6).map(|_| 100).scan(Draws::new(7, 0), |d, n| Some(d.below(n))).collect();
        assert_eq!(places, LOCKED);
        assert_eq!(Draws::new(1, 2).below(0), 0);
        assert_ne!(Draws::new(7, 1).shuffled(20), Draws::new(7, 2).shuffled(20));
    }

    #[test]
    fn a_shuffle_keeps_every_place() {
        let mut places = Draws::new(3, 0).shuffled(50);
        places.sort_unstable();
        assert_eq!(places, (0..50).collect::<Vec<_>>());
    }
    const LOCKED: [usize; 6] = [15, 16, 70, 72, 60, 35];
}
