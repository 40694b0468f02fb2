//! The few threads that do all runs' own work: making calls, drawing, reading tasks.
//!
//! A run has a thread of its own, because most of the time it waits for its model. What is left to do
//! in between takes a processor, and what drawing remembers (set texts, glyphs) belongs to the thread
//! that draws: hundreds of runs that each did so on their own thread would leave the window no
//! processor, and hold what is remembered hundreds of times.
//!
//! There is one pool a process and not one a batch, as the processors are the process's too. It cannot
//! change an answer: work says nothing of the thread it is done on, and what threads remember is looked
//! up by all that it depends on.

use std::num::NonZero;
use std::sync::LazyLock;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Most threads, however many processors there are.
const MOST: usize = 8;

/// One processor is left to the window. `None` where the system gives no threads.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let processors = available_parallelism().map_or(1, NonZero::get);
    let threads = processors.saturating_sub(1).clamp(1, MOST);
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.thread_name(|number| format!("cpu-{number}")).build().ok()
});

/// Does the work on one of the pool's threads, and waits until it is done; a panic goes on here. The work must not
/// wait for anything slower than a disk: what waits for a program or for the network is done on the
/// run's own thread ([`Environment::calls_wait`](crate::environment::Environment::calls_wait)).
pub(super) fn run_on_pool<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_some() {
        // One of a few already, this or another's. Waiting here for a second thread of the pool could
        // wait for ever, if all wait so.
        return work();
    }
    match &*POOL {
        Some(pool) => pool.install(work),
        None => work(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_done_on_the_pool_and_its_panic_comes_back() {
        let name = run_on_pool(|| std::thread::current().name().map(str::to_owned));
        assert!(name.is_some_and(|name| name.starts_with("cpu-")));
        assert!(std::panic::catch_unwind(|| run_on_pool(|| panic!("on the pool"))).is_err());
        assert_eq!(run_on_pool(|| run_on_pool(|| 7)), 7);
    }
}
