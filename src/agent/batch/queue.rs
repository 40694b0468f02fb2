//! Orders that have not begun, and the threads that work them off.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// How often a thread that finds only paused orders looks again; it is woken for what is resumed.
const LOOK: Duration = Duration::from_millis(100);

/// Orders that have not begun, in order; the window's and the command line's alike.
#[derive(Debug)]
pub struct OrderQueue<T> {
    waiting: Mutex<VecDeque<T>>,
    changed: Condvar,
}

impl<T> OrderQueue<T> {
    /// All of these wait.
    pub fn new(orders: impl IntoIterator<Item = T>) -> Self {
        let waiting = Mutex::new(orders.into_iter().collect());
        Self { waiting, changed: Condvar::new() }
    }

    /// The next order that may begin; waits while there are only others. `None`: there is none any
    /// more.
    fn next(&self, may_begin: impl Fn(&T) -> bool) -> Option<T> {
        let mut waiting = self.waiting.lock();
        while !waiting.is_empty() {
            // A paused order keeps its place, but those behind it do not wait for it.
            if let Some(at) = waiting.iter().position(&may_begin) {
                return waiting.remove(at);
            }
            self.changed.wait_for(&mut waiting, LOOK);
        }
        None
    }

    /// Takes out those of which this is so; whether there were any.
    pub fn remove(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        let mut waiting = self.waiting.lock();
        let before = waiting.len();
        waiting.retain(|order| !is_meant(order));
        let is_gone = waiting.len() < before;
        drop(waiting);
        // What was taken out may have been the last that a thread waited for.
        self.changed.notify_all();
        is_gone
    }

    /// Takes all out.
    pub fn drain(&self) -> VecDeque<T> {
        let drained = std::mem::take(&mut *self.waiting.lock());
        self.changed.notify_all();
        drained
    }

    /// Whether one of which this is so waits still.
    pub fn holds(&self, is_meant: impl Fn(&T) -> bool) -> bool {
        self.waiting.lock().iter().any(is_meant)
    }

    /// Some order may begin that could not before.
    pub fn wake(&self) {
        self.changed.notify_all();
    }
}

impl<T: Send + 'static> OrderQueue<T> {
    /// Starts as many threads, each of which works one order off after the other until none is left.
    /// Where the system gives fewer, those do all the work; an error only if it gives none.
    pub fn work_off(
        self: &Arc<Self>,
        threads: usize,
        may_begin: impl Fn(&T) -> bool + Send + Sync + 'static,
        work: impl Fn(T) + Send + Sync + 'static,
    ) -> io::Result<Vec<JoinHandle<()>>> {
        let shared = Arc::new((may_begin, work));
        let mut handles = Vec::new();
        // Threads of their own, not tasks of a pool: most of the time a run waits for its model.
        for number in 1..=threads.max(1) {
            let (queue, shared) = (Arc::clone(self), Arc::clone(&shared));
            let thread = std::thread::Builder::new().name(format!("run-{number}"));
            let spawned = thread.spawn(move || {
                let (may_begin, work) = &*shared;
                while let Some(order) = queue.next(may_begin) {
                    work(order);
                }
            });
            match spawned {
                Ok(handle) => handles.push(handle),
                Err(error) if handles.is_empty() => return Err(error),
                Err(_) => break,
            }
        }
        Ok(handles)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::*;

    fn join(handles: Vec<JoinHandle<()>>) {
        for handle in handles {
            handle.join().unwrap();
        }
    }

    #[test]
    fn all_orders_are_worked_off_and_never_more_at_once_than_are_meant_to() {
        let seen = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new())));
        let queue = Arc::new(OrderQueue::new(0..40));
        let shared = Arc::clone(&seen);
        let threads = queue.work_off(
            4,
            |_| true,
            move |order| {
                let (at_work, most, done) = &*shared;
                most.fetch_max(at_work.fetch_add(1, Ordering::AcqRel) + 1, Ordering::AcqRel);
                std::thread::sleep(Duration::from_millis(1));
                done.lock().push(order);
                at_work.fetch_sub(1, Ordering::AcqRel);
            },
        );
        join(threads.unwrap());
        let mut done = seen.2.lock().clone();
        done.sort_unstable();
        assert_eq!(done, (0..40).collect::<Vec<_>>());
        assert!(seen.1.load(Ordering::Acquire) <= 4);
    }

    #[test]
    fn what_may_not_begin_waits_and_lets_others_pass() {
        let seen = Arc::new((AtomicBool::new(false), Mutex::new(Vec::new())));
        let queue = Arc::new(OrderQueue::new([1, 2, 3]));
        let (asked, worked, woken) = (Arc::clone(&seen), Arc::clone(&seen), Arc::clone(&queue));
        let threads = queue.work_off(
            1,
            move |one| *one != 1 || asked.0.load(Ordering::Acquire),
            move |one| {
                worked.1.lock().push(one);
                if one == 3 {
                    worked.0.store(true, Ordering::Release);
                    woken.wake();
                }
            },
        );
        join(threads.unwrap());
        assert_eq!(*seen.1.lock(), [2, 3, 1]);
    }

    #[test]
    fn what_is_taken_out_does_not_begin() {
        let queue = Arc::new(OrderQueue::new([1, 2, 3]));
        assert!(queue.remove(|one| *one == 2) && !queue.remove(|one| *one == 2));
        assert!(queue.holds(|one| *one == 3));
        assert_eq!(queue.drain(), [1, 3]);
        join(queue.work_off(2, |_| true, |_: i32| panic!("there is none")).unwrap());
    }
}
