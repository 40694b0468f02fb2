//! Planners: agents that plan a whole design for a team of experts, and then have it carried out.
//!
//! - [`Planner`] asks a model: stage by stage (outline, recruitment, each expert's workflow, merging,
//!   actions) or for the whole plan at once ([`PlanWay`](super::model_agent::PlanWay));
//! - [`RulePlanner`] asks nobody: it turns the components of a query into a plan by rules, a baseline
//!   that anyone can run;
//! - [`PlayedPlan`] carries out a plan that is there already;
//! - `document` is what is kept of the stages, in the published shape; `calls` makes calls of steps.
//!
//! Planning is stateless, as in the papers: no stage sees what came of a call.
//!
//! Source: GraphicBench §3 (GraphicTown) and A.2; GraphicWeaver §4 (direct and agentic mode).

mod answers;
mod calls;
mod document;
mod model_planner;
mod played;
mod query;
mod rules;
mod team;

pub use model_planner::Planner;
pub use played::PlayedPlan;
pub use rules::RulePlanner;

#[cfg(test)]
mod tests;
