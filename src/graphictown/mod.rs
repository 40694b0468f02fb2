//! GraphicTown's team as facts: three experts with a program each, and the 48 actions of these.
//!
//! What `environment::suite` carries out and `metric::plan` judges, so that both are about the same
//! table. Names, experts, parameters and ranges are those of the released planner
//! (dayeonki/graphicweaver, `planning/skillsets.py`), kept in `assets/suite/actions.json`.
//!
//! [`Query`] is what a design query of GraphicBench asks for: what its planners read, and what their
//! plans are held against.
//!
//! Uses `base`.

mod action;
mod expert;
mod query;

pub use action::{Action, Parameter, ParameterKind, all, find};
pub use expert::Expert;
pub use query::{DesignType, PAGE_FIELD, Query, QueryImage, WantedSize, WantedText, WantedVisual};
