//! Background work: named threads over bounded queues.
//!
//! [`Worker::start`] starts the threads, [`Worker::send`] takes a request and returns at once,
//! [`Worker::try_event`] gives what came of it.
//!
//! | thread | does |
//! |---|---|
//! | `io` | opens task sets and folders of runs, notices new runs in them, reads files of models, writes pictures |
//! | `reader` | reads runs, follows live ones of other processes, notices folders that vanish |
//! | `stage` | pictures, nodes and scores of what is on the stage, then pictures around the step; never what the library shows, so that the stage waits for one picture at most |
//! | `drawing-N` | the same, then pictures around the step, thumbnails, curves, last scores |
//! | `notes` | reads people's notes and keeps them |
//! | `labels` | keeps the labelling project that is open: reads it, writes what is answered, notices what others wrote |
//! | `hands` | opens designs that people work on by hand, and records what they do |
//! | `study` | keeps the study that is open: its logs, the clock of the task, the check at its end |
//! | `run-N` | agents' runs |
//! | `test` | asks an endpoint what it can do |
//!
//! # Promises
//!
//! - Every job ends with exactly one [`Event::JobEnded`](crate::workbench::Event::JobEnded), however
//!   it ends: done, cancelled, failed or panicked. A panic ends its job and nothing else.
//! - A run never waits for the window: it writes to disk first, and what it tells is put in the
//!   mailbox without waiting, the newest state of a run replacing an older unread one. All of a run is
//!   told only of those that are looked at ([`Request::Watch`](crate::workbench::Request::Watch)); of
//!   the others their totals, so that hundreds of them at once cost little.
//! - A run that is paused records the turn it is at and begins no other; nor is its model asked again,
//!   not even after a failure. One that waits to begin is passed over. A stop ends it all the same.
//! - All other threads wait when the mailbox is full; nothing is lost and memory is bounded.
//! - An event is in the mailbox before the window is woken.
//! - Dropping the worker stops every job, gives runs [`CLOSING_TIME`] to finish the call they are
//!   at and write their manifest, and returns. What was recorded is on disk in any case.
//!
//! Uses everything above it in the crate's table.

mod compute;
mod copying;
mod hands;
mod labelling;
mod launching;
mod noting;
mod opening;
mod placing;
mod reading;
mod shared;
mod stage_shot;
mod study;
mod threads;
mod watching;

pub use crate::agent::OpenAgent;
pub use compute::amiss::Amiss;
pub use labelling::read_labels;
pub use noting::read_notes;
pub use threads::{CLOSING_TIME, Worker, WorkerConfig, WorkerError};
