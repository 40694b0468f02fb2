//! How long to wait before another try.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::time::Duration;

use parking_lot::Mutex;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use super::ProviderSettings;

/// Longest wait there is, in seconds: a day.
const LONGEST_SECS: f64 = 86_400.0;
/// By how much a wait that the provider asks for is made longer at most, so that not all who wait
/// come back at once.
const SPREAD: f64 = 0.1;

/// How long to wait before another try, and how many there are.
#[derive(Debug)]
pub(super) struct Retries {
    attempts: u32,
    first_secs: f64,
    longest_secs: f64,
    chance: Mutex<ChaCha8Rng>,
}

impl Retries {
    pub(super) fn new(settings: &ProviderSettings) -> Self {
        // The standard library's maps are seeded by the system: chance enough for waits.
        let seed = settings.wait_seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        Self {
            attempts: settings.attempts.max(1),
            first_secs: possible_secs(settings.first_wait_secs, 1.0),
            longest_secs: possible_secs(settings.longest_wait_secs, LONGEST_SECS),
            chance: Mutex::new(ChaCha8Rng::seed_from_u64(seed)),
        }
    }

    /// The wait after so many failed tries; `None` if there is no further one.
    ///
    /// Doubles with each, up to the longest, and half of it is left to chance. What the provider asks
    /// for counts instead, and is never undercut but by the longest.
    pub(super) fn wait_after(&self, failed: u32, asked: Option<Duration>) -> Option<Duration> {
        if failed >= self.attempts {
            return None;
        }
        let chance = self.chance();
        let secs = if let Some(asked) = asked {
            asked.as_secs_f64() * (1.0 + SPREAD * chance)
        } else {
            // "Equal jitter": half is certain, so that nobody hammers, and half by chance, so that
            // all who were refused at once do not come back at once.
            let times = 2f64.powi(failed.saturating_sub(1).min(64) as i32);
            (self.first_secs * times).min(self.longest_secs) * (0.5 + 0.5 * chance)
        };
        Some(Duration::from_secs_f64(secs.min(self.longest_secs)))
    }

    /// From 0 to 1.
    fn chance(&self) -> f64 {
        f64::from(self.chance.lock().next_u32()) / f64::from(u32::MAX)
    }
}

/// A wait out of the settings; what is below zero or no number at all is `otherwise`.
fn possible_secs(secs: f64, otherwise: f64) -> f64 {
    if secs >= 0.0 { secs.min(LONGEST_SECS) } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn retries(seed: u64) -> Retries {
        let settings = ProviderSettings {
            attempts: 5,
            first_wait_secs: 1.0,
            longest_wait_secs: 6.0,
            wait_seed: Some(seed),
            ..ProviderSettings::default()
        };
        Retries::new(&settings)
    }

    #[test]
    fn waits_double_up_to_the_longest_and_end() {
        let retries = retries(1);
        for (failed, most) in [(1, 1.0), (2, 2.0), (3, 4.0), (4, 6.0)] {
            let wait = retries.wait_after(failed, None).unwrap().as_secs_f64();
            assert!(wait >= most / 2.0 && wait <= most, "{failed}: {wait}");
        }
        assert_eq!(retries.wait_after(5, None), None);
        assert_eq!(retries.wait_after(u32::MAX, None), None);
    }

    #[test]
    fn a_seed_gives_the_same_waits_again_and_another_seed_others() {
        let [one, again, other] =
            [1, 1, 2].map(retries).map(|it| [1, 2, 3, 4].map(|failed| it.wait_after(failed, None)));
        assert_eq!(one, again);
        assert_ne!(one, other);
    }

    #[test]
    fn what_the_provider_asks_for_is_kept_up_to_the_longest() {
        let retries = retries(1);
        for _ in 0..20 {
            let wait = retries.wait_after(1, Some(Duration::from_secs(3))).unwrap();
            assert!((3.0..=3.3).contains(&wait.as_secs_f64()));
        }
        let wait = retries.wait_after(1, Some(Duration::from_secs(80_000)));
        assert_eq!(wait, Some(Duration::from_secs(6)));
    }

    #[test]
    fn settings_that_make_no_sense_are_waits_that_do() {
        let settings = ProviderSettings {
            attempts: 0,
            first_wait_secs: f64::NAN,
            longest_wait_secs: f64::INFINITY,
            ..ProviderSettings::default()
        };
        let retries = Retries::new(&settings);
        assert_eq!(retries.attempts, 1);
        assert_eq!((retries.first_secs, retries.longest_secs), (1.0, LONGEST_SECS));
    }
}
