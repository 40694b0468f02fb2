//! The integration tests, in one binary: linking is the slow part.
//!
//! Every module is marked as a test, so that clippy lets its helpers unwrap too.

#[cfg(test)]

mod agent;
mod canvas_run;
mod crash;
mod design;
mod mock;
mod run;
mod schema;
mod shared;
mod task;
mod workbench;
mod worker;
