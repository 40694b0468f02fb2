//! A record first, then the network.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::base::{CancelToken, Cancelled};
use crate::model::wire::{AnswerListener, BodyEnd, Wire, WireError, WireRequest};

use crate::agent::providers::ReplayWire;

/// Answers from a record as long as the requests are those of the record, and over the network from
/// the first one that is not: no request is paid for twice.
pub(super) struct ContinuedWire {
    recorded: ReplayWire,
    live: Arc<dyn Wire>,
    /// The record is over, or of no more use.
    is_live: AtomicBool,
}

impl ContinuedWire {
    pub(super) fn new(recorded: ReplayWire, live: Arc<dyn Wire>) -> Self {
        Self { recorded, live, is_live: AtomicBool::new(false) }
    }

    fn is_replaying(&self) -> bool {
        !self.is_live.load(Ordering::Relaxed) && self.recorded.left() > 0
    }
}

impl Wire for ContinuedWire {
    fn post(
        &self,
        request: &WireRequest,
        listener: &mut dyn AnswerListener,
        cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        if self.is_replaying() {
            match self.recorded.post(request, listener, cancel) {
                // The first request that differs ends the record: whatever follows depends on its
                // answer.
                Err(WireError::NotRecorded(_)) => {}
                answered => return answered,
            }
        }
        // For good: after the first new answer no later request can be that of the record.
        self.is_live.store(true, Ordering::Relaxed);
        self.live.post(request, listener, cancel)
    }

    fn wait(&self, duration: Duration, cancel: &CancelToken) -> Result<(), Cancelled> {
        if self.is_replaying() {
            return cancel.check();
        }
        self.live.wait(duration, cancel)
    }
}
