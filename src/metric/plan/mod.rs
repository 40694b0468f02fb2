//! Plans of the design suite, measured without executing them: GraphicBench and GraphicWeaver.
//!
//! - [`PlanRow`] reads what the published planner writes, broken stages and all;
//! - [`published`] is what the released evaluator computes, [`PlanScores`] all numbers of a plan, as
//!   published and strict, [`PlanSummary`] their means over many: a row of GraphicBench's Table 9;
//! - [`TeamSummary`]: who was recruited and how much each planned;
//! - [`sequence`]: which experts and actions follow each other;
//! - [`errors`]: what is wrong with each step, with the evidence; [`words`]: what of its words clashes.
//!
//! Which actions there are, and whose, is [`graphictown`](crate::graphictown)'s.
//!
//! Nothing here executes a plan; [`ExecutionSuccess`] takes what an execution found.

pub mod errors;
pub mod published;
mod reader;
mod scores;
pub mod sequence;
mod state;
mod team;
pub mod words;

pub use published::Difficulty;
pub use reader::{PlanRow, PlanRowError, PlanStep, Recruit, Stage, StageForm, StageItem};
pub use scores::{ExecutionSuccess, PlanExecution, PlanScores, PlanSummary};
pub use team::{ExpertShare, TeamSummary};
