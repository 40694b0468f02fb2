//! Studies of people who design, with the tasks and forms that they are made of.
//!
//! - [`StudyMaterial`]: a study's plan with its tasks and forms, found where it says they lie;
//! - [`PreparedTrial`]: what somebody begins a task with, and whether they succeeded;
//! - [`StudyOfRuns`]: what it comes to, of everybody or of some runs; [`StudyAttempt`]: what came of one run;
//! - [`AgentRuns`]: what ordinary runs of agents are to a study, and what they come to at its tasks;
//! - [`study_levels_table`], [`study_attempts_table`] and [`study_answers_table`]: that as tables for files;
//! - [`pack_study`]: a study for one person, in one file.
//!
//! The window's worker and the command line both use it. Uses `study`, `task`, `label`, `environment` and `design`.

mod agents;
mod attempt;
mod material;
mod packing;
mod results;
mod tables;
mod trial;

pub use agents::{AgentRun, AgentRuns, JudgeAgentsError, Judging};
pub use attempt::StudyAttempt;
pub use material::{MaterialTask, StudyMaterial, StudyMaterialError, candidates, is_possible};
pub use packing::{PackStudyError, pack_study};
pub use results::{CountedAttempt, CountedRuns, StudyOfRuns};
pub use tables::{interval_gaps, study_answers_table, study_attempts_table, study_levels_table};
pub use trial::{PreparedTrial, TrialError};
