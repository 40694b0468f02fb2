//! Who acts.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::agent::models::{OpenedModel, Recorded};
use crate::agent::{Agent, AgentError, AgentKind, AgentOptions, OpenAgent};

/// Someone who acts in any number of runs.
#[derive(Debug)]
pub struct Contestant {
    kind: AgentKind,
    options: AgentOptions,
    name: String,
}

impl Contestant {
    /// An agent of a kind with what it is told; looked at once, so that what is wrong with it is said
    /// before anything is recorded.
    pub fn new(
        kind: AgentKind,
        options: AgentOptions,
        open_agent: &OpenAgent,
    ) -> Result<Self, AgentError> {
        let name = open_agent(kind, &options)?.identity().name;
        Ok(Self { kind, options, name })
    }

    /// A model.
    pub fn of_model(model: OpenedModel) -> Self {
        let name = model.name().to_owned();
        let options = AgentOptions { model: Some(model), ..AgentOptions::default() };
        Self { kind: AgentKind::Model, options, name }
    }

    /// What runs call it.
    pub fn name(&self) -> &str {
        &self.name
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
        let options = AgentOptions { recorded: recorded.map(Arc::new), ..self.options.clone() };
        open_agent(self.kind, &options)
    }

    /// What a run's manifest remembers of it.
    pub fn settings(&self) -> Map<String, Value> {
        match self.model() {
            Some(model) => model.settings(),
            None => of_options(&self.options),
        }
    }
}

fn of_options(options: &AgentOptions) -> Map<String, Value> {
    let mut settings = Map::new();
    if let Some(name) = options.script.as_deref().and_then(Path::file_name) {
        settings.insert("script".to_owned(), json!(name.to_string_lossy()));
    }
    if let Some(command) = &options.command {
        settings.insert(COMMAND_SETTING.to_owned(), json!(command));
        let secs = options.answer_timeout.map(|timeout| timeout.as_secs());
        settings.extend(secs.map(|secs| (ANSWER_TIMEOUT_SETTING.to_owned(), json!(secs))));
    }
    settings
}

/// The setting that holds the command of an agent that is a program.
pub(super) const COMMAND_SETTING: &str = "command";
/// The setting that says how long such a program may take for an answer, in seconds.
pub(super) const ANSWER_TIMEOUT_SETTING: &str = "answer_timeout_secs";
