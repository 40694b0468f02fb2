//! Task sets: our format, and loaders for the published layouts.
//!
//! Uses `environment`, `metric` (score types), `run` types and `base`..

mod model;

pub use model::{Artifact, Task, TaskKind, TaskSet};
