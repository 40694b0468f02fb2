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
//! - [`program`] is an agent of somebody's own: a program that speaks JSON lines.
//!
//! Uses `environment`, `run`, `task`, `model` and `base`.

#[expect(clippy::module_inception, reason = "what an agent is stands in a file of its own")]
mod agent;
mod asking;
pub mod batch;
mod catch_panic;
pub mod chat;
mod cpu_pool;
mod error;
pub mod hosted;
mod kind;
mod log;
pub mod model_agent;
pub mod models;
mod observer;
mod open;
mod picture_source;
pub mod planner;
pub mod program;
pub mod providers;
mod ready;
mod recording;
pub mod runner;
mod script;
pub mod scripted;
pub mod tracer;
mod turn_log;

pub use agent::{Agent, AgentTurn, AgentView};
pub use chat::RecordedExchange;
pub use error::{AgentError, RunTaskError, ScriptError};
pub use kind::AgentKind;
pub use log::{AgentLog, Growth, NoLog};
pub use open::{AgentOptions, OpenAgent, by_kind};
pub use picture_source::{PICTURES_SETTING, PictureSource};
pub use ready::ReadyTask;
