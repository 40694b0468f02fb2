//! From the threads to the window.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};

use crate::workbench::{Event, JobId, Progress, StudyNews};

/// Most unread events before senders wait.
pub(in crate::worker) const CAPACITY: usize = 1024;

/// Events on their way to the window, in order.
///
/// Not a channel, because two things are wanted that channels do not do: a newer state of a run
/// replaces an older unread one, and senders that must not wait go past the bound. What those send
/// is bounded by itself: one state, one answer and one progress a run, one start and one end a job.
pub(in crate::worker) struct Mailbox {
    inner: Mutex<MailboxState>,
    has_room: Condvar,
    has_news: Condvar,
    wake: Box<dyn Fn() + Send + Sync>,
}

#[derive(Debug, Default)]
struct MailboxState {
    events: VecDeque<Event>,
    is_closed: bool,
}

impl fmt::Debug for Mailbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mailbox").field("inner", &self.inner).finish_non_exhaustive()
    }
}

impl Mailbox {
    pub(in crate::worker) fn new(wake: Box<dyn Fn() + Send + Sync>) -> Self {
        Self { inner: Mutex::default(), has_room: Condvar::new(), has_news: Condvar::new(), wake }
    }

    /// Puts an event in, waiting for room; dropped once the mailbox is closed.
    pub(in crate::worker) fn send(&self, event: Event) {
        let mut inner = self.inner.lock();
        while inner.events.len() >= CAPACITY && !inner.is_closed {
            self.has_room.wait(&mut inner);
        }
        self.put(inner, event);
    }

    /// Puts an event in without waiting.
    pub(in crate::worker) fn send_now(&self, event: Event) {
        self.put(self.inner.lock(), event);
    }

    /// Says how far a job is: how many of how many, and in words.
    pub(in crate::worker) fn tell(
        &self,
        job: JobId,
        done: usize,
        total: usize,
        message: impl Into<String>,
    ) {
        let message = message.into();
        let progress = Progress { done: done as u64, total: total as u64, message };
        self.send(Event::Progress(job, progress));
    }

    /// The oldest unread event.
    pub(in crate::worker) fn try_receive(&self) -> Option<Event> {
        let event = self.inner.lock().events.pop_front();
        self.has_room.notify_one();
        event
    }

    /// The oldest unread event, or the next one if it comes in time.
    pub(in crate::worker) fn receive_within(&self, time: Duration) -> Option<Event> {
        let until = Instant::now() + time;
        let mut inner = self.inner.lock();
        // A loop, because a thread may be woken for nothing, or another may have taken the event.
        while inner.events.is_empty() {
            if self.has_news.wait_until(&mut inner, until).timed_out() {
                break;
            }
        }
        let event = inner.events.pop_front();
        drop(inner);
        self.has_room.notify_one();
        event
    }

    /// Nobody reads any more: what is unread is dropped and nobody waits.
    pub(in crate::worker) fn close(&self) {
        let mut inner = self.inner.lock();
        // Threads that wait for room go on and end; what they still say is dropped.
        inner.is_closed = true;
        inner.events.clear();
        drop(inner);
        self.has_room.notify_all();
    }

    /// Send first, then wake.
    fn put(&self, mut inner: MutexGuard<'_, MailboxState>, event: Event) {
        if inner.is_closed {
            return;
        }
        // In the place of the older one: what was told between them does not depend on it.
        // From the end: what is replaced was mostly told just before.
        let older = inner.events.iter_mut().rev().find(|older| is_replaced_by(older, &event));
        match older {
            Some(older) => *older = event,
            None => inner.events.push_back(event),
        }
        // Whoever is woken wants the lock at once.
        drop(inner);
        self.has_news.notify_all();
        (self.wake)();
    }
}

/// Whether an unread event says nothing more once this one is there.
fn is_replaced_by(older: &Event, newer: &Event) -> bool {
    match (older, newer) {
        (Event::RunRead { run_id: older, .. }, Event::RunRead { run_id: newer, .. })
        | (Event::RunGrew { run_id: older, .. }, Event::RunGrew { run_id: newer, .. }) => {
            older == newer
        }
        (
            Event::Answering { run_id: older, answering: old },
            Event::Answering { run_id: newer, answering: new },
            // One of another turn stays: between the two the run grew, and that keeps its place.
        ) => older == newer && old.turn == new.turn,
        (Event::Progress(older, _), Event::Progress(newer, _)) => older == newer,
        (Event::Study(StudyNews::Clock { .. }), Event::Study(StudyNews::Clock { .. })) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::workbench::{JobId, JobOutcome, Progress};

    fn progress(job: u64, done: u64) -> Event {
        Event::Progress(JobId(job), Progress { done, total: 0, message: String::new() })
    }

    #[test]
    fn newer_progress_replaces_unread_progress_of_the_same_job() {
        let mailbox = Mailbox::new(Box::new(|| {}));
        for event in [progress(1, 1), progress(2, 1), progress(1, 2)] {
            mailbox.send(event);
        }
        assert!(matches!(mailbox.try_receive(), Some(Event::Progress(JobId(1), p)) if p.done == 2));
        assert!(matches!(mailbox.try_receive(), Some(Event::Progress(JobId(2), _))));
        assert!(mailbox.try_receive().is_none());
    }

    fn ended(job: u64) -> Event {
        Event::JobEnded(JobId(job), JobOutcome::Done)
    }

    #[test]
    fn a_full_mailbox_holds_senders_back_and_not_those_who_must_not_wait() {
        let mailbox = Arc::new(Mailbox::new(Box::new(|| {})));
        for job in 0..CAPACITY as u64 {
            mailbox.send(ended(job));
        }
        mailbox.send_now(ended(5000));
        let sender = {
            let mailbox = Arc::clone(&mailbox);
            std::thread::Builder::new().spawn(move || mailbox.send(ended(6000))).unwrap()
        };
        assert!(!sender.is_finished());
        let mut received = 0;
        while mailbox.receive_within(Duration::from_secs(5)).is_some() {
            received += 1;
            if received == CAPACITY + 2 {
                break;
            }
        }
        sender.join().unwrap();
        assert_eq!(received, CAPACITY + 2);
    }

    #[test]
    fn closing_lets_waiting_senders_go() {
        let mailbox = Arc::new(Mailbox::new(Box::new(|| {})));
        for job in 0..CAPACITY as u64 {
            mailbox.send(Event::JobEnded(JobId(job), JobOutcome::Done));
        }
        let sender = {
            let mailbox = Arc::clone(&mailbox);
            let event = Event::JobEnded(JobId(9999), JobOutcome::Done);
            std::thread::Builder::new().spawn(move || mailbox.send(event)).unwrap()
        };
        mailbox.close();
        sender.join().unwrap();
        assert!(mailbox.try_receive().is_none());
    }
}
