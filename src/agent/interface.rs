//! Who acts: an agent, what it sees, what it tells while it answers, and the answer.

use serde_json::Value;

use crate::base::{CancelToken, Pixels, Size};
use crate::environment::suite::GivenPicture;
use crate::environment::{EnvironmentKind, ToolCall, ToolOutcome, ToolSpec};
use crate::graphictown::Query;
use crate::run::{AgentRef, Outcome, ProviderTotals, TaskRef, Usage};

use super::chat::Exchange;
use super::cpu_pool::CpuPool;
use super::error::AgentError;

/// Someone who answers, turn by turn, with a thought and tool calls.
pub trait Agent: Send {
    /// Who this is, for the run's manifest.
    fn identity(&self) -> AgentRef;

    /// How it works, for the run's manifest; `None`: as its kind does ([`AgentKind::mode`](super::AgentKind::mode)).
    fn mode(&self) -> Option<&'static str> {
        None
    }

    /// In which environment it works; `None`: in the task's own.
    fn environment(&self) -> Option<EnvironmentKind> {
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
    pub input_pictures: &'a [GivenPicture],
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

/// What an agent tells while it answers, before its turn is recorded.
pub trait AgentLog {
    /// Something went over the wire. It is on disk when this returns.
    fn exchange(&mut self, exchange: &Exchange);

    /// What a provider of models was asked, and what it cost: added to the run's totals, and its usage
    /// to the turn's, whatever becomes of the turn.
    fn count(&mut self, provider: &str, counts: &ProviderTotals);

    /// Something worth knowing about this turn, kept with the run.
    fn note(&mut self, text: String);

    /// The plan as far as it was made: the run keeps the last one it is told.
    fn plan(&mut self, plan: &Value);

    /// The answer grows. Shown while it does, kept only once it is whole.
    fn growing(&mut self, growth: &Growth<'_>);

    /// Threads for what takes a processor and not only time.
    fn cpu(&self) -> CpuPool {
        CpuPool::default()
    }
}

/// A piece of an answer as it comes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Growth<'a> {
    /// The agent is asked; nothing has come yet, or what came is void and it is asked again.
    Asked,
    /// More of what it says.
    Text(&'a str),
    /// More of how it reasons, if its provider shows that.
    Reasoning(&'a str),
    /// More of a call: the tool's name as far as known, and more of the arguments' text.
    Call {
        /// The tool.
        name: &'a str,
        /// More of its arguments as JSON text.
        arguments: &'a str,
    },
    /// It will be asked again in a while.
    Waiting {
        /// Why.
        why: &'a str,
        /// In how many seconds.
        secs: f64,
    },
}

/// Hears nothing, keeps nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLog;

impl AgentLog for NoLog {
    fn exchange(&mut self, _exchange: &Exchange) {}
    fn count(&mut self, _provider: &str, _counts: &ProviderTotals) {}
    fn note(&mut self, _text: String) {}
    fn plan(&mut self, _plan: &Value) {}
    fn growing(&mut self, _growth: &Growth<'_>) {}
}
