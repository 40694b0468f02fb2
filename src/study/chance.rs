//! Chance that follows from words: the same in every version and on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A source of random numbers. Sources of the same words give the same numbers.
#[derive(Debug)]
pub struct Chance(ChaCha8Rng);

impl Chance {
    /// The source of a seed and of what is drawn for, such as a person and a task.
    pub fn new(seed: u64, about: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&seed.to_le_bytes());
        for words in about {
            // The length first, or "ab" and "c" would draw as "a" and "bc".
            hasher.update(&(words.len() as u64).to_le_bytes());
            hasher.update(words.as_bytes());
        }
        Self(ChaCha8Rng::from_seed(*hasher.finalize().as_bytes()))
    }

    /// A number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The high half of the product (Lemire 2019): one draw is always one number.
        ((u128::from(self.0.next_u64()) * end as u128) >> 64) as usize
    }

    /// A number from 0 to 1, neither of them.
    pub fn share(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.share() < probability
    }

    /// A normal variable of mean 0 and deviation 1 (Box and Muller).
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(self.share())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.share())
    }

    /// A positive variable with this median, whose logarithm is normal with this deviation.
    pub fn log_normal(&mut self, median: f64, deviation: f64) -> f64 {
        median * libm::exp(deviation * self.normal())
    }

    /// Puts things into random order.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        // Fisher and Yates, from the end.
        for at in (1..things.len()).rev() {
            things.swap(at, self.below(at + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_tell_sources_apart_and_nothing_else_does() {
        let of = |seed, words: &[&str]| Chance::new(seed, words).below(usize::MAX);
        assert_eq!(of(1, &["a", "b"]), of(1, &["a", "b"]));
        assert_ne!(of(1, &["ab"]), of(1, &["a", "b"]));
        assert_ne!(of(1, &["a"]), of(2, &["a"]));
    }

    #[test]
    fn log_normal_times_have_their_median() {
        let mut chance = Chance::new(7, &["times"]);
        let mut times: Vec<f64> = (0..4_001).map(|_| chance.log_normal(1.35, 0.4)).collect();
        times.sort_unstable_by(f64::total_cmp);
        assert!((times[2_000] - 1.35).abs() < 0.05, "{}", times[2_000]);
        assert!(times[0] > 0.0);
    }
}
