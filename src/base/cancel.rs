//! Cooperative cancellation, and holding work back for a while.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A flag that many threads may look at and any of them may raise; and a second one that can be
/// lowered again, which holds work back.
///
/// Clones share both. Long work calls [`CancelToken::check`] at least every few milliseconds and
/// passes the error up with `?`; work that can be paused calls [`CancelToken::wait_while_paused`] before anything
/// that must not begin while it is.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Flags>);

#[derive(Default)]
struct Flags {
    cancelled: AtomicBool,
    paused: AtomicBool,
    ending: AtomicBool,
    held: Mutex<Held>,
    changed: Condvar,
    /// Called when work begins to be held, and when it goes on.
    notify: Option<Box<dyn Fn(PauseChange) + Send + Sync>>,
}

/// How long work was held.
#[derive(Debug, Default)]
struct Held {
    before: Duration,
    /// Since when it is held now, and by how many threads.
    now: Option<Instant>,
    threads: usize,
}

/// What paused work does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PauseChange {
    /// It waits from now on.
    Begins,
    /// It goes on, or was cancelled.
    Ends,
}

/// The work was asked to stop before it finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("CancelToken");
        fields.field("cancelled", &self.is_cancelled()).field("paused", &self.is_paused());
        fields.finish_non_exhaustive()
    }
}

impl CancelToken {
    /// A token that has not been raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same, telling when work begins to be held and when it goes on, on the thread that is held.
    pub fn notifying(notify: impl Fn(PauseChange) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Flags { notify: Some(Box::new(notify)), ..Flags::default() }))
    }

    /// Asks everyone holding a clone to stop. Idempotent. Work that is held wakes for it.
    pub fn cancel(&self) {
        self.set(&self.0.cancelled, true);
    }

    /// Whether stopping was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// `Err(Cancelled)` once stopping was asked for.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Asks work to stop at the next [`Self::wait_while_paused`]: what is under way is finished first. Idempotent.
    /// Work that is held wakes for it and stops.
    pub fn stop_after_turn(&self) {
        self.set(&self.0.ending, true);
    }

    /// Whether work is to stop, now or at the next [`Self::wait_while_paused`].
    pub fn is_ending(&self) -> bool {
        self.0.ending.load(Ordering::Acquire) || self.is_cancelled()
    }

    /// Holds work back at the next [`Self::wait_while_paused`]; what is under way goes on until there. Idempotent.
    pub fn pause(&self) {
        self.set(&self.0.paused, true);
    }

    /// Lets held work go on. Idempotent.
    pub fn resume(&self) {
        self.set(&self.0.paused, false);
    }

    /// Whether work is to be held back.
    pub fn is_paused(&self) -> bool {
        self.0.paused.load(Ordering::Acquire)
    }

    /// Waits as long as the work is paused; `Err(Cancelled)` once stopping was asked for, also while
    /// it waits.
    pub fn wait_while_paused(&self) -> Result<(), Cancelled> {
        if self.is_paused() && !self.is_ending() {
            self.notify(PauseChange::Begins);
            self.wait();
            self.notify(PauseChange::Ends);
        }
        if self.is_ending() {
            self.cancel();
        }
        self.check()
    }

    /// How long work was held in all until now, so that it is not counted as work.
    pub fn paused_for(&self) -> Duration {
        let held = self.lock();
        held.before + held.now.map_or(Duration::ZERO, |since| since.elapsed())
    }

    fn wait(&self) {
        let mut held = self.lock();
        held.threads += 1;
        held.now.get_or_insert_with(Instant::now);
        while self.is_paused() && !self.is_ending() {
            held = self.0.changed.wait(held).unwrap_or_else(PoisonError::into_inner);
        }
        held.threads = held.threads.saturating_sub(1);
        if held.threads == 0
            && let Some(since) = held.now.take()
        {
            held.before += since.elapsed();
        }
    }

    /// Under the lock, so that nobody who is about to wait misses it.
    fn set(&self, flag: &AtomicBool, on: bool) {
        let held = self.lock();
        flag.store(on, Ordering::Release);
        drop(held);
        self.0.changed.notify_all();
    }

    fn notify(&self, change: PauseChange) {
        if let Some(notify) = &self.0.notify {
            notify(change);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(token: &CancelToken) -> std::thread::JoinHandle<Result<(), Cancelled>> {
        let token = token.clone();
        std::thread::Builder::new().spawn(move || token.wait_while_paused()).unwrap()
    }

    #[test]
    fn who_is_not_paused_is_not_held() {
        let token = CancelToken::new();
        assert_eq!((token.wait_while_paused(), token.paused_for()), (Ok(()), Duration::ZERO));
        token.pause();
        token.resume();
        assert_eq!((token.wait_while_paused(), token.paused_for()), (Ok(()), Duration::ZERO));
    }

    #[test]
    fn paused_work_waits_until_it_is_resumed_and_tells_both() {
        let (send, told) = crossbeam_channel::bounded(8);
        let token = CancelToken::notifying(move |change| send.send(change).unwrap());
        token.pause();
        let thread = waiting(&token);
        assert_eq!(told.recv(), Ok(PauseChange::Begins));
        std::thread::sleep(Duration::from_millis(20));
        assert!(!thread.is_finished() && told.is_empty());
        token.resume();
        assert_eq!(thread.join().unwrap(), Ok(()));
        assert_eq!(told.recv(), Ok(PauseChange::Ends));
        assert!(token.paused_for() >= Duration::from_millis(15), "{:?}", token.paused_for());
    }

    #[test]
    fn what_is_under_way_may_end_and_nothing_begins_after_it() {
        let token = CancelToken::new();
        token.stop_after_turn();
        assert_eq!((token.check(), token.is_ending()), (Ok(()), true));
        assert_eq!((token.wait_while_paused(), token.check()), (Err(Cancelled), Err(Cancelled)));
        let token = CancelToken::new();
        token.pause();
        let thread = waiting(&token);
        token.stop_after_turn();
        assert_eq!(thread.join().unwrap(), Err(Cancelled));
    }

    #[test]
    fn a_cancel_wakes_who_is_held() {
        let token = CancelToken::new();
        token.pause();
        let thread = waiting(&token);
        token.cancel();
        assert_eq!(thread.join().unwrap(), Err(Cancelled));
        assert_eq!(token.wait_while_paused(), Err(Cancelled));
    }
}
