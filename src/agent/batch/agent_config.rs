//! Who acts: as a person said it or as a recorded run did it ([`AgentChoice`]), and made ready for any
//! number of runs ([`AgentConfig`]).

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{Actor, ExperimentCell};
use crate::agent::model_agent::{AgentPrompts, Mode};
use crate::agent::models::{
    ChoiceError, ModelChoice, OpenedModel, OpenedModels, Recorded, ReplayedRunError,
};
use crate::agent::{Agent, AgentError, AgentKind, AgentOptions, OpenAgent};
use crate::base::Variables;
use crate::model::template::PromptError;
use crate::run::{Manifest, folder};

/// The setting that holds the command of an agent that is a program.
const COMMAND_SETTING: &str = "command";
/// The setting that says how long such a program may take for an answer, in seconds.
const ANSWER_TIMEOUT_SETTING: &str = "answer_timeout_secs";

/// Who is to act, before anything of it was looked at.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentChoice {
    /// An agent that needs no model.
    Kind {
        /// Which kind.
        kind: AgentKind,
        /// The script of `scripted`.
        script: Option<PathBuf>,
        /// The command of `exec`.
        command: Option<String>,
    },
    /// A model.
    Model(ModelChoice),
    /// A cell of an experiment.
    Cell {
        /// Which.
        cell: Box<ExperimentCell>,
        /// Where its model is to be had: the file, and keys that were typed.
        model: ModelChoice,
    },
    /// Who acted in this run, told the same.
    Again {
        /// What the run says of itself.
        manifest: Arc<Manifest>,
        /// Its folder.
        dir: PathBuf,
    },
}

