//! Studies of people who design, with the tasks and forms that they are made of.
//!
//! - [`StudyMaterial`]: a study's plan with its tasks and forms, found where it says they lie;
//! - [`PreparedTrial`]: what somebody begins a task with, and whether they succeeded;
//! - [`pack_study`]: a study for one person, in one file.
//!
//! The window's worker and the command line both use it. Uses `study`, `task`, `label`, `environment` and `design`.

mod material;
mod packing;
mod trial;

pub use material::{MaterialTask, StudyMaterial, StudyMaterialError, candidates, is_possible};
pub use packing::{PackStudyError, pack_study};
pub use trial::{PreparedTrial, TrialError};
