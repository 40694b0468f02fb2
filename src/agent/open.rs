//! Making agents.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::models::{OpenedModel, Recorded};
use super::planner::RulePlanner;
use super::program::{ANSWER_TIMEOUT, Program, ProgramError};
use super::scripted::Scripted;
use super::tracer::Tracer;
use super::{Agent, AgentError, AgentKind};

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
            // The answers of a broken-off run come first, so that nothing is paid for twice.
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
