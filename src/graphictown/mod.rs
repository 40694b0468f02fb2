//! GraphicTown's team as facts: three experts with a program each, and the 48 actions of these.
//!
//! What `environment::suite` carries out and `metric::plan` judges, so that both are about the same
//! table. Names, experts, parameters and ranges are those of the released planner
//! (dayeonki/graphicweaver, `planning/skillsets.py`), kept in `assets/suite/actions.json`.
//!
//! Uses nothing.

mod action;
mod expert;

pub use action::{Action, Parameter, ParameterKind, all, find};
pub use expert::Expert;
