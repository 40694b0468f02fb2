//! The integration tests, in one binary: linking is the slow part.

mod agent;
mod crash;
mod mock;
mod run;
mod schema;
mod shared;
mod task;
