//! The agents there are.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::model_agent::ModelAgent;
use super::models::{OpenedModel, Recorded};
use super::planner::{PlayedPlan, RulePlanner};
use super::program::{ANSWER_TIMEOUT, Program, ProgramError};
use super::scripted::Scripted;
use super::tracer::Tracer;
use super::{Agent, AgentError};

/// A kind of agent, for lists and dialogs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgentKind {
    /// What runs and the command line call it.
    pub kind: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// Whether it needs [`AgentOptions::script`].
    pub needs_script: bool,
    /// Whether it needs [`AgentOptions::command`].
    pub needs_command: bool,
    /// Whether it needs [`AgentOptions::model`].
    pub needs_model: bool,
    /// How it works, for the run's manifest.
    pub mode: &'static str,
}

/// The kind of agents that are programs.
pub const EXEC: &str = "exec";

/// Every kind, in the order of lists.
pub const KINDS: [AgentKind; 5] = [
    AgentKind {
        kind: ModelAgent::KIND,
        summary: "a model behind an API, turn by turn or all at once",
        needs_script: false,
        needs_command: false,
        needs_model: true,
        mode: "multi_turn",
    },
    AgentKind {
        kind: Tracer::KIND,
        summary: "draws what it sees in the picture, without a model",
        needs_script: false,
        needs_command: false,
        needs_model: false,
        mode: "multi_turn",
    },
    AgentKind {
        kind: Scripted::KIND,
        summary: "plays the calls of a script, or of a run, again",
        needs_script: true,
        needs_command: false,
        needs_model: false,
        mode: "script",
    },
    AgentKind {
        kind: RulePlanner::KIND,
        summary: "plans a design query by rules, without a model",
        needs_script: false,
        needs_command: false,
        needs_model: false,
        mode: PlayedPlan::MODE,
    },
    AgentKind {
        kind: EXEC,
        summary: "asks a program of your own, over its stdin and stdout",
        needs_script: false,
        needs_command: true,
        needs_model: false,
        mode: "multi_turn",
    },
];

/// What an agent can be told. Each kind takes what it knows.
#[derive(Clone, Debug, Default)]
pub struct AgentOptions {
    /// The script of `scripted`: a JSON file, an `events.jsonl`, or a run folder.
    pub script: Option<PathBuf>,
    /// The command of `exec`: a program and its arguments.
    pub command: Option<String>,
    /// How long the program of `exec` may take for an answer; `None`: [`ANSWER_TIMEOUT`].
    pub answer_timeout: Option<Duration>,
    /// The model of `model`, made ready.
    pub model: Option<OpenedModel>,
    /// The answers that the model gives again before it is asked anything.
    pub recorded: Option<Arc<Recorded>>,
}

/// Makes an agent of a kind; [`by_kind`] but in tests.
pub type OpenAgent =
    dyn Fn(&str, &AgentOptions) -> Result<Box<dyn Agent>, AgentError> + Send + Sync;

/// An agent of this kind, at the beginning of its work. Each run needs one of its own.
pub fn by_kind(kind: &str, options: &AgentOptions) -> Result<Box<dyn Agent>, AgentError> {
    match kind {
        ModelAgent::KIND => {
            let model = options.model.as_ref();
            let model = model.ok_or(AgentError::NotGiven("a model"))?;
            Ok(match &options.recorded {
                Some(recorded) => model.agent_after(recorded)?,
                None => model.agent()?,
            })
        }
        Tracer::KIND => Ok(Box::new(Tracer::new())),
        RulePlanner::KIND => Ok(Box::new(RulePlanner::new())),
        Scripted::KIND => {
            let path = options.script.as_deref();
            let path = path.ok_or(AgentError::NotGiven("a script"))?;
            Ok(Box::new(Scripted::open(path)?))
        }
        EXEC => {
            let command = options.command.as_deref();
            let command = command.ok_or(AgentError::NotGiven("a command"))?;
            let timeout = options.answer_timeout.unwrap_or(ANSWER_TIMEOUT);
            let program = Program::new(command, timeout).map_err(ProgramError::from)?;
            Ok(Box::new(program))
        }
        other => Err(AgentError::UnknownKind(other.chars().take(80).collect())),
    }
}

pub(super) fn known() -> String {
    KINDS.map(|kind| kind.kind).join(", ")
}
