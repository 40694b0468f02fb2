//! Runs of a launch that have not begun.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::workbench::JobId;
use crate::workbench::protocol::LaunchRun;

use super::shared::JobTable;

/// How often a thread that finds only paused runs looks again; it is woken for what is resumed.
const LOOK: Duration = Duration::from_millis(100);

/// Runs of a launch that have not begun, in order.
#[derive(Debug)]
pub(super) struct LaunchQueue {
    waiting: Mutex<VecDeque<LaunchRun>>,
    changed: Condvar,
}

impl LaunchQueue {
    pub(super) fn new(runs: Vec<LaunchRun>) -> Self {
        Self { waiting: Mutex::new(runs.into()), changed: Condvar::new() }
    }

    /// The next run that may begin; waits while there are only paused ones. `None`: there is none any
    /// more.
    pub(super) fn next(&self, jobs: &JobTable) -> Option<LaunchRun> {
        let mut waiting = self.lock();
        loop {
            if waiting.is_empty() {
                return None;
            }
            let may_begin = |run: &LaunchRun| {
                let token = jobs.token(run.job);
                token.is_cancelled() || !token.is_paused()
            };
            if let Some(at) = waiting.iter().position(may_begin) {
                return waiting.remove(at);
            }
            let woken = self.changed.wait_timeout(waiting, LOOK);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Takes a run out; whether it was there.
    pub(super) fn remove(&self, job: JobId) -> bool {
        let mut waiting = self.lock();
        let before = waiting.len();
        waiting.retain(|run| run.job != job);
        let is_gone = waiting.len() < before;
        drop(waiting);
        self.changed.notify_all();
        is_gone
    }

    /// Takes all out.
    pub(super) fn drain(&self) -> Vec<JobId> {
        let drained = std::mem::take(&mut *self.lock());
        self.changed.notify_all();
        drained.iter().map(|run| run.job).collect()
    }

    /// Whether a run is there still.
    pub(super) fn holds(&self, job: JobId) -> bool {
        self.lock().iter().any(|run| run.job == job)
    }

    /// Some run may begin that could not before.
    pub(super) fn wake(&self) {
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<LaunchRun>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
