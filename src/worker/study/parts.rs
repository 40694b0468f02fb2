//! The clocks of a study, and telling the window what happened.

use std::time::Instant;

use crate::study::Moment;
use crate::workbench::Event;
use crate::workbench::protocol::StudyNews;
use crate::worker::shared::Shared;

/// Both clocks. What happens is stamped with the moment at which it did: before it is written it may have waited behind
/// many lines, each forced to disk.
pub(super) struct Clock {
    start: Instant,
    /// The latest moment that was asked for.
    last: Instant,
}

impl Clock {
    pub(super) fn start() -> Self {
        let start = Instant::now();
        Self { start, last: start }
    }

    pub(super) fn now(&mut self) -> Moment {
        self.at(Instant::now())
    }

    /// The latest moment that was asked for.
    pub(super) fn last(&self) -> Moment {
        let millis = self.last.saturating_duration_since(self.start).as_millis();
        let now = jiff::Timestamp::now();
        let wall = now.checked_sub(self.last.elapsed()).unwrap_or(now);
        Moment { wall: wall.to_string(), mono_ms: u64::try_from(millis).unwrap_or(u64::MAX) }
    }

    /// The moment of this, or the latest one if that is later: logs only go forwards.
    pub(super) fn at(&mut self, at: Instant) -> Moment {
        self.last = self.last.max(at);
        self.last()
    }
}

/// Tells the window.
pub(super) fn tell(shared: &Shared, news: StudyNews) {
    shared.mailbox.send(Event::Study(news));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_moment_is_that_of_what_happened_and_none_is_before_the_last() {
        let mut clock = Clock::start();
        let start = clock.start;
        let [early, late] = [2, 5].map(|secs| start + Duration::from_secs(secs));
        assert_eq!(clock.at(early).mono_ms, 2_000);
        assert_eq!(clock.at(late).mono_ms, 5_000);
        assert_eq!(clock.at(early).mono_ms, 5_000, "written behind what was later");
        assert_eq!(clock.last().mono_ms, 5_000);
    }
}
