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

mod asking;
pub mod batch;
pub mod chat;
mod guard;
mod hands;
pub mod hosted;
mod kinds;
mod log;
pub mod model_agent;
pub mod models;
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

pub use kinds::{AgentKind, AgentOptions, OpenAgent, by_kind};
pub use log::{AgentLog, Growth, NoLog};
pub use picture_source::{PICTURES_SETTING, PictureSource};
pub use ready::ReadyTask;
pub use script::ScriptError;
pub use turn_log::RecordedExchange;

use crate::base::{CancelToken, Pixels, Size};
use crate::environment::suite::GivenPicture;
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};
use crate::graphictown::Query;
use crate::run::{AgentRef, Outcome, TaskRef, Usage};

/// Someone who answers, turn by turn, with a thought and tool calls.
pub trait Agent: Send {
    /// Who this is, for the run's manifest.
    fn identity(&self) -> AgentRef;

    /// How it works, for the run's manifest; `None`: as its kind does ([`AgentKind::mode`]).
    fn mode(&self) -> Option<&'static str> {
        None
    }

    /// In which environment it works; `None`: in the task's own.
    fn environment(&self) -> Option<&'static str> {
        None
    }

    /// The next answer. No calls: the agent is done.
    fn next_turn(
        &mut self,
        view: &AgentView<'_>,
        log: &mut dyn AgentLog,
        cancel: &CancelToken,
    ) -> Result<AgentTurn, AgentError>;
}

/// What an agent sees: what a model would, and nothing of the ground truth's document.
#[derive(Debug)]
pub struct AgentView<'a> {
    /// Which task.
    pub task: &'a TaskRef,
    /// From 1.
    pub turn: u32,
    /// What is asked.
    pub instruction: &'a str,
    /// The picture to arrive at, as the agent gets it (scaled to `canvas_size`), if there is one.
    pub ground_truth: Option<&'a Pixels>,
    /// Size of the main frame, in canvas units.
    pub canvas_size: Size,
    /// What is asked, component by component, if the task is a design query.
    pub query: Option<&'a Query>,
    /// The pictures that come with the query.
    pub given: &'a [GivenPicture],
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
    /// What the answer cost, if known, beside what was told to [`AgentLog::count`].
    pub usage: Option<Usage>,
    /// The run goes on though there may be no call: this was one of several answers that belong
    /// together, such as the stages of a plan.
    pub goes_on: bool,
    /// How the run ends with this answer, though there may be calls in it; they are made first.
    pub ends: Option<Outcome>,
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
    /// It needs something that its options do not hold.
    #[error("the agent needs {0}, which was not given")]
    NotGiven(&'static str),
    /// The model gave no answer.
    #[error(transparent)]
    Chat(#[from] chat::ChatError),
    /// The model cannot be set up.
    #[error(transparent)]
    Setup(#[from] providers::SetupError),
    /// What was recorded of the model cannot be used.
    #[error(transparent)]
    Recorded(#[from] models::ReplayedRunError),
    /// A script that cannot be played.
    #[error(transparent)]
    Script(#[from] ScriptError),
    /// An agent's program that gives no answer, or cannot be asked.
    #[error(transparent)]
    Program(#[from] program::ProgramError),
    /// Anything else.
    #[error("{0}")]
    Other(String),
}
