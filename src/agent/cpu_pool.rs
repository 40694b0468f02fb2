//! The few threads that do the runs' own work: making calls, drawing, reading tasks.
//!
//! A run has a thread of its own, because most of the time it waits for its model. What is left to do
//! in between takes a processor, and what drawing remembers (set texts, glyphs) belongs to the thread
//! that draws: hundreds of runs that each did so on their own thread would leave the window no
//! processor, and hold what is remembered hundreds of times.
//!
//! Whoever begins runs makes a pool and hands it to all of them. It cannot change an answer: work says nothing of the
//! thread it is done on, and what threads remember is looked up by all that it depends on.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Most threads, however many processors there are.
const MOST: usize = 8;

/// Threads that runs share. Clones are the same pool; [`CpuPool::default`] has no threads, and all work is done on the
/// thread that asks for it.
#[derive(Clone, Debug, Default)]
pub struct CpuPool(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// How many threads there are to be.
    wanted: usize,
    /// Made by the first work: most windows never launch a run. `None` where the system gives none.
    threads: OnceLock<Option<ThreadPool>>,
    /// How many runs are being recorded that share it.
    at_work: AtomicUsize,
}

impl Shared {
    fn threads(&self) -> Option<&ThreadPool> {
        if self.wanted == 0 {
            return None;
        }
        let threads = self.threads.get_or_init(|| {
            let builder = ThreadPoolBuilder::new().num_threads(self.wanted);
            builder.thread_name(|number| format!("cpu-{number}")).build().ok()
        });
        threads.as_ref()
    }
}

impl CpuPool {
    /// A thread for every processor but one, which is left to the window, and eight at most.
    pub fn of_processors() -> Self {
        let processors = available_parallelism().map_or(1, NonZero::get);
        let wanted = processors.saturating_sub(1).clamp(1, MOST);
        Self(Arc::new(Shared { wanted, ..Shared::default() }))
    }

    /// Does the work on one of its threads, and waits until it is done; a panic goes on here. The work must not wait
    /// for anything slower than a disk: what waits for a program or for the network is done on the run's own thread
    /// ([`Environment::calls_wait`](crate::environment::Environment::calls_wait)).
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        if rayon::current_thread_index().is_some() {
            // One of a few already, this pool's or another's. Waiting here for a second thread of the pool could
            // wait for ever, if all wait so.
            return work();
        }
        match self.0.threads() {
            Some(threads) => threads.install(work),
            None => work(),
        }
    }

    /// Counts a run among those that are being recorded, until what is given is dropped.
    pub(super) fn begin_run(&self) -> RunAtWork {
        self.0.at_work.fetch_add(1, Ordering::Relaxed);
        RunAtWork(Arc::clone(&self.0))
    }
}

/// A run that is being recorded.
#[derive(Debug)]
pub(super) struct RunAtWork(Arc<Shared>);

impl RunAtWork {
    /// How many there are, this one included.
    pub(super) fn all(&self) -> usize {
        self.0.at_work.load(Ordering::Relaxed)
    }
}

impl Drop for RunAtWork {
    fn drop(&mut self) {
        self.0.at_work.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_on_the_pool_and_its_panic_comes_back() {
        let pool = CpuPool::of_processors();
        let name = pool.run(|| std::thread::current().name().map(str::to_owned));
        assert!(name.is_some_and(|name| name.starts_with("cpu-")));
        let breaks = std::panic::AssertUnwindSafe(|| pool.run(|| panic!("on the pool")));
        assert!(std::panic::catch_unwind(breaks).is_err());
        assert_eq!(pool.run(|| pool.run(|| 7)), 7);
    }

    #[test]
    fn without_threads_work_is_done_where_it_is_asked_for() {
        let here = std::thread::current().id();
        assert_eq!(CpuPool::default().run(|| std::thread::current().id()), here);
    }

    #[test]
    fn runs_are_counted_by_the_pool_that_they_share() {
        let (pool, other) = (CpuPool::default(), CpuPool::default());
        let first = pool.begin_run();
        let second = pool.clone().begin_run();
        assert_eq!((first.all(), second.all(), other.begin_run().all()), (2, 2, 1));
        drop(second);
        assert_eq!(first.all(), 1);
    }
}
