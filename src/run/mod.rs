//! Runs: one agent's attempt at one task, in memory and on disk.
//!
//! - [`Manifest`] is `run.json`, [`Event`] a line of `events.jsonl`: the format;
//! - [`Recorder`](recorder::Recorder) writes them as they happen, durable at every turn;
//! - [`reader`] reads them back, torn files too;
//! - [`Run`], [`Turn`], [`Step`]: what the rest of the program works with;
//! - [`replay`] gives the environment's state at any step.
//!
//! Uses `environment`, `metric` (score types) and `base`.

mod event;
mod manifest;
mod model;
pub mod reader;
pub mod recorder;
pub mod replay;

pub use event::{Event, ImageRef, Usage};
pub use manifest::{AgentRef, FORMAT, Manifest, Outcome, TaskRef, Totals, VERSION};
pub use model::{Run, RunOrigin, Step, StepOutcome, Torn, Turn};
