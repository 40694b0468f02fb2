//! The clocks of a study, and telling the window what happened.

use std::time::Instant;

use crate::study::Moment;
use crate::workbench::Event;
use crate::workbench::protocol::StudyNews;
use crate::worker::shared::Shared;

/// Both clocks: what happens is stamped when it is heard of.
pub(super) struct Clock(Instant);

impl Clock {
    pub(super) fn start() -> Self {
        Self(Instant::now())
    }

    pub(super) fn now(&self) -> Moment {
        let mono_ms = u64::try_from(self.0.elapsed().as_millis()).unwrap_or(u64::MAX);
        Moment { wall: jiff::Timestamp::now().to_string(), mono_ms }
    }
}

/// Tells the window.
pub(super) fn tell(shared: &Shared, news: StudyNews) {
    shared.mailbox.send(Event::Study(news));
}
