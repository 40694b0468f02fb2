//! Making a recorded run again: the same agent, told the same.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use crate::run::{Manifest, folder};

use super::Contestant;
use super::contestant::{ANSWER_TIMEOUT_SETTING, COMMAND_SETTING};
use crate::agent::models::{OpenedModel, ReplayedRunError};
use crate::agent::{AgentError, AgentKind, AgentOptions, OpenAgent};

/// Why a run cannot be made again.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// Nobody of this program acted in it.
    #[error(
        "it cannot be made again: {0:?} acted in it, which is no agent of this program (an MCP client, a person, or an import)"
    )]
    NoAgent(String),
    /// It does not say which program acted.
    #[error("it cannot be made again: it does not say which command was its agent")]
    NoCommand,
    /// It does not say how its model was asked.
    #[error("it cannot be made again: {0}")]
    Model(#[from] ReplayedRunError),
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
}

/// Whether a run says enough of itself to be made again. Nothing is opened.
pub fn check_again(manifest: &Manifest) -> Result<(), AgainError> {
    match kind_of(manifest)? {
        AgentKind::Model => Ok(OpenedModel::check_recorded(manifest)?),
        AgentKind::Exec => command_of(manifest).map(|_| ()),
        AgentKind::Tracer | AgentKind::Scripted | AgentKind::Rules => Ok(()),
    }
}

fn kind_of(manifest: &Manifest) -> Result<AgentKind, AgainError> {
    let kind = manifest.agent.kind.as_str();
    let none = || AgainError::NoAgent(kind.chars().take(80).collect());
    AgentKind::from_name(kind).ok_or_else(none)
}

/// Who acted in the run, made ready. A script may have changed since, or be gone: the run itself holds
/// the calls that were played.
pub(super) fn contestant_of(
    manifest: &Manifest,
    dir: &Path,
    open_agent: &OpenAgent,
) -> Result<Contestant, AgainError> {
    check_again(manifest)?;
    let kind = kind_of(manifest)?;
    let options = match kind {
        AgentKind::Model => return Ok(Contestant::of_model(OpenedModel::of_run(manifest)?)),
        AgentKind::Exec => AgentOptions {
            command: Some(command_of(manifest)?.to_owned()),
            answer_timeout: answer_timeout_of(manifest),
            ..AgentOptions::default()
        },
        AgentKind::Scripted => {
            AgentOptions { script: Some(dir.to_path_buf()), ..AgentOptions::default() }
        }
        AgentKind::Tracer | AgentKind::Rules => AgentOptions::default(),
    };
    Ok(Contestant::new(kind, options, open_agent)?)
}

fn command_of(manifest: &Manifest) -> Result<&str, AgainError> {
    let command = manifest.settings.get(COMMAND_SETTING).and_then(Value::as_str);
    command.filter(|command| !command.trim().is_empty()).ok_or(AgainError::NoCommand)
}

fn answer_timeout_of(manifest: &Manifest) -> Option<Duration> {
    let secs = manifest.settings.get(ANSWER_TIMEOUT_SETTING).and_then(Value::as_u64);
    secs.filter(|secs| *secs > 0).map(Duration::from_secs)
}

/// The folder that the batch of a run went to, if the run lies as batches lay them out:
/// `root/<set>/<task>/<agent>-<NN>`.
pub fn root_of(manifest: &Manifest, dir: &Path) -> Option<PathBuf> {
    let task = dir.parent()?;
    let set = task.parent()?;
    let is_named = |dir: &Path, id: &str| {
        dir.file_name().is_some_and(|name| name.to_string_lossy() == folder::slug(id))
    };
    let root = set.parent()?;
    (is_named(task, &manifest.task.id) && is_named(set, &manifest.task.set))
        .then(|| root.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef};
    use serde_json::json;

    fn manifest(kind: &str) -> Manifest {
        let agent = AgentRef { kind: kind.into(), name: kind.into(), version: None };
        let task = TaskRef { set: "a set".into(), id: "t".into() };
        Manifest::new(task, agent, "2026-01-01T00:00:00Z")
    }

    #[test]
    fn what_cannot_be_made_again_says_why() {
        let why = |manifest: &Manifest| check_again(manifest).unwrap_err().to_string();
        assert!(why(&manifest("mcp")).contains("\"mcp\" acted in it"));
        assert!(why(&manifest("exec")).contains("which command"));
        assert!(why(&manifest("model")).contains("settings"));
        assert!(check_again(&manifest("tracer")).is_ok());
        let mut program = manifest("exec");
        program.settings.insert(COMMAND_SETTING.into(), json!("python3 a.py"));
        program.settings.insert(ANSWER_TIMEOUT_SETTING.into(), json!(7));
        assert!(check_again(&program).is_ok());
        assert_eq!(answer_timeout_of(&program), Some(Duration::from_secs(7)));
    }

    #[test]
    fn a_run_knows_the_folder_of_its_batch_if_it_lies_as_it_was_laid() {
        let root = root_of(&manifest("tracer"), Path::new("/runs/a-set/t/tracer-01"));
        assert_eq!(root, Some(PathBuf::from("/runs")));
        assert_eq!(root_of(&manifest("tracer"), Path::new("/runs/tracer-01")), None);
        assert_eq!(root_of(&manifest("tracer"), Path::new("/")), None);
    }
}
