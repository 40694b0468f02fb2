//! A model made ready for many runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::base::{CancelToken, Variables};
use crate::model::wire::{AnswerListener, ApiKey, BodyEnd, HttpWire, Wire, WireError, WireRequest};
use crate::run::Manifest;

use super::continued::ContinuedWire;
use super::error::ReplayedRunError;
use super::pace::PacedWire;
use super::{ModelEntry, Recorded, RecordedError};
use crate::agent::chat::ChatSettings;
use crate::agent::model_agent::{AgentPrompts, Mode, ModelAgent};
use crate::agent::planner::Planner;
use crate::agent::providers::{
    KeyPlace, Provider, ProviderSettings, ReplayError, SessionKeys, SetupError,
};
use crate::agent::{Agent, AgentKind};

pub use crate::run::{MODE_SETTING, MODEL_SETTING, PROMPTS_SETTING};

/// A model made ready: agents made of it share its key, its connections and its pace.
#[derive(Clone)]
pub struct OpenedModel {
    name: String,
    entry: ModelEntry,
    mode: Mode,
    prompts: Arc<AgentPrompts>,
    wire: Arc<dyn Wire>,
    key: Option<ApiKey>,
    key_place: KeyPlace,
}

/// Models made ready, each once: its limits are those of an account, and not of what it is told.
#[derive(Debug, Default)]
pub struct OpenedModels(Mutex<BTreeMap<String, OpenedModel>>);

impl OpenedModels {
    /// The model of this name, which the first that asks for it opens.
    pub fn get<E>(
        &self,
        name: &str,
        open: impl FnOnce() -> Result<OpenedModel, E>,
    ) -> Result<OpenedModel, E> {
        // Held while it is opened: a key is asked for once.
        let mut opened = self.0.lock();
        if let Some(model) = opened.get(name) {
            return Ok(model.clone());
        }
        let model = open()?;
        opened.insert(name.to_owned(), model.clone());
        Ok(model)
    }
}

impl std::fmt::Debug for OpenedModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut fields = f.debug_struct("OpenedModel");
        fields.field("name", &self.name).field("entry", &self.entry).field("mode", &self.mode);
        fields.finish_non_exhaustive()
    }
}

impl OpenedModel {
    /// Takes the key and sets connections up; nothing is asked yet.
    pub fn new(
        name: impl Into<String>,
        entry: ModelEntry,
        mode: Mode,
        prompts: Arc<AgentPrompts>,
        variables: &Variables,
    ) -> Result<Self, SetupError> {
        Self::with_keys(name, entry, mode, prompts, &SessionKeys::default(), variables)
    }

    /// The same where keys may have been typed.
    pub(super) fn with_keys(
        name: impl Into<String>,
        entry: ModelEntry,
        mode: Mode,
        prompts: Arc<AgentPrompts>,
        typed: &SessionKeys,
        variables: &Variables,
    ) -> Result<Self, SetupError> {
        let provider = entry.provider.with_region(variables).map_err(SetupError::from)?;
        let entry = ModelEntry { provider, ..entry };
        let (key, key_place) = entry.provider.take_key(typed, variables)?;
        let http = HttpWire::new(entry.provider.http())?;
        // One for all agents: limits are those of the account and not of a run.
        let wire = PacedWire::new(Arc::new(http), entry.at_once, entry.per_minute);
        let wire = Arc::new(wire);
        let opened = Self { name: name.into(), entry, mode, prompts, wire, key, key_place };
        // What is wrong with the address is said now rather than in every run.
        opened.provider(Arc::clone(&opened.wire))?;
        Ok(opened)
    }

    /// The same model told otherwise, over the same connections and with the same key: its limits are
    /// those of the account.
    #[must_use]
    pub fn told(&self, entry: ModelEntry, mode: Mode, prompts: Arc<AgentPrompts>) -> Self {
        Self { entry, mode, prompts, ..self.clone() }
    }

    /// A model that nothing is asked of, for what it would cost: no key is taken, nothing is connected.
    pub fn unasked(
        name: impl Into<String>,
        entry: ModelEntry,
        mode: Mode,
        prompts: Arc<AgentPrompts>,
        variables: &Variables,
    ) -> Result<Self, SetupError> {
        let wire: Arc<dyn Wire> = Arc::new(NoWire);
        // As it would be opened, so that its runs are told from others; without a region it is looked at
        // all the same.
        let provider = entry.provider.clone().with_region(variables).unwrap_or(entry.provider);
        let entry = ModelEntry { provider, ..entry };
        let opened = Self {
            name: name.into(),
            entry,
            mode,
            prompts,
            wire,
            key: None,
            key_place: KeyPlace::None,
        };
        opened.provider(Arc::clone(&opened.wire))?;
        Ok(opened)
    }

    /// What the user calls it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its key comes from.
    pub fn key_place(&self) -> &KeyPlace {
        &self.key_place
    }

    /// How it is asked.
    pub fn entry(&self) -> &ModelEntry {
        &self.entry
    }

    /// How it works.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What it is told besides the task.
    pub fn prompts(&self) -> &AgentPrompts {
        &self.prompts
    }

