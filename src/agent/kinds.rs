//! The agents there are.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::models::{OpenedModel, Recorded};
use super::planner::{PlayedPlan, RulePlanner};
use super::program::{ANSWER_TIMEOUT, Program, ProgramError};
use super::scripted::Scripted;
use super::tracer::Tracer;
use super::{Agent, AgentError};

/// A kind of agent of this program. Runs may say of other kinds: of MCP clients, of people, of imports.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// A model behind an API, turn by turn or all at once.
    Model,
    /// Draws what it sees in the picture, without a model.
    #[default]
    Tracer,
    /// Plays the calls of a script, or of a run, again.
    Scripted,
    /// Plans a design query by rules, without a model.
    Rules,
    /// Asks a program of somebody's own, over its stdin and stdout.
    Exec,
}

impl AgentKind {
    /// Every kind, in the order of lists.
    pub const ALL: [Self; 5] = [Self::Model, Self::Tracer, Self::Scripted, Self::Rules, Self::Exec];

    /// What runs and the command line call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Tracer => "tracer",
            Self::Scripted => "scripted",
            Self::Rules => "rules",
            Self::Exec => "exec",
        }
    }

    /// The kind of this name; `None`: it is none of this program's.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How it works, for the run's manifest, unless the agent itself says otherwise.
    pub fn mode(self) -> &'static str {
        match self {
            Self::Model | Self::Tracer | Self::Exec => "multi_turn",
            Self::Scripted => "script",
            Self::Rules => PlayedPlan::MODE,
        }
    }
}

impl fmt::Display for AgentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

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
    dyn Fn(AgentKind, &AgentOptions) -> Result<Box<dyn Agent>, AgentError> + Send + Sync;

/// An agent of this kind, at the beginning of its work. Each run needs one of its own.
pub fn by_kind(kind: AgentKind, options: &AgentOptions) -> Result<Box<dyn Agent>, AgentError> {
    match kind {
        AgentKind::Model => {
            let model = options.model.as_ref();
            let model = model.ok_or(AgentError::NotGiven("a model"))?;
            Ok(match &options.recorded {
                Some(recorded) => model.agent_after(recorded)?,
                None => model.agent()?,
            })
        }
        AgentKind::Tracer => Ok(Box::new(Tracer::new())),
        AgentKind::Rules => Ok(Box::new(RulePlanner::new())),
        AgentKind::Scripted => {
            let path = options.script.as_deref();
            let path = path.ok_or(AgentError::NotGiven("a script"))?;
            Ok(Box::new(Scripted::open(path)?))
        }
        AgentKind::Exec => {
            let command = options.command.as_deref();
            let command = command.ok_or(AgentError::NotGiven("a command"))?;
            let timeout = options.answer_timeout.unwrap_or(ANSWER_TIMEOUT);
            let program = Program::new(command, timeout).map_err(ProgramError::from)?;
            Ok(Box::new(program))
        }
    }
}