/// Why nobody can act.
#[derive(Debug, thiserror::Error)]
pub enum AgentChoiceError {
    /// The agent cannot be made.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The model is not to be had.
    #[error(transparent)]
    Model(#[from] ChoiceError),
    /// No agent is called this.
    #[error("there is no agent {0:?}")]
    UnknownAgent(String),
    /// A cell's prompts cannot be had.
    #[error(transparent)]
    Prompts(#[from] PromptError),
    /// The run cannot be made again.
    #[error(transparent)]
    Again(#[from] AgainError),
}

impl AgentChoice {
    /// What it is called where it is launched.
    pub fn name(&self) -> &str {
        match self {
            Self::Kind { kind, .. } => kind.name(),
            Self::Model(model) => &model.name,
            Self::Cell { cell, .. } => &cell.label,
            Self::Again { manifest, .. } => &manifest.agent.name,
        }
    }

    /// Makes it ready; a key may have to be asked for. Cells of one model share it among these.
    pub fn open(
        &self,
        open_agent: &OpenAgent,
        models: &OpenedModels,
        variables: &Variables,
    ) -> Result<AgentConfig, AgentChoiceError> {
        let of_kind = |kind, script, command| {
            let options = AgentOptions { script, command, ..AgentOptions::default() };
            AgentConfig::new(kind, options, open_agent)
        };
        match self {
            Self::Kind { kind, script, command } => {
                Ok(of_kind(*kind, script.clone(), command.clone())?)
            }
            Self::Model(choice) => Ok(AgentConfig::of_model(choice.open(variables)?)),
            Self::Cell { cell, model } => match &cell.actor {
                Actor::Agent(name) => {
                    // As in the file of an experiment: a kind, or a kind and its command.
                    let (kind, command) = match name.split_once(':') {
                        Some((kind, command)) => (kind, Some(command.to_owned())),
                        None => (name.as_str(), None),
                    };
                    let kind = AgentKind::from_name(kind)
                        .ok_or_else(|| AgentChoiceError::UnknownAgent(name.clone()))?;
                    Ok(of_kind(kind, None, command)?.called(&cell.label))
                }
                Actor::Model { name, .. } => {
                    let model = models.get(name, || model.named(name).open(variables))?;
                    Ok(AgentConfig::of_cell(cell, &model)?)
                }
            },
            Self::Again { manifest, dir } => {
                Ok(AgentConfig::of_run(manifest, dir, open_agent, variables)?)
            }
        }
    }

    /// The model that would act, of which nothing is asked; `None`: none would, or it acted before.
    pub fn unasked(&self, variables: &Variables) -> Result<Option<AgentConfig>, AgentChoiceError> {
        match self {
            Self::Model(choice) => Ok(Some(AgentConfig::of_model(choice.unasked(variables)?))),
            Self::Cell { cell, model } => {
                let Actor::Model { name, .. } = &cell.actor else { return Ok(None) };
                Ok(Some(AgentConfig::of_cell(cell, &model.named(name).unasked(variables)?)?))
            }
            Self::Kind { .. } | Self::Again { .. } => Ok(None),
        }
    }
}

/// Someone who acts in any number of runs.
#[derive(Debug)]
pub struct AgentConfig {
    kind: AgentKind,
    options: AgentOptions,
    name: String,
    /// What tables call it, where several of one name are told apart.
    label: Option<String>,
}

impl AgentConfig {
    /// An agent of a kind with what it is told; looked at once, so that what is wrong with it is said
    /// before anything is recorded.
    pub fn new(
        kind: AgentKind,
        options: AgentOptions,
        open_agent: &OpenAgent,
    ) -> Result<Self, AgentError> {
        // One is made only to be asked who it is: a script that cannot be read fails here, once.
        let name = open_agent(kind, &options)?.identity().name;
        Ok(Self { kind, options, name, label: None })
    }

    /// A model.
    pub fn of_model(model: OpenedModel) -> Self {
        let name = model.name().to_owned();
        let options = AgentOptions { model: Some(model), ..AgentOptions::default() };
        Self { kind: AgentKind::Model, options, name, label: None }
    }

    /// A model as it works in this cell.
    ///
    /// # Errors
    ///
    /// [`PromptError`]: the cell's folder of prompts.
    pub fn of_cell(cell: &ExperimentCell, model: &OpenedModel) -> Result<Self, PromptError> {
        let (mode, prompts) = match &cell.actor {
            Actor::Model { mode, prompts, .. } => (*mode, prompts.as_deref()),
            Actor::Agent(_) => (Mode::default(), None),
        };
        let prompts = Arc::new(match prompts {
            Some(folder) => AgentPrompts::from_folder(folder)?,
            None => AgentPrompts::built_in(),
        });
        let mut entry = model.entry().clone();
        let variation = &cell.variation;
        entry.temperature = variation.temperature.unwrap_or(entry.temperature);
        entry.max_tokens = variation.max_answer_tokens.unwrap_or(entry.max_tokens);
        entry.parallel_calls = variation.parallel_calls.unwrap_or(entry.parallel_calls);
        entry.extra.extend(variation.extra.clone());
        Ok(Self::of_model(model.told(entry, mode, prompts)).called(&cell.label))
    }

    /// Who acted in the run.
    fn of_run(
        manifest: &Manifest,
        dir: &Path,
        open_agent: &OpenAgent,
        variables: &Variables,
    ) -> Result<Self, AgainError> {
        let kind = kind_of(manifest)?;
        let mut options = AgentOptions::default();
        match kind {
            AgentKind::Model => {
                return Ok(Self::of_model(OpenedModel::of_run(manifest, variables)?));
            }
            AgentKind::Exec => {
                options.command = Some(command_of(manifest)?.to_owned());
                options.answer_timeout = answer_timeout_of(manifest);
            }
            // The script may have changed since, or be gone: the run itself holds the calls that were
            // played.
            AgentKind::Scripted => options.script = Some(dir.to_path_buf()),
            AgentKind::Tracer | AgentKind::Rules => {}
        }
        Ok(Self::new(kind, options, open_agent)?)
    }

    /// What runs call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same by another name in tables; runs call it as before.
    #[must_use]
    pub fn called(self, label: &str) -> Self {
        Self { label: Some(label.to_owned()), ..self }
    }

    /// What tables call it.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }

    /// The model, if it is one.
    pub fn model(&self) -> Option<&OpenedModel> {
        self.options.model.as_ref()
    }

    /// Whether nobody knows what its answers cost, though they may cost something.
    pub fn is_unpriced(&self) -> bool {
        self.model().is_some_and(|model| model.entry().provider.prices.is_none())
    }

    /// An agent for one run, which has these answers given again first if it is a model.
    pub fn agent(
        &self,
        recorded: Option<Recorded>,
        open_agent: &OpenAgent,
    ) -> Result<Box<dyn Agent>, AgentError> {
        // Each run has an agent of its own, as agents remember what was said.
        let options = AgentOptions { recorded: recorded.map(Arc::new), ..self.options.clone() };
        open_agent(self.kind, &options)
    }

    /// What a run's manifest remembers of it.
    pub fn settings(&self) -> Map<String, Value> {
        if let Some(model) = self.model() {
            return model.settings();
        }
        let mut settings = Map::new();
        // Only the name: where the script lay means nothing on another machine, and the run holds what
        // was played of it.
        if let Some(name) = self.options.script.as_deref().and_then(Path::file_name) {
            settings.insert("script".to_owned(), json!(name.to_string_lossy()));
        }
        if let Some(command) = &self.options.command {
            settings.insert(COMMAND_SETTING.to_owned(), json!(command));
            let secs = self.options.answer_timeout.map(|timeout| timeout.as_secs());
            settings.extend(secs.map(|secs| (ANSWER_TIMEOUT_SETTING.to_owned(), json!(secs))));
        }
        settings
    }
}

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
    // No key is asked for and no file read: the window wants to know before it offers it.
    match kind_of(manifest)? {
        AgentKind::Model => Ok(OpenedModel::check_recorded(manifest)?),
        AgentKind::Exec => command_of(manifest).map(|_| ()),
        AgentKind::Tracer | AgentKind::Scripted | AgentKind::Rules => Ok(()),
    }
}

fn kind_of(manifest: &Manifest) -> Result<AgentKind, AgainError> {
    let kind = manifest.agent.kind.as_str();
    // The word stands in a file that anybody may have written: only so much of it is repeated.
    AgentKind::from_name(kind).ok_or_else(|| AgainError::NoAgent(kind.chars().take(80).collect()))
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
    let root = set.parent()?;
    for (dir, id) in [(task, &manifest.task.id), (set, &manifest.task.set)] {
        // Moved by hand, or imported: then its place says nothing of a batch.
        if dir.file_name()?.to_string_lossy() != folder::slug(id) {
            return None;
        }
    }
    Some(root.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{AgentRef, TaskRef};

    fn manifest(kind: &str) -> Manifest {
        let agent = AgentRef { kind: kind.into(), name: kind.into(), version: None };
        let task = TaskRef { set: "a set".into(), id: "t".into() };
        Manifest::new(task, agent, "2026-01-01T00:00:00Z")
    }

    #[test]
    fn what_cannot_be_made_again_says_why() {
        for (kind, why) in
            [("mcp", "\"mcp\" acted in it"), ("exec", "which command"), ("model", "settings")]
        {
            let error = check_again(&manifest(kind)).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
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
