//! Agents: who acts, and the loop that lets them.
//!
//! - [`Agent`]: one model answer at a time;
//! - [`runner::run_task`]: the loop, which records everything;
//! - [`by_kind`]: the agents there are; [`batch`]: many runs on one budget, resumed and made again;
//! - [`chat`]: a conversation with a model, whoever provides it; [`providers`]: the models behind four
//!   APIs; [`model_agent`]: a model that works on a task; [`models`]: models by name;
//! - [`planner`]: planning a whole design for a team of experts;
//! - [`hosted`]: a run whose agent calls from elsewhere;
//! - [`scripted`] plays a list of calls, [`tracer`] draws what it sees, neither needs a model;
//! - [`program`] is an agent of somebody's own: a program that speaks JSON lines;
//! - [`assistant`]: which step a designer could take next, without a model.
//!
//! Inside it arrows point one way: `chat`, `providers`, then `interface`, which says what an agent is, then
//! the kinds of agents, none of which knows of another but by [`by_kind`], then the run of one, then
//! [`batch`]. Start reading at [`Agent`].
//!
//! Uses `graphictown`, `environment`, `run`, `task`, `model`, `metric`, `design` and `base`; never the check
//! of constraints in `metric`, which measures what planners make.

mod asking;
pub mod assistant;
pub mod batch;
mod catch_panic;
pub mod chat;
mod continued;
mod cpu_pool;
mod error;
pub mod hosted;
mod interface;
mod kind;
pub mod model_agent;
pub mod models;
mod open;
mod picture_source;
pub mod planner;
mod prepared_task;
pub mod program;
pub mod providers;
mod recording;
mod run_settings;
pub mod runner;
pub mod scripted;
pub mod tracer;

pub use chat::RecordedExchange;
pub use continued::ContinuedRun;
pub use cpu_pool::CpuPool;
pub use error::{AgentError, RunTaskError, ScriptError};
pub use interface::{Agent, AgentLog, AgentTurn, AgentView, Growth, NoLog};
pub use kind::AgentKind;
pub use open::{AgentOptions, OpenAgent, by_kind};
pub use picture_source::{PICTURES_SETTING, PictureSource};
pub use prepared_task::PreparedTask;
