//! Work that waits for a drawing thread.

use std::collections::BTreeMap;

use parking_lot::{Condvar, Mutex};

use crate::workbench::{JobId, Urgency};

/// Most work waiting.
const CAPACITY: usize = 4096;

/// Work by urgency, and in order within one. Not a channel, because work that is cancelled while
/// it waits leaves the queue at once: scrubbing over a thousand steps leaves no trail of dead work
/// that would fill it.
#[derive(Debug)]
pub(in crate::worker) struct Queue<T> {
    inner: Mutex<QueueState<T>>,
    has_work: Condvar,
}

#[derive(Debug)]
struct QueueState<T> {
    waiting: BTreeMap<(Urgency, u64), (JobId, T)>,
    next: u64,
    is_closed: bool,
}

impl<T> Queue<T> {
    pub(in crate::worker) fn new() -> Self {
        let inner = QueueState { waiting: BTreeMap::new(), next: 0, is_closed: false };
        Self { inner: Mutex::new(inner), has_work: Condvar::new() }
    }

    /// Adds work without waiting; gives it back if the queue is full or closed.
    pub(in crate::worker) fn push(&self, urgency: Urgency, job: JobId, work: T) -> Result<(), T> {
        let mut inner = self.inner.lock();
        if inner.is_closed || inner.waiting.len() >= CAPACITY {
            return Err(work);
        }
        // Behind what is as urgent and came before.
        let number = inner.next;
        inner.next += 1;
        inner.waiting.insert((urgency, number), (job, work));
        drop(inner);
        // All, because not every thread takes all work.
        self.has_work.notify_all();
        Ok(())
    }

    /// The most urgent work at least this urgent, waiting for it; `None` once closed.
    pub(in crate::worker) fn pop(&self, least: Urgency) -> Option<(JobId, T)> {
        let mut inner = self.inner.lock();
        loop {
            if inner.is_closed {
                return None;
            }
            // The stage's thread leaves less urgent work alone, even if it has nothing to do.
            if let Some(first) = inner.waiting.first_entry()
                && first.key().0 <= least
            {
                return Some(first.remove());
            }
            self.has_work.wait(&mut inner);
        }
    }

    /// The most urgent work at least this urgent, if there is any now.
    pub(in crate::worker) fn try_pop(&self, least: Urgency) -> Option<(JobId, T)> {
        let mut inner = self.inner.lock();
        let first = inner.waiting.first_entry()?;
        (first.key().0 <= least).then(|| first.remove())
    }

    /// Takes a job out that nobody has begun.
    pub(in crate::worker) fn remove(&self, job: JobId) -> Option<T> {
        let mut inner = self.inner.lock();
        let key = *inner.waiting.iter().find(|(_, (waiting, _))| *waiting == job)?.0;
        inner.waiting.remove(&key).map(|(_, work)| work)
    }

    /// Nothing goes in or comes out any more.
    pub(in crate::worker) fn close(&self) {
        self.inner.lock().is_closed = true;
        self.has_work.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urgent_work_comes_first_and_equals_come_in_order() {
        let queue = Queue::new();
        for (urgency, job) in
            [(Urgency::Curve, 1), (Urgency::Stage, 2), (Urgency::Curve, 3), (Urgency::Stage, 4)]
        {
            queue.push(urgency, JobId(job), ()).unwrap();
        }
        let order: Vec<u64> = (0..4).map(|_| queue.pop(Urgency::Library).unwrap().0.0).collect();
        assert_eq!(order, [2, 4, 1, 3]);
    }

    #[test]
    fn cancelled_work_leaves_at_once() {
        let queue = Queue::new();
        queue.push(Urgency::Stage, JobId(1), "a").unwrap();
        assert_eq!(queue.remove(JobId(1)), Some("a"));
        assert_eq!(queue.remove(JobId(1)), None);
        queue.close();
        assert!(queue.pop(Urgency::Library).is_none());
        assert!(queue.push(Urgency::Stage, JobId(2), "b").is_err());
    }
}