    /// What a run's manifest remembers, so that the run can be repeated.
    pub fn settings(&self) -> Map<String, Value> {
        let entry = serde_json::to_value(&self.entry).unwrap_or_default();
        let settings = [
            (MODEL_SETTING, entry),
            (MODE_SETTING, json!(self.mode.name())),
            (PROMPTS_SETTING, json!(self.prompts.texts())),
        ];
        settings.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    /// An agent for a run of its own.
    pub fn agent(&self) -> Result<Box<dyn Agent>, SetupError> {
        self.agent_over(Arc::clone(&self.wire))
    }

    /// An agent that has the answers of an earlier run given again before anything is asked.
    pub fn agent_after(&self, recorded: &Recorded) -> Result<Box<dyn Agent>, ReplayedRunError> {
        let recorded = recorded.wire().map_err(replay)?;
        let wire = ContinuedWire::new(recorded, Arc::clone(&self.wire));
        Ok(self.agent_over(Arc::new(wire))?)
    }

    /// An agent that repeats a run from its record alone: no key, no network.
    pub fn replay(
        manifest: &Manifest,
        recorded: &Recorded,
    ) -> Result<Box<dyn Agent>, ReplayedRunError> {
        let (entry, mode, prompts) = of_settings(manifest)?;
        let wire = recorded.wire().map_err(replay)?;
        let name = manifest.agent.name.clone();
        let opened = Self {
            name,
            entry,
            mode,
            prompts,
            wire: Arc::new(wire),
            key: None,
            key_place: KeyPlace::None,
        };
        Ok(opened.agent()?)
    }

    /// The model that acted in a run, asked as it was then, for runs to come: with its key, over the
    /// network.
    pub fn of_run(manifest: &Manifest, variables: &Variables) -> Result<Self, ReplayedRunError> {
        let (entry, mode, prompts) = of_settings(manifest)?;
        Ok(Self::new(manifest.agent.name.clone(), entry, mode, prompts, variables)?)
    }

    /// Whether a run says how its model was asked. Nothing is opened.
    pub fn check_recorded(manifest: &Manifest) -> Result<(), ReplayedRunError> {
        of_settings(manifest).map(|_| ())
    }

    /// The model itself, to be asked by whoever is no agent of a run, and how it is to answer.
    ///
    /// # Errors
    ///
    /// [`SetupError`].
    pub fn chat(&self) -> Result<(Provider, ChatSettings), SetupError> {
        Ok((self.provider(Arc::clone(&self.wire))?, self.entry.chat_settings()))
    }

    fn agent_over(&self, wire: Arc<dyn Wire>) -> Result<Box<dyn Agent>, SetupError> {
        let model = Arc::new(self.provider(wire)?);
        let (settings, prompts) = (self.entry.chat_settings(), Arc::clone(&self.prompts));
        // Plans first, and carries them out without asking: another agent over the same model.
        if let Some(way) = self.mode.plan_way() {
            let planner = Planner::new(model, settings, prompts, (self.mode.name(), way));
            return Ok(Box::new(planner.named(&self.name)));
        }
        let agent = ModelAgent::new(model, settings, self.mode, prompts);
        Ok(Box::new(agent.named(&self.name)))
    }

    /// The model asked in another way, over the same connections.
    pub(super) fn provider_with(&self, settings: ProviderSettings) -> Result<Provider, SetupError> {
        Provider::over(Arc::clone(&self.wire), settings, self.key.clone())
    }

    fn provider(&self, wire: Arc<dyn Wire>) -> Result<Provider, SetupError> {
        Provider::over(wire, self.entry.provider.clone(), self.key.clone())
    }
}

/// Leads nowhere.
struct NoWire;

impl Wire for NoWire {
    fn post(
        &self,
        _request: &WireRequest,
        _listener: &mut dyn AnswerListener,
        _cancel: &CancelToken,
    ) -> Result<BodyEnd, WireError> {
        Err(WireError::Setup("this model was opened to be looked at only".to_owned()))
    }
}

/// How the model of a run was asked, how it worked, and what it was told.
fn of_settings(
    manifest: &Manifest,
) -> Result<(ModelEntry, Mode, Arc<AgentPrompts>), ReplayedRunError> {
    if AgentKind::from_name(&manifest.agent.kind) != Some(AgentKind::Model) {
        return Err(ReplayedRunError::NoModel(manifest.agent.kind.clone()));
    }
    let entry = setting(manifest, MODEL_SETTING)?;
    let prompts = AgentPrompts::of_texts(setting(manifest, PROMPTS_SETTING)?);
    Ok((entry, manifest.mode.parse()?, Arc::new(prompts)))
}

/// A setting of a run; one that is not there is read as `null`.
fn setting<T: DeserializeOwned>(manifest: &Manifest, name: &str) -> Result<T, ReplayedRunError> {
    T::deserialize(manifest.settings.get(name).unwrap_or(&Value::Null))
        .map_err(|error| ReplayedRunError::Settings(error.to_string()))
}

fn replay(error: ReplayError) -> ReplayedRunError {
    RecordedError::from(error).into()
}
