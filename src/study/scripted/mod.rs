//! Scripted participants: for tests and demonstrations only.
//!
//! They go the way a person goes: an environment, its tools, the run's recorder, the study's log, the task's check.
//! Every line of theirs says that a script wrote it, their files are called so, and no result counts them unless it
//! is asked to. They have no age and no opinion: questionnaires are put to them and answered with nothing.
//!
//! - `healing`: what is still to be done, as calls of tools, from the structural difference;
//! - `mutation`: a start that is the ground truth changed in a few places, which can all be healed;
//! - `behaviour`: what they do next; a trait, so that others can be written;
//! - `keystrokes`: how long that takes;
//! - `session`: one task, from being shown to the check;
//! - `simulate`: everybody.

mod behaviour;
mod error;
mod healing;
mod keystrokes;
mod mutation;
mod session;
mod simulate;

pub use behaviour::{Action, Behaviour, Novice, Situation};
pub use error::SimulationError;
pub use healing::{Field, HealingStep, healing_steps};
pub use mutation::{ChangedStart, MutationError, changed_start};
pub use simulate::{SimulatedTask, Simulation, SimulationSummary, check_starts};
