//! Who acts.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use crate::agent::model_agent::AgentPrompts;
use crate::agent::models::{ModelsFile, OpenedModel, Recorded};
use crate::agent::{Agent, AgentOptions, by_kind};
use crate::cli::arguments::RunArguments;

/// Someone who acts in any number of runs.
#[derive(Debug)]
pub(super) enum Contestant {
    /// An agent that needs no model.
    Kind {
        /// Which kind.
        kind: &'static str,
        /// What it was told.
        options: Box<AgentOptions>,
        /// What runs call it.
        name: String,
    },
    /// A model.
    Model(Box<OpenedModel>),
}

impl Contestant {
    /// Those that the command line names, each looked at once before anything is recorded.
    pub(super) fn all(arguments: &RunArguments) -> anyhow::Result<Vec<Arc<Self>>> {
        if arguments.models.is_empty() {
            return Ok(vec![Arc::new(Self::of_kind(arguments)?)]);
        }
        let prompts = match &arguments.prompts {
            Some(folder) => AgentPrompts::from_folder(folder)?,
            None => AgentPrompts::built_in(),
        };
        let (file, prompts) = (models_file(arguments.models_file.as_deref())?, Arc::new(prompts));
        let mut contestants: Vec<Arc<Self>> = Vec::new();
        for name in &arguments.models {
            let (called, entry) = file.named_entry(name)?;
            // One model at two addresses: the second is called by all that was said of it.
            let is_taken = contestants.iter().any(|other| other.name() == called);
            let called = if is_taken { name.clone() } else { called };
            let model = OpenedModel::new(called, entry, arguments.mode, Arc::clone(&prompts))
                .with_context(|| format!("the model {name}"))?;
            contestants.push(Arc::new(Self::Model(Box::new(model))));
        }
        Ok(contestants)
    }

    fn of_kind(arguments: &RunArguments) -> anyhow::Result<Self> {
        let agent = arguments.agent.as_ref().context("say who acts: --agent or --models")?;
        let options = AgentOptions {
            script: arguments.script.clone(),
            command: agent.command().map(str::to_owned),
            answer_timeout: Some(Duration::from_secs(u64::from(arguments.answer_timeout.get()))),
            model: None,
        };
        let name = by_kind(agent.kind(), &options)?.identity().name;
        Ok(Self::Kind { kind: agent.kind(), options: Box::new(options), name })
    }

    /// What runs call it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Kind { name, .. } => name,
            Self::Model(model) => model.name(),
        }
    }

    /// The model, if it is one.
    pub(super) fn model(&self) -> Option<&OpenedModel> {
        match self {
            Self::Model(model) => Some(model),
            Self::Kind { .. } => None,
        }
    }

    /// An agent for one run, which has these answers given again first.
    pub(super) fn agent(&self, recorded: Option<&Recorded>) -> anyhow::Result<Box<dyn Agent>> {
        Ok(match (self, recorded) {
            (Self::Kind { kind, options, .. }, _) => by_kind(kind, options)?,
            (Self::Model(model), None) => Box::new(model.agent()?),
            (Self::Model(model), Some(recorded)) => Box::new(model.agent_after(recorded)?),
        })
    }

    /// What a run's manifest remembers of it.
    pub(super) fn settings(&self) -> Map<String, Value> {
        match self {
            Self::Model(model) => model.settings(),
            Self::Kind { options, .. } => of_options(options),
        }
    }
}

fn of_options(options: &AgentOptions) -> Map<String, Value> {
    let mut settings = Map::new();
    if let Some(name) = options.script.as_deref().and_then(Path::file_name) {
        settings.insert("script".to_owned(), json!(name.to_string_lossy()));
    }
    if let Some(command) = &options.command {
        let secs = options.answer_timeout.map(|timeout| timeout.as_secs());
        settings.insert("command".to_owned(), json!(command));
        settings.insert("answer_timeout_secs".to_owned(), json!(secs));
    }
    settings
}

/// The user's models; none if no file is named.
fn models_file(path: Option<&Path>) -> anyhow::Result<ModelsFile> {
    Ok(path.map(ModelsFile::open).transpose()?.unwrap_or_default())
}
