//! Agents: who acts, and the loop that lets them.
//!
//! - [`Agent`]: one model answer at a time;
//! - [`runner::run_task`]: the loop, which records everything;
//! - [`by_kind`]: the agents there are;
//! - [`chat`]: a conversation with a model, whoever provides it;
//! - [`providers`]: the models behind four APIs;
//! - [`scripted`] plays a list of calls, [`tracer`] draws what it sees, neither needs a model.
//!
//! Uses `environment`, `run`, `task`, `model` and `base`.

pub mod chat;
mod guard;
mod kinds;
pub mod providers;
pub mod runner;
mod script;
pub mod scripted;
pub mod tracer;

pub use kinds::{AgentKind, AgentOptions, KINDS, by_kind};
pub use script::ScriptError;

use crate::base::{CancelToken, Pixels, Size};
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};
use crate::run::{AgentRef, Usage};

/// Someone who answers, turn by turn, with a thought and tool calls.
pub trait Agent: Send {
    /// Who this is, for the run's manifest.
    fn identity(&self) -> AgentRef;

    /// The next answer. No calls: the agent is done.
    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError>;
}

/// What an agent sees: what a model would, and nothing of the ground truth's document.
#[derive(Debug)]
pub struct AgentView<'a> {
    /// From 1.
    pub turn: u32,
    /// What is asked.
    pub instruction: &'a str,
    /// The picture to arrive at, as the agent gets it (scaled to `canvas_size`), if there is one.
    pub ground_truth: Option<&'a Pixels>,
    /// Size of the main frame, in canvas units.
    pub canvas_size: Size,
    /// Id of the main frame.
    pub main_frame: &'a str,
    /// The tools, in the order a model sees them.
    pub tools: &'a [ToolSpec],
    /// The calls of the last turn with their outcomes.
    pub last_turn: &'a [(ToolCall, ToolOutcome)],
}

/// One answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentTurn {
    /// What the agent says it thinks.
    pub thought: String,
    /// What it asks for, in order.
    pub calls: Vec<ToolCall>,
    /// What the answer cost, if known.
    pub usage: Option<Usage>,
}

/// Why an agent gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// It was stopped.
    #[error("stopped")]
    Cancelled(#[from] crate::base::Cancelled),
    /// It needs something the task does not have.
    #[error("the agent needs {0}, which the task does not have")]
    Needs(&'static str),
    /// A script that cannot be played.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// There is no agent of this kind.
    #[error("there is no agent {0:?}; there are {known}", known = kinds::known())]
    UnknownKind(String),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}
