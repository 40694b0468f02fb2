//! Holding work back for a while, and how long that took.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

/// What paused work does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseChange {
    /// It waits from now on.
    Begins,
    /// It goes on, or was stopped.
    Ends,
}

/// Where work waits while it is paused.
#[derive(Default)]
pub(super) struct PauseGate {
    paused: AtomicBool,
    time: Mutex<PausedTime>,
    changed: Condvar,
    /// Told when work begins to wait, and when it goes on.
    notify: Option<Box<dyn Fn(PauseChange) + Send + Sync>>,
}

impl PauseGate {
    pub(super) fn notifying(notify: impl Fn(PauseChange) + Send + Sync + 'static) -> Self {
        Self { notify: Some(Box::new(notify)), ..Self::default() }
    }

    pub(super) fn set_paused(&self, paused: bool) {
        self.paused.store(paused, Ordering::Release);
        self.wake();
    }

    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Acquire)
    }

    /// Lets those who wait look again. The lock is taken in between, so that nobody who looked before
    /// the change and is about to wait misses it.
    pub(super) fn wake(&self) {
        drop(self.time.lock());
        self.changed.notify_all();
    }

    /// Waits as long as work is paused and not stopped.
    pub(super) fn wait(&self, is_stopped: impl Fn() -> bool) {
        if !self.is_paused() || is_stopped() {
            return;
        }
        self.notify(PauseChange::Begins);
        let mut time = self.time.lock();
        time.begin();
        while self.is_paused() && !is_stopped() {
            self.changed.wait(&mut time);
        }
        time.end();
        drop(time);
        self.notify(PauseChange::Ends);
    }

    pub(super) fn paused_for(&self) -> Duration {
        self.time.lock().total()
    }

    fn notify(&self, change: PauseChange) {
        if let Some(notify) = &self.notify {
            notify(change);
        }
    }
}

/// How long work waited. Time in which several threads wait counts once.
#[derive(Debug, Default)]
struct PausedTime {
    before: Duration,
    /// Since when there is somebody who waits now.
    since: Option<Instant>,
    threads: usize,
}

impl PausedTime {
    fn begin(&mut self) {
        self.threads += 1;
        self.since.get_or_insert_with(Instant::now);
    }

    fn end(&mut self) {
        self.threads = self.threads.saturating_sub(1);
        // The last that leaves closes the span that the first one opened.
        if self.threads == 0
            && let Some(since) = self.since.take()
        {
            self.before += since.elapsed();
        }
    }

    fn total(&self) -> Duration {
        self.before + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }
}
