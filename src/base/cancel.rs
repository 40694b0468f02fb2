//! Cooperative cancellation.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::pause::{PauseChange, PauseGate};

/// What whoever started some work holds on to it by, and what the work looks at. Clones share all.
///
/// Long work calls [`CancelToken::check`] at least every few milliseconds and passes the error up with
/// `?`; work that can be paused calls [`CancelToken::wait_while_paused`] before anything that must not
/// begin while it is. Only the pause can be taken back.
#[derive(Clone, Default)]
pub struct CancelToken(Arc<Signals>);

#[derive(Default)]
struct Signals {
    cancelled: AtomicBool,
    stops_after_turn: AtomicBool,
    pause: PauseGate,
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

    /// The same, telling when paused work begins to wait and when it goes on, on the thread that waits.
    pub fn notifying(notify: impl Fn(PauseChange) + Send + Sync + 'static) -> Self {
        Self(Arc::new(Signals { pause: PauseGate::notifying(notify), ..Signals::default() }))
    }

    /// Asks everyone holding a clone to stop. Idempotent. Work that is paused wakes for it.
    pub fn cancel(&self) {
        self.0.cancelled.store(true, Ordering::Release);
        self.0.pause.wake();
    }

    /// Whether stopping was asked for.
    pub fn is_cancelled(&self) -> bool {
        self.0.cancelled.load(Ordering::Acquire)
    }

    /// `Err(Cancelled)` once stopping was asked for.
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_cancelled() { Err(Cancelled) } else { Ok(()) }
    }

    /// Asks a run to stop at the next [`Self::wait_while_paused`]: the turn under way is finished first.
    /// Idempotent. Work that is paused wakes for it and stops.
    pub fn stop_after_turn(&self) {
        self.0.stops_after_turn.store(true, Ordering::Release);
        self.0.pause.wake();
    }

    /// Whether work is to stop, now or at the next [`Self::wait_while_paused`].
    pub fn is_stopping(&self) -> bool {
        self.0.stops_after_turn.load(Ordering::Acquire) || self.is_cancelled()
    }

    /// Has work wait at the next [`Self::wait_while_paused`]; what is under way goes on until there.
    /// Idempotent.
    pub fn pause(&self) {
        self.0.pause.set_paused(true);
    }

    /// Lets paused work go on. Idempotent.
    pub fn resume(&self) {
        self.0.pause.set_paused(false);
    }

    /// Whether work is to wait.
    pub fn is_paused(&self) -> bool {
        self.0.pause.is_paused()
    }

    /// Waits as long as the work is paused; `Err(Cancelled)` once stopping was asked for, also while
    /// it waits.
    pub fn wait_while_paused(&self) -> Result<(), Cancelled> {
        self.0.pause.wait(|| self.is_stopping());
        // This is where a turn ends: from here on all that is left of the work is stopped too.
        if self.is_stopping() {
            self.cancel();
        }
        self.check()
    }

    /// How long work waited in all until now, so that it is not counted as work.
    pub fn paused_for(&self) -> Duration {
        self.0.pause.paused_for()
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
    fn who_is_not_paused_does_not_wait() {
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
        assert_eq!((token.check(), token.is_stopping()), (Ok(()), true));
        assert_eq!((token.wait_while_paused(), token.check()), (Err(Cancelled), Err(Cancelled)));
        let token = CancelToken::new();
        token.pause();
        let thread = waiting(&token);
        token.stop_after_turn();
        assert_eq!(thread.join().unwrap(), Err(Cancelled));
    }

    #[test]
    fn a_cancel_wakes_who_is_paused() {
        let token = CancelToken::new();
        token.pause();
        let thread = waiting(&token);
        token.cancel();
        assert_eq!(thread.join().unwrap(), Err(Cancelled));
        assert_eq!(token.wait_while_paused(), Err(Cancelled));
    }
}
