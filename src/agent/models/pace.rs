//! How fast requests may go out.

use parking_lot::Mutex;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::base::{CancelToken, Cancelled};
use crate::model::wire::{AnswerListener, BodyEnd, Wire, WireError, WireRequest, wait};

/// How long a request that may not begin yet waits before it looks again.
const LOOK: Duration = Duration::from_millis(10);

/// A wire that lets so many requests go at once, and so many begin in a minute.
pub(super) struct PacedWire {
    wire: Arc<dyn Wire>,
    at_once: u32,
    /// Between the beginnings of two requests.
    interval: Duration,
    state: Mutex<PaceState>,
}

#[derive(Debug, Default)]
struct PaceState {
    under_way: u32,
    /// Before this moment none may begin.
    next: Option<Instant>,
}

/// Held by a request while it is under way.
struct Permit<'a>(&'a PacedWire);

impl PacedWire {
    pub(super) fn new(wire: Arc<dyn Wire>, at_once: Option<u32>, per_minute: Option<u32>) -> Self {
        // Evenly and not sixty at once: providers count in shorter windows than a minute too.
        let interval = per_minute.map_or(Duration::ZERO, |count| {
            Duration::from_secs_f64(60.0 / f64::from(count.max(1)))
        });
        let at_once = at_once.map_or(u32::MAX, |count| count.max(1));
        Self { wire, at_once, interval, state: Mutex::default() }
    }

    /// Takes a place if there is one now.
    fn try_begin(&self, now: Instant) -> Option<Permit<'_>> {
        let mut state = self.state.lock();
        let too_early = state.next.is_some_and(|next| now < next);
        if too_early || state.under_way >= self.at_once {
            return None;
        }
        state.under_way += 1;
        // From now and not from the last beginning: places that nobody took are not saved up.
        state.next = Some(now + self.interval);
        Some(Permit(self))
    }

    fn begin(&self, cancel: &CancelToken) -> Result<Permit<'_>, Cancelled> {
        loop {
            // Before a place is taken, which others could use while this one is paused.
            cancel.wait_while_paused()?;
            if let Some(permit) = self.try_begin(Instant::now()) {
                return Ok(permit);
            }
            wait(LOOK, cancel)?;
        }
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.under_way = state.under_way.saturating_sub(1);
    }
}

impl Wire for PacedWire {
    fn post(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        let _permit = self.begin(cancel).map_err(|_stopped| WireError::Cancelled)?;
        self.wire.post(request, listener, cancel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Wire for Nothing {
        fn post(
            &self,
            _request: &WireRequest,
            _listener: &mut dyn AnswerListener,
            _cancel: &CancelToken,
        ) -> Result<BodyEnd, WireError> {
            Ok(BodyEnd::Whole)
        }
    }

    #[test]
    fn so_many_at_once_and_a_place_is_given_back() {
        let wire = PacedWire::new(Arc::new(Nothing), Some(2), None);
        let now = Instant::now();
        let (first, second) = (wire.try_begin(now), wire.try_begin(now));
        assert!(first.is_some() && second.is_some() && wire.try_begin(now).is_none());
        drop(first);
        assert!(wire.try_begin(now).is_some());
    }

    #[test]
    fn so_many_in_a_minute_and_evenly() {
        let wire = PacedWire::new(Arc::new(Nothing), None, Some(120));
        let now = Instant::now();
        assert!(wire.try_begin(now).is_some());
        assert!(wire.try_begin(now + Duration::from_millis(499)).is_none());
        assert!(wire.try_begin(now + Duration::from_millis(500)).is_some());
    }

    #[test]
    fn who_is_paused_takes_no_place_and_begins_when_resumed() {
        let wire = PacedWire::new(Arc::new(Nothing), Some(1), None);
        let cancel = CancelToken::new();
        cancel.pause();
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new();
            let began = thread.spawn_scoped(scope, || wire.begin(&cancel).is_ok()).unwrap();
            std::thread::sleep(Duration::from_millis(30));
            assert!(wire.try_begin(Instant::now()).is_some(), "the place is free");
            cancel.resume();
            assert!(began.join().unwrap());
        });
    }

    #[test]
    fn who_waits_can_be_stopped() {
        let wire = PacedWire::new(Arc::new(Nothing), Some(1), None);
        let _held = wire.try_begin(Instant::now()).unwrap();
        let cancel = CancelToken::new();
        cancel.cancel();
        assert!(wire.begin(&cancel).is_err());
    }
}
