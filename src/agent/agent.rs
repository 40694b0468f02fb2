//! Who acts: an agent, what it sees and what it answers.

use crate::base::{CancelToken, Pixels, Size};
use crate::environment::suite::GivenPicture;
use crate::environment::{ToolCall, ToolOutcome, ToolSpec};
use crate::graphictown::Query;
use crate::run::{AgentRef, Outcome, TaskRef, Usage};

use super::error::AgentError;
use super::log::AgentLog;

/// Someone who answers, turn by turn, with a thought and tool calls.
pub trait Agent: Send {
    /// Who this is, for the run's manifest.
    fn identity(&self) -> AgentRef;

    /// How it works, for the run's manifest; `None`: as its kind does ([`AgentKind::mode`](super::AgentKind::mode)).
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
