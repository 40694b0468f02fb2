//! An agent that is a model: thought, calls, outcomes, until no call comes (ReAct).
//!
//! - [`ModelAgent`] talks; it knows no provider, only a [`ChatModel`](super::chat::ChatModel);
//! - [`Mode`]: turn by turn, all calls at once, or a page in HTML instead of calls;
//! - [`AgentPrompts`]: what it says besides the task, replaceable by the user.
//!
//! What a model can do wrong is met here and counted in the run's notes: an answer that is empty, cut
//! off, refused, or whose call cannot be read. See [`ModelAgent`] for what happens then.
//!
//! Source: CANVAS, "Model Setup" and appendix D (pipeline, prompts as blocks, settings).

mod agent;
mod conversation;
mod mode;
mod page;
mod prompts;

pub use agent::ModelAgent;
pub use mode::{Mode, PlanWay, UnknownMode};
pub use prompts::AgentPrompts;
